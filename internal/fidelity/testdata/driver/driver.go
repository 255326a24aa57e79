// Package driver runs what the fidelity test asks of the generated packages. It is compiled in the test's scratch module.
package driver

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
)

// Case is one generated package. Decode and Encode are nil where the case has no such direction.
type Case struct {
	// Decode reads the capability's input and returns its one field.
	Decode func(text []byte) (any, error)
	Encode func(value any) ([]byte, error)
	// Values are to be encoded, and Wants are what texts must decode to.
	Values, Wants []func() any
}

// Request is what to do with one case.
type Request struct {
	// Texts are inputs, and Wants those whose value the case knows.
	Texts, Wants [][]byte
}

// Result is what came of a text or a value.
type Result struct {
	// Text is what was encoded.
	Text []byte `json:",omitempty"`
	// Error is empty when all went well.
	Error string `json:",omitempty"`
	// Again is what came of encoding a decoded value.
	Again *Result `json:",omitempty"`
}

// Answer holds a result for each text, value and wanted value.
type Answer struct {
	Texts, Values, Wants []Result
}

// Run answers the requests on standard input.
func Run(cases map[string]Case) {
	var requests map[string]Request
	text, err := io.ReadAll(os.Stdin)
	if err == nil {
		err = json.Unmarshal(text, &requests)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	answers := map[string]Answer{}
	for id, c := range cases {
		answers[id] = answer(c, requests[id])
	}
	if err := json.NewEncoder(os.Stdout).Encode(answers); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func answer(c Case, r Request) Answer {
	var a Answer
	for _, text := range r.Texts {
		a.Texts = append(a.Texts, guarded(func() Result {
			value, err := c.Decode(text)
			if err != nil {
				return failed(err)
			}
			if c.Encode == nil {
				return Result{}
			}
			again := guarded(func() Result { return encoded(c.Encode(value)) })
			return Result{Again: &again}
		}))
	}
	for _, value := range c.Values {
		a.Values = append(a.Values, guarded(func() Result { return encoded(c.Encode(value())) }))
	}
	for i, want := range c.Wants {
		a.Wants = append(a.Wants, guarded(func() Result {
			value, err := c.Decode(r.Wants[i])
			switch {
			case err != nil:
				return failed(err)
			case !reflect.DeepEqual(value, want()):
				return Result{Error: fmt.Sprintf("is decoded to %#v", value)}
			}
			return Result{}
		}))
	}
	return a
}

func encoded(text []byte, err error) Result {
	if err != nil {
		return failed(err)
	}
	return Result{Text: text}
}

func failed(err error) Result { return Result{Error: err.Error() + " "} }

// guarded makes a panic an error.
func guarded(do func() Result) (r Result) {
	defer func() {
		if p := recover(); p != nil {
			r = Result{Error: fmt.Sprintf("panic: %v", p)}
		}
	}()
	return do()
}
