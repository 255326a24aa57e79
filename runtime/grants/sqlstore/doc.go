// Package sqlstore keeps grants in a SQL database: SQLite, which needs nothing but a file, or PostgreSQL. Any number of processes
// can share one.
//
// Its tables are capgen_grants and capgen_grants_schema, which [Open] and [New] create and bring up to date. Rows of revoked grants stay
// for ever, since a revoked ID must not be saved again; rows of grants that have expired and were not revoked may be deleted.
package sqlstore
