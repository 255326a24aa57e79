package realtypes

import (
	"encoding/json"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

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
