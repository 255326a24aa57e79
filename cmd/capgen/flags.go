package main

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
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
