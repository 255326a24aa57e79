package main

import (
	"context"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"
)

// The transcript is a file, with names for the ports.
func TestWalk(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var out strings.Builder
	if err := run(t.Context(), []string{"walk"}, &out); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	ports := map[string]string{}
	for _, port := range regexp.MustCompile(`127\.0\.0\.1:(\d+)`).FindAllStringSubmatch(text, -1) {
		if ports[port[1]] == "" {
			ports[port[1]] = []string{"SERVER", "ISSUER", "NONE"}[len(ports)]
			text = strings.ReplaceAll(text, "127.0.0.1:"+port[1], "127.0.0.1:"+ports[port[1]])
		}
	}
	golden(t, "walk.txt", text)
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("%d files are left behind, %v", len(left), err)
	}
}

// A walk that is interrupted ends with the reason, and leaves nothing behind.
func TestWalkInterrupted(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	out := writerFunc(func(text []byte) (int, error) {
		if strings.Contains(string(text), "\n3. ") {
			cancel()
		}
		return len(text), nil
	})
	if err := run(ctx, []string{"walk"}, out); !errors.Is(err, context.Canceled) || exitCode(err) != 1 {
		t.Errorf("%v", err)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("%d files are left behind, %v", len(left), err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(text []byte) (int, error) { return f(text) }
