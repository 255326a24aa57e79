package runtime

import (
	"context"
	"slices"
	"strconv"

	"github.com/capgen/capgen/runtime/internal/envelope"
)

const (
	// pageSize is how many tools a page of tools/list has at most.
	pageSize = 100

	// listTTL is how long a client may go on with a list, in milliseconds. The tools change only when the server is replaced.
	listTTL = 60_000
)

// list answers tools/list: what the caller may call, in the order of the IDs, a page at a time.
func (h *Handler) list(ctx context.Context, rev revision, message *envelope.Message) ([]byte, *refusal) {
	if message.Params != nil && message.Params[0] != '{' {
		return nil, invalidParams("params must be an object")
	}
	page, refused := h.visible(ctx, rev)
	if refused != nil {
		return nil, refused
	}
	if value := message.Param("cursor"); value != nil {
		cursor, ok := envelope.ReadString(value)
		if !ok {
			return nil, invalidParams("cursor must be a string")
		}
		// Some clients send an empty cursor for the first page; no page ever ends with one.
		if cursor != "" {
			last := slices.IndexFunc(page, func(e listed) bool { return e.cursor() == cursor })
			if last < 0 {
				return nil, invalidParams("the cursor is not one of this list")
			}
			page = page[last+1:]
		}
	}
	next := ""
	if len(page) > pageSize {
		page = page[:pageSize]
		next = page[pageSize-1].cursor()
	}
	return h.encodePage(rev, page, next), nil
}

// listed is an element of a list: a capability, or a raw tool of the application's.
type listed struct {
	entry []byte
	tool  *tool
	raw   string
}

// cursor is what a page that ends with it goes on from.
func (l listed) cursor() string {
	if l.tool != nil {
		return l.tool.cursor
	}
	return cursorAfterRaw(l.raw)
}

// visible returns what the caller may see: capabilities by the executor's decision, and then the raw tools.
func (h *Handler) visible(ctx context.Context, rev revision) ([]listed, *refusal) {
	definitions, failure := h.executor.List(ctx)
	if failure != nil {
		h.logList(ctx, failure)
		return nil, internalError(failure.Text())
	}
	entries := make([]listed, 0, len(definitions))
	for _, def := range definitions {
		t := h.tools.byID[def.ID]
		switch {
		case t == nil:
		case rev < structured:
			entries = append(entries, listed{entry: t.plainEntry(), tool: t})
		default:
			entries = append(entries, listed{entry: t.entry(), tool: t})
		}
	}
	for _, raw := range h.rawTools(ctx) {
		entries = append(entries, listed{entry: raw.entry, raw: raw.name})
	}
	return entries, nil
}

func (h *Handler) encodePage(rev revision, page []listed, next string) []byte {
	text := h.beginResult(nil, rev)
	text = append(text, `"tools":[`...)
	for i, each := range page {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, each.entry...)
	}
	text = append(text, ']')
	if next != "" {
		text = appendText(append(text, `,"nextCursor":`...), next)
	}
	if rev >= modern {
		text = strconv.AppendInt(append(text, `,"ttlMs":`...), listTTL, 10)
		text = appendText(append(text, `,"cacheScope":`...), h.config.access.cacheScope())
	}
	return append(text, '}')
}
