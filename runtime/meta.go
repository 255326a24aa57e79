package runtime

import (
	"bytes"
	"net/http"

	"github.com/capgen/capgen/runtime/internal/envelope"
)

// logLevels are the levels that a request may ask for messages at (2026-07-28, server/utilities/logging). None are sent.
var logLevels = map[string]bool{
	"debug": true, "info": true, "notice": true, "warning": true, "error": true, "critical": true, "alert": true, "emergency": true,
}

// checkModern checks what every request of 2026-07-28 has (GATE.md, rows 13 to 18). That the version is right is known.
func checkModern(header http.Header, message *envelope.Message) *refusal {
	method, err := plainValue(header[methodHeader])
	if err != nil {
		return headerMismatch("Mcp-Method " + err.Error())
	}
	if method != message.Method {
		return headerMismatch("Mcp-Method and the message name different methods")
	}
	meta, ok := message.Meta()
	if !ok {
		return invalidParams("_meta must be an object")
	}
	// What is part of a message was read once, so that its first byte says what it is.
	if declared := meta.Get(metaPrefix + "clientCapabilities"); declared == nil || declared[0] != '{' {
		return invalidParams("_meta must hold " + metaPrefix + "clientCapabilities, an object")
	}
	if refused := checkClientInfo(meta.Get(metaPrefix + "clientInfo")); refused != nil {
		return refused
	}
	if value := meta.Get(metaPrefix + "logLevel"); value != nil {
		if level, _ := envelope.ReadText(value); !logLevels[string(level)] {
			return invalidParams("the log level in _meta is none of the eight")
		}
	}
	return checkProgressToken(meta)
}

func checkClientInfo(value []byte) *refusal {
	if value == nil {
		return nil
	}
	if value[0] != '{' || !envelope.IsString(envelope.MemberOf(value, "name")) || !envelope.IsString(envelope.MemberOf(value, "version")) {
		return invalidParams("the clientInfo in _meta must be an object with a name and a version")
	}
	return nil
}

// maxProgressToken bounds what is repeated in each report, in bytes.
const maxProgressToken = 1024

// checkProgressToken: a token is a string or an integer in every revision.
func checkProgressToken(meta envelope.Object) *refusal {
	token := meta.Get("progressToken")
	if len(token) > maxProgressToken {
		return invalidParams("the progressToken in _meta is longer than this server repeats")
	}
	if token == nil || token[0] == '"' {
		return nil
	}
	if isNumber := token[0] == '-' || '0' <= token[0] && token[0] <= '9'; !isNumber || bytes.ContainsAny(token, ".eE") {
		return invalidParams("the progressToken in _meta must be a string or an integer")
	}
	return nil
}

// checkLegacy checks the parameters of a request on a session, where _meta may be missing.
func checkLegacy(message *envelope.Message) *refusal {
	if message.Params != nil && message.Params[0] != '{' {
		return invalidParams("params must be an object")
	}
	if message.Param("_meta") == nil {
		return nil
	}
	meta, ok := message.Meta()
	if !ok {
		return invalidParams("_meta must be an object")
	}
	return checkProgressToken(meta)
}
