package runtime

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"time"
)

// readBody reads a request's body whole: within the limit of bytes, and in the time that one may take to send it. Reading to its
// end is also what lets net/http notice that a client has gone.
func readBody(w http.ResponseWriter, r *http.Request, limit int64, wait time.Duration) ([]byte, *refusal) {
	if r.ContentLength > limit {
		return nil, tooLarge()
	}
	control := http.NewResponseController(w)
	// A writer without deadlines, as in a test, is a writer without slow clients.
	_ = control.SetReadDeadline(time.Now().Add(wait))
	var body bytes.Buffer
	body.Grow(int(max(r.ContentLength, 0)) + bytes.MinRead)
	_, err := body.ReadFrom(http.MaxBytesReader(w, r.Body, limit))
	if err == nil {
		_ = control.SetReadDeadline(time.Time{})
		return body.Bytes(), nil
	}
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return nil, tooLarge()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, unread(http.StatusRequestTimeout, "the body took too long to arrive")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, unread(http.StatusBadRequest, "the body ended early")
	}
	return nil, unread(http.StatusBadRequest, "the body cannot be read")
}

func tooLarge() *refusal {
	return unread(http.StatusRequestEntityTooLarge, "the body is larger than this server accepts")
}
