package mcpclient_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/examples/quickstart/zones"
	"github.com/capgen/capgen/mcpclient"
	"github.com/capgen/capgen/runtime"
	"github.com/capgen/capgen/runtime/runtimetest"
)

// served returns a client of a server with these bindings.
func served(t *testing.T, revision string, part capabilities.Part, options ...runtime.Option) *zones.CapabilityClient {
	t.Helper()
	registry, err := capabilities.NewRegistry(part)
	if err != nil {
		t.Fatal(err)
	}
	session := runtimetest.ClientOf(t, revision, registry, options...)
	return zones.NewCapabilityClient(mcpclient.New(session.MCP()))
}

var july = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

// TestCall: results and failures are the same over every revision of the protocol, in process, and by whatever name the server has for a tool.
func TestCall(t *testing.T) {
	bindings := zones.Bind(new(zones.Service))
	registry, err := capabilities.NewRegistry(bindings)
	if err != nil {
		t.Fatal(err)
	}
	clients := map[string]*zones.CapabilityClient{
		"in process":  zones.NewCapabilityClient(capabilities.InProcess(registry)),
		"other names": served(t, "", bindings, runtime.WithToolNames(capabilities.LengthEncodedToolName)),
		"2024-11-05":  served(t, "2024-11-05", bindings),
		"newest":      served(t, "", bindings),
		"2025-11-25":  served(t, "2025-11-25", bindings),
	}
	for name, client := range clients {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			found, err := client.ZoneFind(ctx, zones.ZoneFind{Query: "berlin", At: july})
			if err != nil || len(found.Zones) != 1 || found.Zones[0].Name != "Europe/Berlin" || found.Zones[0].Clock.Offset != "+02:00" || !found.Zones[0].Clock.DST {
				t.Errorf("%+v, %v", found, err)
			}
			var failure *capabilities.Failure
			if _, err = client.ZoneFind(ctx, zones.ZoneFind{Query: "berlin", Limit: 51}); !errors.As(err, &failure) || failure.Kind != capabilities.InvalidInput ||
				failure.Problems[0].Pointer != "/limit" {
				t.Errorf("an input that breaks the schema: %v", err)
			}
			var declined *capabilities.Error
			if _, err = client.ZoneTransitions(ctx, zones.ZoneTransitions{Zone: "Mars/Olympus", Year: 2026}); !errors.As(err, &failure) ||
				failure.Kind != capabilities.Declined || !errors.As(err, &declined) || declined.Code != "unknown_zone" {
				t.Errorf("a zone that is not there: %v", err)
			}
			if err := client.CheckContracts(ctx); err != nil {
				t.Error(err)
			}
			ended, cancel := context.WithCancel(ctx)
			cancel()
			if _, err := client.ZoneFind(ended, zones.ZoneFind{Query: "berlin"}); !errors.Is(err, context.Canceled) {
				t.Errorf("a call that was cancelled: %v", err)
			}
		})
	}
}

// Later is zones.ZoneFind after changes of its contract.
type Later struct {
	capabilities.Returns[zones.Found]

	Query string    `json:"query"`
	At    time.Time `json:"at,omitzero"`
	Limit int       `json:"limit,omitzero"`
	Near  string    `json:"near,omitzero"`
}

// later is what the tests have the contract be; each test that sets it has a server of its own.
var later *capabilities.Capability[Later, zones.Found]

func (Later) Capability() *capabilities.Capability[Later, zones.Found] { return later }

func findLater(context.Context, Later) (zones.Found, error) {
	return zones.Found{Zones: []zones.Zone{}, Total: 3}, nil
}

// TestMovedOn: a server whose contract has changed is called where that breaks nobody, and else says what differs.
func TestMovedOn(t *testing.T) {
	original := zones.ZoneFind{}.Capability().Definition()
	for _, test := range []struct {
		name, part, before, after, want string
	}{
		{"the same", "input", "", "", ""},
		{"a wider bound", "input", `"maximum":50`, `"maximum":500`, ""},
		{"a new optional property", "input", `"limit":{`, `"near":{"type":"string"},"limit":{`, ""},
		{"a new property of the result", "output", `"total":{`, `"more":{"type":"boolean"},"total":{`, ""},
		{"a description", "input", `Letter case does not matter`, `Case does not matter`, ""},
		{"a narrower bound", "input", `"maximum":50`, `"maximum":20`, "/input/properties/limit/maximum: 50 before, 20 now"},
		{"a new required property", "input", `"limit":{`, `"near":{"type":"string"},"limit":{`, "/input/properties/near"},
		{"another type", "output", `"total":{"type":"integer"`, `"total":{"type":"string"`, "/output/properties/total"},
		{"another major", "id", "", "", "it for this caller, and has example.time:zone.find@2"},
		{"another capability", "name", "", "", "the server has no tool of it for this caller: generate"},
	} {
		t.Run(test.name, func(t *testing.T) {
			input, output, id := string(original.Input), string(original.Output), "example.time:zone.find@1"
			change := func(text string) string {
				changed := strings.Replace(text, test.before, test.after, 1)
				if changed == text && test.before != test.after {
					t.Fatalf("%s is not in %s", test.before, text)
				}
				return changed
			}
			switch test.part {
			case "input":
				input = change(input)
				if test.name == "a new required property" {
					input = strings.Replace(input, `"required":["query"]`, `"required":["query","near"]`, 1)
				}
			case "output":
				output = change(output)
			case "id":
				id = "example.time:zone.find@2"
			case "name":
				id = "example.time:zone.search@1"
			}
			later = capabilities.Declare[Later, zones.Found](`{"id":"` + id + `","tool":"zone_find","risk":"read","access":"public","input":` + input + `,"output":` + output + `}`)
			client := served(t, "", capabilities.Handle(findLater))
			found, err := client.ZoneFind(t.Context(), zones.ZoneFind{Query: "berlin"})
			if test.want == "" {
				if err != nil || found.Total != 3 {
					t.Fatalf("%+v, %v", found, err)
				}
				return
			}
			var mismatch *capabilities.ContractMismatch
			if !errors.As(err, &mismatch) || mismatch.ID != original.ID || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Fatalf("got %v, want one line with %q", err, test.want)
			}
			t.Log(err)
		})
	}
}
