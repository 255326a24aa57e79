package codectest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/internal/codectest/shapes"
)

// subject is one capability under test, with its types out of sight. Its input is {"body": OUTPUT}.
type subject struct {
	name string
	// samples are good bodies.
	samples []string
	// in and out are the types of the call and of the result.
	in, out reflect.Type
	input   *jsonschema.Schema
	output  *jsonschema.Schema
	// inputTree is the input schema itself.
	inputTree any
	// decode and encode are the generated codec's, encodeInput that of a call in process. The references are the validator's and the
	// engine's.
	decode, referenceDecode func(text []byte) (any, error)
	encode, referenceEncode func(out any) ([]byte, error)
	encodeInput             func(in any) ([]byte, error)
}

// subjects are all there are; the corpora of the fuzzers number them, so new ones go last.
func subjects(t testing.TB) []*subject {
	t.Helper()
	contracts := readContracts(t)
	return []*subject{
		of[shapes.CallPlain](t, contracts,
			`{"bool":true,"text":"a","int":-1,"i8":-128,"i16":32767,"i32":1e3,"i64":-9223372036854775808,"uint":0,"u8":255,"u16":1.0,"u32":4294967295,"u64":18446744073709551615,"f32":1.5,"f64":-1e-7}`),
		of[shapes.CallOptional](t, contracts,
			`{"nullable":null,"nullableText":null,"nullablePlain":null,"items":[],"byName":{}}`,
			`{"nullable":1,"nullableText":"","nullablePlain":{"x":1},"pointer":1,"pointerZero":"a","pointerPoint":{"x":1,"y":2},"empty":"","emptyInt":0,"emptyBool":false,"emptyFloat":0,"emptyList":[],"emptyMap":{"a":1},"emptyPoint":{"x":1},"zeroPoint":{"x":0},"zeroArray":[1,2],"zeroList":["a"],"items":[1,null],"byName":{"a":null,"b":{"x":1}}}`),
		of[shapes.CallBounded](t, contracts,
			`{"short":"é😀","matched":"abcé-12-34","choice":"\"quoted\"","low":10,"between":-5,"steps":9007199254740993,"natural":200,"digit":18446744073709551615,"rate":0,"price":0.29,"constant":1e21,"agreed":true,"few":[1],"maybeLow":null,"maybeOne":null}`,
			`{"short":"abcd","long":"123456789","matched":"a","part":"a12","choice":"é<&>","email":"x","low":-3,"between":7,"steps":-9007199254740993,"halfStep":-5,"natural":0,"digit":2,"signed":100,"rate":0.999,"price":1000000,"small":0.1,"constant":0.1,"agreed":true,"few":[1,1,1],"unique":["a","b","c"],"numbers":[1,2,3.5],"shapes":[{"x":1},{"x":1,"y":1}],"some":{"a":1,"b":2},"full":{"name":"a","more":1},"maybeLow":1,"maybeOne":"b"}`),
		of[shapes.CallOpen](t, contracts, `{"name":"a","kelvin":1,"inner":{"x":1,"more":[{"a":null}]},"other":{"b":[1,2]},"z":null}`, `{}`),
		of[shapes.CallNamed](t, contracts,
			`{"slug":"a-1","share":0.5,"level":"quiet","louder":null,"rank":1,"scores":[1,2],"table":{"a":[1],"b-2":[2,1]},"byLevel":{"loud":"l\"<é"},"slugs":["a","b"],"levels":["loud","loud"]}`,
			`{"slug":"a","fixed":"b-1","share":100,"whole":49.5,"level":"loud","louder":"loud","loudest":"loud","rank":-7,"ratio":0.1,"scores":[1],"fewer":[2,1],"table":{},"byLevel":{},"slugs":[],"pointers":[null,1.5],"levels":["quiet","l\"<é"]}`),
		of[shapes.CallNames](t, contracts, `{"a/b~c":1,"é":2,"<&>":3,"ключ":4,"a b":5,"$ref":6,"100%25":7,"*":8,"NoTag":9,"n/m":{"x/y":{"x":1},"":{"x":2}}}`),
		of[shapes.CallDefaults](t, contracts, `{}`,
			`{"mode":"exact","limit":100,"rate":0,"on":false,"tags":["x"],"level":"quiet","point":{"x":0,"y":1},"limits":{"b":2},"ptr":1,"pair":[3,4]}`),
		of[shapes.CallLists](t, contracts,
			`{"grid":[[1,2],[],[3]],"triple":[1,2,3],"pairs":[["a",null],[null,"b"]],"none":[],"points":[{"x":1}],"maps":[{"a":[{"x":1},{"x":2}]},{}],"deep":{"a":{"b":[true,false]}},"inline":{"a":1,"b":["x"]},"inlines":[{"v":1},{"v":0.5}],"sets":[["a"],["b"],["a","b"]]}`),
		of[shapes.CallNode](t, contracts,
			`{"value":1,"left":null}`,
			`{"value":1,"left":{"value":2,"left":null,"right":{"value":3,"left":null}},"children":[{"value":4,"left":null,"children":[{"value":5,"left":null}]},{"value":6,"left":null}],"byName":{"a":null,"b":{"value":7,"left":null}},"forest":[{"value":8,"left":null,"forest":[]}]}`),
		of[shapes.CallEmbedding](t, contracts,
			`{"id":"a","note":null,"depth":1,"point":{"x":1},"shadowed":"s","label":true}`,
			`{"id":"a","note":"n","size":2,"tags":["t"],"depth":1,"point":{"x":1,"y":1},"shadowed":"","label":false}`),
		of[shapes.CallGenerics](t, contracts,
			`{"points":{"items":[{"x":1}],"next":null},"words":{"items":["a"],"next":"b","first":{"a":"x","b":1}},"pages":{"items":[{"items":[1],"next":null}],"next":null},"swap":{"a":"loud","b":null}}`),
		of[shapes.CallForms](t, contracts,
			`{"at":"2026-01-31T12:00:00.5+01:00","maybe":null,"data":"AAE=","number":1.50,"code":"AB"}`,
			`{"at":"2026-01-31T12:00:00Z","maybe":"0001-01-01T00:00:00Z","zero":"2026-01-31T12:00:00Z","data":"","hex":"AAEC","octets":"AQ==","number":1e400,"bounded":2.5,"code":"a","codes":{"AB":1,"C":2},"addr":"::1","addrs":["10.0.0.0/8","::/0"],"big":123456789012345678901234567890,"ints":{"-1":"a","127":"b"},"naturals":{"18446744073709551615":{"x":1}},"times":["2026-01-31T12:00:00Z"]}`),
		of[shapes.CallAnything](t, contracts, `{"any":null,"raw":null}`,
			`{"any":{"a":[1,"x",true,null]},"maybe":1.5,"raw":{"b":[1.0]},"less":"x","list":[1,"1",[1],{"a":1}],"map":{"a":null,"b":{"c":1}},"raws":{"a":null,"b":[1]}}`),
		of[shapes.CallQuoted](t, contracts, `{"int":"-1","uint":"65535","float":"1.5e3","bool":"true","text":"\"a\\n\"","level":"1","null":null}`,
			`{"int":"0","small":"-128","uint":"0","float":"-0","f32":"0.1","bool":"false","text":"\"\"","level":"-7","ptr":"9223372036854775807","null":"true"}`),
		of[shapes.CallUnions](t, contracts, `{"one":{"ki/nd":"Circle","r":1.5},"list":[],"map":{}}`,
			`{"one":{"r":1,"ki/nd":"Circle"},"maybe":{"of":[{"ki/nd":"Nothing"},{"of":[{"label":null,"ki/nd":"square"}],"next":{"of":[]},"ki/nd":"Group"}],"byName":{"a":{"ki/nd":"Nothing"}},"ki/nd":"Group"},"list":[{"ki/nd":"square","side":1,"label":"loud"},{"ki/nd":"square","side":2,"label":null},{"ki/nd":"Loose","more":1},{"record":{"name":"a"},"size":1,"tags":["t"],"label":"l","any":[1,{"ki/nd":"x"}],"inner":{"ki/nd":"square","figure":[{"ki/nd":"Mixed","record":{"name":"b"},"inner":{"ki/nd":""}}]},"ki/nd":"Mixed"}],"pair":[{"ki/nd":"Nothing"},{"ki/nd":"Nothing"}],"map":{"loud":{"ki/nd":"Loose","name":"a"}},"plain":{"r":1},"group":{"next":{}}}`),
		of[shapes.CallDeclared](t, contracts,
			`{"price":"1.50","tip":null,"at":null,"shade":"red","shades":[],"record":{"name":"a"},"stock":{},"unit":"each","level":"INFO"}`,
			`{"price":"0.00","tip":"10.99","fee":"0.10","at":7,"until":8,"then":9,"shade":{"r":1,"g":-2,"a":0.5},"shades":["é<&>",[1,2,3],1.00],"record":{"name":"ab","tags":["x","y"],"next":{"name":"b"}},"records":[null,{"name":"b"}],"pair":["1.00","2.00"],"stock":{"each":"1.00","é":"2.00"},"rooms":{"a":null,"b":{"name":"c"}},"unit":"kg","level":"WARN+1","levels":["DEBUG-2","ERROR"],"duration":-5}`),
	}
}

// readContracts returns the generated contracts by capability.
func readContracts(t testing.TB) map[string]string {
	t.Helper()
	contracts := map[string]string{}
	files, _ := filepath.Glob("*/schemas/*/*.json")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var contract struct{ ID string }
		if err := json.Unmarshal(text, &contract); err != nil {
			t.Fatal(err)
		}
		contracts[contract.ID] = string(text)
	}
	return contracts
}

func of[In capabilities.Declared[In, Out], Out any](t testing.TB, contracts map[string]string, samples ...string) *subject {
	t.Helper()
	var none In
	capability := none.Capability()
	definition := capability.Definition()
	reference := capabilities.Declare[In, Out](contracts[definition.ID.String()])
	s := &subject{
		name: definition.ID.Name, in: reflect.TypeFor[In](), out: reflect.TypeFor[Out](),
		input: compile(t, definition.Input), output: compile(t, definition.Output),
		decode:          func(text []byte) (any, error) { return capability.Decode(text) },
		referenceDecode: func(text []byte) (any, error) { return reference.Decode(text) },
		encode:          func(out any) ([]byte, error) { return capability.Encode(out.(Out)) },
		referenceEncode: func(out any) ([]byte, error) { return reference.Encode(out.(Out)) },
		encodeInput: func(in any) ([]byte, error) {
			var sent []byte
			_, err := capabilities.Call(context.Background(), callerFunc(func(input []byte) { sent = input }), in.(In))
			if errors.Is(err, errSent) {
				return sent, nil
			}
			return nil, err
		},
	}
	for _, body := range samples {
		s.samples = append(s.samples, `{"body":`+body+`}`)
	}
	if err := json.Unmarshal(definition.Input, &s.inputTree); err != nil {
		t.Fatal(err)
	}
	return s
}

// callerFunc takes the text that a call sends and answers nothing.
type callerFunc func(input []byte)

var errSent = errors.New("sent")

func (f callerFunc) Invoke(_ context.Context, request capabilities.Request) (capabilities.Outcome, error) {
	f(request.Input)
	return capabilities.Outcome{}, errSent
}

func compile(t testing.TB, text []byte) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	if err := c.AddResource("mem:///schema", bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("mem:///schema")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// problemsOf returns what an error says as "pointer keyword", each once.
func problemsOf(err error) map[string]bool {
	found := map[string]bool{}
	var problems capabilities.Problems
	if !errors.As(err, &problems) {
		found[fmt.Sprint(err)] = true
	}
	for _, p := range problems {
		found[strings.TrimSpace(p.Pointer+" "+p.Keyword)] = true
	}
	return found
}
