// Package soak misuses a server as careless and hostile clients do, all at once, for less than a minute and over the loopback: sessions that
// nobody uses, bodies and headers that never end, streams whose clients vanish. make soak runs it.
package soak
