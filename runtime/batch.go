package runtime

import (
	"bytes"
	"net/http"
	"sync"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime/internal/envelope"
)

// batchWorkers is how many requests of one batch are answered at once.
const batchWorkers = 16

// batch answers an array of messages, which revision 2025-03-26 alone has. Its answer is an array of the responses, in the order
// of the requests; there is none if the batch asks nothing.
func (x *exchange) batch(body []byte) *refusal {
	isModern, refused := isModernRequest(x.r.Header)
	if refused != nil {
		return refused
	}
	if isModern {
		return noBatch()
	}
	entries, malformed := envelope.ParseBatch(body)
	if malformed != nil {
		return &refusal{status: http.StatusBadRequest, code: malformed.Code, message: malformed.Message}
	}
	s, refused := x.enterSession()
	if refused != nil {
		return refused
	}
	defer s.leave()
	if s.revision != batches {
		return noBatch()
	}
	asks := false
	for _, e := range entries {
		asks = asks || e.Err != nil || e.Message.Kind == envelope.Request
	}
	if asks {
		x.answerLate(func(a *lateAnswer) reply { return x.answerBatch(a, s, entries) })
		return nil
	}
	for _, e := range entries {
		x.take(s, e)
	}
	x.accepted()
	return nil
}

func noBatch() *refusal {
	return invalidRequest(http.StatusBadRequest, "a batch is accepted on a session of revision 2025-03-26 only")
}

func (x *exchange) answerBatch(a *lateAnswer, s *session, entries []envelope.Entry) reply {
	a.watch()
	replies := make([][]byte, len(entries))
	var running sync.WaitGroup
	places := make(chan struct{}, batchWorkers)
	for i, e := range entries {
		if e.Err == nil && e.Message.Kind != envelope.Request {
			// In order and at once: a cancellation may follow the request that it names.
			x.take(s, e)
			continue
		}
		places <- struct{}{}
		running.Go(func() {
			defer func() { <-places }()
			replies[i] = x.answerEntry(a, s, e)
		})
	}
	running.Wait()
	responses := bytes.Join(present(replies), []byte{','})
	if len(responses) == 0 {
		return reply{}
	}
	return reply{body: append(append([]byte{'['}, responses...), ']')}
}

// answerEntry runs on a goroutine of its own, where a panic would end the process.
func (x *exchange) answerEntry(a *lateAnswer, s *session, e envelope.Entry) (body []byte) {
	x = x.entry(&e.Message)
	defer func() {
		if value := recover(); value != nil {
			x.h.logPanic(x.r.Context(), value)
			x.op.end(internalError("Internal error"))
			body = response(e.Message.ID, nil, internalError("Internal error"))
		}
	}()
	if e.Err != nil {
		return response(e.Err.ID, nil, &refusal{code: e.Err.Code, message: e.Err.Message})
	}
	if x.isForSDK(&e.Message) {
		return x.askOn(s, &e.Message).body
	}
	return x.prepareOn(s, &e.Message)(a).body
}

// askOn has go-sdk answer a request of a batch, which ends with its cancellation and with the session.
func (x *exchange) askOn(s *session, message *envelope.Message) reply {
	if refused := s.start(x.r.Context(), message.ID, &x.running); refused != nil {
		return replyTo(message.ID, nil, refused)
	}
	defer s.finish(message.ID, &x.running)
	ctx := x.running.ctx
	answered := make(chan *sdkAnswer, 1)
	x.h.background.Go(func() {
		defer func() {
			if value := recover(); value != nil {
				x.h.logPanic(ctx, value)
			}
		}()
		answered <- x.h.sdk.ask(x.h.sdk.stateful, x.r.WithContext(ctx), message.Method, message.Params)
	})
	select {
	case answer := <-answered:
		if ctx.Err() == nil {
			result, refused := answer.applicationResult()
			return replyTo(message.ID, result, refused)
		}
	case <-ctx.Done():
	}
	if s.finish(message.ID, &x.running) {
		return reply{}
	}
	return replyTo(message.ID, nil, internalError(capabilities.Cancelled.Sentence()))
}

// take takes in a message without response. Within a batch there is no place to refuse it.
func (x *exchange) take(s *session, e envelope.Entry) {
	if e.Message.Method == "notifications/cancelled" && s.cancel(e.Message.Param("requestId")) {
		return
	}
	s.hear(&e.Message)
	_ = x.h.sdk.tell(x.r, s, e.Raw)
}

func present(texts [][]byte) [][]byte {
	found := texts[:0]
	for _, text := range texts {
		if text != nil {
			found = append(found, text)
		}
	}
	return found
}
