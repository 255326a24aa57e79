package executor_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime/executor"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// What follows is what capgen generates, written by hand: three declarations that differ in risk, access and timeout.

// Echo is a public read.
type Echo struct {
	capabilities.Returns[Said]

	Say string `json:"say"`
}

// Said is its result.
type Said struct {
	Text string  `json:"text"`
	More Encoded `json:"more,omitzero"`
}

// Encoded does whatever a test wants when it is encoded.
type Encoded struct{ Marshal func() ([]byte, error) }

func (e Encoded) MarshalJSON() ([]byte, error) { return e.Marshal() }
func (e Encoded) IsZero() bool                 { return e.Marshal == nil }

var echoCapability = capabilities.Declare[Echo, Said](contract("example:echo@1", "read", `"public"`, "", `{
	"type": "object",
	"properties": {"text": {"type": "string", "minLength": 1}, "more": {}},
	"required": ["text"]
}`))

func (Echo) Capability() *capabilities.Capability[Echo, Said] { return echoCapability }

// Write is a write that needs a scope and has a timeout of its own.
type Write struct {
	capabilities.Returns[capabilities.Nothing]

	Say string `json:"say"`
}

var writeCapability = capabilities.Declare[Write, capabilities.Nothing](
	contract("example:write@1", "write", `{"scopes": ["write"]}`, "30ms", `{"type": "object"}`))

func (Write) Capability() *capabilities.Capability[Write, capabilities.Nothing] {
	return writeCapability
}

// Ping is a second public read, of another name and without a named binding.
type Ping struct {
	capabilities.Returns[capabilities.Nothing]
}

var pingCapability = capabilities.Declare[Ping, capabilities.Nothing](strings.Replace(
	contract("example:ping@2", "read", `"public"`, "", `{"type": "object"}`), `"required": ["say"]`, `"required": []`, 1))

func (Ping) Capability() *capabilities.Capability[Ping, capabilities.Nothing] { return pingCapability }

func contract(id, risk, access, timeout, output string) string {
	if timeout != "" {
		timeout = fmt.Sprintf(`"timeout": %q,`, timeout)
	}
	parsed, _ := capabilities.ParseID(id)
	return fmt.Sprintf(`{"id": %q, "tool": %q, "risk": %q, "access": %s, %s "input": {
		"type": "object",
		"properties": {"say": {"type": "string", "maxLength": 40}},
		"required": ["say"],
		"additionalProperties": false
	}, "output": %s}`, id, capabilities.ToolName(parsed), risk, access, timeout, output)
}

var (
	echoID  = echoCapability.Definition().ID
	writeID = writeCapability.Definition().ID
	pingID  = pingCapability.Definition().ID
)

// input is a good input of Echo and Write.
var input = []byte(`{"say": "hello"}`)

type (
	echoFunc  = func(context.Context, Echo) (Said, error)
	writeFunc = func(context.Context, Write) error
)

// setup is what one test runs: handlers, a policy, and the observations it leaves behind.
type setup struct {
	echo    echoFunc
	write   writeFunc
	options executor.Options

	mutex sync.Mutex
	seen  []executor.Observation
}

func (s *setup) executor(t *testing.T) *executor.Executor {
	t.Helper()
	if s.echo == nil {
		s.echo = func(_ context.Context, in Echo) (Said, error) { return Said{Text: in.Say}, nil }
	}
	if s.write == nil {
		s.write = func(context.Context, Write) error { return nil }
	}
	registry, err := capabilities.NewRegistry(
		capabilities.Handle(s.echo, capabilities.Named("echo in memory")),
		capabilities.Do(s.write, capabilities.NoResource()),
		capabilities.Do(func(context.Context, Ping) error { return nil }),
	)
	if err != nil {
		t.Fatal(err)
	}
	if s.options.Observe == nil {
		s.options.Observe = func(_ context.Context, o executor.Observation) {
			s.mutex.Lock()
			defer s.mutex.Unlock()
			s.seen = append(s.seen, o)
		}
	}
	e, err := executor.New(registry, s.options)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// observed returns the one observation there must be, its duration checked and set to 0.
func (s *setup) observed(t *testing.T) executor.Observation {
	t.Helper()
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if len(s.seen) != 1 {
		t.Fatalf("observed %d calls, want 1: %+v", len(s.seen), s.seen)
	}
	o := s.seen[0]
	if o.Duration <= 0 || o.Duration > time.Minute {
		t.Errorf("observed a duration of %v", o.Duration)
	}
	o.Duration = 0
	return o
}

var admitAll = policy(func(*capabilities.Definition) executor.Decision { return executor.Admit })

// policy is a Policy that depends on the capability alone.
func policy(decide admission) executor.Policy {
	return func(context.Context) executor.Admission { return decide }
}

type admission func(*capabilities.Definition) executor.Decision

func (a admission) Decide(def *capabilities.Definition) executor.Decision { return a(def) }

// kindOf returns an error's kind, "" for nil.
func kindOf(t *testing.T, err error) capabilities.Kind {
	t.Helper()
	if err == nil {
		return ""
	}
	var failure *capabilities.Failure
	if !errors.As(err, &failure) {
		t.Fatalf("the error is a %T, not a *Failure", err)
	}
	return failure.Kind
}
