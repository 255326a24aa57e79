package runtime

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"

	"github.com/capgen/capgen/runtime/internal/envelope"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// rawTool is a tool that the application added to go-sdk's server.
type rawTool struct {
	name  string
	entry []byte
}

// rawTools asks go-sdk which tools the application added; those with the name of a capability are left out, so that they never take its
// place. It is asked anew each time, since an application may add and remove tools while it runs.
func (h *Handler) rawTools(ctx context.Context) []rawTool {
	if !h.config.extended() {
		return nil
	}
	var found []rawTool
	cursor := ""
	for {
		result, refused := h.sdk.askSelf(ctx, "tools/list", cursor)
		if refused != nil {
			return found
		}
		members, _ := envelope.ReadObject(result)
		var entries []jsontext.Value
		if json.Unmarshal(members.Get("tools"), &entries) != nil {
			return found
		}
		for _, entry := range entries {
			own, _ := envelope.ReadObject(entry)
			if name, ok := envelope.ReadString(own.Get("name")); ok && h.tools.byName[name] == nil {
				found = append(found, rawTool{name: name, entry: entry})
			}
		}
		if cursor, _ = envelope.ReadString(members.Get("nextCursor")); cursor == "" {
			return found
		}
	}
}

// isRaw reports whether a name is that of a raw tool and of no capability.
func (h *Handler) isRaw(ctx context.Context, name string) bool {
	if h.tools.byName[name] != nil {
		return false
	}
	for _, t := range h.rawTools(ctx) {
		if t.name == name {
			return true
		}
	}
	return false
}

// cursorAfterRaw is as cursorAfter.
func cursorAfterRaw(name string) string {
	digest := sha256.Sum256([]byte("capgen tools/list raw cursor " + name))
	return base64.RawURLEncoding.EncodeToString(digest[:15])
}

// sdkMethods are the methods that go-sdk answers when the server has the capability behind it, in the eras that have the method.
var sdkMethods = map[string]struct {
	capability       string
	sessions, modern bool
	name             string // the parameter that Mcp-Name repeats
}{
	"prompts/list":             {"prompts", true, true, ""},
	"prompts/get":              {"prompts", true, true, "name"},
	"resources/list":           {"resources", true, true, ""},
	"resources/templates/list": {"resources", true, true, ""},
	"resources/read":           {"resources", true, true, "uri"},
	"resources/subscribe":      {"resources", true, false, ""},
	"resources/unsubscribe":    {"resources", true, false, ""},
	"completion/complete":      {"completions", true, true, ""},
	"logging/setLevel":         {"logging", true, false, ""},
}

// has reports whether a method is one that go-sdk answers here. A method whose capability is not advertised is none.
func (h *Handler) has(ctx context.Context, method string, isModern bool) bool {
	known, ok := sdkMethods[method]
	if !ok || !h.config.extended() || isModern && !known.modern || !isModern && !known.sessions {
		return false
	}
	result, refused := h.sdk.askSelf(ctx, "server/discover", "")
	if refused != nil {
		return false
	}
	members, _ := envelope.ReadObject(result)
	advertised, _ := envelope.ReadObject(members.Get("capabilities"))
	return advertised.Get(known.capability) != nil
}

// askSelf asks the stateless side what no client asked.
func (s *sdk) askSelf(ctx context.Context, method, cursor string) ([]byte, *refusal) {
	params := []byte(`{"_meta":{"` + metaPrefix + `protocolVersion":"` + string(modern) + `","` + metaPrefix + `clientCapabilities":{}}`)
	if cursor != "" {
		params = appendText(append(params, `,"cursor":`...), cursor)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "/", nil)
	if err != nil {
		return nil, internalError("Internal error")
	}
	r.Header.Set(versionHeader, string(modern))
	r.Header.Set(methodHeader, method)
	return s.ask(s.stateless, r, method, append(params, '}')).result()
}

// passModern has go-sdk answer a request of 2026-07-28.
func (x *exchange) passModern(message *envelope.Message, body []byte) *refusal {
	if refused := x.checkExactID(); refused != nil {
		return refused
	}
	if parameter := sdkMethods[message.Method].name; parameter != "" {
		if refused := x.checkName(message, parameter); refused != nil {
			return refused
		}
	}
	ctx, cancel := until(x.r.Context(), x.h.calls)
	defer cancel()
	return x.pass(x.h.sdk.stateless, ctx, x.h.calls, body, x.openEventStream)
}

// checkName compares Mcp-Name with what it repeats, and leaves it for go-sdk as it is meant: that does not decode it.
func (x *exchange) checkName(message *envelope.Message, parameter string) *refusal {
	lines := x.r.Header[nameHeader]
	if _, err := plainValue(lines); err != nil {
		return headerMismatch("Mcp-Name " + err.Error())
	}
	want, ok := envelope.ReadString(message.Param(parameter))
	if !ok {
		return invalidParams(parameter + " must be a string")
	}
	got, err := decodedValue(lines)
	if err != nil {
		return headerMismatch("Mcp-Name " + err.Error())
	}
	if got != want {
		return headerMismatch("Mcp-Name and the message name different things")
	}
	x.r.Header.Set(nameHeader, want)
	return nil
}

// passOn has go-sdk answer a request on a session. A lost connection cancels nothing there, and the end of the session is told.
func (x *exchange) passOn(s *session, body []byte) *refusal {
	if refused := x.checkExactID(); refused != nil {
		return refused
	}
	ctx, cancel := until(x.r.Context(), s.ended)
	defer cancel()
	x.op.on(s.id, s.revision)
	x.r.Header.Set(versionHeader, string(s.revision))
	return x.pass(x.h.sdk.stateful, ctx, s.ended, body, x.openEventStream)
}

// checkExactID refuses an ID that go-sdk, which reads numbers as float64, would answer under another.
func (x *exchange) checkExactID() *refusal {
	if x.id[0] == '"' {
		return nil
	}
	if n, err := strconv.ParseInt(string(x.id), 10, 64); err != nil || n > maxMirrored || n < -maxMirrored || bytes.HasPrefix(x.id, []byte("-0")) {
		return invalidRequest(http.StatusBadRequest, "the id of such a request must be a string or an integer up to 2^53-1")
	}
	return nil
}
