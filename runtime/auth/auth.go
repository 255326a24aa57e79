// Package auth turns the bearer token of a request into a [capabilities.Principal]: who calls.
//
// A [Verifier] decides that, and nothing else does: request headers, the name of a client and what an MCP client says of itself are
// never identity. There are two verifiers, [Static] for tokens that an operator gives out and [OIDCVerifier] for the access tokens
// of an OpenID provider or OAuth server, and an application may write its own.
//
// What a verifier answers is one of three things: a principal; an error that wraps [ErrInvalidToken], which a server answers
// with 401 and error="invalid_token" (RFC 6750, section 3.1); or any other error, which means that it could not decide, and which a
// server answers with 503. Error texts are for the log of the server, never for the caller. They hold no token and no claim's value.
package auth

import (
	"context"
	"errors"
	"fmt"

	"github.com/capgen/capgen/capabilities"
)

// MaxTokenBytes is the longest token that the verifiers of this package look at, in bytes. Access tokens have 1 to 4 KiB;
// common proxies take headers of 8 to 16 KiB.
const MaxTokenBytes = 16 << 10

// Verifier turns a bearer token into who calls. It is called once a request, by several goroutines at once.
//
// The token is what follows "Bearer " in the Authorization header, not trimmed and not empty. An error that wraps
// [ErrInvalidToken] refuses the token. Any other error says that the verifier cannot tell now, for example because the issuer of
// the token is down or ctx has ended. The principal beside an error is the zero Principal. One without an error is
// [capabilities.Principal.Identified].
type Verifier interface {
	Verify(ctx context.Context, token string) (capabilities.Principal, error)
}

// VerifierFunc is a function as a [Verifier].
type VerifierFunc func(ctx context.Context, token string) (capabilities.Principal, error)

// Verify calls f.
func (f VerifierFunc) Verify(ctx context.Context, token string) (capabilities.Principal, error) {
	return f(ctx, token)
}

// ErrInvalidToken means that a token is refused: it is malformed, expired, of another issuer, for another audience, or its
// signature is wrong. The errors of this package wrap it with the reason. Whoever presents the same token again is refused again.
var ErrInvalidToken = errors.New("auth: the token is refused")

// refuse gives the reason for the log. Reasons are fixed texts: whatever a token holds may be a secret, or a forged line of a log.
func refuse(reason string) error {
	return fmt.Errorf("%w: %s", ErrInvalidToken, reason)
}

// isBearer reports whether a text is a b64token (RFC 6750, section 2.1), the one form that a bearer token has in a header.
func isBearer(token string) bool {
	end := len(token)
	for end > 0 && token[end-1] == '=' {
		end--
	}
	for i := range end {
		switch c := token[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case c == '-', c == '.', c == '_', c == '~', c == '+', c == '/':
		default:
			return false
		}
	}
	return end > 0
}
