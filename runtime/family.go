package runtime

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"path"
	"slices"

	"github.com/capgen/capgen/mcptool"
)

// WithDialect serves a family of clients at a path of its own with tools that it accepts, such as WithDialect("/mcp/gemini", mcptool.Gemini):
// tools/list there has inputs that [mcptool.Rewrite] rewrites for the profile without a loss, and arguments are brought back to the declared form
// before anything is checked, so that problems are told at the places of the declared input. All else is as at the endpoint itself: names,
// results, sessions, who may call what.
//
// Everything is rewritten when the handler is built. A tool for which that is not possible, or which the clients would refuse all the same, is an
// error then that names it, the place and the remedy; capgen lint -dialect tells the same. The tools that an application adds with [WithServer]
// are served as they are. Generated clients call the endpoint itself: a tool that was rewritten is listed with the digest of what it became.
//
// [Run] serves the path beside that of its Config. With [NewHandler] the application mounts the handler at both; it looks at the path of the
// request as it gets it. [ServeStdio] has no paths, and serves what is declared. Where callers are known by tokens, put the path below the
// endpoint's own, which clients take a token to be for.
func WithDialect(at string, profile mcptool.Profile) Option {
	return func(c *config) {
		if !endpointPath.MatchString(at) || path.Clean(at) != at {
			c.refuse("runtime.WithDialect(%q, %q): write a plain path, such as %s/%s", at, profile, EndpointPath, profile)
			return
		}
		if _, err := mcptool.ParseProfile(string(profile)); err != nil {
			c.refuse("runtime.WithDialect(%q, %q): %w", at, profile, err)
			return
		}
		if other := c.dialects[at]; other != "" {
			c.refuse("runtime.WithDialect(%q, %q): the path is that of %s already", at, profile, other)
			return
		}
		if c.dialects == nil {
			c.dialects = map[string]mcptool.Profile{}
		}
		c.dialects[at] = profile
	}
}

// family is a family of clients that has tools of its own. A nil one is everybody else, who has them as they are declared.
type family struct {
	tools map[*tool]*dialectTool
	pages pages
}

// dialectTool is a tool as a family has it.
type dialectTool struct {
	*mcptool.Dialect
	entry, plainEntry []byte
	mirrors           []mirror
}

// newFamilies rewrites the tools for every dialect. The error names each that cannot be.
func newFamilies(config *config, tools []*tool) (map[string]*family, error) {
	families := map[string]*family{}
	var errs []error
	for _, at := range slices.Sorted(maps.Keys(config.dialects)) {
		profile := config.dialects[at]
		f := &family{tools: map[*tool]*dialectTool{}}
		for _, t := range tools {
			told, err := newDialectTool(t, profile)
			if err != nil {
				errs = append(errs, fmt.Errorf("runtime.WithDialect(%q, %q): %s: %w", at, profile, t.definition.ID, err))
			}
			f.tools[t] = told
		}
		families[at] = f
	}
	return families, errors.Join(errs...)
}

func newDialectTool(t *tool, profile mcptool.Profile) (*dialectTool, error) {
	d, err := mcptool.Rewrite(mcptool.Tool{Name: t.name, Description: t.definition.Description, Input: t.definition.Input}, profile)
	if err != nil {
		return nil, err
	}
	told := &dialectTool{Dialect: d}
	def := *t.definition
	def.Input, def.Description = d.Input, d.Description
	// What is over all limits once it is rewritten is refused by the clients all the same.
	received := *d
	received.Description = mcptool.Describe(&def)
	var errs []error
	for _, f := range received.Check(profile) {
		errs = append(errs, errors.New(f.Message()))
	}
	told.entry, told.plainEntry = encodeEntry(t.name, &def, true), encodeEntry(t.name, &def, false)
	if d.Mirrors {
		told.mirrors = t.mirrors
	}
	return told, errors.Join(errs...)
}

// familyOf returns the family that a request is from, by its path.
func (h *Handler) familyOf(r *http.Request) *family {
	if len(h.families) == 0 {
		return nil
	}
	return h.families[r.URL.Path]
}

// entry returns a tool's element of a tools/list result for a revision.
func (f *family) entry(t *tool, rev revision) []byte {
	switch {
	case f == nil:
		return t.entry(rev)
	case rev < structured:
		return f.tools[t].plainEntry
	}
	return f.tools[t].entry
}

// mirrors returns the inputs that a header repeats.
func (f *family) mirrors(t *tool) []mirror {
	if f == nil {
		return t.mirrors
	}
	return f.tools[t].mirrors
}

// restore returns arguments as the tool's own input has them.
func (f *family) restore(t *tool, arguments []byte) []byte {
	if f == nil {
		return arguments
	}
	return f.tools[t].Restore(arguments)
}

// pagesOf returns where the pages of a family's lists are kept.
func (h *Handler) pagesOf(f *family) *pages {
	if f == nil {
		return &h.pages
	}
	return &f.pages
}

// checkDialects refuses paths that Run serves something else at.
func checkDialects(c Config, config *config) error {
	var errs []error
	for _, at := range slices.Sorted(maps.Keys(config.dialects)) {
		profile := config.dialects[at]
		if at == c.Path || isTaken(at) {
			errs = append(errs, fmt.Errorf("runtime.WithDialect(%q, %q): Run serves something else there: write another path, such as %s/%s", at, profile, c.Path, profile))
		}
	}
	return errors.Join(errs...)
}
