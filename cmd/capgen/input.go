package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// readInput returns the JSON object that a call sends: the argument's text, standard input for "-", {} without one. A
// text that is not one JSON object is refused here, before anything is sent.
func readInput(args []string, stdin io.Reader) (json.RawMessage, error) {
	if len(args) == 0 {
		return json.RawMessage("{}"), nil
	}
	text := []byte(args[0])
	if args[0] == "-" {
		var err error
		if text, err = io.ReadAll(stdin); err != nil {
			return nil, failedf("the input cannot be read: %s", err)
		}
	}
	if err := checkObject(text); err != nil {
		return nil, err
	}
	return text, nil
}

func checkObject(text []byte) error {
	decoder := jsontext.NewDecoder(bytes.NewReader(text))
	value, err := decoder.ReadValue()
	if err != nil {
		return badInput(text, err)
	}
	if value.Kind() != '{' {
		return usagef("the input is not a JSON object: write it as '{\"name\": value}'")
	}
	end := decoder.InputOffset()
	if rest := bytes.TrimLeft(text[end:], " \t\r\n"); len(rest) > 0 {
		return badInputAt(text, int64(len(text)-len(rest)), "there is more after the object")
	}
	return nil
}

func badInput(text []byte, err error) error {
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, io.EOF):
		return usagef("the input is empty: write it as '{\"name\": value}'")
	case errors.As(err, &syntax) && errors.Is(syntax.Err, jsontext.ErrDuplicateName):
		return badInputAt(text, syntax.ByteOffset, fmt.Sprintf("the name %q is there twice", syntax.JSONPointer.LastToken()))
	case errors.As(err, &syntax) && syntax.Err != nil:
		return badInputAt(text, syntax.ByteOffset, syntax.Err.Error())
	}
	return usagef("the input is not JSON: %s", err)
}

// badInputAt names a place as an editor does: lines and characters are counted from 1.
func badInputAt(text []byte, offset int64, message string) error {
	before := text[:min(offset, int64(len(text)))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return usagef("the input is not JSON: line %d, column %d: %s", line, column, message)
}
