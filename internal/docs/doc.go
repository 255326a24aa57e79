// Package docs tests that the documents are true: what README.md tells a reader to type is typed, and does what it says.
package docs
