package runtime_test

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime"
)

// What an operator decides comes from the environment and from flags, over what the code says.
func ExampleConfig() {
	environment := map[string]string{"CAPGEN_DEADLINE": "2s", "CAPGEN_PATH": "/tools"}
	config := runtime.Config{Path: "/mcp", MaxCalls: 16}
	err := config.FromEnv(func(name string) (string, bool) { // os.LookupEnv in a program
		value, ok := environment[name]
		return value, ok
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	flags := flag.NewFlagSet("server", flag.ContinueOnError) // flag.CommandLine in a program
	config.Flags(flags)
	if err := flags.Parse([]string{"-path", "/agents", "-port", "8080"}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(config.Port, config.Path, config.Deadline, config.MaxCalls)

	// What is missing is said with what to set.
	registry, err := capabilities.NewRegistry(capabilities.Handle(sum))
	if err != nil {
		fmt.Println(err)
		return
	}
	config.Host, config.PublicURL = "0.0.0.0", "https://tools.example.com"
	fmt.Println(runtime.Run(context.Background(), registry, config))
	// Output:
	// 8080 /agents 2s 16
	// runtime.Run: the Host "0.0.0.0" can be reached from other machines, and nobody is asked who they are: set CAPGEN_AUTH=bearer and CAPGEN_TOKEN_FILE or CAPGEN_TOKEN, or CAPGEN_AUTH=oidc and CAPGEN_ISSUER; or listen on this machine alone, with -host 127.0.0.1
}

func ExampleServeStdio() {
	registry, err := capabilities.NewRegistry(capabilities.Handle(sum))
	if err != nil {
		fmt.Println(err)
		return
	}
	// A program passes nil and nil, for standard input and output.
	in, client := io.Pipe()
	out, server := io.Pipe()
	ended := make(chan error)
	go func() {
		ended <- runtime.ServeStdio(context.Background(), registry, in, server, runtime.WithInfo("abacus", "v1.2.0"))
	}()

	fmt.Fprintln(client, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"math_sum","arguments":{"a":2,"b":3},"_meta":`+
		`{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`)
	answer, _ := bufio.NewReader(out).ReadString('\n')
	fmt.Println(strings.Contains(answer, `"structuredContent":{"result":5}`))
	client.Close()
	fmt.Println(<-ended)
	// Output:
	// true
	// <nil>
}

// The MCP Inspector is a page that calls from its own origin.
func ExampleWithCORSOrigins() {
	registry, err := capabilities.NewRegistry(capabilities.Handle(sum))
	if err != nil {
		fmt.Println(err)
		return
	}
	handler, err := runtime.NewHandler(registry, runtime.WithCORSOrigins("http://localhost:6274"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, origin := range []string{"http://localhost:6274", "https://elsewhere.example"} {
		preflight := httptest.NewRequest(http.MethodOptions, "/mcp", nil)
		preflight.Header.Set("Origin", origin)
		preflight.Header.Set("Access-Control-Request-Method", "POST")
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, preflight)
		fmt.Println(answer.Code, answer.Header().Get("Access-Control-Allow-Origin"))
	}
	// Output:
	// 204 http://localhost:6274
	// 403
}
