package runtime

import (
	"github.com/capgen/capgen/capabilities"
	"github.com/go-json-experiment/json"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// metaProblems is the name in a result's _meta under which programs find what is wrong with an input. Not in
// structuredContent, which belongs to the output schema.
const metaProblems = "io.github.capgen/problems"

// beginResult begins an object with what every result of a revision has.
func (h *Handler) beginResult(dst []byte, rev revision) []byte {
	dst = append(dst, '{')
	if rev >= modern {
		dst = append(dst, h.resultHead...)
	}
	return dst
}

// resultHead are the members that 2026-07-28 puts into every result (basic, "resultType" and "Per-Response Metadata").
func resultHead(info mcp.Implementation) ([]byte, error) {
	serverInfo, err := json.Marshal(info)
	if err != nil {
		return nil, err
	}
	return []byte(`"resultType":"complete","_meta":{"` + metaPrefix + `serverInfo":` + string(serverInfo) + `},`), nil
}

// appendSuccess appends the response to the request of that ID with a capability's result: as {"result": VALUE}, once as text for models and once more for
// programs.
func (h *Handler) appendSuccess(dst, id []byte, rev revision, outcome capabilities.Outcome) []byte {
	// The text is longer by a backslash for each quote.
	dst = grow(dst, len(h.resultHead)+3*len(outcome.JSON)+256)
	dst = h.beginResult(beginResponse(dst, id), rev)
	dst = append(dst, `"content":[{"type":"text","text":"{\"result\":`...)
	dst = append(appendInString(dst, outcome.JSON), `}"}`...)
	dst = appendAllAttached(dst, rev, outcome.Attached)
	if rev >= structured {
		dst = append(dst, `,"structuredContent":{"result":`...)
		dst = append(append(dst, outcome.JSON...), '}')
	}
	return append(dst, "}}"...)
}

// encodeFailure is a result that says that the tool failed, in words for the model.
func (h *Handler) encodeFailure(rev revision, failure *capabilities.Failure) []byte {
	text := h.beginFailure(rev, failure)
	text = appendText(append(text, `"content":[{"type":"text","text":`...), failure.Text())
	return append(text, `}],"isError":true}`...)
}

// beginFailure is beginResult with the problems in _meta.
func (h *Handler) beginFailure(rev revision, failure *capabilities.Failure) []byte {
	text := h.beginResult(nil, rev)
	if failure.Kind != capabilities.InvalidInput || len(failure.Problems) == 0 {
		return text
	}
	problems, err := json.Marshal(failure.Problems)
	if err != nil {
		return text
	}
	if rev >= modern {
		text = text[:len(text)-len("},")]
		text = append(text, ',')
	} else {
		text = append(text, `"_meta":{`...)
	}
	text = append(append(text, `"`+metaProblems+`":`...), problems...)
	return append(text, "},"...)
}

// appendAllAttached ends the list of contents with what the handler added.
func appendAllAttached(dst []byte, rev revision, attached []capabilities.Content) []byte {
	for _, each := range attached {
		dst = appendAttached(append(dst, ','), rev, each)
	}
	return append(dst, ']')
}
