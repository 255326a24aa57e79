package runtime

import (
	"context"
	"net"
	"net/http"
	"strings"
	"time"
)

// Timing shortens, for a test, what would take too long to wait for. A zero leaves the default.
func Timing(commitAfter, keepAlive, bodyWait, drainWait time.Duration) Option {
	return func(c *config) {
		for _, set := range []struct {
			to   *time.Duration
			from time.Duration
		}{{&c.commitAfter, commitAfter}, {&c.keepAlive, keepAlive}, {&c.bodyWait, bodyWait}, {&c.drainWait, drainWait}} {
			if set.from > 0 {
				*set.to = set.from
			}
		}
	}
}

// WithPolicyWait shortens how long a verifier and a store may take.
func WithPolicyWait(d time.Duration) Option { return func(c *config) { c.policyWait = d } }

// BridgeTiming shortens how long one write of a bridge may take, and how long Close waits.
func BridgeTiming(writeWait, closeWait time.Duration) BridgeOption {
	return func(c *bridgeConfig) { c.writeWait, c.closeWait = writeWait, closeWait }
}

// StartBridgeOn starts a bridge on a listener of a test's.
func StartBridgeOn(ctx context.Context, listener net.Listener, handler http.Handler) *Bridge {
	config, _ := newBridgeConfig(nil)
	return startBridgeOn(ctx, listener, handler, config)
}

// SettingsTable is the table of the settings as the documents show it.
func SettingsTable() string {
	rows := "| field | environment | flag | default | |\n|---|---|---|---|---|\n"
	for _, s := range settings {
		flag, normal := "", s.normal
		if s.flag != "" {
			flag = "`-" + s.flag + "`"
		}
		if normal != "" && !s.inWords() {
			normal = "`" + normal + "`"
		}
		rows += "| `" + s.field + "` | `" + s.env + "` | " + flag + " | " + normal + " | " + strings.ReplaceAll(s.help, "`", "") + " |\n"
	}
	return rows
}

// SettingsFields are the fields in the table.
func SettingsFields() (fields []string) {
	for _, s := range settings {
		fields = append(fields, s.field)
	}
	return fields
}

// KeptPages returns how many pages of tools/list a handler keeps, and how many bytes they are.
func KeptPages(h *Handler) (count, bytes int) {
	h.pages.mu.Lock()
	defer h.pages.mu.Unlock()
	for _, text := range h.pages.kept {
		bytes += len(text)
	}
	return len(h.pages.kept), bytes
}

// MaxPages is how many bytes of pages are kept.
const MaxPages = maxPages
