// Package realtypes holds the generator against large Go types that others have published, and real documents against the code that
// comes of it.
package realtypes

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"sigs.k8s.io/yaml"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/gen"
	"github.com/capgen/capgen/internal/realtypes/github"
	"github.com/capgen/capgen/internal/realtypes/kubernetes"
	"github.com/capgen/capgen/internal/realtypes/lambda"
	"github.com/capgen/capgen/internal/realtypes/mcptool"
	"github.com/capgen/capgen/internal/realtypes/oci"
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

// unread has the documents that are refused as they are published. Each goes through without its members that are null, which a pointer
// with omitempty refuses, and without the members listed here, which its Go type does not have.
var unread = map[string][]string{
	"github-repository-null.json": nil,
	"github-repository.json": {
		"/forks", "/temp_clone_token", "/organization/gravatar_id", "/organization/followers_url", "/organization/following_url",
		"/organization/gists_url", "/organization/starred_url", "/organization/subscriptions_url", "/organization/organizations_url",
		"/organization/received_events_url", "/organization/site_admin",
	},
	"github-pull.json": {"/head/repo/forks", "/base/repo/forks"},
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

// TestUnread holds that a document of unread is refused as it is published, by the generated code and by the schema, for what unread
// leaves out of it and for nothing else.
func TestUnread(t *testing.T) {
	for _, d := range documents {
		unknown, ok := unread[d.file]
		if !ok {
			continue
		}
		t.Run(d.file, func(t *testing.T) {
			document := parse(t, read(t, filepath.Join("testdata", d.file)))
			var want []string
			for _, pointer := range nulls("/value", document) {
				want = append(want, pointer+" type")
			}
			for _, pointer := range unknown {
				// An object with names that are not known is one problem, however many they are.
				want = append(want, path.Dir("/value"+pointer)+" additionalProperties")
			}
			slices.Sort(want)
			want = slices.Compact(want)
			if len(want) == 0 || len(want) > capabilities.MaxProblems {
				t.Fatalf("%d problems, want at least one and no more than are reported", len(want))
			}
			input := asInput(t, document)
			got := d.trip(t, input)
			var problems capabilities.Problems
			errors.As(got.refused, &problems)
			var found []string
			for _, p := range problems {
				found = append(found, p.Pointer+" "+p.Keyword)
			}
			slices.Sort(found)
			if !slices.Equal(found, want) {
				t.Errorf("the generated code says\n%s\nwant\n%s", strings.Join(found, "\n"), strings.Join(want, "\n"))
			}
			var invalid *jsonschema.ValidationError
			errors.As(compile(t, got.definition.Input).Validate(parse(t, input)), &invalid)
			found = leaves(invalid)
			slices.Sort(found)
			if !slices.Equal(found, want) {
				t.Errorf("the schema says\n%s\nwant\n%s", strings.Join(found, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// source is where a module that go.mod requires carries a document.
type source struct {
	module, path string
	// changed is how each difference from it ends; "" where there is none.
	changed string
}

const placeholder = "Value" // as of operatorValue, in the place of an enumerated value

var sources = map[string]source{
	"deployment-kube-dns.yaml":    {"sigs.k8s.io/structured-merge-diff/v6", "internal/testdata/k8s-deployment.yaml", ""},
	"deployment-every-field.json": {"k8s.io/api", "testdata/HEAD/apps.v1.Deployment.json", placeholder},
	"service-every-field.json":    {"k8s.io/api", "testdata/HEAD/core.v1.Service.json", placeholder},
	"pod-status.yaml":             {"k8s.io/apimachinery", "pkg/util/managedfields/pod.yaml", ""},
	"revision-every-field.json":   {"k8s.io/api", "testdata/HEAD/apps.v1.ControllerRevision.json", ""},
	"lease-every-field.json":      {"k8s.io/api", "testdata/HEAD/coordination.k8s.io.v1.Lease.json", placeholder},
	"oci-manifest.json":           {"github.com/opencontainers/image-spec", "manifest.md", ""},
	"oci-artifact.json":           {"github.com/opencontainers/image-spec", "manifest.md", ""},
	"oci-index.json":              {"github.com/opencontainers/image-spec", "image-index.md", ""},
	"oci-image.json":              {"github.com/opencontainers/image-spec", "config.md", ""},
	"oci-runtime.json":            {"github.com/opencontainers/runtime-spec", "schema/test/config/good/spec-example.json", "/oomScoreAdj is missing"},
	"lambda-s3.json":              {"github.com/aws/aws-lambda-go", "events/testdata/s3-event-with-decoded.json", ""},
	"lambda-gateway.json":         {"github.com/aws/aws-lambda-go", "events/testdata/apigw-v2-request-jwt-authorizer.json", ""},
}

// fence is a JSON block of a Markdown text.
var fence = regexp.MustCompile("(?ms)^ *```json[^\n]*\n(.*?)^ *```")

// TestSources compares each document that a module carries with the module's.
func TestSources(t *testing.T) {
	for file, s := range sources {
		t.Run(file, func(t *testing.T) {
			folder, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", s.module).Output()
			if err != nil {
				t.Fatal(err)
			}
			text := read(t, filepath.Join(strings.TrimSpace(string(folder)), filepath.FromSlash(s.path)))
			published := [][]byte{text}
			if path.Ext(s.path) == ".md" {
				published = nil
				for _, block := range fence.FindAllSubmatch(text, -1) {
					if json.Valid(block[1]) {
						published = append(published, block[1])
					}
				}
			}
			document := parse(t, read(t, filepath.Join("testdata", file)))
			if !slices.ContainsFunc(published, func(text []byte) bool {
				found := differences("", parse(t, text), document)
				return (len(found) > 0) == (s.changed != "") && !slices.ContainsFunc(found, func(difference string) bool {
					return !strings.HasSuffix(difference, s.changed)
				})
			}) {
				t.Errorf("%s of %s does not have the document", s.path, s.module)
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

// leaves lists where the schema refuses a text, each place with the keyword that failed there.
func leaves(invalid *jsonschema.ValidationError) []string {
	if invalid == nil {
		return nil
	}
	if len(invalid.Causes) == 0 {
		return []string{invalid.InstanceLocation + " " + path.Base(invalid.KeywordLocation)}
	}
	var found []string
	for _, cause := range invalid.Causes {
		found = append(found, leaves(cause)...)
	}
	return found
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

// nulls lists the members that are null.
func nulls(at string, value any) []string {
	var found []string
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			if member == nil {
				found = append(found, at+"/"+name)
			}
			found = append(found, nulls(at+"/"+name, member)...)
		}
	case []any:
		for i, item := range value {
			found = append(found, nulls(fmt.Sprintf("%s/%d", at, i), item)...)
		}
	}
	return found
}

// dropNulls takes the members that are null out of a value.
func dropNulls(value any) {
	switch value := value.(type) {
	case map[string]any:
		maps.DeleteFunc(value, func(_ string, member any) bool { return member == nil })
		for _, member := range value {
			dropNulls(member)
		}
	case []any:
		for _, item := range value {
			dropNulls(item)
		}
	}
}

// drop takes a member out of a value.
func drop(t *testing.T, value any, pointer string) {
	t.Helper()
	names := strings.Split(pointer[1:], "/")
	for _, name := range names[:len(names)-1] {
		value = value.(map[string]any)[name]
	}
	object, last := value.(map[string]any), names[len(names)-1]
	if _, ok := object[last]; !ok {
		t.Fatalf("the document has no %s", pointer)
	}
	delete(object, last)
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
