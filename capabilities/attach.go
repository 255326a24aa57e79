package capabilities

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// MaxAttached is how much the contents of one call may hold together, in bytes of data and text.
const MaxAttached = 1 << 20

// Content is what a handler adds beside its value: an [Image], [Audio], [Resource] or [ResourceLink].
type Content interface {
	// size counts towards MaxAttached; the error says what is missing.
	size() (int, error)
}

// Image is a picture.
type Image struct {
	// Data is the picture's bytes. Required.
	Data []byte
	// MIMEType is its media type, such as image/png. Required.
	MIMEType string
}

// Audio is a sound.
type Audio struct {
	// Data is the sound's bytes. Required.
	Data []byte
	// MIMEType is its media type, such as audio/wav. Required.
	MIMEType string
}

// Resource is a document with its contents.
type Resource struct {
	// URI names the document. Required.
	URI string
	// MIMEType is its media type; may be empty.
	MIMEType string
	// Text is a document of text, and Blob one of bytes. A document has one of them: Blob unless it is nil.
	Text string
	Blob []byte
}

// ResourceLink is a document that the caller may fetch.
type ResourceLink struct {
	// URI names the document, and Name is what people call it. Both are required.
	URI, Name string
	// Title, Description and MIMEType say more of it; each may be empty.
	Title, Description, MIMEType string
	// Size is its size in bytes; 0 when it is not known.
	Size int64
}

func (i Image) size() (int, error) { return binarySize("an Image", i.Data, i.MIMEType) }
func (a Audio) size() (int, error) { return binarySize("an Audio", a.Data, a.MIMEType) }

func binarySize(what string, data []byte, media string) (int, error) {
	if len(data) == 0 || media == "" {
		return 0, fmt.Errorf("capabilities.Attach: %s needs Data and a MIMEType", what)
	}
	return len(data) + len(media), nil
}

func (r Resource) size() (int, error) {
	if r.URI == "" {
		return 0, errors.New("capabilities.Attach: a Resource needs a URI")
	}
	if r.Blob != nil && r.Text != "" {
		return 0, errors.New("capabilities.Attach: a Resource has a Text or a Blob, not both")
	}
	return len(r.URI) + len(r.MIMEType) + len(r.Text) + len(r.Blob), nil
}

func (l ResourceLink) size() (int, error) {
	if l.URI == "" || l.Name == "" {
		return 0, errors.New("capabilities.Attach: a ResourceLink needs a URI and a Name")
	}
	return len(l.URI) + len(l.Name) + len(l.Title) + len(l.Description) + len(l.MIMEType), nil
}

// Attach adds contents to the answer of the call that ctx belongs to: after the value's text, in the order in which they were added. They are sent
// if the call succeeds and dropped if it does not. The data is not copied, so it must not change any more. A content is added whole or not
// at all; the error says that something of it is missing, that the contents together would pass [MaxAttached], that the call is
// over, or that there is none. It is safe for concurrent use.
func Attach(ctx context.Context, contents ...Content) error {
	a, ok := ctx.Value(attachKey{}).(*attachments)
	if !ok {
		return errors.New("capabilities.Attach: the context is not that of a handler's call")
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, content := range contents {
		if err := a.add(content); err != nil {
			return err
		}
	}
	return nil
}

type attachKey struct{}

// attachments are the contents of one call.
type attachments struct {
	mu    sync.Mutex
	list  []Content
	bytes int
	over  bool
}

func (a *attachments) add(content Content) error {
	switch content.(type) {
	case nil:
		return errors.New("capabilities.Attach: a content is nil")
	case Image, Audio, Resource, ResourceLink:
	default:
		return fmt.Errorf("capabilities.Attach: a %T is no content: pass the value that it points at", content)
	}
	size, err := content.size()
	switch {
	case err != nil:
		return err
	case a.over:
		return errors.New("capabilities.Attach: the call is over")
	case a.bytes+size > MaxAttached:
		return fmt.Errorf("capabilities.Attach: the contents of a call are at most %d bytes: attach a ResourceLink to what is larger", MaxAttached)
	}
	a.bytes += size
	a.list = append(a.list, content)
	return nil
}

// take returns what was attached, and nothing can be attached any more.
func (a *attachments) take() []Content {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.over = true
	return slices.Clip(a.list)
}
