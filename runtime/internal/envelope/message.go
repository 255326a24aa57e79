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

	members Object
}

// Param returns a member of params as it was spelt, or nil when there is none or params is not an object.
func (m *Message) Param(name string) []byte { return m.members.Get(name) }

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

// Parse reads a body that must be exactly one message. A body that is no JSON text, or no Unicode text, or nested deeper
// than [MaxDepth], is a ParseError; one that is no JSON-RPC message, or has a name twice in any object, an InvalidRequest.
func Parse(body []byte) (Message, *Error) {
	s := newScanner(body)
	entry, ok := s.message()
	if !ok || !s.end() {
		return Message{}, s.parseError()
	}
	if entry.Err != nil {
		return Message{}, entry.Err
	}
	return entry.Message, nil
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
	s := newScanner(body)
	var entries []Entry
	isArray, ok := s.batch(&entries)
	switch {
	case !ok || !s.end():
		return nil, s.parseError()
	case !isArray:
		return nil, &Error{Code: InvalidRequest, Message: invalidRequest("a batch is an array")}
	case len(entries) == 0:
		return nil, &Error{Code: InvalidRequest, Message: invalidRequest("the batch is empty")}
	}
	return entries, nil
}

func invalidRequest(reason string) string { return "Invalid Request: " + reason }
