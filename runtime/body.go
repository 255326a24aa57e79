package runtime

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"
)

// firstRead is the most room that a body gets before any of it is there, in bytes: a client may promise more than it sends.
const firstRead = 64 << 10

// readBody reads a request's body whole: within the limit of bytes, and in the time that one may take to send it. The room is used if the body fits. Reading
// to its end is also what lets net/http notice that a client has gone.
func readBody(w http.ResponseWriter, r *http.Request, room []byte, limit int64, wait time.Duration) ([]byte, *refusal) {
	if r.ContentLength > limit {
		return nil, tooLarge()
	}
	control := http.NewResponseController(w)
	// A writer without deadlines, as in a test, is a writer without slow clients.
	_ = control.SetReadDeadline(time.Now().Add(wait))
	// One byte more than there is, so that the end is met without growing.
	body, err := readAll(r.Body, grow(room[:0], int(min(max(r.ContentLength, 0), firstRead))+1), limit)
	if err == nil {
		_ = control.SetReadDeadline(time.Time{})
		return body, nil
	}
	switch {
	case errors.Is(err, errTooLarge):
		return nil, tooLarge()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, unread(http.StatusRequestTimeout, "the body took too long to arrive")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, unread(http.StatusBadRequest, "the body ended early")
	}
	return nil, unread(http.StatusBadRequest, "the body cannot be read")
}

// errTooLarge is why a body was not read to its end.
var errTooLarge = errors.New("the body is too large")

// readAll is io.ReadAll into a buffer, up to a limit of bytes.
func readAll(from io.Reader, body []byte, limit int64) ([]byte, error) {
	for {
		n, err := from.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		if int64(len(body)) > limit {
			return body, errTooLarge
		}
		if err == io.EOF {
			return body, nil
		}
		if err != nil {
			return body, err
		}
		if len(body) == cap(body) {
			body = append(body, 0)[:len(body)]
		}
	}
}

// grow returns a buffer with room for n more bytes.
func grow(buffer []byte, n int) []byte {
	if cap(buffer)-len(buffer) >= n {
		return buffer
	}
	return append(make([]byte, 0, len(buffer)+n), buffer...)
}

func tooLarge() *refusal {
	return unread(http.StatusRequestEntityTooLarge, "the body is larger than this server accepts")
}
