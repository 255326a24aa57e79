package mcptool

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Tool is what clients make a tool of a model's request from.
type Tool struct {
	Name, Description string
	// Input is the schema of its arguments, as a server sends it.
	Input []byte
}

// Part says which part of a tool a finding is about.
type Part int

// The parts.
const (
	// TheTool is the tool as a whole.
	TheTool Part = iota
	TheName
	TheDescription
	// TheInput is the schema of its arguments, at the Path of the finding.
	TheInput
)

// Finding is something about a tool that clients refuse.
type Finding struct {
	// Rule is the strictest of the rows that say so.
	Rule *Rule
	// Profiles are the clients that refuse it.
	Profiles []Profile
	Part     Part
	// Path leads to the schema at fault, from the input's own: keywords, names of properties and numbers of alternatives, as a JSON Pointer
	// has them, save that a reference is followed without a word. Keyword is the one at fault there, if it is one.
	Path    []string
	Keyword string
	// What says what is wrong, and Fix what to write instead.
	What, Fix string
}

// Message tells a finding in one line, without the tool's name.
func (f *Finding) Message() string {
	return fmt.Sprintf("%s: not accepted by %s; %s (%s)", f.What, join(f.Profiles), f.Fix, f.Rule.ID)
}

// Options say what is known of the clients' side.
type Options struct {
	// Server is the name under which clients have the server, which some put before the names of its tools. Empty means that it is not
	// known, and counts as [UnknownServer] characters.
	Server string
}

// UnknownServer is how many characters a server's name is taken to have when it is not known.
const UnknownServer = 16

// Check returns what the clients of a profile refuse of a tool, in the order of the table and then of the schema.
func Check(tool Tool, profile Profile, options Options) []Finding {
	c := &checker{rules: RulesOf(profile), profile: profile}
	c.name(tool.Name, options)
	c.description(tool.Description)
	c.input(tool.Input)
	return c.findings
}

// CheckCount returns what the clients of a profile refuse of so many tools, or nil. Past says which is the first one too many.
func CheckCount(tools int, profile Profile) (finding *Finding, past int) {
	c := &checker{rules: RulesOf(profile), profile: profile}
	c.limit("tool-count", TheTool, tools, "there are %d tools, more than %d")
	if len(c.findings) == 0 {
		return nil, 0
	}
	return &c.findings[0], c.findings[0].Rule.Limit
}

// RulesOf returns the rows of the table that count for a profile, in its order. The caller must not change them.
func RulesOf(profile Profile) []*Rule {
	var rules []*Rule
	for i := range table {
		r := &table[i]
		if profile == All && r.Default || slices.Contains(r.Profiles, profile) {
			rules = append(rules, r)
		}
	}
	return rules
}

type checker struct {
	rules    []*Rule
	profile  Profile
	findings []Finding
}

// each runs a check for every row of an ID. The check returns what is wrong, or "".
func (c *checker) each(id string, at Finding, wrong func(*Rule) string) {
	for _, r := range c.rules {
		if r.ID != id {
			continue
		}
		if what := wrong(r); what != "" {
			c.add(r, at, what)
		}
	}
}

// limit reports a number that is larger than the limits of an ID.
func (c *checker) limit(id string, part Part, n int, format string) {
	c.each(id, Finding{Part: part}, func(r *Rule) string {
		if n <= r.Limit {
			return ""
		}
		return fmt.Sprintf(format, n, r.Limit)
	})
}

// add adds a finding, or the clients of another row to the finding that is there.
func (c *checker) add(r *Rule, at Finding, what string) {
	profiles := r.Profiles
	if c.profile != All {
		profiles = []Profile{c.profile}
	}
	for i := range c.findings {
		f := &c.findings[i]
		if f.Rule.ID == r.ID && f.Part == at.Part && f.Keyword == at.Keyword && slices.Equal(f.Path, at.Path) {
			for _, p := range profiles {
				if !slices.Contains(f.Profiles, p) {
					f.Profiles = append(f.Profiles, p)
				}
			}
			return
		}
	}
	at.Rule, at.Profiles, at.What = r, slices.Clone(profiles), what
	if at.Fix == "" {
		at.Fix = r.Fix
	}
	c.findings = append(c.findings, at)
}

func (c *checker) name(name string, options Options) {
	c.limit("name-length", TheName, len(name), "the name has %d characters, more than %d")
	c.each("name-charset", Finding{Part: TheName}, func(r *Rule) string {
		if matches(r.Pattern, name) {
			return ""
		}
		return fmt.Sprintf("the name %q has other characters than those of %s", name, r.Pattern)
	})
	server, of := len(options.Server), "those of the server's name"
	if options.Server == "" {
		server, of = UnknownServer, fmt.Sprintf("%d for the server's name", UnknownServer)
	}
	c.each("name-budget", Finding{Part: TheName}, func(r *Rule) string {
		if len(name)+server <= r.Limit {
			return ""
		}
		return fmt.Sprintf("the name has %d characters, with %s %d, more than %d", len(name), of, len(name)+server, r.Limit)
	})
}

func (c *checker) description(text string) {
	c.limit("description-length", TheDescription, utf16Length(text), "the description has %d characters, more than %d")
	c.each("description-missing", Finding{Part: TheDescription}, func(*Rule) string {
		if text != "" {
			return ""
		}
		return "there is no description"
	})
}

func (c *checker) input(text []byte) {
	root, _ := readObject(jsontext.Value(text))
	c.each("root-object", Finding{Part: TheInput, Keyword: "type"}, func(*Rule) string {
		if kind, _ := readString(root.get("type")); kind == "object" {
			return ""
		}
		return "the input is no object"
	})
	for _, id := range []string{"root-combinator", "root-keyword"} {
		for _, m := range root {
			c.each(id, Finding{Part: TheInput, Keyword: m.name}, func(r *Rule) string {
				if slices.Contains(r.Keywords, m.name) != r.Refused {
					return ""
				}
				return fmt.Sprintf("the input's own schema has %s", m.name)
			})
		}
	}
	w := walk{checker: c, root: root, seen: map[string]bool{}, deep: map[*Rule]bool{}}
	w.schema(root, nil, 0)
	c.limit("property-count", TheTool, w.properties, "the input has %d properties, more than %d")
	c.limit("enum-count", TheTool, w.values, "the enums of the input have %d values, more than %d")
	c.limit("text-length", TheTool, w.text, "the names and values of the input have %d characters, more than %d")
}
