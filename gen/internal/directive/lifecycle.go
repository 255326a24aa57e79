package directive

import (
	"go/token"

	"github.com/capgen/capgen/gen/internal/diag"
)

// Lifecycle is what the lines beside a //capgen:capability say of its life: that it is deprecated or gone, and what it changed. What is not
// written is "".
type Lifecycle struct {
	Deprecated, Migrates, Removed string
	// ReviewedBy names who agreed to Migrates or Removed.
	ReviewedBy string
}

// ParseLifecycle reads the lines beside a //capgen:capability that declares a capability of that major, as [Scan] returned them. The
// result is false when they contradict each other or lack something, which has then been reported.
func ParseLifecycle(capability Directive, beside []Directive, major int, at func(token.Pos) token.Position, report *diag.List) (Lifecycle, bool) {
	v := values{scan: &scan{at: at, report: report}, d: capability, good: true}
	lines := map[string]Directive{}
	for _, d := range beside {
		lines[d.Name] = d
	}
	life := Lifecycle{Deprecated: lines["deprecated"].Text, Migrates: lines["migrates"].Text, Removed: lines["removed"].Text}
	if d, written := lines["removed"]; written && d.Text == "" {
		life.Removed, v.good = unreadable, false // which is reported
	}
	if life.Migrates != "" && major == 1 {
		v.wrong(lines["migrates"].Pos, "%s says what changed since the major before, and major 1 is the first: remove it", lines["migrates"])
	}
	if life.Removed != "" && life.Deprecated != "" {
		v.wrong(lines["deprecated"].Pos, "what is removed is no longer deprecated: keep %s", lines["removed"])
	}
	v.reviewer(&life, lines)
	return life, v.good
}

func (v *values) reviewer(life *Lifecycle, lines map[string]Directive) {
	arg, named := v.d.Arg("reviewed-by")
	life.ReviewedBy = arg.Value
	switch {
	case named && life.ReviewedBy == "":
		v.wrong(arg.ValuePos, "reviewed-by= names nobody: write reviewed-by=NAME")
	case named && life.Migrates == "" && life.Removed == "":
		v.wrong(arg.Pos, "reviewed-by= names who agreed to a //capgen:migrates or a //capgen:removed, and neither is here: add the line, or remove this")
	case named, life.Removed == unreadable:
	case life.Removed != "":
		v.wrong(lines["removed"].Pos, "%s lacks who agreed: add reviewed-by=NAME to the %s line", lines["removed"], v.d)
	case life.Migrates != "":
		v.wrong(lines["migrates"].Pos, "%s lacks who agreed: add reviewed-by=NAME to the %s line", lines["migrates"], v.d)
	}
}
