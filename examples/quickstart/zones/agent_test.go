package zones_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/examples/quickstart/zones"
	"github.com/capgen/capgen/runtime/runtimetest"
)

// What an agent goes through: it lists the tools, is refused, corrects itself and is answered.
func TestAsAnAgent(t *testing.T) {
	registry, err := capabilities.NewRegistry(zones.Bind(new(zones.Service)))
	if err != nil {
		t.Fatal(err)
	}
	client := runtimetest.Client(t, registry)

	var names []string
	for _, tool := range client.List(t) {
		names = append(names, tool.Name)
	}
	if want := []string{"time_convert", "zone_find", "zone_transitions"}; !slices.Equal(names, want) {
		t.Fatalf("the tools are %v, want %v", names, want)
	}

	refused := client.Call(t, "zone_transitions", `{"zone": "Berlin", "year": 26}`)
	if !refused.IsError || len(refused.Problems) != 1 || refused.Problems[0].Pointer != "/year" || refused.Problems[0].Keyword != "minimum" {
		t.Fatalf("a year of two digits: %+v", refused)
	}
	unknown := client.Call(t, "zone_transitions", `{"zone": "Berlin", "year": 2026}`)
	if !unknown.IsError || !strings.Contains(unknown.Text, "did you mean Europe/Berlin?") {
		t.Fatalf("a zone that does not exist: %s", unknown.Text)
	}
	var answer zones.Transitions
	client.Call(t, "zone_transitions", `{"zone": "Europe/Berlin", "year": 2026}`).Decode(t, &answer)
	if len(answer.Transitions) != 2 || answer.Transitions[0].Shift != zones.Forward {
		t.Errorf("the changes are %+v", answer.Transitions)
	}

	// A list without elements is a list.
	none := client.Call(t, "zone_transitions", `{"zone": "Asia/Tokyo", "year": 2026}`)
	if want := `"transitions":[]`; !strings.Contains(string(none.JSON), want) {
		t.Errorf("%s does not hold %s", none.JSON, want)
	}
}
