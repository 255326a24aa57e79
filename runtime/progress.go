package runtime

import (
	"bytes"
	"strconv"
	"sync"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime/internal/envelope"
	"golang.org/x/time/rate"
)

const (
	// progressRate and progressBurst bound how often one call's progress is sent, a second and at once
	// (2026-07-28, basic/patterns/progress: both sides should limit it).
	progressRate  = 50
	progressBurst = 100
	// maxProgressMessage bounds a report's message, in bytes.
	maxProgressMessage = 1024
)

// progressToken returns what a request wants its progress sent under, as it was spelt; nil when it does not want any.
func progressToken(message *envelope.Message) []byte {
	meta, _ := message.Meta()
	return meta.Get("progressToken")
}

// progressTo returns what sends a call's progress under a token to a stream.
func progressTo(a *lateAnswer, token []byte) capabilities.ProgressFunc {
	token = bytes.Clone(token) // a handler that was abandoned may still report
	var mu sync.Mutex
	var last float64
	first := true
	limit := rate.NewLimiter(progressRate, progressBurst)
	return func(done, total float64, message string) {
		mu.Lock()
		defer mu.Unlock()
		// It must grow from one to the next (2026-07-28, basic/patterns/progress, "Behavior Requirements").
		if !first && done <= last || !limit.Allow() {
			return
		}
		first, last = false, done
		a.notify(progressNotification(token, done, total, message))
	}
}

func progressNotification(token []byte, done, total float64, message string) []byte {
	text := append(make([]byte, 0, 256), `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":`...)
	text = append(text, token...)
	text = appendNumber(append(text, `,"progress":`...), done)
	if total > 0 {
		text = appendNumber(append(text, `,"total":`...), total)
	}
	if message != "" {
		text = appendText(append(text, `,"message":`...), cutText(message, maxProgressMessage))
	}
	return append(text, "}}"...)
}

func appendNumber(dst []byte, n float64) []byte {
	format := byte('f')
	if n >= 1e21 || n <= -1e21 {
		format = 'e'
	}
	return strconv.AppendFloat(dst, n, format, -1, 64)
}

// cutText shortens a text to at most limit bytes. What is cut in a character is replaced when it is encoded.
func cutText(text string, limit int) string { return text[:min(len(text), limit)] }
