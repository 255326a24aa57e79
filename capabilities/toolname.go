package capabilities

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

const (
	// maxToolName is the longest tool name that every widely used client accepts.
	maxToolName = 64
	// maxProtocolToolName is the longest one the protocol knows (2025-11-25, server/tools, "Tool Names").
	maxProtocolToolName = 128
	// qualifier is how many hexadecimal digits of SHA-256 tell apart names that had to be cut.
	qualifier = 16
)

var (
	portableName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,63}$`)
	protocolName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`)
)

// ToolName returns the default name of a capability's tool: namespace and name with "." written "_", joined by "__", then
// "_v" and the major, such as example_catalog__album_lookup_v1. Different IDs have different names. A name that would pass
// 64 characters is cut and closed with a digest of the ID.
func ToolName(id ID) string {
	flat := strings.NewReplacer(".", "_")
	name := flat.Replace(id.Namespace) + "__" + flat.Replace(id.Name) + "_v" + strconv.Itoa(id.Major)
	return cutToolName(name, maxToolName, id)
}

// LengthEncodedToolName returns a capability's older, length-prefixed name, such as cap_7_example_6_lookup_v1: each part
// follows its length in bytes, "." written "_". A name that would pass 128 characters is cut and closed with a digest
// of the ID.
func LengthEncodedToolName(id ID) string {
	flat := strings.NewReplacer(".", "_")
	name := fmt.Sprintf("cap_%d_%s_%d_%s_v%d", len(id.Namespace), flat.Replace(id.Namespace), len(id.Name), flat.Replace(id.Name), id.Major)
	return cutToolName(name, maxProtocolToolName, id)
}

func cutToolName(name string, limit int, id ID) string {
	if len(name) <= limit {
		return name
	}
	digest := sha256.Sum256([]byte(id.String()))
	return name[:limit-qualifier-1] + "_" + hex.EncodeToString(digest[:])[:qualifier]
}

// CheckToolName reports why a name is not accepted by every widely used client, or nil when it is: it must begin with a
// letter and go on with at most 63 letters, digits, "_" and "-".
func CheckToolName(name string) error {
	if portableName.MatchString(name) {
		return nil
	}
	if len(name) > maxToolName {
		return fmt.Errorf("tool name %q has %d characters, at most %d are accepted by every client", name, len(name), maxToolName)
	}
	return fmt.Errorf("tool name %q is not of the form %s", name, strings.Trim(portableName.String(), "^$"))
}

// CheckProtocolToolName reports why the protocol does not allow a tool name, or nil when it does: 1 to 128 characters of
// letters, digits, "_", "." and "-" (2025-11-25, server/tools, "Tool Names").
func CheckProtocolToolName(name string) error {
	if protocolName.MatchString(name) {
		return nil
	}
	return fmt.Errorf("tool name %q is not 1 to %d characters of A-Z a-z 0-9 _ . -", name, maxProtocolToolName)
}

// FoldToolName returns the form under which tool names must be unique, since some clients ignore letter case and write
// "-" as "_".
func FoldToolName(name string) string {
	return strings.ReplaceAll(strings.ToLower(name), "-", "_")
}
