package runtime

import (
	"path"
	"regexp"
	"runtime/debug"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// InfoOption says more about a server; see [WithInfo].
type InfoOption func(*mcp.Implementation)

// InfoTitle is the server's name for people. The default is none: clients show the name.
func InfoTitle(title string) InfoOption {
	return func(info *mcp.Implementation) { info.Title = title }
}

// InfoDescription is a sentence about what the server does. The default is none.
func InfoDescription(description string) InfoOption {
	return func(info *mcp.Implementation) { info.Description = description }
}

// InfoWebsite is the address of a page about the server. The default is none.
func InfoWebsite(url string) InfoOption {
	return func(info *mcp.Implementation) { info.WebsiteURL = url }
}

// WithInfo sets how the server introduces itself: a name for programs and a version, neither of them empty. The default is
// taken from the program's build information: the last element of its import path, and its module's version.
func WithInfo(name, version string, more ...InfoOption) Option {
	return func(c *config) {
		if name == "" || version == "" {
			c.refuse("runtime.WithInfo(%q, %q): the name and the version must not be empty", name, version)
		}
		c.info = mcp.Implementation{Name: name, Version: version}
		for _, option := range more {
			if option == nil {
				c.refuse("runtime.WithInfo: an option is nil")
				continue
			}
			option(&c.info)
		}
	}
}

// majorElement is the end of an import path that only tells major versions apart.
var majorElement = regexp.MustCompile(`^v[0-9]+$`)

func buildInfo() mcp.Implementation {
	info := mcp.Implementation{Name: "capgen", Version: "(devel)"}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return info
	}
	for _, importPath := range []string{build.Path, build.Main.Path} {
		if importPath == "" || importPath == "command-line-arguments" {
			continue
		}
		info.Name = path.Base(importPath)
		if majorElement.MatchString(info.Name) && path.Dir(importPath) != "." {
			info.Name = path.Base(path.Dir(importPath))
		}
		break
	}
	if build.Main.Version != "" {
		info.Version = build.Main.Version
	}
	return info
}
