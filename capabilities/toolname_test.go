package capabilities_test

import (
	"strings"
	"testing"

	"github.com/capgen/capgen/capabilities"
)

func TestToolNames(t *testing.T) {
	long := strings.Repeat("a", 64)
	for _, test := range []struct{ id, want, wantEncoded string }{
		{"example.catalog:album.look-up@12", "example_catalog__album_look-up_v12", "cap_15_example_catalog_13_album_look-up_v12"},
		{"a.b:c@1", "a_b__c_v1", "cap_3_a_b_1_c_v1"},
		{"a:b.c@1", "a__b_c_v1", "cap_1_a_3_b_c_v1"},
		// 64 characters are the most that every client takes, 128 that the protocol does.
		{"a:" + long[:58] + "@1", "a__" + long[:58] + "_v1", "cap_1_a_58_" + long[:58] + "_v1"},
		{"a:" + long[:59] + "@1", "a__" + long[:44] + "_11f320fe08bddaa7", "cap_1_a_59_" + long[:59] + "_v1"},
		{long + ":" + long + "@1", long[:47] + "_d56556ee042eee1a", "cap_64_" + long + "_64_" + long[:36] + "_d56556ee042eee1a"},
	} {
		id, err := capabilities.ParseID(test.id)
		if err != nil {
			t.Fatal(err)
		}
		if got := capabilities.ToolName(id); got != test.want {
			t.Errorf("%s: %s, want %s", id, got, test.want)
		}
		if got := capabilities.LengthEncodedToolName(id); got != test.wantEncoded {
			t.Errorf("%s: %s, want %s", id, got, test.wantEncoded)
		}
	}
}

func TestCheckToolNames(t *testing.T) {
	long := strings.Repeat("a", 129)
	for name, want := range map[string][2]string{
		"a":        {},
		"A-b_9":    {},
		long[:64]:  {},
		long[:65]:  {`tool name "` + long[:65] + `" has 65 characters, at most 64 are accepted by every client`},
		long[:128]: {`tool name "` + long[:128] + `" has 128 characters, at most 64 are accepted by every client`},
		"a.b":      {`tool name "a.b" is not of the form [A-Za-z][A-Za-z0-9_-]{0,63}`},
		"9":        {`tool name "9" is not of the form [A-Za-z][A-Za-z0-9_-]{0,63}`},
		"": {`tool name "" is not of the form [A-Za-z][A-Za-z0-9_-]{0,63}`,
			`tool name "" is not 1 to 128 characters of A-Z a-z 0-9 _ . -`},
		"a b\n": {`tool name "a b\n" is not of the form [A-Za-z][A-Za-z0-9_-]{0,63}`,
			`tool name "a b\n" is not 1 to 128 characters of A-Z a-z 0-9 _ . -`},
		long: {`tool name "` + long + `" has 129 characters, at most 64 are accepted by every client`,
			`tool name "` + long + `" is not 1 to 128 characters of A-Z a-z 0-9 _ . -`},
	} {
		for i, check := range []func(string) error{capabilities.CheckToolName, capabilities.CheckProtocolToolName} {
			if err := check(name); (err == nil) != (want[i] == "") || (err != nil && err.Error() != want[i]) {
				t.Errorf("%q: %v, want %q", name, err, want[i])
			}
		}
	}
}

// FuzzToolNames: different IDs have different names, in either form, and every name is one that clients accept.
func FuzzToolNames(f *testing.F) {
	f.Add("a.b", "c", uint32(0), "a", "b.c", uint32(0))
	f.Add("a-b", "c", uint32(1), "a.b", "c", uint32(1))
	f.Add("a", "b-v1", uint32(10), "a", "b", uint32(110))
	f.Add("a1", "a", uint32(0), "a", "1a", uint32(0))
	f.Add(strings.Repeat("a", 64), strings.Repeat("b", 64), uint32(0), strings.Repeat("a", 64), strings.Repeat("b", 63)+"c", uint32(0))
	f.Fuzz(func(t *testing.T, namespace1, name1 string, major1 uint32, namespace2, name2 string, major2 uint32) {
		one, two := validID(t, namespace1, name1, major1), validID(t, namespace2, name2, major2)
		for form, encode := range map[string]func(capabilities.ID) string{
			"default": capabilities.ToolName, "length-encoded": capabilities.LengthEncodedToolName,
		} {
			if (encode(one) == encode(two)) != (one == two) {
				t.Errorf("%s: %v and %v are named %s and %s", form, one, two, encode(one), encode(two))
			}
		}
		if err := capabilities.CheckToolName(capabilities.ToolName(one)); err != nil {
			t.Error(err)
		}
		if err := capabilities.CheckProtocolToolName(capabilities.LengthEncodedToolName(one)); err != nil {
			t.Error(err)
		}
	})
}

// validID makes an ID of any texts, so that the fuzzer wastes nothing on those that are none.
func validID(t *testing.T, namespace, name string, major uint32) capabilities.ID {
	id := capabilities.ID{Namespace: validPart(namespace), Name: validPart(name), Major: int(major) + 1}
	parsed, err := capabilities.ParseID(id.String())
	if err != nil || parsed != id {
		t.Fatalf("%v is no ID: %v", id, err)
	}
	return id
}

func validPart(text string) string {
	const alphabet = "abvz019.-"
	part := []byte("a")
	for _, c := range []byte(text) {
		if !strings.ContainsRune(alphabet, rune(c)) {
			c = alphabet[int(c)%len(alphabet)]
		}
		last := part[len(part)-1]
		if (c == '.' || c == '-') && (last == '.' || last == '-') {
			continue
		}
		part = append(part, c)
	}
	if len(part) > 1 && part[1] >= 'a' {
		part = part[1:]
	}
	return strings.TrimRight(string(part[:min(len(part), 64)]), ".-")
}
