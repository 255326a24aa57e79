package envelope

import (
	"bytes"
	"strings"
)

// message scans one value and reads it as a message. It is not ok when the value breaks JSON's own rules; a value that
// breaks JSON-RPC's is an entry with an error, and the scanner stands behind it.
func (p *Parser) message() (entry Entry, ok bool) {
	s := &p.scanner
	s.fault = ""
	isObject := s.peek() == '{'
	start := s.pos

	p.meta = members{list: p.meta.list[:0]}
	p.params = members{list: p.params.list[:0], child: "_meta", ofChild: &p.meta}
	p.envelope = members{list: p.envelope.list[:0], child: "params", ofChild: &p.params}
	if !s.value(&p.envelope) {
		return Entry{}, false
	}

	entry.Raw = s.text[start:s.pos]
	if !isObject {
		entry.Err = &Error{Code: InvalidRequest, Message: invalidRequest("a message is an object")}
		return entry, true
	}
	entry.Message, entry.Err = readEnvelope(p.envelope.list, s.fault)
	entry.Message.params, entry.Message.meta = p.params.list, p.meta.list
	return entry, true
}

// batch scans an array of messages, or any other value when the text is no array.
func (p *Parser) batch() (entries []Entry, isArray, ok bool) {
	s := &p.scanner
	if s.peek() != '[' {
		return nil, false, s.value(nil)
	}
	if !s.enter() {
		return nil, true, false
	}
	for more := s.peek() != ']'; more; {
		p.envelope, p.params, p.meta = members{}, members{}, members{} // each entry keeps its own
		entry, ok := p.message()
		if !ok {
			return nil, true, false
		}
		entries = append(entries, entry)
		if more, ok = s.another(']'); !ok {
			return nil, true, false
		}
	}
	s.leave()
	return entries, true, true
}

// readEnvelope decides what an object is as a message. Fault is what the scanner found wrong with a text that is JSON.
func readEnvelope(envelope Object, fault string) (Message, *Error) {
	id, hasID := readID(envelope)
	refuse := func(reason string) (Message, *Error) {
		return Message{}, &Error{Code: InvalidRequest, Message: invalidRequest(reason), ID: id}
	}
	if fault != "" {
		return refuse(fault)
	}
	for _, m := range envelope {
		if variant := variantOf(m.Name); variant != "" {
			return refuse("a member is spelt like " + variant + " but for letter case")
		}
	}
	if !EqualString(envelope.Get("jsonrpc"), "2.0") {
		return refuse(`jsonrpc must be "2.0"`)
	}
	if hasID && id == nil {
		return refuse("id must be a string or an integer")
	}

	result, failed := envelope.Get("result"), envelope.Get("error")
	if result == nil && failed == nil {
		return readCall(envelope, id, refuse)
	}
	switch {
	case envelope.Get("method") != nil:
		return refuse("a message has either a method, or a result or an error")
	case result != nil && failed != nil:
		return refuse("a response has either a result or an error")
	case id == nil:
		return refuse("a response must have an id")
	}
	return Message{Kind: Response, ID: id}, nil
}

func readCall(envelope Object, id []byte, refuse func(string) (Message, *Error)) (Message, *Error) {
	method, ok := readMethod(envelope.Get("method"))
	if !ok {
		return refuse("method must be a string")
	}
	params := envelope.Get("params")
	if params != nil && params[0] != '{' && params[0] != '[' {
		return refuse("params must be an object or an array")
	}
	message := Message{Kind: Request, ID: id, Method: method, Params: params}
	if id == nil {
		message.Kind = Notification
	}
	return message, nil
}

// readMethod is ReadString, but that the name of nearly all requests is not copied.
func readMethod(value []byte) (string, bool) {
	const call = "tools/call"
	if EqualString(value, call) {
		return call, true
	}
	return ReadString(value)
}

// readID returns the ID when there is exactly one and it can be answered under: a string or an integer. A fraction, an
// exponent or 1.0 is refused, since readers differ in what number that is; null is no ID in MCP (2025-11-25, basic, "Requests").
func readID(envelope Object) (id []byte, has bool) {
	for _, m := range envelope {
		if string(m.Name) != "id" {
			continue
		}
		if has {
			return nil, true
		}
		id, has = m.Value, true
	}
	if has && (id[0] == '"' || isInteger(id)) {
		return id, true
	}
	return nil, has
}

func isInteger(value []byte) bool {
	return (value[0] == '-' || isDigit(value[0])) && !bytes.ContainsAny(value, ".eE")
}

var envelopeNames = [...]string{"jsonrpc", "id", "method", "params", "result", "error"}

// variantOf returns the envelope member that a name is taken for by a reader that folds case, as encoding/json does, or "".
// Other names that JSON-RPC does not know are ignored, as readers have always done.
func variantOf(name []byte) string {
	for _, known := range envelopeNames {
		if string(name) == known {
			return ""
		}
	}
	for _, known := range envelopeNames {
		if strings.EqualFold(string(name), known) {
			return known
		}
	}
	return ""
}
