package runtime

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime/executor"
	"github.com/capgen/capgen/runtime/internal/envelope"
)

// Handler serves a registry's capabilities as MCP tools over Streamable HTTP: every revision of the protocol on the one
// endpoint that it is mounted at. Make one with [NewHandler]. It looks at no path but those of [WithDialect], so it can be mounted
// anywhere, and is safe for concurrent use. [Handler.Shutdown] ends what it holds.
type Handler struct {
	config     *config
	tools      toolbox
	executor   *executor.Executor
	sdk        *sdk
	telemetry  telemetry
	sessions   *sessions
	places     streamPlaces
	pages      pages
	families   map[string]*family // by their paths
	resultHead []byte

	// needsToken: every request needs a bearer token, and one without is told of these scopes.
	needsToken      bool
	challengeScopes []string

	work       *work
	running    runningCalls
	background sync.WaitGroup

	// What is ended apart from the requests that carry it: streams when the server stops, calls when it stops waiting.
	streams, calls       context.Context
	endStreams, endCalls context.CancelFunc
}

// NewHandler returns a handler for the registry's capabilities. The error names every option that is out of range and every
// capability that cannot be offered under its name.
func NewHandler(registry *capabilities.Registry, options ...Option) (*Handler, error) {
	config, err := newConfig(options)
	if len(config.onListen) > 0 {
		err = errors.Join(err, errors.New("runtime.OnListen: only runtime.Run listens, the option has no meaning for runtime.NewHandler"))
	}
	if err != nil {
		return nil, err
	}
	return newHandler(registry, config)
}

func newHandler(registry *capabilities.Registry, config *config) (*Handler, error) {
	if registry == nil {
		return nil, errors.New("runtime: the registry is nil")
	}
	h := &Handler{config: config, work: newWork()}
	var err error
	if h.tools, err = newToolbox(registry, config); err != nil {
		return nil, err
	}
	if h.families, err = newFamilies(config, h.tools.sorted); err != nil {
		return nil, err
	}
	if err = config.access.check(&h.tools); err != nil {
		return nil, err
	}
	h.prepareAccess()
	if h.resultHead, err = resultHead(config.info); err != nil {
		return nil, err
	}
	if err = h.telemetry.prepare(config); err != nil {
		return nil, err
	}
	options := executor.Options{Deadline: config.deadline, MaxCalls: config.maxCalls, Policy: h.policy, Interceptors: config.interceptors}
	if len(config.onToolFailure) > 0 {
		options.Observe = h.observe
	}
	h.executor, err = executor.New(registry, options)
	if err != nil {
		return nil, err
	}
	h.streams, h.endStreams = context.WithCancel(context.Background())
	h.calls, h.endCalls = context.WithCancel(context.Background())
	calls := new(rawCalls)
	server, err := newServer(config, calls, h.logPanic, h.isInitialized)
	if err != nil {
		return nil, err
	}
	h.sdk = newSDK(server, calls)
	h.sessions = newSessions(h)
	h.places = make(streamPlaces, config.maxStreams)
	return h, nil
}

// prepareAccess works out what follows from the options and the tools together.
func (h *Handler) prepareAccess() {
	access := &h.config.access
	if access.bearer == nil {
		return
	}
	h.needsToken = !slices.ContainsFunc(h.tools.sorted, func(t *tool) bool { return capabilities.PublicRead(t.definition) })
	if access.bearer.Required != nil {
		h.needsToken = *access.bearer.Required
	}
	h.challengeScopes = access.bearer.RequiredScopes
	if len(h.challengeScopes) == 0 {
		h.challengeScopes = h.scopesSupported()
	}
}

// Tools returns every capability that this server serves, by the name that agents call it by: also those that a caller may not see. The
// map is the caller's, the definitions are shared.
func (h *Handler) Tools() map[string]*capabilities.Definition {
	tools := make(map[string]*capabilities.Definition, len(h.tools.sorted))
	for _, t := range h.tools.sorted {
		tools[t.name] = t.definition
	}
	return tools
}

// ServeHTTP implements http.Handler. What it checks, and in which order, is told in the package's documentation.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &exchange{h: h, w: w, r: r, family: h.familyOf(r), scratch: scratches.Get().(*scratch)}
	defer x.contain()
	if refused := x.serve(); refused != nil {
		x.refuse(refused)
	}
	x.op.end(nil)
	if x.reusable {
		x.scratch.giveBack()
	}
}

// allowedMethods are what the endpoint answers, apart from OPTIONS.
const allowedMethods = "POST, GET, DELETE"

// serve is the whole way of a request. What answers it itself returns nil.
func (x *exchange) serve() *refusal {
	// 1. Only what calls this server by its name, and no page of an origin that is not allowed.
	if refused := x.h.config.checkHost(x.r); refused != nil {
		return refused
	}
	if answered, refused := x.crossOrigin(); answered || refused != nil {
		return refused
	}

	// 2. Nothing new while the server stops.
	if !x.h.work.begin() {
		return stopping()
	}
	defer x.endWork()

	// 3. Who calls, before anything of the request is read.
	if refused := x.authenticate(); refused != nil {
		return refused
	}

	// 4. A message, the stream of a session, or a session's end.
	switch x.r.Method {
	case http.MethodPost:
		return x.post()
	case http.MethodGet:
		return x.openStream()
	case http.MethodDelete:
		return x.endSession()
	}
	return methodNotAllowed(allowedMethods)
}

func (x *exchange) post() *refusal {
	// 5. JSON comes in, and JSON or a stream may go out.
	if refused := checkMedia(x.r.Header); refused != nil {
		return refused
	}

	// 6. The body, whole and bounded.
	body, refused := readBody(x.w, x.r, x.scratch.body, int64(x.h.config.maxRequestBytes), x.h.config.bodyWait)
	if refused != nil {
		return refused
	}
	x.scratch.body = body

	// 7. One JSON-RPC message; several in the one revision that has them.
	if envelope.IsBatch(body) {
		return x.batch(body)
	}
	message, malformed := x.scratch.parser.Parse(body)
	if malformed != nil {
		x.id = malformed.ID
		return &refusal{status: http.StatusBadRequest, code: malformed.Code, message: malformed.Message}
	}
	if message.Kind == envelope.Request {
		x.id = message.ID
	}
	x.message = message
	return x.dispatch(&x.message, body)
}

// dispatch answers a message, however it came. Body is the message as it was written.
func (x *exchange) dispatch(message *envelope.Message, body []byte) *refusal {
	x.observe(message)

	// 8. Its era, from a header and the message together.
	isModern, refused := isModern(x.r.Header, message)
	if refused != nil {
		return refused
	}

	// 9. The answer.
	if isModern {
		return x.modern(message, body)
	}
	return x.legacy(message, body)
}
