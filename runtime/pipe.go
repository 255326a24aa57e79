package runtime

import (
	"context"
	"io"
	"net/http"
	"sync"

	"github.com/capgen/capgen/internal/lazyctx"
	"github.com/capgen/capgen/runtime/internal/envelope"
)

// pipe is the conversation with one client over a pair of streams. Every message goes the way of an HTTP request that carries it, from
// where the gate knows that it is a message; the answer, whether one document or a stream of events, is put on lines.
type pipe struct {
	handler *Handler

	// ctx ends when what is written is not read any more. Its cause is the error of writing.
	ctx  context.Context
	fail context.CancelCauseFunc

	writing sync.Mutex
	out     io.Writer

	session string // the ID of the client's session; "" while it has none. Only the reading goroutine uses it.

	mu      sync.Mutex
	running map[string]*running // requests by ID as it was spelt
}

func newPipe(ctx context.Context, handler *Handler, out io.Writer) *pipe {
	ctx, fail := context.WithCancelCause(context.WithoutCancel(ctx))
	return &pipe{handler: handler, ctx: ctx, fail: fail, out: out, running: map[string]*running{}}
}

// serve takes in lines until they end, ctx does, or nobody reads the answers.
func (p *pipe) serve(ctx context.Context, lines <-chan line) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-p.ctx.Done():
			return nil
		case l, open := <-lines:
			switch {
			case !open:
				return nil
			case l.err != nil:
				return l.err
			case l.tooLong:
				p.refuse(nil, tooLarge())
			default:
				p.take(l.text)
			}
		}
	}
}

// stop lets running calls end and answer. It returns the error of writing, if there was one.
func (p *pipe) stop() error {
	ctx, cancel := context.WithTimeout(p.ctx, p.handler.config.drainWait)
	defer cancel()
	_ = p.handler.Shutdown(ctx)
	err := context.Cause(p.ctx)
	p.fail(nil)
	return err
}

// take takes in one line.
func (p *pipe) take(text []byte) {
	if envelope.IsBatch(text) {
		p.answer(http.MethodPost, nil, apart, func(x *exchange) *refusal { return x.batch(text) })
		return
	}
	message, malformed := envelope.Parse(text)
	switch {
	case malformed != nil:
		p.refuse(malformed.ID, &refusal{code: malformed.Code, message: malformed.Message})
		return
	case message.Method == "notifications/cancelled":
		p.cancel(message.Param("requestId"))
	}
	hasVersion := metaVersion(&message) != nil
	isRequest := message.Kind == envelope.Request
	if !hasVersion && p.session == "" && message.Method != "initialize" {
		if isRequest {
			p.refuse(message.ID, invalidRequest(http.StatusBadRequest, "send initialize first, or name the protocol version in _meta"))
		}
		return
	}
	dispatch := func(x *exchange) *refusal { return x.dispatch(&message, text) }
	switch {
	case message.Method == "initialize":
		// What follows is sent on the session.
		p.open(p.answer(http.MethodPost, &message, inTurn, dispatch))
	case isRequest:
		p.answer(http.MethodPost, &message, apart, dispatch)
	default:
		p.answer(http.MethodPost, &message, inTurn, dispatch)
	}
	if message.Method == "notifications/initialized" && p.session != "" {
		p.answer(http.MethodGet, nil, apart, (*exchange).openStream)
	}
}

// open remembers the session that a request opened, and keeps it open: it is as long as the process.
func (p *pipe) open(x *exchange) {
	if x == nil {
		return
	}
	id := x.w.Header().Get(sessionHeader)
	if s := p.handler.sessions.find(id, x.owner); s != nil && s.enter() {
		p.session = id
	}
}

// turn says whether the next line waits for an answer.
type turn bool

const (
	inTurn turn = false
	apart  turn = true // on a goroutine of its own
)

// answer has a message answered, or a stream opened when it is nil. It returns nil if there is a request of the same ID.
func (p *pipe) answer(method string, message *envelope.Message, when turn, do func(*exchange) *refusal) *exchange {
	call := &running{ctx: lazyctx.New(p.ctx)}
	isRequest := message != nil && message.Kind == envelope.Request
	if isRequest && !p.register(message.ID, call) {
		p.refuse(message.ID, invalidRequest(http.StatusBadRequest, "a request with this id is running already"))
		return nil
	}
	r, err := http.NewRequestWithContext(call.ctx, method, "/", http.NoBody)
	if err != nil {
		panic(err) // the method and the address are ours
	}
	r.Header = p.header(message)
	// What is no request has no response, whatever is wrong with it. A batch, which is not read yet, may ask something.
	w := &pipeAnswer{pipe: p, call: call, header: http.Header{}, drop: method == http.MethodGet || message != nil && !isRequest}
	x := &exchange{h: p.handler, w: w, r: r, stdio: true, scratch: new(scratch)}
	if isRequest {
		x.id = message.ID
	}
	// Counted before the next line is read, so that whatever came before the end is answered.
	isOpen := p.handler.work.begin()
	run := func() {
		// The exchange panics again to break a connection. Here that would end the process.
		defer func() { _ = recover() }()
		if isOpen {
			defer p.handler.work.end()
		} else {
			do = func(*exchange) *refusal { return stopping() }
		}
		defer call.cancel()
		if isRequest {
			defer p.forget(message.ID, call)
		}
		defer w.close()
		x.serveLine(do)
	}
	if when == apart {
		go run()
	} else {
		run()
	}
	return x
}

// serveLine is the way of a message that came on a line: that of [exchange.serve] without what is HTTP's.
func (x *exchange) serveLine(do func(*exchange) *refusal) {
	defer x.contain()
	refused := x.authenticate()
	if refused == nil {
		refused = do(x)
	}
	if refused != nil {
		x.refuse(refused)
	}
}

func (p *pipe) register(id []byte, call *running) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running[string(id)] != nil {
		return false
	}
	p.running[string(id)] = call
	return true
}

func (p *pipe) forget(id []byte, call *running) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running[string(id)] == call {
		delete(p.running, string(id))
	}
}

// cancel ends a request for its client's sake: nothing more is sent for it.
func (p *pipe) cancel(id []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if call := p.running[string(id)]; call != nil {
		call.silent = true
		call.cancel()
	}
}

func (p *pipe) isSilent(call *running) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return call.silent
}

func (p *pipe) refuse(id []byte, refused *refusal) { p.write(response(id, nil, refused)) }

// write puts a message on a line. Line breaks in it lie between tokens, since JSON has none in strings.
func (p *pipe) write(message []byte) {
	text := append(make([]byte, 0, len(message)+1), message...)
	for i, c := range text {
		if c == '\n' || c == '\r' {
			text[i] = ' '
		}
	}
	p.writing.Lock()
	defer p.writing.Unlock()
	if p.ctx.Err() != nil {
		return
	}
	if _, err := p.out.Write(append(text, '\n')); err != nil {
		p.fail(err)
	}
}
