package compat

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/capgen/capgen/capabilities"
	"github.com/capgen/capgen/internal/compat/schema"
)

// Compare judges every change between the contracts of two times, by their IDs: a contract whose file has moved is the same. The findings
// are in the order of the IDs and, for each, of the contract file. The error is that of an ID that one time has twice.
func Compare(before, after []*Contract) ([]Finding, error) {
	earlier, err := byID(before)
	if err != nil {
		return nil, err
	}
	later, err := byID(after)
	if err != nil {
		return nil, err
	}
	c := &comparison{earlier: earlier, later: later}
	for _, old := range before {
		if c.later[old.ID] == nil {
			c.vanished(old)
		}
	}
	for _, current := range after {
		if old := c.earlier[current.ID]; old != nil {
			if err := c.compare(old, current); err != nil {
				return nil, err
			}
		} else {
			c.added(current)
		}
	}
	slices.SortStableFunc(c.findings, func(a, b Finding) int { return compareIDs(a.ID, b.ID) })
	return c.findings, nil
}

func compareIDs(a, b capabilities.ID) int {
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Major, b.Major))
}

func byID(contracts []*Contract) (map[capabilities.ID]*Contract, error) {
	known := map[capabilities.ID]*Contract{}
	for _, c := range contracts {
		if other := known[c.ID]; other != nil {
			return nil, fmt.Errorf("%s and %s are both the contract of %s: compare packages of one program at a time", other.Path, c.Path, c.ID)
		}
		known[c.ID] = c
	}
	return known, nil
}

// comparison is what is known of both times, and what was found.
type comparison struct {
	earlier, later map[capabilities.ID]*Contract
	findings       []Finding
}

func (c *comparison) add(f Finding) { c.findings = append(c.findings, f) }

// compare judges the changes of one capability.
func (c *comparison) compare(old, current *Contract) error {
	c.compareLife(old, current)
	if old.Removed != "" || current.Removed != "" {
		return nil // there are no schemas, and nothing can be called
	}
	c.compareTerms(old, current)
	if err := c.compareSchemas("/input", input, old, current, old.Input, current.Input); err != nil {
		return err
	}
	return c.compareSchemas("/output", output, old, current, old.Output, current.Output)
}

// compareSchemas judges the changes of an input or an output, which is at that place in both contracts.
func (c *comparison) compareSchemas(place string, d direction, old, current *Contract, before, after []byte) error {
	if bytes.Equal(before, after) {
		return nil
	}
	earlier, err := schema.Parse(before, place)
	if err != nil {
		return fmt.Errorf("the earlier %s: %s: %w", old.Path, place, err)
	}
	later, err := schema.Parse(after, place)
	if err != nil {
		return fmt.Errorf("%s: %s: %w", current.Path, place, err)
	}
	c.findings = append(c.findings, compareSchemas(current.ID, d, earlier, later)...)
	return nil
}
