// Package realtypes holds the generator against large Go types that others have published, and real documents against the code that
// comes of it.
package realtypes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/gen"
	"github.com/capgen/capgen/internal/realtypes/github"
	"github.com/capgen/capgen/internal/realtypes/kubernetes"
	"github.com/capgen/capgen/internal/realtypes/lambda"
	"github.com/capgen/capgen/internal/realtypes/mcptool"
	"github.com/capgen/capgen/internal/realtypes/oci"
	"github.com/santhosh-tekuri/jsonschema/v5"
	"sigs.k8s.io/yaml"
)

// document is a file of testdata and how it goes through a capability whose input and result are of its type.
type document struct {
	file string
	trip func(*testing.T, []byte) trip
	// loses says why encoding/json itself does not write the document again as it is; "" where it does.
	loses string
}

var documents = []document{
	{"deployment-kube-dns.yaml", through(kubernetes.Deploy{}.Capability(), func(in kubernetes.Deploy) any { return in.Value }), emptyStatus},
	{"deployment-every-field.json", through(kubernetes.Deploy{}.Capability(), func(in kubernetes.Deploy) any { return in.Value }), ""},
	{"service-every-field.json", through(kubernetes.Expose{}.Capability(), func(in kubernetes.Expose) any { return in.Value }), ""},
	{"pod-status.yaml", through(kubernetes.RunPod{}.Capability(), func(in kubernetes.RunPod) any { return in.Value }), ""},
	{"revision-every-field.json", through(kubernetes.Revise{}.Capability(), func(in kubernetes.Revise) any { return in.Value }), ""},
	{"lease-every-field.json", through(kubernetes.Elect{}.Capability(), func(in kubernetes.Elect) any { return in.Value }), ""},
	{"mcp-weather.json", through(mcptool.Review{}.Capability(), func(in mcptool.Review) any { return in.Value }), ""},
	{"mcp-icons.json", through(mcptool.Review{}.Capability(), func(in mcptool.Review) any { return in.Value }), ""},
	{"mcp-annotated.json", through(mcptool.Review{}.Capability(), func(in mcptool.Review) any { return in.Value }), everyHint},
	{"github-repository.json", through(github.ReviewRepository{}.Capability(), func(in github.ReviewRepository) any { return in.Value }), ""},
	{"github-repository-null.json", through(github.ReviewRepository{}.Capability(), func(in github.ReviewRepository) any { return in.Value }), ""},
	{"github-repository-plain.json", through(github.ReviewRepository{}.Capability(), func(in github.ReviewRepository) any { return in.Value }), ""},
	{"github-pull.json", through(github.ReviewPull{}.Capability(), func(in github.ReviewPull) any { return in.Value }), empties},
	{"oci-manifest.json", through(oci.PushManifest{}.Capability(), func(in oci.PushManifest) any { return in.Value }), ""},
	{"oci-artifact.json", through(oci.PushManifest{}.Capability(), func(in oci.PushManifest) any { return in.Value }), ""},
	{"oci-index.json", through(oci.PushIndex{}.Capability(), func(in oci.PushIndex) any { return in.Value }), ""},
	{"oci-image.json", through(oci.PushImage{}.Capability(), func(in oci.PushImage) any { return in.Value }), ""},
	{"oci-runtime.json", through(oci.Run{}.Capability(), func(in oci.Run) any { return in.Value }), zeroes},
	{"lambda-s3.json", through(lambda.Notify{}.Capability(), func(in lambda.Notify) any { return in.Value }), ""},
	{"lambda-gateway.json", through(lambda.Proxy{}.Capability(), func(in lambda.Proxy) any { return in.Value }), ""},
}

// Why encoding/json does not write some documents as they are.
const (
	emptyStatus = "omitempty leaves out no struct, so an empty status is added where the document has none"
	empties     = "omitempty leaves out slices and maps that are empty"
	zeroes      = "omitempty leaves out numbers that are 0"
	everyHint   = "idempotentHint has no omitempty, so it is added where the annotations have none"
)

// trip is what became of a document.
type trip struct {
	definition *capabilities.Definition
	// refused is what the generated code says of a document that it does not read; nil where it does.
	refused error
	// encoded is what the generated code writes of what it reads.
	encoded []byte
	// standard is what encoding/json writes of what it reads of the document, into the same type.
	standard []byte
}

// through returns how a document goes through a capability.
func through[In, Out any](c *capabilities.Capability[In, Out], value func(In) any) func(*testing.T, []byte) trip {
	return func(t *testing.T, text []byte) trip {
		in, err := c.Decode(text)
		if err != nil {
			return trip{definition: c.Definition(), refused: err}
		}
		encoded, err := c.Encode(value(in).(Out))
		if err != nil {
			t.Fatalf("the generated code does not write the value: %v", err)
		}
		var input In
		if err := json.Unmarshal(text, &input); err != nil {
			t.Fatal(err)
		}
		standard, err := json.Marshal(value(input))
		if err != nil {
			t.Fatal(err)
		}
		return trip{c.Definition(), nil, encoded, standard}
	}
}

// TestDocuments takes each document through its schema, the generated decoder and the generated encoder.
func TestDocuments(t *testing.T) {
	for _, d := range documents {
		t.Run(d.file, func(t *testing.T) {
			document := parse(t, read(t, filepath.Join("testdata", d.file)))
			if unknown, ok := unread[d.file]; ok {
				dropNulls(document)
				for _, pointer := range unknown {
					drop(t, document, pointer)
				}
			}
			input := asInput(t, document)
			got := d.trip(t, input)
			if got.refused != nil {
				t.Fatalf("the generated code refuses the document: %v", got.refused)
			}
			validate(t, "input", got.definition.Input, input)
			validate(t, "output", got.definition.Output, got.encoded)
			if found := differences("", parse(t, got.standard), parse(t, got.encoded)); len(found) > 0 {
				t.Errorf("encoding/json writes the value otherwise:\n%s", strings.Join(found, "\n"))
			}
			found := differences("", document, parse(t, got.encoded))
			switch {
			case d.loses == "" && len(found) > 0:
				t.Errorf("the document came back otherwise:\n%s", strings.Join(found, "\n"))
			case d.loses != "" && len(found) == 0:
				t.Errorf("the document came back as it is, so it does not lose anything by: %s", d.loses)
			}
		})
	}
}

// TestGenerated fails when the generated files are not what the generator writes now.
func TestGenerated(t *testing.T) {
	plan, err := gen.Generate(t.Context(), gen.Config{Patterns: []string{"./..."}, NoDescriptions: true})
	if err != nil {
		t.Fatal(err)
	}
	if stale := plan.Stale(); len(stale) > 0 {
		t.Errorf("stale: %s; run make generate", strings.Join(stale, ", "))
	}
	for _, warning := range plan.Warnings {
		t.Error(warning)
	}
}

func validate(t *testing.T, what string, schema json.RawMessage, text []byte) {
	t.Helper()
	if err := compile(t, schema).Validate(parse(t, text)); err != nil {
		t.Errorf("the %s schema refuses the text: %#v", what, err)
	}
}

func compile(t *testing.T, schema json.RawMessage) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	if err := c.AddResource("schema.json", bytes.NewReader(schema)); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// read returns a file as it is, or as JSON where it is YAML.
func read(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err == nil && filepath.Ext(file) == ".yaml" {
		text, err = yaml.YAMLToJSONStrict(text)
	}
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// asInput returns the input that has a document as its value.
func asInput(t *testing.T, document any) []byte {
	t.Helper()
	text, err := json.Marshal(map[string]any{"value": document})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func parse(t *testing.T, text []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

// differences lists where two values differ. A nil slice or map, which encoding/json writes as null, is written as an empty one here
// (docs/decisions.md).
func differences(at string, want, got any) []string {
	switch want := want.(type) {
	case map[string]any:
		got, ok := got.(map[string]any)
		if !ok {
			break
		}
		var found []string
		names := maps.Clone(want)
		maps.Copy(names, got)
		for _, name := range slices.Sorted(maps.Keys(names)) {
			w, wanted := want[name]
			g, given := got[name]
			switch {
			case !given:
				found = append(found, fmt.Sprintf("%s/%s is missing", at, name))
			case !wanted:
				found = append(found, fmt.Sprintf("%s/%s is added", at, name))
			default:
				found = append(found, differences(at+"/"+name, w, g)...)
			}
		}
		return found
	case []any:
		got, ok := got.([]any)
		if !ok || len(got) != len(want) {
			break
		}
		var found []string
		for i := range want {
			found = append(found, differences(fmt.Sprintf("%s/%d", at, i), want[i], got[i])...)
		}
		return found
	case nil:
		if v := reflect.ValueOf(got); got != nil && (v.Kind() == reflect.Map || v.Kind() == reflect.Slice) && v.Len() == 0 {
			return nil
		}
	}
	if !reflect.DeepEqual(want, got) {
		return []string{fmt.Sprintf("%s is %v, want %v", at, got, want)}
	}
	return nil
}
