package runtime

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// response returns the JSON-RPC response to the request of that ID: a result, or an error if it was refused. A nil ID is left
// out, never null: revision 2026-07-28 has no null IDs (basic, "Responses").
func response(id, result []byte, refused *refusal) []byte {
	room := len(result) + 128
	text := append(make([]byte, 0, room), `{"jsonrpc":"2.0"`...)
	if id != nil {
		text = append(text, `,"id":`...)
		text = append(text, id...)
	}
	if refused == nil {
		text = append(text, `,"result":`...)
		text = append(text, result...)
		return append(text, '}')
	}
	text = append(text, `,"error":{"code":`...)
	text = strconv.AppendInt(text, int64(refused.code), 10)
	text = append(text, `,"message":`...)
	text = appendText(text, refused.message)
	if refused.data != nil {
		text = append(text, `,"data":`...)
		text = append(text, refused.data...)
	}
	return append(text, "}}"...)
}

// appendText appends a text as a JSON string.
func appendText[Text ~string | ~[]byte](dst []byte, text Text) []byte {
	// The error speaks of bytes that are not UTF-8, which are replaced.
	dst, _ = jsontext.AppendQuote(dst, text)
	return dst
}
