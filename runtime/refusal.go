package runtime

import (
	"net/http"
	"strconv"
)

// The error codes that leave this package: those of JSON-RPC 2.0, section 5.1, and the three that MCP defines (2026-07-28,
// basic, "Error Codes"). No other is ever sent.
const (
	codeParseError         = -32700
	codeInvalidRequest     = -32600
	codeMethodNotFound     = -32601
	codeInvalidParams      = -32602
	codeInternalError      = -32603
	codeHeaderMismatch     = -32020
	codeMissingCapability  = -32021
	codeUnsupportedVersion = -32022
)

// codeNoResource is what a missing resource was before 2026-07-28. Only applications send it.
const codeNoResource = -32002

// refusal is why a request gets an error instead of a result. It knows nothing of the request, so steps can return it
// before an ID is read; the message is fixed text and names, never what the caller sent.
type refusal struct {
	status  int
	code    int
	message string
	data    []byte // JSON, or nil

	allow     string // the Allow header of a 405
	challenge string // the WWW-Authenticate header of a 401 or 403
	retry     bool   // whether the caller is told when to come back
	close     bool   // whether the connection is given up, because the body was left unread
}

// unanswered is returned in place of a refusal when nothing may follow: the caller cancelled its call.
var unanswered = &refusal{}

// retryAfter is what a refusal for want of room says in Retry-After, in seconds. Calls end within seconds, mostly.
const retryAfter = 1

func invalidRequest(status int, message string) *refusal {
	return &refusal{status: status, code: codeInvalidRequest, message: "Invalid Request: " + message}
}

func invalidParams(message string) *refusal {
	return &refusal{status: http.StatusBadRequest, code: codeInvalidParams, message: "Invalid params: " + message}
}

func headerMismatch(message string) *refusal {
	return &refusal{status: http.StatusBadRequest, code: codeHeaderMismatch, message: "Header mismatch: " + message}
}

func methodNotFound() *refusal {
	return &refusal{status: http.StatusNotFound, code: codeMethodNotFound, message: "Method not found"}
}

// internalError answers a fault that is nobody's but ours. Its status is 200 in both eras, so that it is the same before
// and after a call became a stream, and no proxy tries a write again (GATE.md, section 3).
func internalError(message string) *refusal {
	return &refusal{status: http.StatusOK, code: codeInternalError, message: message}
}

func unavailable(message string) *refusal {
	return &refusal{status: http.StatusServiceUnavailable, code: codeInternalError, message: message, retry: true}
}

func methodNotAllowed(allow string) *refusal {
	refused := invalidRequest(http.StatusMethodNotAllowed, "the HTTP method is not allowed here")
	refused.allow = allow
	return refused
}

// setHeader writes what the refusal says in headers.
func (r *refusal) setHeader(header http.Header) {
	if r.allow != "" {
		header.Set("Allow", r.allow)
	}
	if r.challenge != "" {
		header.Set("WWW-Authenticate", r.challenge)
	}
	if r.retry {
		header.Set("Retry-After", strconv.Itoa(retryAfter))
	}
	if r.close {
		header.Set("Connection", "close")
	}
}
