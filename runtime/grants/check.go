package grants

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/capgen/capgen/capabilities"
)

const (
	// maxText is how many bytes a field of a Key may have. What OpenID Connect calls a subject has at most 255; the rest are URLs and names.
	maxText = 1024
	// maxScopes is how many scopes a grant may have.
	maxScopes = 256
)

// An ID goes into URLs and on command lines as it is, so that it does not begin with a hyphen.
var idForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._~-]{0,127}$`)

// What a count of microseconds can say and RFC 3339 can write.
var (
	earliest = time.Unix(0, 0)
	latest   = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
)

// Check returns nil when the grant can be saved, and otherwise one error that lists everything that keeps it from that:
//   - ID is not of the form [A-Za-z0-9][A-Za-z0-9._~-]{0,127};
//   - Issuer, Application, Audience, or both Subject and ClientID are empty;
//   - a field of the Key has more than 1,024 bytes, is not UTF-8 or holds a NUL, which PostgreSQL cannot keep;
//   - there is no scope, there are more than 256, or [capabilities.CheckScope] refuses one;
//   - IssuedAt or ExpiresAt is zero or not from 1970 to 9999, or ExpiresAt is not at least a microsecond after IssuedAt;
//   - RevokedAt is set: only [Store.Revoke] revokes.
func (g Grant) Check() error {
	var c check
	switch {
	case g.ID == "":
		c.add("ID is missing: use NewID")
	case !idForm.MatchString(g.ID):
		c.add("ID %.140q is not of the form %s: use NewID", g.ID, strings.Trim(idForm.String(), "^$"))
	}
	c.key(g.Key)
	c.scopes(g.Scopes)
	c.times(g)
	if len(c.problems) == 0 {
		return nil
	}
	return errors.New("grants: the grant cannot be saved:\n\t" + strings.Join(c.problems, "\n\t"))
}

// CheckRevocation reports why a time cannot be when a grant was revoked, or nil when it can: it is zero or not from 1970 to 9999. It is for
// those who write a [Store].
func CheckRevocation(at time.Time) error {
	if !inRange(at) {
		return fmt.Errorf("grants: a grant cannot be revoked at %s: pass a time from 1970 to 9999, such as time.Now()", describe(at))
	}
	return nil
}

// check collects what is wrong.
type check struct{ problems []string }

func (c *check) add(format string, args ...any) {
	c.problems = append(c.problems, fmt.Sprintf(format, args...))
}

func (c *check) key(k Key) {
	required := func(name, value, remedy string) {
		if value == "" {
			c.add("%s is missing: %s", name, remedy)
		}
	}
	required("Issuer", k.Issuer, "say who vouches for the subject")
	if k.Subject == "" && k.ClientID == "" {
		c.add("Subject and ClientID are missing: say who may act with at least one of them")
	}
	required("Application", k.Application, "say whose capabilities are granted")
	required("Audience", k.Audience, "say which resource the caller's token is for")
	for _, field := range []struct{ name, value string }{
		{"Issuer", k.Issuer}, {"Subject", k.Subject}, {"ClientID", k.ClientID}, {"TenantID", k.TenantID},
		{"Application", k.Application}, {"Audience", k.Audience}, {"PolicyRevision", k.PolicyRevision},
	} {
		if len(field.value) > maxText {
			c.add("%s has %d bytes: at most %d are kept", field.name, len(field.value), maxText)
		}
		if !utf8.ValidString(field.value) || strings.ContainsRune(field.value, 0) {
			c.add("%s is not UTF-8, or holds a NUL: encode it, as with encoding/base64", field.name)
		}
	}
}

func (c *check) scopes(scopes []string) {
	if len(scopes) == 0 {
		c.add("Scopes are missing: a grant has at least one")
	}
	if len(scopes) > maxScopes {
		c.add("there are %d scopes: a grant has at most %d", len(scopes), maxScopes)
		return
	}
	for _, scope := range scopes {
		if err := capabilities.CheckScope(scope); err != nil {
			c.add("%v", err)
		}
	}
}

func (c *check) times(g Grant) {
	at := func(name string, t time.Time, remedy string) bool {
		switch {
		case t.IsZero():
			c.add("%s is missing: %s", name, remedy)
		case !inRange(t):
			c.add("%s is %s: pass a time from 1970 to 9999", name, describe(t))
		default:
			return true
		}
		return false
	}
	issued := at("IssuedAt", g.IssuedAt, "say when the grant begins, as with time.Now()")
	expires := at("ExpiresAt", g.ExpiresAt, "no grant is for ever; save it again with a later one to renew it")
	if issued && expires && g.ExpiresAt.UnixMicro() <= g.IssuedAt.UnixMicro() {
		c.add("ExpiresAt %s is not after IssuedAt %s", describe(g.ExpiresAt), describe(g.IssuedAt))
	}
	if !g.RevokedAt.IsZero() {
		c.add("RevokedAt is set: leave it zero, and call Revoke")
	}
}

func inRange(t time.Time) bool { return !t.Before(earliest) && t.Before(latest) }

func describe(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
