package runtime

import (
	"net/http"
	"slices"

	"github.com/capgen/capgen/runtime/internal/envelope"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// revision is a version of the protocol, such as 2025-11-25. Two that are supported compare as they follow each other.
type revision string

const (
	batches    revision = "2025-03-26" // the one revision with JSON-RPC batches
	structured revision = "2025-06-18" // the first with structuredContent, outputSchema and a tool's title
	modern     revision = "2026-07-28" // the first without sessions
)

// supported are the revisions that this endpoint serves, newest first: those below modern with sessions, the others without.
var supported = mcp.SupportedProtocolVersions()

func isSupported(text string) bool { return slices.Contains(supported, text) }

// The headers of the Streamable HTTP transport, in net/http's canonical form.
const (
	versionHeader   = "Mcp-Protocol-Version"
	sessionHeader   = "Mcp-Session-Id"
	methodHeader    = "Mcp-Method"
	nameHeader      = "Mcp-Name"
	paramHeader     = "Mcp-Param-"
	lastEventHeader = "Last-Event-Id"
)

// metaPrefix begins the names in _meta that the protocol keeps for itself.
const metaPrefix = "io.modelcontextprotocol/"

// isModern tells a message's era from its version header and its _meta (GATE.md, table 2). Versions are looked up and never
// ordered: an unknown one belongs to no era.
func isModern(header http.Header, message *envelope.Message) (bool, *refusal) {
	lines := header[versionHeader]
	if len(lines) > 1 {
		return false, headerMismatch("MCP-Protocol-Version is there more than once")
	}
	inMeta := metaVersion(message)

	if len(lines) == 0 {
		if inMeta != nil {
			return false, headerMismatch("the message names a protocol version and MCP-Protocol-Version is missing")
		}
		return false, nil
	}
	version := lines[0]
	isText := envelope.IsString(inMeta)
	switch {
	case isText && !envelope.EqualString(inMeta, version):
		return false, headerMismatch("MCP-Protocol-Version and the message name different protocol versions")
	case !isSupported(version):
		return false, unsupportedVersion(version)
	case revision(version) < modern && inMeta != nil && !isText:
		return false, headerMismatch("MCP-Protocol-Version and the message name different protocol versions")
	case revision(version) < modern:
		return false, nil
	case message.Kind == envelope.Request && !isText:
		// Only requests carry the triple of _meta members; a notification has no answer to shape.
		return false, invalidParams("_meta must hold " + metaPrefix + "protocolVersion, a string")
	}
	return true, nil
}

// metaVersion returns the protocol version that a message names, as it was spelt, or nil.
func metaVersion(message *envelope.Message) []byte {
	meta, _ := message.Meta()
	return meta.Get(metaPrefix + "protocolVersion")
}

// isModernRequest is isModern for a request that has no message: GET and DELETE.
func isModernRequest(header http.Header) (bool, *refusal) {
	return isModern(header, &envelope.Message{Kind: envelope.Notification})
}

// maxEchoed bounds how much of a version that nobody knows is sent back, in bytes.
const maxEchoed = 64

// unsupportedVersion carries what a client needs to choose another (2026-07-28, basic/versioning, "Protocol Version Negotiation").
func unsupportedVersion(requested string) *refusal {
	requested = requested[:min(len(requested), maxEchoed)]
	data := []byte(`{"supported":[`)
	for i, version := range supported {
		if i > 0 {
			data = append(data, ',')
		}
		data = appendText(data, version)
	}
	data = append(data, `],"requested":`...)
	data = append(appendText(data, requested), '}')
	return &refusal{status: http.StatusBadRequest, code: codeUnsupportedVersion, message: "Unsupported protocol version", data: data}
}
