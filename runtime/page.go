package runtime

import (
	"encoding/binary"
	"strconv"
	"sync"
)

// maxPages bounds what pages are kept, in bytes: three lists of 1,000 capabilities with contracts of 7 kB.
const maxPages = 16 << 20

// pages are results of tools/list that were encoded before. Each is kept under the very tools that are on it, so that callers who see the same
// share it, and the decision who sees what is made anew for each list. It is safe for concurrent use.
type pages struct {
	mu    sync.Mutex
	kept  map[string][]byte
	bytes int
}

// encodePage encodes a page, or finds it. The text is shared.
func (h *Handler) encodePage(f *family, rev revision, p page) []byte {
	if len(p.raw) > 0 { // they come and go
		return h.joinPage(f, rev, p)
	}
	key := p.key(rev)
	kept := h.pagesOf(f)
	if text := kept.find(key); text != nil {
		return text
	}
	text := h.joinPage(f, rev, p)
	kept.keep(key, text)
	return text
}

// key says all that the text of a page of capabilities depends on.
func (p page) key(rev revision) []byte {
	key := append(make([]byte, 0, 2+4*pageSize), 0, 0)
	switch {
	case rev >= modern:
		key[0] = 2
	case rev >= structured:
		key[0] = 1
	}
	if p.next != "" {
		key[1] = 1
	}
	for _, t := range p.tools {
		key = binary.BigEndian.AppendUint32(key, uint32(t.number))
	}
	return key
}

func (p *pages) find(key []byte) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.kept[string(key)]
}

// keep keeps a page, in the place of any others if there is no room.
func (p *pages) keep(key, text []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, known := p.kept[string(key)]; known || len(text) > maxPages {
		return
	}
	if p.kept == nil {
		p.kept = map[string][]byte{}
	}
	for other, old := range p.kept {
		if p.bytes+len(text) <= maxPages {
			break
		}
		delete(p.kept, other)
		p.bytes -= len(old)
	}
	p.kept[string(key)] = text
	p.bytes += len(text)
}

// sendShared answers with a result that is not copied.
func (x *exchange) sendShared(result []byte) {
	x.sendParts(nil, beginResponse(nil, x.id), result, []byte("}"))
}

// joinPage encodes a page of entries that are encoded once.
func (h *Handler) joinPage(f *family, rev revision, p page) []byte {
	room := len(h.resultHead) + 256
	for _, t := range p.tools {
		room += len(f.entry(t, rev)) + 1
	}
	for _, raw := range p.raw {
		room += len(raw.entry) + 1
	}
	text := append(h.beginResult(make([]byte, 0, room), rev), `"tools":[`...)
	for _, t := range p.tools {
		text = append(append(text, f.entry(t, rev)...), ',')
	}
	for _, raw := range p.raw {
		text = append(append(text, raw.entry...), ',')
	}
	if len(p.tools)+len(p.raw) > 0 {
		text = text[:len(text)-1]
	}
	text = append(text, ']')
	if p.next != "" {
		text = appendText(append(text, `,"nextCursor":`...), p.next)
	}
	if rev >= modern {
		text = strconv.AppendInt(append(text, `,"ttlMs":`...), listTTL, 10)
		text = appendText(append(text, `,"cacheScope":`...), h.config.access.cacheScope())
	}
	return append(text, '}')
}
