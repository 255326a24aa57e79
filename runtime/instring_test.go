package runtime

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// FuzzAppendInString: what is appended is read back as the text.
func FuzzAppendInString(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"a":"b"}`, `["é😀","\"\\\n\u0000"]`, "{\n\t\"a\": [1,\r\n 2]\n}", `"` + strings.Repeat("plain text ", 9) + `"`, `[""," ","",""]`,
	} {
		f.Add("", []byte(seed))
		f.Add(`{"result":`, []byte(seed))
	}
	f.Fuzz(func(t *testing.T, before string, text []byte) {
		if !json.Valid(text) {
			return
		}
		text = bytes.ToValidUTF8(text, nil)
		got := appendInString(append(make([]byte, 0, len(before)+len(text)), before...), text)
		if string(got[:len(before)]) != before {
			t.Fatalf("%q stood before, now %q", before, got[:len(before)])
		}
		var back string
		if err := json.Unmarshal([]byte(`"`+string(got[len(before):])+`"`), &back); err != nil || back != string(text) {
			t.Errorf("%q\nread back as %q, %v", text, back, err)
		}
	})
}
