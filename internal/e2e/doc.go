// Package e2e tests the server from outside: the fixture as a process of its own, on a real socket, called by go-sdk's
// client and by the official TypeScript clients, and compared with a server built on go-sdk's own tools.
//
// The tests need Node 20 or later. They install the TypeScript clients, pinned by node/package-lock.json, when they are not
// there or the lock file has changed.
package e2e
