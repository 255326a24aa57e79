package runtime

import (
	"bytes"
	"context"
	"crypto/subtle"
	"io"
	"net/http"
	"strings"
	"time"
)

// serve is the whole way of a request over the bridge.
func (b *Bridge) serve(w http.ResponseWriter, r *http.Request) {
	conn := r.Context().Value(bridgeConnKey{}).(*bridgeConn)
	// 1. Whatever of the request is left unread: net/http waits for it no longer than for the rest.
	_ = conn.SetReadDeadline(time.Now().Add(b.config.readTimeout))

	// 2. From here the time runs, and every panic has an answer.
	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(nil)
	answer := b.newAnswer(w, conn, cancel)
	defer answer.finish()

	// 3. Only a request for our URL.
	if refused := b.check(conn, r); refused != nil {
		refused.close = true
		answer.refuse(refused)
		return
	}

	// 4. The body, whole: a handler cannot take half of one for all of it, nor wait for the rest.
	body, refused := readBody(w, r, nil, b.config.requestBytes, b.config.readTimeout)
	if refused != nil {
		answer.refuse(refused)
		return
	}
	answer.setBody(body)
	if ctx.Err() != nil {
		return
	}

	// 5. The handler, which gets no connection, only what is bounded.
	b.handler.ServeHTTP(answer, b.forward(ctx, r, body))
}

// check tells why a request is not one of the agent's.
func (b *Bridge) check(conn *bridgeConn, r *http.Request) *refusal {
	if conn.surplus {
		return unavailable("The bridge has no room for another connection.")
	}
	if r.ProtoMajor != 1 || r.ProtoMinor != 1 {
		// The end of a response of HTTP/1.0 is the end of the connection, so that its client cannot tell a whole one from one that was cut.
		return invalidRequest(http.StatusHTTPVersionNotSupported, "the version of HTTP must be 1.1")
	}
	if r.Method == http.MethodConnect || !strings.HasPrefix(r.RequestURI, "/") {
		return invalidRequest(http.StatusBadRequest, "the request's target must be a path")
	}
	if r.Host != b.host {
		// A page elsewhere can have its own name resolve to this machine (DNS rebinding), but its browser then sends that name.
		return invalidRequest(http.StatusForbidden, "the Host header does not name this bridge")
	}
	if len(r.Header["Origin"]) > 0 {
		return invalidRequest(http.StatusForbidden, "requests with an Origin are not accepted")
	}
	if len(r.Header["Upgrade"]) > 0 || !keepsToHTTP(r.Header["Connection"]) {
		return invalidRequest(http.StatusBadRequest, "Connection may say close or keep-alive, and nothing may be upgraded")
	}
	if subtle.ConstantTimeCompare([]byte(r.URL.EscapedPath()), []byte(b.path)) != 1 {
		return invalidRequest(http.StatusNotFound, "the path is not that of the bridge's URL")
	}
	return nil
}

// keepsToHTTP reports whether Connection headers say nothing but what becomes of the connection.
func keepsToHTTP(lines []string) bool {
	for _, line := range lines {
		for option := range strings.SplitSeq(line, ",") {
			switch strings.ToLower(strings.Trim(option, " \t")) {
			case "close", "keep-alive", "":
			default:
				return false
			}
		}
	}
	return true
}

// forward is the request as the handler gets it: the secret stays here.
func (b *Bridge) forward(ctx context.Context, r *http.Request, body []byte) *http.Request {
	out := r.WithContext(ctx)
	target := *r.URL
	target.Path, target.RawPath = EndpointPath, ""
	out.URL = &target
	out.RequestURI = target.RequestURI()
	out.Body = io.NopCloser(bytes.NewReader(body))
	out.ContentLength = int64(len(body))
	out.TransferEncoding, out.Trailer = nil, nil
	if len(body) == 0 {
		out.Body = http.NoBody
	}
	return out
}
