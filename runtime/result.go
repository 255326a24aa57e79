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
func (h *Handler) beginResult(rev revision) []byte {
	text := append(make([]byte, 0, 1024), '{')
	if rev >= modern {
		text = append(text, h.resultHead...)
	}
	return text
}

// resultHead are the members that 2026-07-28 puts into every result (basic, "resultType" and "Per-Response Metadata").
func resultHead(info mcp.Implementation) ([]byte, error) {
	serverInfo, err := json.Marshal(info)
	if err != nil {
		return nil, err
	}
	return []byte(`"resultType":"complete","_meta":{"` + metaPrefix + `serverInfo":` + string(serverInfo) + `},`), nil
}

// encodeSuccess wraps a capability's result: as {"result": VALUE}, once for programs and once more as text for models.
func (h *Handler) encodeSuccess(rev revision, outcome capabilities.Outcome) []byte {
	wrapped := make([]byte, 0, len(outcome.JSON)+len(`{"result":}`))
	wrapped = append(append(append(wrapped, `{"result":`...), outcome.JSON...), '}')

	text := appendContent(h.beginResult(rev), wrapped, rev, outcome.Attached)
	if rev >= structured {
		text = append(append(text, `,"structuredContent":`...), wrapped...)
	}
	return append(text, '}')
}

// encodeFailure is a result that says that the tool failed, in words for the model.
func (h *Handler) encodeFailure(rev revision, failure *capabilities.Failure) []byte {
	text := h.beginFailure(rev, failure)
	text = appendContent(text, []byte(failure.Text()), rev, nil)
	return append(text, `,"isError":true}`...)
}

// beginFailure is beginResult with the problems in _meta.
func (h *Handler) beginFailure(rev revision, failure *capabilities.Failure) []byte {
	text := h.beginResult(rev)
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

func appendContent(dst, content []byte, rev revision, attached []capabilities.Content) []byte {
	dst = append(dst, `"content":[{"type":"text","text":`...)
	dst = append(appendText(dst, content), '}')
	for _, each := range attached {
		dst = appendAttached(append(dst, ','), rev, each)
	}
	return append(dst, ']')
}
