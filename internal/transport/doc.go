// Package transport holds a server against raw HTTP requests: testdata/cases.jsonl has a case a line, each for a fault that was once
// reported of some MCP server. Its test plays every case to a fixture of its own.
package transport
