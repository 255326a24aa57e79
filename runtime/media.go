package runtime

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

const (
	mediaJSON   = "application/json"
	mediaStream = "text/event-stream"
	// usualAccept is what the official clients send.
	usualAccept = mediaJSON + ", " + mediaStream
)

// checkMedia refuses a POST whose body is not JSON in UTF-8, or whose sender does not take both forms of an answer.
func checkMedia(header http.Header) *refusal {
	if lines := header["Content-Encoding"]; len(lines) > 0 && lines[0] != "" && !strings.EqualFold(lines[0], "identity") {
		// Inflating would let a small body become a large one.
		return unread(http.StatusUnsupportedMediaType, "a body with a Content-Encoding is not accepted")
	}
	if !isJSON(header["Content-Type"]) {
		return unread(http.StatusUnsupportedMediaType, "Content-Type must be application/json")
	}
	accept := header["Accept"]
	if usual := len(accept) == 1 && accept[0] == usualAccept; !usual && (!accepts(accept, mediaJSON) || !accepts(accept, mediaStream)) {
		return unread(http.StatusNotAcceptable, "Accept must allow application/json and text/event-stream")
	}
	return nil
}

// unread refuses a request whose body is left on the wire.
func unread(status int, message string) *refusal {
	refused := invalidRequest(status, message)
	refused.close = true
	return refused
}

func isJSON(lines []string) bool {
	if len(lines) != 1 {
		return false
	}
	if lines[0] == mediaJSON {
		return true
	}
	media, params, err := mime.ParseMediaType(lines[0])
	charset := params["charset"]
	return err == nil && media == mediaJSON && (charset == "" || strings.EqualFold(charset, "utf-8") || strings.EqualFold(charset, "us-ascii"))
}

// accepts reports whether an Accept header allows a media type (RFC 9110, section 12.5.1): the most specific range that covers
// it decides, and q=0 means no. Without the header everything is allowed.
func accepts(lines []string, media string) bool {
	if len(lines) == 0 {
		return true
	}
	kind, _, _ := strings.Cut(media, "/")
	best, allowed := 0, false
	for _, line := range lines {
		for part := range strings.SplitSeq(line, ",") {
			name, params, _ := strings.Cut(part, ";")
			specific := 0
			switch strings.ToLower(strings.TrimSpace(name)) {
			case media:
				specific = 3
			case kind + "/*":
				specific = 2
			case "*/*":
				specific = 1
			}
			if specific > best {
				best, allowed = specific, weight(params) > 0
			}
		}
	}
	return allowed
}

// weight returns the q of a media range; what is not a number counts as 1.
func weight(params string) float64 {
	for param := range strings.SplitSeq(params, ";") {
		name, value, _ := strings.Cut(param, "=")
		if strings.EqualFold(strings.TrimSpace(name), "q") {
			if q, err := strconv.ParseFloat(strings.TrimSpace(value), 64); err == nil {
				return q
			}
		}
	}
	return 1
}
