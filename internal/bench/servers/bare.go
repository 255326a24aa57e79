package servers

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"

	"github.com/capgen/capgen/internal/bench/tools"
)

// call is a tools/call with arguments of a known type.
type call[In any] struct {
	ID     json.RawMessage `json:"id"`
	Params struct {
		Name      string `json:"name"`
		Arguments In     `json:"arguments"`
	} `json:"params"`
}

// newBare is what one would write by hand without a library: one Unmarshal of the body into structs, one Marshal of the result. It
// validates nothing. It takes the tool's name from the header, so that it reads the body once.
func newBare() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			body, err = answerBare(r.Header.Get("Mcp-Name"), body)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		writeJSON(w, body)
	})
}

func answerBare(tool string, body []byte) ([]byte, error) {
	switch tool {
	case "album_lookup":
		return answerCall(body, tools.Lookup)
	case "order_quote":
		return answerCall(body, tools.Price)
	}
	return nil, errors.New("no such tool")
}

func answerCall[In, Out any](body []byte, run func(*In) Out) ([]byte, error) {
	var request call[In]
	if err := json.Unmarshal(body, &request); err != nil {
		return nil, err
	}
	result, err := json.Marshal(run(&request.Params.Arguments))
	if err != nil {
		return nil, err
	}
	return envelope(request.ID, result)
}

// envelope is the answer to a call: the result as text and as it is.
func envelope(id, result []byte) ([]byte, error) {
	text, err := json.Marshal(string(result))
	if err != nil {
		return nil, err
	}
	answer := make([]byte, 0, len(id)+len(text)+len(result)+128)
	answer = append(answer, `{"jsonrpc":"2.0","id":`...)
	answer = append(answer, id...)
	answer = append(answer, `,"result":{"content":[{"type":"text","text":`...)
	answer = append(answer, text...)
	answer = append(answer, `}],"structuredContent":`...)
	answer = append(answer, result...)
	return append(answer, "}}"...), nil
}

// newConstant is what net/http costs alone: it does not even read the body, which net/http then does.
func newConstant() http.Handler {
	answers := map[string][]byte{}
	for _, sample := range tools.Samples() {
		answers[sample.Tool] = must(envelope([]byte("0"), sample.Answer))
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { writeJSON(w, answers[r.Header.Get("Mcp-Name")]) })
}

func writeJSON(w http.ResponseWriter, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	// The client notices an answer that is cut short.
	_, _ = w.Write(body)
}
