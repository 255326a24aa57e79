package runtime

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"runtime/debug"
	"strings"

	"github.com/capgen/capgen/capabilities"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// WithServer lets an application add to go-sdk's server what is no capability: prompts, resources and raw tools. The function is called once,
// while the handler is built; what it keeps of the server it may go on adding to. Everything is served on the same endpoint under the
// same gate: to every caller that may send requests at all, under [WithDeadline], and a panic ends no process. A raw tool is listed
// after the capabilities; one with the name of a capability is not served. Nothing checks its input or its result but go-sdk. An
// error with a code that 2026-07-28 keeps for itself and does not define is sent as -32603 there. Every option adds a function.
func WithServer(f func(*mcp.Server)) Option {
	return func(c *config) {
		if f == nil {
			c.refuse("runtime.WithServer: the function is nil")
			return
		}
		c.server = append(c.server, f)
	}
}

// WithServerOptions lets an application change what go-sdk's server is made with, for what cannot be added later: CompletionHandler,
// SubscribeHandler and UnsubscribeHandler. The function is called once, before those of [WithServer]. Instructions are those of [WithInstructions];
// go-sdk logs only where the function says, since its lines hold the IDs of sessions; changing what the gate relies on, GetSessionID, SetCacheable and SupportedProtocolVersions, has no effect.
// Every option adds a function.
func WithServerOptions(f func(*mcp.ServerOptions)) Option {
	return func(c *config) {
		if f == nil {
			c.refuse("runtime.WithServerOptions: the function is nil")
			return
		}
		c.serverOptions = append(c.serverOptions, f)
	}
}

// newServer makes go-sdk's server and has the application add to it. The error is a panic of the application's function.
func newServer(config *config, calls *rawCalls, log func(context.Context, any), initialized func(id string) bool) (server *mcp.Server, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("runtime.WithServer: the function panicked: %v", value)
		}
	}()
	// The tools are ours. Not nil, because nil advertises logging.
	options := mcp.ServerOptions{Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}}
	if config.extended() {
		options.Capabilities.Tools.ListChanged = true // the application may change its own
		//lint:ignore SA1019 sessions of earlier revisions have it still
		options.Capabilities.Logging = &mcp.LoggingCapabilities{}
	}
	for _, f := range config.serverOptions {
		f(&options)
	}
	// Whatever the application has made of it, there are tools.
	if options.Capabilities == nil {
		options.Capabilities = new(mcp.ServerCapabilities)
	}
	if options.Capabilities.Tools == nil {
		options.Capabilities.Tools = &mcp.ToolCapabilities{ListChanged: true}
	}
	options.Instructions = config.instructions
	options.GetSessionID, options.SupportedProtocolVersions = nil, nil
	options.SetCacheable = func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) {
		c.TTLMs, c.CacheScope = listTTL, config.access.cacheScope()
	}
	info := config.info
	server = mcp.NewServer(&info, &options)
	for _, f := range config.server {
		f(server)
	}
	//lint:ignore SA1019 sessions of earlier revisions have it still
	if options.Capabilities.Logging == nil {
		server.AddSendingMiddleware(withoutLogs)
	}
	// Last, so that it is outermost: middleware of the application's is contained too.
	server.AddReceivingMiddleware(guard(config, calls, log))
	server.AddSendingMiddleware(afterInitialized(initialized))
	return server, nil
}

// afterInitialized refuses what the application asks a client that has not said that it is initialized: it may only be pinged (2025-11-25,
// basic/lifecycle, "Initialization").
func afterInitialized(initialized func(id string) bool) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, request mcp.Request) (mcp.Result, error) {
			if method != "ping" && !strings.HasPrefix(method, "notifications/") && !initialized(request.GetSession().ID()) {
				return nil, fmt.Errorf("%s is sent after notifications/initialized only", method)
			}
			return next(ctx, method, request)
		}
	}
}

// withoutLogs drops the log messages of a server that does not advertise any: go-sdk sends them all the same.
func withoutLogs(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		if method == "notifications/message" {
			return nil, nil
		}
		return next(ctx, method, r)
	}
}

// extended reports whether the application added anything to go-sdk's server.
func (c *config) extended() bool { return len(c.server)+len(c.serverOptions) > 0 }

// timedMethods run code of the application's, and are bound by the deadline.
var timedMethods = map[string]bool{
	"tools/call": true, "prompts/get": true, "resources/read": true, "completion/complete": true, "resources/subscribe": true,
	"resources/unsubscribe": true,
}

// guard contains what the application added: a panic on one of go-sdk's goroutines would end the process, and so would a nil result.
func guard(config *config, calls *rawCalls, log func(context.Context, any)) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		contained := func(ctx context.Context, method string, request mcp.Request) (result mcp.Result, err error) {
			defer func() {
				if value := recover(); value != nil {
					log(ctx, fmt.Sprintf("%v\n%s", value, debug.Stack()))
					result, err = nil, errInternal
				}
			}()
			result, err = next(ctx, method, request)
			if err == nil && isNil(result) && timedMethods[method] {
				log(ctx, method+" returned neither a result nor an error")
				return nil, errInternal
			}
			return result, told(ctx, config, method, request, err)
		}
		return func(ctx context.Context, method string, request mcp.Request) (mcp.Result, error) {
			if !timedMethods[method] {
				return contained(ctx, method, request)
			}
			ctx, end, ok := calls.context(ctx, request)
			if !ok {
				return nil, errInternal
			}
			defer end()
			ctx, cancel := context.WithTimeout(ctx, config.deadline)
			defer cancel()
			type ended struct {
				result mcp.Result
				err    error
			}
			done := make(chan ended, 1)
			go func() {
				result, err := contained(ctx, method, request)
				done <- ended{result, err}
			}()
			select {
			case e := <-done:
				return e.result, e.err
			case <-ctx.Done():
			}
			// One that ends together with its context is heard first.
			select {
			case e := <-done:
				return e.result, e.err
			default:
				return nil, stoppedError(ctx)
			}
		}
	}
}

var errInternal = &jsonrpc.Error{Code: codeInternalError, Message: "Internal error"}

// told returns the error that a caller is told: those of the protocol as they are, save for codes that its revision does not have, and of any
// other that it failed. Go-sdk would send its text, which may hold anything, under the code 0, which is none.
func told(ctx context.Context, config *config, method string, request mcp.Request, err error) error {
	var ofProtocol *jsonrpc.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &ofProtocol):
		if asked, ok := request.(interface{ ProtocolVersion() string }); !ok || asked.ProtocolVersion() != string(modern) || mayLeave(ofProtocol.Code) {
			return err
		}
		if ofProtocol.Code == codeNoResource {
			return &jsonrpc.Error{Code: codeInvalidParams, Message: ofProtocol.Message, Data: ofProtocol.Data}
		}
	case !timedMethods[method]:
		return err
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return stoppedError(ctx)
	}
	config.logger.LogAttrs(ctx, slog.LevelError, "a method of the application's failed", slog.String("method", method), slog.String("cause", err.Error()))
	return errInternal
}

// mayLeave reports whether an error of the application's may have a code on 2026-07-28: one that is defined, or one outside of the range that
// JSON-RPC keeps for itself (basic, "Error Codes").
func mayLeave(code int64) bool {
	switch code {
	case codeParseError, codeInvalidRequest, codeMethodNotFound, codeInvalidParams, codeInternalError,
		codeHeaderMismatch, codeMissingCapability, codeUnsupportedVersion:
		return true
	}
	return code < -32768 || code > -32000
}

func stoppedError(ctx context.Context) error {
	kind := capabilities.Cancelled
	if ctx.Err() == context.DeadlineExceeded {
		kind = capabilities.DeadlineExceeded
	}
	return &jsonrpc.Error{Code: codeInternalError, Message: kind.Sentence()}
}

func isNil(result mcp.Result) bool {
	v := reflect.ValueOf(result)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}
