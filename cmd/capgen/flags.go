package main

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"github.com/spf13/pflag"
)

// longFlags writes -json as --json, so that flags are spelled as with the go command; both spellings work. pflag takes
// one dash for a cluster of one-letter flags, of which capgen has none but -h and -o. What follows a bare "--" is left alone.
func longFlags(args []string) []string {
	long := make([]string, len(args))
	for i, arg := range args {
		if arg == "--" {
			copy(long[i:], args[i:])
			break
		}
		if len(arg) > 2 && arg[2] != '=' && arg[0] == '-' && isLetter(arg[1]) {
			arg = "-" + arg
		}
		long[i] = arg
	}
	return long
}

// flagForms are what flags of those types take, as a person would say it.
var flagForms = map[string]string{
	"bool": "write true or false", "int": "write a whole number", "duration": "write a time with its unit, such as 30s",
}

// flagFault words what is wrong with a flag. Of a value that is not of its type, package strconv would speak.
func flagFault(err error) string {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		if form := flagForms[invalid.GetFlag().Value.Type()]; form != "" {
			return strings.TrimSuffix(err.Error(), invalid.Unwrap().Error()) + form
		}
	}
	return err.Error()
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

var (
	headerName  = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")
	headerValue = regexp.MustCompile(`^[^\x00-\x08\x0a-\x1f\x7f]*$`)
)

// headerFlag collects -header 'K: V', which may be repeated.
type headerFlag http.Header

func (h headerFlag) Set(text string) error {
	name, value, found := strings.Cut(text, ":")
	value = strings.TrimSpace(value)
	if !found || !headerName.MatchString(name) || !headerValue.MatchString(value) {
		return fmt.Errorf("write it as 'Name: value'")
	}
	http.Header(h).Add(name, value)
	return nil
}

func (h headerFlag) String() string { return "" }

// Type implements pflag.Value: what help calls the flag's argument.
func (h headerFlag) Type() string { return "'Name: value'" }
