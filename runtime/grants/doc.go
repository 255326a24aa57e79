// Package grants keeps what users have granted to agents: for how long, and which scopes, a client may act for a subject in one
// application. A grant is taken back with [Store.Revoke], and the next call that asks for it does not find it.
//
// [Memory] is a store for tests and small programs. Package sqlstore keeps grants in SQLite or PostgreSQL, and package grantstest
// tests a store of an application's own.
package grants
