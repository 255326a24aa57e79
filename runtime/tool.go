package runtime

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"sync"

	"github.com/capgen/capgen/capabilities"
)

// tool is a capability as callers of this server see it. It does not change.
type tool struct {
	definition *capabilities.Definition
	name       string

	// fullEntry returns its element of a tools/list result, plainEntry the one for revisions that know neither outputSchema nor title. Each
	// is encoded once, when it is first listed.
	fullEntry, plainEntry func() []byte

	// mirrors are the inputs that a header repeats.
	mirrors []mirror

	// cursor is what a page that ends with this tool goes on from.
	cursor string

	// number is its place in toolbox.sorted.
	number int
}

// entry returns its element of a tools/list result for a revision.
func (t *tool) entry(rev revision) []byte {
	if rev < structured {
		return t.plainEntry()
	}
	return t.fullEntry()
}

// toolbox is every tool of a server, also those that a caller may not see.
type toolbox struct {
	byID         map[capabilities.ID]*tool
	byDefinition map[*capabilities.Definition]*tool
	byName       map[string]*tool
	sorted       []*tool // by ID
}

// newToolbox names and checks the tools: the capabilities with one binding for servers. One with several is not offered, since agents
// cannot choose; it is logged, as hardly meant. The error names every capability that cannot be offered.
func newToolbox(registry *capabilities.Registry, config *config) (toolbox, error) {
	box := toolbox{byID: map[capabilities.ID]*tool{}, byDefinition: map[*capabilities.Definition]*tool{}, byName: map[string]*tool{}}
	folded := map[string]*tool{}
	var errs []error
	for _, def := range registry.Definitions() {
		if count := len(registry.Bindings(def.ID, capabilities.TargetServer)); count != 1 {
			if count > 1 {
				config.logger.Warn("a capability is not served: it has several bindings for servers, and agents cannot choose between them; "+
					"give all but one capabilities.On(capabilities.TargetLocal)", "capability", def.ID.String(), "bindings", count)
			}
			continue
		}
		t, err := newTool(def, config.toolName)
		if err != nil {
			errs = append(errs, fmt.Errorf("runtime: %s: %w", def.ID, err))
			continue
		}
		fold := capabilities.FoldToolName(t.name)
		if other := folded[fold]; other != nil {
			errs = append(errs, fmt.Errorf("runtime: %s and %s have tool names that some clients cannot tell apart, %q and %q",
				other.definition.ID, def.ID, other.name, t.name))
			continue
		}
		folded[fold] = t
		t.number = len(box.sorted)
		box.byID[def.ID] = t
		box.byDefinition[def] = t
		box.byName[t.name] = t
		box.sorted = append(box.sorted, t)
	}
	return box, errors.Join(errs...)
}

func newTool(def *capabilities.Definition, choose func(capabilities.ID) string) (*tool, error) {
	t := &tool{definition: def, name: def.Tool, cursor: cursorAfter(def.ID)}
	if choose != nil {
		name, err := chooseName(choose, def.ID)
		if err != nil {
			return nil, err
		}
		t.name = name
	}
	if err := capabilities.CheckProtocolToolName(t.name); err != nil {
		return nil, err
	}
	if err := checkDialect(def.Input); err != nil {
		return nil, fmt.Errorf("the input schema: %w", err)
	}
	if err := checkDialect(def.Output); err != nil {
		return nil, fmt.Errorf("the output schema: %w", err)
	}
	var err error
	if t.mirrors, err = findMirrors(def.Input); err != nil {
		return nil, err
	}
	t.fullEntry = sync.OnceValue(func() []byte { return encodeEntry(t.name, def, true) })
	t.plainEntry = sync.OnceValue(func() []byte { return encodeEntry(t.name, def, false) })
	return t, checkRoots(def)
}

func chooseName(choose func(capabilities.ID) string, id capabilities.ID) (name string, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("the function of runtime.WithToolNames panicked: %v", value)
		}
	}()
	return choose(id), nil
}

// cursorAfter is a digest and not a position, so that tools that come and go between two pages skip nothing and repeat
// nothing, and it is the same on every replica.
func cursorAfter(id capabilities.ID) string {
	digest := sha256.Sum256([]byte("capgen tools/list cursor " + id.String()))
	return base64.RawURLEncoding.EncodeToString(digest[:15])
}
