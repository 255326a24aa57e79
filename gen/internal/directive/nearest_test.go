package directive

import "testing"

func TestNearest(t *testing.T) {
	words := []string{"risk", "access", "scopes", "additionalProperties"}
	for word, want := range map[string]string{
		"RISK": "risk", "rsik": "risk", "scope": "scopes", "additionalproperty": "additionalProperties", "acess": "access",
		"": "", "rk": "", "r": "", "title": "",
	} {
		if got := Nearest(word, words); got != want {
			t.Errorf("Nearest(%q) is %q, want %q", word, got, want)
		}
	}
}

// TestTable checks what the parser takes for granted of the table.
func TestTable(t *testing.T) {
	for _, spec := range Table {
		for _, name := range spec.OneOf {
			if _, ok := spec.Key(name); !ok {
				t.Errorf("%s: OneOf names %s, which is no key", spec.Name, name)
			}
		}
		if spec.Doc == "" || spec.Usage == "" && (spec.Word != "" || spec.Text || len(spec.Keys) > 0) {
			t.Errorf("%s has no Doc or no Usage", spec.Name)
		}
	}
	for _, k := range Keywords {
		if sample := k.Value.sample(); !k.Value.matches(sample) {
			t.Errorf("%s: the sample %s is not %s", k.Name, sample, k.Value)
		}
	}
}
