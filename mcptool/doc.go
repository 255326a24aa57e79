// Package mcptool is a capability as clients of MCP receive it: the element of a tools/list result that a server sends, what each family
// of clients refuses of it, and how it is rewritten for a family without a loss.
//
// What clients refuse is one table, [Rules], with a source and a date for every row. The generator holds declarations against it for
// capgen lint, and the runtime holds what it serves on the path of a dialect against it.
package mcptool
