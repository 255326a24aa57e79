package runtime

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// beginResponse appends a JSON-RPC response to the request of that ID, up to its result. A nil ID is left out, never null: revision 2026-07-28 has
// no null IDs (basic, "Responses").
func beginResponse(dst, id []byte) []byte {
	return append(appendID(dst, id), `,"result":`...)
}

func appendID(dst, id []byte) []byte {
	dst = append(dst, `{"jsonrpc":"2.0"`...)
	if id != nil {
		dst = append(append(dst, `,"id":`...), id...)
	}
	return dst
}

// response returns the JSON-RPC response to the request of that ID: a result, or an error if it was refused.
func response(id, result []byte, refused *refusal) []byte {
	text := make([]byte, 0, len(result)+128)
	if refused == nil {
		return append(append(beginResponse(text, id), result...), '}')
	}
	text = append(appendID(text, id), `,"error":{"code":`...)
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
