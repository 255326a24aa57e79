package compat

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/capgen/capgen/capabilities"
)

// Report is all that a comparison found.
type Report struct {
	// Against names what was compared with.
	Against string `json:"against"`
	// New are the folders of the packages that were not there.
	New      []string  `json:"new"`
	Findings []Finding `json:"findings"`
	Summary  Summary   `json:"summary"`
}

// Summary counts the findings by their verdicts.
type Summary struct {
	Breaking    int `json:"breaking"`
	NeedsReview int `json:"needsReview"`
	Compatible  int `json:"compatible"`
}

// NewReport counts the findings.
func NewReport(against string, fresh []string, findings []Finding) *Report {
	r := &Report{Against: against, New: append([]string{}, fresh...), Findings: append([]Finding{}, findings...)}
	for _, f := range findings {
		switch f.Verdict {
		case Breaking:
			r.Summary.Breaking++
		case NeedsReview:
			r.Summary.NeedsReview++
		default:
			r.Summary.Compatible++
		}
	}
	return r
}

// Broken returns the capabilities that have a breaking change, in order.
func (r *Report) Broken() []capabilities.ID {
	var ids []capabilities.ID
	for _, f := range r.Findings {
		if f.Verdict == Breaking && !slices.Contains(ids, f.ID) {
			ids = append(ids, f.ID)
		}
	}
	return ids
}

// JSON writes the report as one JSON object.
func (r *Report) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "\t")
	e.SetEscapeHTML(false)
	return e.Encode(r)
}

// maxValue is how many characters of a value lines and tables show.
const maxValue = 60

// brief cuts a value that is too long to be read. Nothing is "none".
func brief(value json.RawMessage) string {
	if value == nil {
		return "none"
	}
	runes := []rune(string(value))
	if len(runes) > maxValue {
		return string(runes[:maxValue-1]) + "…"
	}
	return string(value)
}

// Text writes the report for people, one finding a line.
func (r *Report) Text(w io.Writer) error {
	var b strings.Builder
	for _, folder := range r.New {
		fmt.Fprintf(&b, "%s is new: there is nothing to compare with in %s\n", folder, r.Against)
	}
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%s: %s%s: %s%s: %s\n", f.Verdict, f.ID, place(f), f.Change, f.values(), f.reason())
	}
	fmt.Fprintf(&b, "%s, compared with %s\n", r.Summary, r.Against)
	_, err := io.WriteString(w, b.String())
	return err
}

// String returns the counts in words.
func (s Summary) String() string {
	if s == (Summary{}) {
		return "no change"
	}
	return fmt.Sprintf("%d breaking, %d to review, %d compatible", s.Breaking, s.NeedsReview, s.Compatible)
}

func place(f Finding) string {
	if f.Pointer == "" {
		return ""
	}
	return " " + f.Pointer
}

// values returns what stood and what stands there.
func (f Finding) values() string {
	if f.Before == nil && f.After == nil {
		return ""
	}
	return " " + brief(f.Before) + " → " + brief(f.After)
}

// reason returns the rule, with a value that shows it if there is one.
func (f Finding) reason() string {
	if f.Value == nil {
		return f.Rule
	}
	return f.Rule + ": " + brief(f.Value)
}
