// Package codectest holds the generated codec against the reference validator, on declarations of every kind: package shapes has types
// with every keyword, package suite those of the JSON Schema Test Suite. Texts and values are made by mutating good ones.
package codectest
