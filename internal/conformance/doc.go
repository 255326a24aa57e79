// Package conformance runs the official MCP conformance suite against the fixture: what it requires of a server of revision 2025-11-25,
// and of one of 2026-07-28.
package conformance
