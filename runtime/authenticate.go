package runtime

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/runtime/auth"
)

// tokenForm is RFC 6750's b64token, section 2.1.
var tokenForm = regexp.MustCompile(`^[A-Za-z0-9._~+/-]+=*$`)

// authenticate finds out who calls, from this request alone: a session is no proof of anything. The request's context says it from then
// on.
func (x *exchange) authenticate() *refusal {
	access := &x.h.config.access
	var principal *capabilities.Principal
	switch {
	case x.stdio:
		// Who started this process is not asked for a token (2026-07-28, basic/authorization, "Protocol Requirements").
		principal = access.stdio
	case access.bearer != nil:
		var refused *refusal
		if principal, refused = x.verify(access.bearer); refused != nil {
			return refused
		}
	}
	ctx := x.r.Context()
	if access.resolve != nil {
		resolved, authorizer, err := x.resolve(access.resolve, principal)
		if err != nil {
			x.h.reportFailure(ctx, ToolFailure{Kind: capabilities.ContextUnavailable})
			x.h.config.logger.LogAttrs(ctx, slog.LevelError, "the context of a request cannot be resolved", slog.String("cause", causeText(err)))
			return unavailable(capabilities.ContextUnavailable.Sentence())
		}
		principal = resolved
		ctx = withAuthorizer(ctx, authorizer)
	}
	if principal != nil {
		ctx = capabilities.WithPrincipal(ctx, *principal)
		x.owner = ownerOf(*principal)
	}
	if ctx != x.r.Context() {
		x.r = x.r.WithContext(ctx)
	}
	return nil
}

// verify reads and verifies the token. Without one the caller is anonymous, if that is allowed.
func (x *exchange) verify(b *Bearer) (*capabilities.Principal, *refusal) {
	token, refused := b.token(x.r.Header["Authorization"])
	if refused != nil {
		return nil, refused
	}
	if token == "" {
		if x.h.needsToken {
			return nil, b.unauthorized("", x.h.challengeScopes)
		}
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(x.r.Context(), x.h.config.policyWait)
	defer cancel()
	principal, err := b.verify(ctx, token)
	// What a verifier says may hold parts of a token or name what is behind it: it is not repeated, not even in the log.
	switch {
	case errors.Is(err, auth.ErrInvalidToken):
	case err != nil:
		return nil, x.cannotVerify("the verifier could not decide about a token")
	case !principal.Identified():
		return nil, x.cannotVerify("the verifier returned a principal without an issuer, or without a subject and a client")
	case principal.Audience != b.Resource:
	case !principal.ExpiresAt.IsZero() && !time.Now().Before(principal.ExpiresAt.Add(x.h.config.expirySkew)):
	case !b.covers(principal.Scopes, b.RequiredScopes):
		return nil, b.forbidden(b.RequiredScopes)
	default:
		return &principal, nil
	}
	x.h.reportFailure(ctx, ToolFailure{Kind: capabilities.InvalidIdentity})
	return nil, b.unauthorized(bearerInvalidToken, x.h.challengeScopes)
}

// verify asks the verifier. A panic in it is an answer that is none; its value is not repeated either.
func (b *Bearer) verify(ctx context.Context, token string) (principal capabilities.Principal, err error) {
	defer func() {
		if recover() != nil {
			principal, err = capabilities.Principal{}, errors.New("the verifier panicked")
		}
	}()
	return b.Verifier.Verify(ctx, token)
}

// cannotVerify refuses for want of an answer: neither the caller nor its token is at fault, so there is no challenge.
func (x *exchange) cannotVerify(why string) *refusal {
	x.h.reportFailure(x.r.Context(), ToolFailure{Kind: capabilities.AuthorizationError})
	x.h.config.logger.LogAttrs(x.r.Context(), slog.LevelError, why)
	return unavailable("Who is calling cannot be verified now. Try again later.")
}

// token returns the one token of a request, or "" when it has none or another kind of credentials.
func (b *Bearer) token(lines []string) (string, *refusal) {
	if len(lines) == 0 {
		return "", nil
	}
	scheme, token, _ := strings.Cut(lines[0], " ")
	token = strings.TrimLeft(token, " ")
	switch isBearer := strings.EqualFold(scheme, "Bearer"); {
	case len(lines) == 1 && !isBearer:
		return "", nil
	case len(lines) > 1 || !tokenForm.MatchString(token):
		refused := invalidRequest(http.StatusBadRequest, "the Authorization header must hold one bearer token")
		refused.challenge = b.challenge(bearerInvalidRequest, nil)
		return "", refused
	}
	return token, nil
}

func (b *Bearer) unauthorized(code string, scopes []string) *refusal {
	message := "a bearer token is required"
	if code != "" {
		message = "the bearer token is not accepted"
	}
	refused := invalidRequest(http.StatusUnauthorized, message)
	refused.challenge = b.challenge(code, scopes)
	return refused
}

func (b *Bearer) forbidden(scopes []string) *refusal {
	refused := invalidRequest(http.StatusForbidden, "the bearer token lacks scopes")
	refused.challenge = b.challenge(bearerInsufficientScope, scopes)
	return refused
}

// ownerOf names who a session belongs to.
func ownerOf(p capabilities.Principal) string {
	if p.Subject != "" {
		return p.Issuer + "\x00subject\x00" + p.Subject
	}
	return p.Issuer + "\x00client\x00" + p.ClientID
}
