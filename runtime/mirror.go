package runtime

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/textproto"
	"regexp"
	"strconv"
	"strings"

	"github.com/capgen/capgen/runtime/internal/envelope"
)

// mirror is an input that clients repeat in a header, so that proxies can route on it: a property whose schema has
// x-mcp-header (2026-07-28, server/tools, "x-mcp-header").
type mirror struct {
	path   []string // the property's name below those of the objects it is in
	name   string   // the header as the schema spells it, such as Mcp-Param-Region
	header string   // the same in net/http's canonical form
}

var (
	// headerToken is RFC 9110's token, section 5.6.2.
	headerToken = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")
	// mirroredNumber bounds the spelling of a number in a header, so that it can be compared exactly: no exponent, and a
	// fraction only of zeros.
	mirroredNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,15})(\.0{1,15})?$`)
)

// mirrorKeyword marks a mirrored property.
const mirrorKeyword = "x-mcp-header"

// maxMirrored is the largest integer that a header may repeat: every JSON reader holds it exactly.
const maxMirrored = 1<<53 - 1

// findMirrors collects what an input schema mirrors. Only properties of properties count, as the specification has it. The error
// names everything that clients would refuse the tool for.
func findMirrors(input []byte) ([]mirror, error) {
	if !mentions(input, mirrorKeyword) {
		return nil, nil
	}
	var found []mirror
	var errs []error
	taken := map[string]bool{}
	eachProperty(input, nil, func(path []string, schema envelope.Object) {
		value := schema.Get(mirrorKeyword)
		if value == nil {
			return
		}
		where := strings.Join(path, ".")
		text, ok := envelope.ReadString(value)
		if !ok || !headerToken.MatchString(text) {
			errs = append(errs, fmt.Errorf("the x-mcp-header of %s is not a header token", where))
			return
		}
		switch kind, _ := envelope.ReadString(schema.Get("type")); kind {
		case "string", "integer", "boolean":
		default:
			errs = append(errs, fmt.Errorf("%s has an x-mcp-header and is neither a string, an integer nor a boolean", where))
		}
		if taken[strings.ToLower(text)] {
			errs = append(errs, fmt.Errorf("the x-mcp-header %q is there twice", text))
		}
		taken[strings.ToLower(text)] = true
		found = append(found, mirror{path: path, name: "Mcp-Param-" + text, header: textproto.CanonicalMIMEHeaderKey(paramHeader + text)})
	})
	if len(errs) == 0 && !areAllMirrors(input, len(found)) {
		errs = append(errs, errors.New("an x-mcp-header is somewhere other than on a property of the input, or of an object in it"))
	}
	return found, errors.Join(errs...)
}

// areAllMirrors reports whether a schema has no more x-mcp-headers than were found, wherever they are.
func areAllMirrors(schema []byte, found int) bool {
	if !hasEscapes(schema) && bytes.Count(schema, []byte(mirrorKeyword)) == found {
		return true
	}
	count := 0
	eachSchema(schema, func(members envelope.Object) {
		if members.Get(mirrorKeyword) != nil {
			count++
		}
	})
	return count == found
}

// eachProperty visits the properties that may be or have mirrors.
func eachProperty(schema []byte, above []string, visit func(path []string, schema envelope.Object)) {
	members, _ := envelope.ReadObject(schema)
	properties, _ := envelope.ReadObject(members.Get("properties"))
	for _, p := range properties {
		if !mentions(p.Value, mirrorKeyword) {
			continue
		}
		path := append(above[:len(above):len(above)], string(p.Name))
		if own, ok := envelope.ReadObject(p.Value); ok {
			visit(path, own)
		}
		eachProperty(p.Value, path, visit)
	}
}

// checkMirrors compares the headers with the arguments (GATE.md, row 25).
func checkMirrors(mirrors []mirror, header http.Header, arguments []byte) *refusal {
	for _, m := range mirrors {
		value := m.find(arguments)
		lines := header[m.header]
		if value == nil || string(value) == "null" {
			if len(lines) > 0 {
				return headerMismatch(m.name + " is there and its argument is not")
			}
			continue
		}
		text, err := decodedValue(lines)
		if err != nil {
			return headerMismatch(m.name + " " + err.Error())
		}
		if !sameValue(text, value) {
			return headerMismatch(m.name + " and its argument differ")
		}
	}
	return nil
}

func (m mirror) find(arguments []byte) []byte {
	value := arguments
	for _, name := range m.path {
		members, _ := envelope.ReadObject(value)
		value = members.Get(name)
	}
	return value
}

// sameValue compares a header with a JSON value: text as it is, numbers by their value. An array or an object is the same as
// anything, since it has no form in a header and the schema refuses it afterwards.
func sameValue(text string, value []byte) bool {
	switch value[0] {
	case '"':
		content, _ := envelope.ReadString(value)
		return text == content
	case 't', 'f':
		return text == string(value)
	case '{', '[':
		return true
	}
	if !mirroredNumber.MatchString(text) {
		return false
	}
	inHeader, _ := strconv.ParseFloat(text, 64)
	inBody, err := strconv.ParseFloat(string(value), 64)
	return err == nil && inHeader == inBody && inBody >= -maxMirrored && inBody <= maxMirrored
}
