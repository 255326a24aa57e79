package runtime

import (
	"encoding/base64"
	"errors"
	"strings"
	"unicode/utf8"
)

// Values that a header cannot carry as they are travel in Base64 between these marks, which are exact and lower-case
// (2026-07-28, basic/transports/streamable-http, "Value Encoding").
const (
	encodedPrefix = "=?base64?"
	encodedSuffix = "?="
)

// Why a header's value is none. The caller says which header.
var (
	errHeaderMissing    = errors.New("is missing")
	errHeaderRepeated   = errors.New("is there more than once")
	errHeaderCharacters = errors.New("holds characters that a header may not: encode the value")
	errHeaderEncoding   = errors.New("is not valid Base64 of UTF-8 text")
)

// plainValue returns the value of a header that must be there exactly once: an intermediary may read another line than
// we do. net/http has trimmed the space around it.
func plainValue(lines []string) (string, error) {
	switch len(lines) {
	case 0:
		return "", errHeaderMissing
	case 1:
	default:
		return "", errHeaderRepeated
	}
	for i := range len(lines[0]) {
		if c := lines[0][i]; c != '\t' && (c < ' ' || c > '~') {
			return "", errHeaderCharacters
		}
	}
	return lines[0], nil
}

// decodedValue is plainValue for a header whose value may be encoded.
func decodedValue(lines []string) (string, error) {
	value, err := plainValue(lines)
	if err != nil {
		return "", err
	}
	inner, encoded := strings.CutPrefix(value, encodedPrefix)
	if !encoded {
		return value, nil
	}
	inner, encoded = strings.CutSuffix(inner, encodedSuffix)
	if !encoded {
		return value, nil
	}
	text, err := base64.StdEncoding.Strict().DecodeString(inner)
	if err != nil || !utf8.Valid(text) {
		return "", errHeaderEncoding
	}
	return string(text), nil
}
