// Package runtime serves capabilities as MCP tools. [Run] is a whole server over Streamable HTTP; [NewHandler] is the same as an
// http.Handler, to be mounted in a server that an application has already; [ServeStdio] serves the program that started this one, and
// [StartBridge] lends a handler to an agent on this machine.
//
//	registry, err := capabilities.NewRegistry(catalog.Bind(service))
//	err = runtime.Run(ctx, registry, runtime.Config{}) // http://127.0.0.1:8053/mcp
//
// # Configuration
//
// An application says what it is with options. What its operator decides is in a [Config], from code, the environment and flags,
// and becomes options too. Nothing is listened to beyond this machine unless callers are asked who they are, and the server knows by
// which name it is called.
//
// # Both eras on one endpoint
//
// Clients of revision 2026-07-28 send each request by itself; those of 2025-11-25 and earlier open a session first. The
// MCP-Protocol-Version header and the message's _meta tell them apart. The tools are ours in both: tools/list and tools/call never
// reach go-sdk, which answers initialize and server/discover, and holds the streams on which a server speaks unasked.
//
// # What a request is checked for
//
// In this order, and before a handler runs; every refusal is a JSON-RPC error, under the request's ID as soon as that is known.
//
//   - The Host header is one of [WithAllowedHosts]; without the option, on a loopback address, it names the loopback: else 403.
//   - There is no Origin header, as only browsers send, or it is one of [WithCORSOrigins]: else 403. A preflight and any other OPTIONS are
//     answered here.
//   - With [WithBearer], the Authorization header holds one good token: else 401, or 400 if it is malformed, or 403 if it lacks the scopes
//     that every token needs, or 503 if that cannot be found out. Every request is asked, also on a session.
//   - The HTTP method is POST, GET or DELETE: else 405.
//   - The body is JSON in UTF-8 without a Content-Encoding: else 415. The answer may be JSON or a stream: else 406.
//   - The body is within [WithMaxRequestBytes]: else 413. It arrives within 10 s: else 408.
//   - It is one JSON-RPC message without a name twice in any object: else 400 with -32700 or -32600. Sessions of 2025-03-26 take
//     batches too.
//   - The protocol version is one that is served, and the same wherever it is named: else 400 with -32022 or -32020.
//   - Without sessions: the method exists (404, -32601), Mcp-Method, Mcp-Name and the Mcp-Param headers say what the message says
//     (-32020), and _meta is complete (-32602).
//   - With sessions: Mcp-Session-Id is there (400) and names an open one of the same principal (404).
//   - The tool exists and the caller may see it: else -32602, the same for both.
//
// # Who may see and call what
//
// One decision serves tools/list and tools/call, so what is not listed cannot be called, and answers as a name that nothing has.
//
//   - A public read is for everybody. [CanDiscover] may narrow that.
//   - A protected capability needs a known caller ([WithBearer]), its scopes in the caller's token, an active grant of the same scopes
//     ([WithGrants]) and [DiscoverProtected]. The store of grants is asked at each call and each list, so a revocation acts on the next.
//   - A destructive one needs its exact ID in [WithExposure] as well.
//   - An application that owns the boundary has [ResolveContext] in place of grants.
//   - Last, its binding's resource check says who may do it to what: see [capabilities.AuthorizeResource].
//
// # Schemas
//
// Schemas are JSON Schema, draft 2020-12, also those without $schema. One in another dialect, or that refers to anything outside itself, keeps the
// handler from being built: nothing is ever fetched.
//
// # What is answered
//
// A result is {"result": VALUE}, in structuredContent for programs and as text for models. Input that does not match the schema, and
// what a handler declines or fails with, is a result with isError; a panic and a result that breaks its own schema are
// errors of the protocol, -32603. Texts are fixed and hold nothing of the inside; [OnToolFailure] and the log tell operators.
//
// A handler may attach images, sounds and documents to its value ([capabilities.Attach]), and tell how far it has come
// ([capabilities.Progress]).
//
// An answer that takes longer than a second, or reports progress, becomes a stream of events: a comment every 15 s, and the response as the
// last event. Streams are bounded by [WithMaxStreams]. A client of 2026-07-28 cancels its call by closing the connection. On a session a
// lost connection cancels nothing: notifications/cancelled does, and so do DELETE, idleness and the end of the server; and from revision
// 2025-11-25 on a stream that broke is taken up again by its Last-Event-ID. A call cancelled by its own client gets no response, as the
// specification wants it: its HTTP answer is an event stream that ends without an event.
//
// # What operators see
//
// None of it holds what a caller sent or was answered, and nothing the application gives for it can break a call: a panic in a hook, a
// logger or a provider is dropped.
//
// The log ([WithLogger]) has one line for each tools/call, with the message "call": capability and tool, if there is such a tool; kind,
// which is ok, a [capabilities.Kind], or refused for a request whose form is wrong; duration; code, that of the JSON-RPC error, if it was
// one; subject, a keyed digest of who called ([WithLogKey]); request, the X-Request-Id header if it has 1 to 64 of A-Z a-z 0-9 . _ - and
// else a name of its own; trace, the trace that the call belongs to. INFO is what nobody or the caller has to act on; WARN is overloaded
// and deadline-exceeded; ERROR is what the application or the server got wrong, with the text of the error as cause, up to 8 KiB. That
// text is the application's: put nothing in an error that must not be logged.
//
// Spans ([WithTracerProvider]) and the histogram mcp.server.operation.duration ([WithMeterProvider]) follow OpenTelemetry's conventions
// for MCP, docs/gen-ai/mcp.md of semantic-conventions-genai at commit 0393513, whose status is Development: names may change with them.
// Each request that can be read has one, "tools/call zone_now", also each in a batch; notifications have none. A tool is named only when
// its caller may know of it, a method only when MCP has it, so what callers make up adds no series. Beside the conventions' attributes,
// spans have capgen.capability and capgen.kind. Three attributes are not as the conventions have them: mcp.session.id is a keyed digest,
// since a session may be all that its user has to prove; jsonrpc.request.id is left out unless it has the form of a request's name above;
// the client's address is left out.
//
// The parent of a span is what _meta names in traceparent and tracestate (SEP-414), with a link to the span of the HTTP request; else the
// application's own span of that, or the one that its headers name. What is malformed is ignored, and baggage always. Anybody can name a
// parent, so a sampler that follows it lets callers decide: choose one that does not for a server of strangers.
//
// [WithInterceptor] puts the application's own code around every call, and [OnToolFailure] has it told of every failure.
//
// # More than tools
//
// [WithServer] and [WithServerOptions] let an application add prompts, resources, completions and raw tools to go-sdk's server. They are served on the
// same endpoint, behind the same checks.
//
// # An agent on the same machine
//
// A harness starts an agent as a process of its own and gives it the capabilities of the program it is part of. [StartBridge] serves any
// handler for it, at an ephemeral port of 127.0.0.1 and under a URL with a secret in it, and bounds everything that passes: sizes, times and
// connections, also of streams, and whatever the handler does. The end of the bridge ends its own connections and nothing of the
// handler's. The URL is no permission: who may see and call what is decided as above.
//
//	bridge, err := runtime.StartBridge(ctx, handler)
//	defer bridge.Close()
//	agent.Env = append(os.Environ(), "MCP_URL="+bridge.URL())
package runtime
