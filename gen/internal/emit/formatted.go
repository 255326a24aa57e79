package emit

import (
	"crypto/sha256"
	"encoding/hex"
	"go/format"
)

// File is a package's generated code.
type File struct {
	// Text is the code.
	Text []byte
	// Parts tell where in it the formatted parts are, by the digest of what each was before it was formatted.
	Parts map[string]Span
}

// Span is a part of a text, in bytes.
type Span struct{ Offset, Length int }

// Formatted are parts that were formatted before, by the digest of what they were. To format takes longer than anything else that this
// stage does, and after an edit most parts are as they were. Nil is none.
type Formatted map[string][]byte

// format returns a part as gofmt has it, and its digest.
func (f Formatted) format(part []byte) (formatted []byte, digest string, err error) {
	sum := sha256.Sum256(part)
	digest = hex.EncodeToString(sum[:])
	if known, ok := f[digest]; ok {
		return known, digest, nil
	}
	formatted, err = format.Source(part)
	return formatted, digest, err
}
