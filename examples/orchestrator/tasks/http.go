package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/capgen/capgen/examples/orchestrator/api"
)

const (
	// maxBody is the largest request body that is read, in bytes. A task is a few thousand.
	maxBody = 16 << 10
	// answerWithin is how long a request may take. Clients wait a little longer.
	answerWithin = 3 * time.Second
)

// handler routes requests.
func (s *server) handler() http.Handler {
	mux := http.NewServeMux()
	for pattern, answer := range map[string]func(*http.Request) (any, error){
		"GET /v1/health":              s.health,
		"GET /v1/tasks":               s.list,
		"GET /v1/summary":             func(r *http.Request) (any, error) { return s.store.Summary(r.Context()) },
		"GET /v1/costs":               func(r *http.Request) (any, error) { return s.store.Costs(r.Context()) },
		"POST /v1/tasks":              s.create,
		"POST /v1/tasks/{id}/approve": s.approve,
		"POST /v1/stop":               s.end,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { s.answer(w, r, answer) })
	}
	// No page in a browser may ask: not as itself (its Origin), and not under a name that it made to mean this machine (its Host).
	protection := http.NewCrossOriginProtection()
	return protection.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isLoopback(r.Host) {
			write(w, http.StatusForbidden, api.Errorf(api.BadRequest, "the Host header does not name this machine"))
			return
		}
		mux.ServeHTTP(w, r)
	}))
}

func isLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// refusals have these statuses; any other error is the server's own.
var refusals = map[string]int{
	api.BadRequest:  http.StatusBadRequest,
	api.UnknownTask: http.StatusNotFound,
	api.NotWaiting:  http.StatusConflict,
	api.KeyReused:   http.StatusConflict,
	api.Stopping:    http.StatusServiceUnavailable,
}

// answer answers one request with what a function returns for it.
func (s *server) answer(w http.ResponseWriter, r *http.Request, f func(*http.Request) (any, error)) {
	ctx, cancel := context.WithTimeout(r.Context(), answerWithin)
	defer cancel()
	r = r.WithContext(ctx)
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	value, err := f(r)
	var refused *api.Error
	switch {
	case err == nil:
		write(w, http.StatusOK, value)
	case errors.As(err, &refused):
		write(w, refusals[refused.Code], refused)
	default:
		if r.Context().Err() == nil {
			s.logger.ErrorContext(r.Context(), "a request failed", "path", r.URL.Path, "error", err)
		}
		write(w, http.StatusInternalServerError, api.Errorf(api.Internal, "the task server failed: its log says why"))
	}
}

func write(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value) // whoever asked is gone
}

// readBody reads one JSON object, of which every member is known.
func readBody(r *http.Request, into any) error {
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return api.Errorf(api.BadRequest, "the Content-Type must be application/json")
	}
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return api.Errorf(api.BadRequest, "the body is not the JSON that was expected: %v", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return api.Errorf(api.BadRequest, "the body goes on after its JSON")
	}
	return nil
}

func (s *server) list(r *http.Request) (any, error) {
	query := r.URL.Query()
	f := api.Filter{Status: api.Status(query.Get("status")), Parent: api.TaskID(query.Get("parent_id")), Cursor: query.Get("cursor")}
	if text := query.Get("limit"); text != "" {
		var err error
		if f.Limit, err = strconv.Atoi(text); err != nil {
			return nil, api.Errorf(api.BadRequest, "the limit is not a number")
		}
	}
	return s.store.List(r.Context(), f)
}

func (s *server) create(r *http.Request) (any, error) {
	var n api.NewTask
	if err := readBody(r, &n); err != nil {
		return nil, err
	}
	if s.stopping.Load() {
		return nil, api.Errorf(api.Stopping, "the orchestrator is stopping and takes no new tasks")
	}
	t, err := s.store.Create(r.Context(), r.Header.Get(api.KeyHeader), n)
	if err == nil {
		s.pool.nudge()
	}
	return t, err
}

func (s *server) approve(r *http.Request) (any, error) {
	if err := readBody(r, &struct{}{}); err != nil {
		return nil, err
	}
	t, err := s.store.Approve(r.Context(), api.TaskID(r.PathValue("id")))
	if err == nil {
		s.pool.nudge()
	}
	return t, err
}

// end stops the server. The answer is still sent: to shut down waits for requests.
func (s *server) end(r *http.Request) (any, error) {
	var order api.StopOrder
	if err := readBody(r, &order); err != nil {
		return nil, err
	}
	before := s.stopping.Swap(true)
	report, err := s.store.Stop(r.Context(), order)
	if err != nil {
		// It goes on as it did.
		s.stopping.Store(before)
		return nil, err
	}
	s.stop()
	return report, nil
}
