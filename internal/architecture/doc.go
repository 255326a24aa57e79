// Package architecture tests which package may import which. The arrows are drawn in ARCHITECTURE.md.
package architecture
