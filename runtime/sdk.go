package runtime

import (
	"bytes"
	"context"
	"crypto/rand"
	"io"
	"net/http"
	"strconv"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sdk is go-sdk behind the gate: it answers what is not ours. There are two handlers, because one with sessions refuses
// 2026-07-28 and one without has none; they share a server, so that what is advertised is the same in both eras.
type sdk struct {
	stateless http.Handler
	stateful  http.Handler
	name      string // begins the IDs of our own requests
	ids       atomic.Int64
	calls     *rawCalls
}

func newSDK(server *mcp.Server, calls *rawCalls) *sdk {
	handler := func(stateless bool, store mcp.EventStore) http.Handler {
		return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
			Stateless: stateless,
			// What a client missed of a broken stream is sent again. 10 MiB are kept for all sessions together.
			EventStore: store,
			// A client of 2026-07-28 cancels by going away.
			PropagateRequestCancellation: true,
			// The gate has checked these.
			DisableLocalhostProtection: true,
			MaxRequestBodyBytes:        -1,
		})
	}
	return &sdk{name: "capgen-" + rand.Text() + "-", calls: calls, stateless: handler(true, nil), stateful: handler(false, mcp.NewMemoryEventStore(nil))}
}

// ask has one of the handlers answer a request. It is sent under an ID of ours and the answer is put under the client's:
// go-sdk reads IDs as float64.
func (s *sdk) ask(handler http.Handler, r *http.Request, method string, params []byte) *sdkAnswer {
	// No client's own: theirs are passed to the same session.
	body := appendText([]byte(`{"jsonrpc":"2.0","id":`), s.name+strconv.FormatInt(s.ids.Add(1), 10))
	body = appendText(append(body, `,"method":`...), method)
	if params != nil {
		body = append(append(body, `,"params":`...), params...)
	}
	answer := newSDKAnswer(nil)
	request := forward(r, bare{r.Context()}, append(body, '}'))
	defer s.calls.begin(request, r.Context(), r.Context())()
	handler.ServeHTTP(answer, request)
	return answer
}

// tell hands a message without response to a session's side of go-sdk.
func (s *sdk) tell(r *http.Request, in *session, message []byte) *refusal {
	answer := newSDKAnswer(nil)
	request := forward(r, r.Context(), message)
	request.Header.Set(versionHeader, string(in.revision))
	s.stateful.ServeHTTP(answer, request)
	if answer.status == http.StatusAccepted {
		return nil
	}
	return invalidRequest(http.StatusBadRequest, "the message is not accepted on this session")
}

// forward copies a request with another body, as go-sdk wants to see it.
func forward(r *http.Request, ctx context.Context, body []byte) *http.Request {
	out := r.WithContext(ctx)
	out.Header = r.Header.Clone()
	// A token is for the gate alone: what go-sdk hands to an application must not hold it.
	out.Header.Del("Authorization")
	out.Header.Del(callHeader)
	out.Header.Set("Accept", mediaJSON+", "+mediaStream)
	if r.Method == http.MethodPost {
		out.Header.Set("Content-Type", mediaJSON)
		// Revision 2026-07-28 has it ignored, and go-sdk refuses it.
		out.Header.Del(lastEventHeader)
		out.Body = io.NopCloser(bytes.NewReader(body))
		out.ContentLength = int64(len(body))
	}
	return out
}

// endInSDK ends go-sdk's side of a session. It waits for what runs there, so nobody waits for it.
func (h *Handler) endInSDK(id string) {
	h.background.Go(func() {
		defer func() {
			if value := recover(); value != nil {
				h.logPanic(context.Background(), value)
			}
		}()
		request, err := http.NewRequest(http.MethodDelete, "/", nil)
		if err != nil {
			return
		}
		request.Header.Set(sessionHeader, id)
		h.sdk.stateful.ServeHTTP(newSDKAnswer(nil), request)
	})
}
