package directive

import (
	"go/token"
	"slices"
	"strings"
)

// arguments splits and checks the arguments of a directive, and keeps the good ones.
func (s *scan) arguments(d *Directive, spec Spec) {
	if spec.Text {
		if d.Text == "" {
			s.errorf(d.Pos, "%s has no text: write %s", d, spec)
		}
		return
	}
	c := arguments{scan: s, d: d, spec: spec, seen: map[string]token.Pos{}}
	for _, arg := range splitArgs(d.Text, d.TextPos, c.broken) {
		if c.keep(arg) {
			d.Args = append(d.Args, arg)
		}
	}
	c.complete()
}

// arguments is the check of one directive's arguments.
type arguments struct {
	*scan
	d    *Directive
	spec Spec
	// seen holds where each key is, right or wrong or only meant, and under "" what the directive is about.
	seen map[string]token.Pos
	// unread says that an argument could not be read, so whether something is missing is not known.
	unread bool
}

func (c *arguments) keep(arg Arg) bool {
	if arg.Key == "" {
		return c.keepWord(arg)
	}
	key, known := c.spec.Key(arg.Key)
	switch {
	case !known:
		c.unknown(arg)
	case key.Form == "":
		c.errorf(arg.Pos, "%s takes no value: write %s", key.Name, key)
	case !arg.HasValue:
		c.errorf(arg.Pos, "%s has no value: write %s, without a space after the =", key.Label(), key.example())
	case c.again(key, arg.Pos):
	case key.Keyword:
		return c.keyword(Tag{Key: arg.Key, Value: arg.Value, Pos: arg.Pos, ValuePos: arg.ValuePos}, "%s=%s")
	default:
		return true
	}
	c.see(arg.Key, arg.Pos)
	return false
}

// keepWord checks a bare word: a flag, or what the directive is about.
func (c *arguments) keepWord(arg Arg) bool {
	key, known := c.spec.Key(arg.Value)
	switch {
	case known && key.Form != "":
		c.errorf(arg.Pos, "%s has no value: write %s", key.Label(), key.example())
	case known:
		return !c.again(key, arg.Pos)
	case c.spec.Word != "" && !c.has(""):
		return c.see("", arg.Pos)
	default:
		c.unexpected(arg)
	}
	c.see(arg.Value, arg.Pos)
	return false
}

// see notes an argument and returns true.
func (c *arguments) see(name string, pos token.Pos) bool {
	if !c.has(name) {
		c.seen[name] = pos
	}
	return true
}

func (c *arguments) has(name string) bool {
	_, seen := c.seen[name]
	return seen
}

// again notes a key, and reports one that was there before.
func (c *arguments) again(key Key, pos token.Pos) bool {
	if c.has(key.Name) {
		c.errorf(pos, "%s is written twice: keep one", key.Label())
		return true
	}
	return !c.see(key.Name, pos)
}

// unexpected reports a bare word that means nothing here.
func (c *arguments) unexpected(arg Arg) {
	if near := Nearest(arg.Value, c.spec.labels()); near != "" {
		c.see(strings.TrimSuffix(near, "="), arg.Pos)
		c.errorf(arg.Pos, "unexpected word %q: did you mean %s?", arg.Value, near)
		return
	}
	c.errorf(arg.Pos, "unexpected word %q: write %s", arg.Value, c.spec)
}

// unknown reports a key that the directive does not have.
func (c *arguments) unknown(arg Arg) {
	keyword, isKeyword := LookupKeyword(arg.Key)
	other, isDirective := Lookup(arg.Key)
	labels := c.spec.labels()
	near := Nearest(arg.Key+"=", labels)
	switch {
	case isKeyword && keyword.FieldOnly && c.spec.Name == "schema":
		c.errorf(arg.Pos, "%s is about one parameter: write it in the tag of the field, %s:%q", arg.Key, arg.Key, keyword.Value.sample())
	case isDirective && other.Text:
		c.errorf(arg.Pos, "%s has no key %s=: write a line of its own, %s", c.d, arg.Key, other)
	case len(labels) == 0:
		c.errorf(arg.Pos, "%s has no keys: write %s", c.d, c.spec)
	case near != "":
		c.see(strings.TrimSuffix(near, "="), arg.Pos)
		c.errorf(arg.Pos, "%s has no key %s=: did you mean %s?", c.d, arg.Key, near)
	default:
		c.errorf(arg.Pos, "%s has no key %s=: its keys are %s", c.d, arg.Key, strings.Join(labels, ", "))
	}
}

// broken reports an argument that cannot be read.
func (c *arguments) broken(at token.Pos, message string) {
	c.unread = true
	c.errorf(at, "%s", message)
}

// complete reports what is missing, and what excludes each other.
func (c *arguments) complete() {
	if c.unread {
		return
	}
	if c.spec.Word != "" && !c.has("") {
		c.errorf(c.d.Pos, "%s lacks its %s: write %s", c.d, c.spec.Word, c.spec)
	}
	for _, key := range c.spec.Keys {
		if key.Required && !c.has(key.Name) {
			c.errorf(c.d.Pos, "%s lacks %s: write %s", c.d, key.Label(), key)
		}
	}
	optional := len(c.spec.Keys) > 0 && !slices.ContainsFunc(c.spec.Keys, func(k Key) bool { return k.Required })
	if c.spec.Word == "" && optional && len(c.seen) == 0 {
		c.errorf(c.d.Pos, "%s says nothing: write %s", c.d, c.spec)
	}
	c.oneOf()
}

func (c *arguments) oneOf() {
	var labels, forms []string
	var last token.Pos
	for _, name := range c.spec.OneOf {
		key, _ := c.spec.Key(name)
		forms = append(forms, key.String())
		if pos, seen := c.seen[name]; seen {
			labels = append(labels, key.Label())
			last = max(last, pos)
		}
	}
	switch {
	case len(labels) > 1:
		c.errorf(last, "%s exclude each other: keep one", strings.Join(labels, " and "))
	case len(labels) == 0 && len(forms) > 0:
		c.errorf(c.d.Pos, "%s lacks one of %s", c.d, strings.Join(forms, ", "))
	}
}
