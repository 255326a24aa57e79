package runtime

import (
	"net/http"
	"net/url"

	"github.com/capgen/capgen/capabilities"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

// MetadataPath is where the metadata of a protected resource is found: the resource's own path follows (RFC 9728, section 3.1).
const MetadataPath = "/.well-known/oauth-protected-resource"

// metadataURL returns where clients find the metadata, or "" when there is none.
func (b *Bearer) metadataURL() string {
	if len(b.AuthorizationServers) == 0 {
		return ""
	}
	u, err := url.Parse(b.Resource)
	if err != nil {
		return ""
	}
	path := u.EscapedPath()
	if path == "/" {
		path = ""
	}
	return u.Scheme + "://" + u.Host + MetadataPath + path
}

// Metadata returns the handler of the endpoint's metadata, by which clients find out where to get tokens (RFC 9728), and whether there is
// any: a [Bearer] with an authorization server. [Run] mounts it; a program that mounts the [Handler] itself mounts it at [MetadataPath]
// and at [MetadataPath] followed by the endpoint's path:
//
//	mux.Handle("/mcp", handler)
//	if metadata, ok := handler.Metadata(); ok {
//		mux.Handle(runtime.MetadataPath, metadata)
//		mux.Handle(runtime.MetadataPath+"/mcp", metadata)
//	}
//
// What it tells is public, so it asks for no token and may be read from any origin.
func (h *Handler) Metadata() (http.Handler, bool) {
	b := h.config.access.bearer
	if b == nil || len(b.AuthorizationServers) == 0 {
		return http.NotFoundHandler(), false
	}
	return auth.ProtectedResourceMetadataHandler(&oauthex.ProtectedResourceMetadata{
		Resource:               b.Resource,
		AuthorizationServers:   b.AuthorizationServers,
		ScopesSupported:        h.scopesSupported(),
		BearerMethodsSupported: []string{"header"},
		ResourceName:           h.config.info.Name,
	}), true
}

// scopesSupported are what a client may ask for at first: the endpoint's own, or what its capabilities need. Those of destructive ones
// are asked for when they are needed.
func (h *Handler) scopesSupported() []string {
	scopes := newScopes(h.config.access.bearer.RequiredScopes)
	for _, t := range h.tools.sorted {
		if t.definition.Risk != capabilities.Destructive {
			scopes.add(t.definition.Access.Scopes)
		}
	}
	return scopes.list
}

// scopes is a list without repetition.
type scopes struct {
	list []string
	has  map[string]bool
}

func newScopes(first ...[]string) *scopes {
	s := &scopes{has: map[string]bool{offlineAccess: true}}
	for _, each := range first {
		s.add(each)
	}
	return s
}

func (s *scopes) add(more []string) {
	for _, scope := range more {
		if !s.has[scope] {
			s.has[scope] = true
			s.list = append(s.list, scope)
		}
	}
}
