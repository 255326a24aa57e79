package codec

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestSpecialBytes puts every byte at each place of texts of each length, among others: what is found eight bytes at a time is what is
// found one by one.
func TestSpecialBytes(t *testing.T) {
	for length := range 20 {
		for _, filling := range []string{"a", "\x7f", " ", "\xc3\xa9", "\xff", "\n", "\x01", "!", "#"} {
			text := []byte(strings.Repeat(filling, length)[:length])
			for place := range text {
				before := text[place]
				for c := range 256 {
					text[place] = byte(c)
					holdSpecial(t, string(text))
				}
				text[place] = before
			}
		}
	}
}

func holdSpecial(t *testing.T, text string) {
	t.Helper()
	first := 0
	for first < len(text) && text[first] >= ' ' && text[first] < 0x80 && text[first] != '"' && text[first] != '\\' {
		first++
	}
	if got := plainPrefix([]byte("x"+text), 1) - 1; got != first {
		t.Fatalf("%q: the first special byte is found at %d", text, got)
	}
	want, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, room := range []int{0, len(want), len(want) + 20} {
		if got := appendQuoted(make([]byte, 0, room), text); string(got) != string(want) {
			t.Fatalf("%q is written %s, and by encoding/json %s", text, got, want)
		}
	}
}

// FuzzQuoted holds what is written of a string, and what is read of it, against encoding/json.
func FuzzQuoted(f *testing.F) {
	f.Add("plain, and long enough")
	f.Add("\"<é\u2028\x00\xff\ud7ff")
	f.Fuzz(holdSpecial)
}
