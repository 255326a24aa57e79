package directive

import (
	"go/token"
	"slices"
	"strings"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/gen/internal/diag"
)

// maxTimeout is the longest deadline a capability can ask for.
const maxTimeout = 300 * time.Second

// Capability is what a //capgen:capability line says.
type Capability struct {
	ID   capabilities.ID
	Risk capabilities.Risk
	// Public is true when Scopes is empty.
	Public bool
	Scopes []string
	// Tool is "" for the default name, Timeout 0 for the server's deadline.
	Tool                  string
	Timeout               time.Duration
	Idempotent, OpenWorld bool
	// Pos is the directive's; the others are those of the values, or Pos for what is not written. AccessPos is that of access= or
	// scopes=.
	Pos, IDPos, RiskPos, AccessPos, ToolPos, TimeoutPos token.Pos
}

// ParseCapability reads the values of a //capgen:capability line that [Scan] returned. With a namespace, that of the package, an ID
// may be written name@major. The result is false when something is missing or wrong, which has then been reported.
func ParseCapability(d Directive, namespace string, at func(token.Pos) token.Position, report *diag.List) (Capability, bool) {
	c := Capability{
		Idempotent: d.Has("idempotent"), OpenWorld: d.Has("openworld"),
		Pos: d.Pos, IDPos: d.Pos, RiskPos: d.Pos, AccessPos: d.Pos, ToolPos: d.Pos, TimeoutPos: d.Pos,
	}
	v := values{scan: &scan{at: at, report: report}, d: d, good: true}
	if word, ok := d.Word(); ok {
		c.IDPos = word.Pos
		v.id(&c, word, namespace)
	} else {
		v.good = false
	}
	if arg, ok := d.Arg("risk"); ok {
		c.RiskPos = arg.ValuePos
		v.risk(&c, arg)
	} else {
		v.good = false
	}
	v.access(&c)
	if arg, ok := d.Arg("tool"); ok {
		c.Tool, c.ToolPos = arg.Value, arg.ValuePos
		if err := capabilities.CheckToolName(arg.Value); err != nil {
			v.wrong(arg.ValuePos, "%v", err)
		}
	}
	if arg, ok := d.Arg("timeout"); ok {
		c.TimeoutPos = arg.ValuePos
		v.timeout(&c, arg)
	}
	return c, v.good
}

// values is the reading of one directive's values.
type values struct {
	*scan
	d    Directive
	good bool
}

func (v *values) wrong(pos token.Pos, format string, args ...any) {
	v.good = false
	v.errorf(pos, format, args...)
}

func (v *values) id(c *Capability, word Arg, namespace string) {
	text, short := word.Value, !strings.Contains(word.Value, ":")
	if short && namespace != "" {
		text = namespace + ":" + text
	}
	id, err := capabilities.ParseID(text)
	switch {
	case err == nil:
		c.ID = id
	case short && namespace == "":
		v.wrong(word.Pos, "%v, or put //capgen:namespace NS on the package clause", err)
	case short && !strings.Contains(text, "@"):
		v.wrong(word.Pos, "capability ID %q has no major version: write %s@1", word.Value, word.Value)
	default:
		v.wrong(word.Pos, "%v", err)
	}
}

func (v *values) risk(c *Capability, arg Arg) {
	risk, err := capabilities.ParseRisk(arg.Value)
	if err == nil {
		c.Risk = risk
		return
	}
	hint := "write one of them"
	if near := Nearest(arg.Value, []string{string(capabilities.Read), string(capabilities.Write), string(capabilities.Destructive)}); near != "" {
		hint = "did you mean risk=" + near + "?"
	}
	v.wrong(arg.ValuePos, "%v: %s", err, hint)
}

func (v *values) access(c *Capability) {
	access, public := v.d.Arg("access")
	scopes, scoped := v.d.Arg("scopes")
	switch {
	case public == scoped:
		v.good = false
	case scoped:
		c.AccessPos = scopes.ValuePos
		v.scopes(c, scopes)
	case access.Value != "public":
		v.wrong(access.ValuePos, "access %q is not known: write access=public, or scopes=SCOPE,… for what a caller must hold", access.Value)
	case c.Risk != "" && c.Risk != capabilities.Read:
		v.wrong(access.Pos, "access=public goes with risk=read only: write scopes=SCOPE,… for what a caller must hold")
	default:
		c.AccessPos, c.Public = access.ValuePos, true
	}
}

func (v *values) scopes(c *Capability, arg Arg) {
	i := 0
	for scope := range strings.SplitSeq(arg.Value, ",") {
		if err := capabilities.CheckScope(scope); err != nil {
			v.wrong(arg.at(i), "%v: write scopes=a,b", err)
		} else if slices.Contains(c.Scopes, scope) {
			v.wrong(arg.at(i), "scope %q is written twice: keep one", scope)
		}
		c.Scopes = append(c.Scopes, scope)
		i += len(scope) + len(",")
	}
}

func (v *values) timeout(c *Capability, arg Arg) {
	timeout, err := time.ParseDuration(arg.Value)
	switch {
	case err != nil:
		v.wrong(arg.ValuePos, "timeout %q is not a duration: write one such as 30s", arg.Value)
	case timeout <= 0 || timeout > maxTimeout:
		v.wrong(arg.ValuePos, "timeout %s is out of range: write more than 0s and at most %.0fs", arg.Value, maxTimeout.Seconds())
	default:
		c.Timeout = timeout
	}
}
