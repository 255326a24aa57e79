package runtime

import (
	"encoding/base64"
	"strconv"

	"github.com/capgen/capgen/capabilities"
)

// appendAttached appends a content block (2026-07-28, server/tools, "Tool Result"). Revisions that do not know its kind get its place in
// words, since many of their clients refuse an answer that holds a kind they do not know.
func appendAttached(dst []byte, rev revision, content capabilities.Content) []byte {
	switch c := content.(type) {
	case capabilities.Image:
		return appendBinary(dst, "image", c.Data, c.MIMEType)
	case capabilities.Audio:
		if rev < batches {
			return appendWords(dst, "(audio of type "+c.MIMEType+")")
		}
		return appendBinary(dst, "audio", c.Data, c.MIMEType)
	case capabilities.Resource:
		return appendResource(dst, c)
	case capabilities.ResourceLink:
		if rev < structured {
			return appendWords(dst, c.Name+": "+c.URI)
		}
		return appendLink(dst, c)
	}
	return appendWords(dst, "")
}

func appendBinary(dst []byte, kind string, data []byte, media string) []byte {
	dst = append(append(append(dst, `{"type":"`...), kind...), `","data":"`...)
	dst = base64.StdEncoding.AppendEncode(dst, data)
	return append(appendText(append(dst, `","mimeType":`...), media), '}')
}

func appendResource(dst []byte, r capabilities.Resource) []byte {
	dst = appendText(append(dst, `{"type":"resource","resource":{"uri":`...), r.URI)
	dst = appendMember(dst, "mimeType", r.MIMEType)
	if r.Blob != nil {
		dst = base64.StdEncoding.AppendEncode(append(dst, `,"blob":"`...), r.Blob)
		return append(dst, `"}}`...)
	}
	return append(appendText(append(dst, `,"text":`...), r.Text), "}}"...)
}

func appendLink(dst []byte, l capabilities.ResourceLink) []byte {
	dst = appendText(append(dst, `{"type":"resource_link","uri":`...), l.URI)
	dst = appendMember(dst, "name", l.Name)
	dst = appendMember(dst, "title", l.Title)
	dst = appendMember(dst, "description", l.Description)
	dst = appendMember(dst, "mimeType", l.MIMEType)
	if l.Size > 0 {
		dst = strconv.AppendInt(append(dst, `,"size":`...), l.Size, 10)
	}
	return append(dst, '}')
}

// appendMember appends a member of an object, unless it is empty.
func appendMember(dst []byte, name, value string) []byte {
	if value == "" {
		return dst
	}
	dst = append(append(append(dst, `,"`...), name...), `":`...)
	return appendText(dst, value)
}

func appendWords(dst []byte, text string) []byte {
	return append(appendText(append(dst, `{"type":"text","text":`...), text), '}')
}
