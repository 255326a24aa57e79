// Package envelope reads JSON-RPC 2.0 messages strictly and without copying them. What it accepts means the same to every
// JSON reader behind it: no name is there twice, no text is broken, nothing follows the message.
package envelope

// Kind says what a message is.
type Kind uint8

// The kinds of message.
const (
	// Request has a method and an ID, and wants an answer.
	Request Kind = iota + 1
	// Notification has a method and no ID.
	Notification
	// Response has an ID, and a result or an error. Only clients of a session send one.
	Response
)

// Message is one message. Its slices are parts of the body that it was read from.
type Message struct {
	// Kind says which of the other fields are there.
	Kind Kind
	// ID is the request's ID as it was spelt, a JSON string or an integer; nil for a notification.
	ID []byte
	// Method is the method's name; "" for a response.
	Method string
	// Params is a JSON object or array as it was spelt, or nil.
	Params []byte

	params, meta Object
}

// Param returns a member of params as it was spelt, or nil when there is none or params is not an object.
func (m *Message) Param(name string) []byte { return m.params.Get(name) }

// Meta returns the members of the _meta of params. It is not ok when there is none or it is not an object.
func (m *Message) Meta() (meta Object, ok bool) {
	value := m.params.Get("_meta")
	return m.meta, value != nil && value[0] == '{'
}

// The codes of JSON-RPC 2.0, section 5.1, that reading can end with.
const (
	ParseError     = -32700
	InvalidRequest = -32600
)

// Error says why a body is not a message. Its text names a place and a rule and never quotes the body.
type Error struct {
	// Code is ParseError or InvalidRequest.
	Code int
	// Message is the text to answer with.
	Message string
	// ID is the ID to answer under, as it was spelt, or nil when none could be read.
	ID []byte
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Parser reads messages, one after the other, and reuses its rooms. The zero Parser is ready. It is not safe for concurrent use.
type Parser struct {
	scanner                scanner
	envelope, params, meta members
}

// Parse reads a body that must be exactly one message. A body that is no JSON text, or no Unicode text, or nested deeper
// than [MaxDepth], is a ParseError; one that is no JSON-RPC message, or has a name twice in any object, an InvalidRequest. The message
// is good until the parser reads the next one.
func (p *Parser) Parse(body []byte) (Message, *Error) {
	p.scanner.begin(body)
	entry, ok := p.message()
	if !ok || !p.scanner.end() {
		return Message{}, p.scanner.parseError()
	}
	if entry.Err != nil {
		return Message{}, entry.Err
	}
	return entry.Message, nil
}

// Forget lets go of the last body and of rooms that an unusual one made large, so that the parser may wait for its next use.
func (p *Parser) Forget() {
	const usual = 64
	names := p.scanner.names
	if cap(names) > usual || cap(p.envelope.list) > usual || cap(p.params.list) > usual || cap(p.meta.list) > usual {
		*p = Parser{}
		return
	}
	clear(names[:cap(names)])
	p.scanner = scanner{names: names[:0]}
	for _, m := range []*members{&p.envelope, &p.params, &p.meta} {
		clear(m.list[:cap(m.list)])
	}
}

// Parse is [Parser.Parse] for a single message, which is good for ever.
func Parse(body []byte) (Message, *Error) {
	var p Parser
	return p.Parse(body)
}

// Entry is one element of a batch: a message, or why it is none.
type Entry struct {
	// Raw is the element as it was spelt.
	Raw     []byte
	Message Message
	// Err is nil when the element is a message. A batch is answered element by element (JSON-RPC 2.0, section 6).
	Err *Error
}

// IsBatch reports whether a body is an array, going by its first byte.
func IsBatch(body []byte) bool {
	s := scanner{text: body}
	return s.peek() == '['
}

// ParseBatch reads a body that must be an array of messages, as revision 2025-03-26 alone has them. An empty array is an
// InvalidRequest.
func ParseBatch(body []byte) ([]Entry, *Error) {
	var p Parser
	p.scanner.begin(body)
	entries, isArray, ok := p.batch()
	switch {
	case !ok || !p.scanner.end():
		return nil, p.scanner.parseError()
	case !isArray:
		return nil, &Error{Code: InvalidRequest, Message: invalidRequest("a batch is an array")}
	case len(entries) == 0:
		return nil, &Error{Code: InvalidRequest, Message: invalidRequest("the batch is empty")}
	}
	return entries, nil
}

func invalidRequest(reason string) string { return "Invalid Request: " + reason }
