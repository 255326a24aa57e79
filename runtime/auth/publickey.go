package auth

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/json"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"
)

// publicKey is a key for the signatures of an issuer.
type publicKey struct {
	id        string
	algorithm string // the only one that it is for; "" is every one that fits it
	key       crypto.PublicKey
}

// publicKeys leaves out what is not for signatures and what is not understood, as RFC 7517, section 5, asks, and RSA keys of fewer than
// the 2048 bits that RFC 7518, section 3.3, demands.
func publicKeys(texts []json.RawMessage) (keys []publicKey) {
	for _, text := range texts {
		var jwk jose.JSONWebKey
		if jwk.UnmarshalJSON(text) != nil || jwk.Use != "" && jwk.Use != "sig" {
			continue
		}
		switch key := jwk.Key.(type) {
		case *rsa.PublicKey:
			if key.N.BitLen() < 2048 {
				continue
			}
		case *ecdsa.PublicKey, ed25519.PublicKey:
		default:
			continue // secrets, private keys and what else go-jose reads
		}
		keys = append(keys, publicKey{id: jwk.KeyID, algorithm: jwk.Algorithm, key: jwk.Key})
	}
	return keys
}

var curves = map[string]elliptic.Curve{oidc.ES256: elliptic.P256(), oidc.ES384: elliptic.P384(), oidc.ES512: elliptic.P521()}

// verifies reports whether the key is one for the algorithm (RFC 7518, section 3.1; RFC 8037, section 3.1).
func (k publicKey) verifies(algorithm string) bool {
	if k.algorithm != "" && k.algorithm != algorithm {
		return false
	}
	switch key := k.key.(type) {
	case *rsa.PublicKey:
		return algorithm[0] == 'R' || algorithm[0] == 'P'
	case *ecdsa.PublicKey:
		return key.Curve == curves[algorithm]
	default:
		return algorithm == oidc.EdDSA
	}
}
