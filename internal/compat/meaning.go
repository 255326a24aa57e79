package compat

import "github.com/capgen/capgen/internal/compat/schema"

// meaning judges the keywords by which no text is refused, and which say what a text means.
func (w *walk) meaning(s side, absent bool) {
	names := map[string]bool{}
	for _, n := range []*schema.Node{s.before, s.after} {
		for name := range n.Plain {
			names[name] = true
		}
	}
	for _, l := range limits {
		delete(names, l.keyword)
	}
	for _, name := range sorted(names) {
		before, there := s.before.Plain[name]
		after, too := s.after.Plain[name]
		if there == too && schema.Equal(before, after) {
			continue
		}
		change, verdict, rule := w.judgeMeaning(name, there, too, absent)
		w.findings = append(w.findings, Finding{
			ID: w.id, Pointer: s.after.Place(name), Change: change, Verdict: verdict, Rule: rule, Before: present(before, there), After: present(after, too),
		})
	}
}

// present writes a value that may be null.
func present(value any, there bool) []byte {
	if !there {
		return nil
	}
	return mustText(value)
}

// judgeMeaning judges a keyword that was there, is there, or both and differs.
func (w *walk) judgeMeaning(name string, before, after, absent bool) (Change, Verdict, string) {
	changed := before && after
	switch name {
	case "default":
		switch {
		case !absent:
			return Default, Compatible, "the value was or is always there, so that no text means anything else"
		case changed:
			return Default, Breaking, "a text without the value means something else than before"
		}
		return Default, NeedsReview, "see whether a text without the value still means what it meant"
	case "format":
		switch {
		case !changed && after != w.widens:
			return Format, Compatible, w.good
		case w.widens:
			return Format, NeedsReview, "a format is not checked by the schema, and may be by the program: see that what was accepted still is"
		}
		return Format, NeedsReview, "a format is not checked by the schema, and callers may read by it: see that what comes is still of it"
	case "contentEncoding", "contentMediaType", "contentSchema":
		return Encoding, Breaking, "the same text stands for other content than before"
	case "x-unit":
		if changed {
			return Unit, Breaking, "the same number means another quantity than before"
		}
		return Unit, NeedsReview, "see that the number counts what it counted"
	case "x-mcp-header":
		if after {
			return Header, Breaking, "a call that does not repeat the value in this header is refused"
		}
		return Header, Compatible, "a header that nothing asks for is passed over"
	case "deprecated":
		return Hint, Compatible, "it goes on as before"
	case "readOnly", "writeOnly":
		return Hint, NeedsReview, "see that callers may still send it, or read it, as they did"
	}
	return Schema, NeedsReview, "what this keyword means is not known"
}
