package runtime

import "net/http"

// The paths at which [Run] tells whoever looks after it how it is.
const (
	healthPath = "/healthz"
	readyPath  = "/readyz"
)

// Ready reports whether the handler takes requests: until [Handler.Shutdown] is called.
func (h *Handler) Ready() bool { return !h.work.isStopped() }

// mountHealth serves what an orchestrator or a load balancer asks. They call by IP address and have no token, so no Host header
// is refused and nobody is asked who they are; all that is told is one word.
func mountHealth(mux *http.ServeMux, ready func() bool) {
	answer := func(ok func() bool) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			w.Header().Set("Cache-Control", "no-store")
			if !ok() {
				w.WriteHeader(http.StatusServiceUnavailable)
				_, _ = w.Write([]byte("stopping\n"))
				return
			}
			_, _ = w.Write([]byte("ok\n"))
		}
	}
	mux.HandleFunc("GET "+healthPath, answer(func() bool { return true }))
	mux.HandleFunc("GET "+readyPath, answer(ready))
}
