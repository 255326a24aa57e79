package runtime

import (
	"context"

	"github.com/capgen/capgen/runtime/internal/envelope"
)

const (
	// pageSize is how many tools a page of tools/list has at most.
	pageSize = 100

	// listTTL is how long a client may go on with a list, in milliseconds. The tools change only when the server is replaced.
	listTTL = 60_000
)

// list answers tools/list of a family: what the caller may call, in the order of the IDs, a page at a time.
func (h *Handler) list(ctx context.Context, f *family, rev revision, message *envelope.Message) ([]byte, *refusal) {
	if message.Params != nil && message.Params[0] != '{' {
		return nil, invalidParams("params must be an object")
	}
	seen, refused := h.visible(ctx)
	if refused != nil {
		return nil, refused
	}
	start := 0
	if value := message.Param("cursor"); value != nil {
		cursor, ok := envelope.ReadString(value)
		if !ok {
			return nil, invalidParams("cursor must be a string")
		}
		// Some clients send an empty cursor for the first page; no page ever ends with one.
		if cursor != "" {
			if start = seen.after(cursor); start < 0 {
				return nil, invalidParams("the cursor is not one of this list")
			}
		}
	}
	return h.encodePage(f, rev, seen.page(start)), nil
}

// listing is what a caller may see: capabilities in the order of their IDs, and then the application's raw tools.
type listing struct {
	tools []*tool
	raw   []rawTool
}

// visible returns what the caller may see, by the executor's decision.
func (h *Handler) visible(ctx context.Context) (listing, *refusal) {
	definitions, failure := h.executor.List(ctx)
	if failure != nil {
		h.logList(ctx, failure)
		return listing{}, internalError(failure.Text())
	}
	seen := listing{tools: make([]*tool, 0, len(definitions))}
	for _, def := range definitions {
		if t := h.tools.byDefinition[def]; t != nil {
			seen.tools = append(seen.tools, t)
		}
	}
	seen.raw = h.rawTools(ctx)
	return seen, nil
}

// after returns where the list goes on that a page with that cursor ended at, or -1.
func (l listing) after(cursor string) int {
	for i, t := range l.tools {
		if t.cursor == cursor {
			return i + 1
		}
	}
	for i, raw := range l.raw {
		if cursorAfterRaw(raw.name) == cursor {
			return len(l.tools) + i + 1
		}
	}
	return -1
}

// page is a part of a list. Next is its end's cursor if something follows.
type page struct {
	listing
	next string
}

// page returns what a page has that begins there.
func (l listing) page(start int) page {
	tools := l.tools[min(start, len(l.tools)):]
	tools = tools[:min(len(tools), pageSize)]
	raw := l.raw[max(start-len(l.tools), 0):]
	raw = raw[:min(len(raw), pageSize-len(tools))]
	p := page{listing: listing{tools, raw}}
	switch {
	case start+len(tools)+len(raw) == len(l.tools)+len(l.raw):
	case len(raw) > 0:
		p.next = cursorAfterRaw(raw[len(raw)-1].name)
	default:
		p.next = tools[len(tools)-1].cursor
	}
	return p
}
