// Package compat compares the contracts of two times and judges each change: whether whoever leans on the earlier contract can go on with the
// later one. An input may be widened and an output narrowed; everything else needs a new major.
package compat

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/capgen/capgen/capabilities"
)

// Contract is what a contract file says of one capability.
type Contract struct {
	// Path is the file's, for messages.
	Path string `json:"-"`

	ID                                        capabilities.ID
	Tool                                      string
	Deprecated, Removed, Migrates, ReviewedBy string
	Risk                                      capabilities.Risk
	Access                                    capabilities.Access
	Timeout                                   capabilities.Timeout
	Idempotent, OpenWorld                     bool

	// Input and Output are the schemas; nil for what is removed.
	Input, Output json.RawMessage
}

// ParseContract reads a contract file. Path is how the error names it, with the line and column of what is wrong if that is its syntax. The
// schemas are read when they are compared, which for most contracts is never.
func ParseContract(path string, text []byte) (*Contract, error) {
	c := &Contract{Path: path}
	if err := json.Unmarshal(text, c); err != nil {
		return nil, broken(path, text, err)
	}
	switch {
	case c.ID == capabilities.ID{}, c.Tool == "", c.Risk == "":
		return nil, fmt.Errorf("%s: it has no id, tool or risk, so it is no contract: run capgen generate", path)
	case c.Removed == "" && (c.Input == nil || c.Output == nil):
		return nil, fmt.Errorf("%s: it has no input or no output, so it is no contract: run capgen generate", path)
	}
	return c, nil
}

// broken is the error of a file that cannot be read, as one that git left with the marks of a conflict.
func broken(path string, text []byte, err error) error {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return fmt.Errorf("%s: it is no contract: %w; run capgen generate", path, err)
	}
	before := text[:max(0, min(int(syntax.Offset)-1, len(text)))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Errorf("%s:%d:%d: the contract is no JSON from here on: run capgen generate", path, line, column)
}

// life says where in its life the capability is.
func (c *Contract) life() string {
	switch {
	case c.Removed != "":
		return "removed"
	case c.Deprecated != "":
		return "deprecated"
	}
	return "supported"
}

// timeout returns the deadline as contracts write it; "" for the server's own.
func (c *Contract) timeout() string {
	if c.Timeout == 0 {
		return ""
	}
	return time.Duration(c.Timeout).String()
}
