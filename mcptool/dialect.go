package mcptool

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Dialect is a tool as the clients of a profile accept it, with the way back for their arguments. It does not change.
type Dialect struct {
	// Tool is what they receive.
	Tool
	// Mirrors says that the input still tells which parameters a header repeats.
	Mirrors bool

	back *restore
}

// Loss is why a tool cannot be rewritten so that every call can still be made. It is an error.
type Loss struct {
	Profile Profile
	// Path leads to the schema at fault, as that of a [Finding].
	Path []string
	// What says what the clients have no word for, and Fix what to write instead.
	What, Fix string
}

func (l *Loss) Error() string {
	return fmt.Sprintf("%s, which %s has no word for: %s", l.What, l.Profile, l.Fix)
}

// maxDialect is how large an input may become by writing out what it refers to, in bytes.
const maxDialect = 1 << 20

// Rewrite returns a tool as the clients of a profile accept it. The rewritten input tells the same as the given one: every value has one form that
// stands for it, which [Dialect.Restore] undoes, and what has no keyword left is said in a description. What is checked is as before,
// since that is the server's. The error is a [Loss].
//
//   - References are written out, save in openai-strict those of types that refer to themselves.
//   - A value that may be null is left out instead; in openai-strict one that may be left out is null instead.
//   - Names of parameters that are not accepted are replaced. Values of enums that are no strings become strings.
//   - An object with members of any name becomes an array of name and value, and a value of any type its JSON text, where there is no
//     word for them.
func Rewrite(tool Tool, profile Profile) (*Dialect, error) {
	root, ok := readObject(jsontext.Value(tool.Input))
	if !ok {
		return nil, &Loss{profile, nil, "the input is no object", "declare the input as a struct"}
	}
	w := newRewriter(root, profile)
	schema, back, err := w.schema(root.without("$defs"), nil)
	if err != nil {
		return nil, err
	}
	if len(w.definitions) > 0 {
		schema = schema.set("$defs", w.definitions.text())
	}
	d := &Dialect{Tool: tool, Mirrors: !w.drops("x-mcp-header"), back: back}
	if row := w.row("root-keyword"); row != nil {
		if schema, err = d.keepAtRoot(schema, w, row.Keywords); err != nil {
			return nil, err
		}
	}
	d.Input = schema.text()
	if len(d.Input) > maxDialect {
		return nil, &Loss{profile, nil, fmt.Sprintf("with its references written out the input has %d bytes, more than %d", len(d.Input), maxDialect), "make the input smaller"}
	}
	return d, nil
}

// keepAtRoot drops the keywords that are not to be at the root. What they say goes to the tool's description.
func (d *Dialect) keepAtRoot(root object, w *rewriter, keywords []string) (object, error) {
	var kept object
	for _, m := range root {
		told := sentence(m)
		switch {
		case slices.Contains(keywords, m.name):
			kept = append(kept, m)
			continue
		case m.name == "description":
			told = textOf(m.value)
		case m.name == "title":
		case told == "" && !silent[m.name]:
			return nil, w.loss(nil, "leave it out", "has the keyword %s", m.name)
		}
		if !strings.Contains(d.Description, told) {
			d.Description = strings.TrimPrefix(d.Description+"\n\n"+told, "\n\n")
		}
	}
	return kept, nil
}

// Check returns what the profile's clients still refuse of the tool: its name, its description and its size are as they were declared.
func (d *Dialect) Check(profile Profile) []Finding {
	// How long a server's name is, is not known here.
	return slices.DeleteFunc(Check(d.Tool, profile, Options{}), func(f Finding) bool { return f.Rule.ID == "name-budget" })
}

// Restore returns arguments as the original input has them: those that a client of the profile sent. Arguments that do not fit the
// rewritten input come back as far as they do, for whoever checks them.
func (d *Dialect) Restore(arguments []byte) []byte {
	if d.back == nil {
		return arguments
	}
	return d.back.text(arguments)
}
