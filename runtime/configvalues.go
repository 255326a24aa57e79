package runtime

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// kind is how the text of a setting becomes the value of a field, and the value a text again: "" for the zero value. The error of set says
// what the text is not.
type kind struct {
	set func(c *Config, value string) error
	get func(c *Config) string
}

func text(of func(*Config) *string) kind {
	return kind{
		set: func(c *Config, value string) error { *of(c) = value; return nil },
		get: func(c *Config) string { return *of(c) },
	}
}

// list has commas between its elements.
func list(of func(*Config) *[]string) kind {
	return kind{
		set: func(c *Config, value string) error {
			// A new one, since the code may go on with its own.
			*of(c) = nil
			for element := range strings.SplitSeq(value, ",") {
				if element = strings.TrimSpace(element); element != "" {
					*of(c) = append(*of(c), element)
				}
			}
			return nil
		},
		get: func(c *Config) string { return strings.Join(*of(c), ",") },
	}
}

func number(of func(*Config) *int) kind {
	return kind{
		set: func(c *Config, value string) error {
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 {
				return errors.New("a whole number of 1 or more")
			}
			*of(c) = n
			return nil
		},
		get: func(c *Config) string {
			if *of(c) == 0 {
				return ""
			}
			return strconv.Itoa(*of(c))
		},
	}
}

// port has 0 for one that is free, as operators know it from everywhere. In code 0 is the zero value.
func port(of func(*Config) *int) kind {
	get := number(of).get
	return kind{
		set: func(c *Config, value string) error {
			n, err := strconv.ParseUint(value, 10, 16)
			if err != nil {
				return errors.New("a port: write a number from 0 to 65535")
			}
			if *of(c) = int(n); n == 0 {
				*of(c) = FreePort
			}
			return nil
		},
		get: func(c *Config) string {
			if *of(c) == FreePort {
				return "0"
			}
			return get(c)
		},
	}
}

func duration(of func(*Config) *time.Duration) kind {
	return kind{
		set: func(c *Config, value string) error {
			d, err := time.ParseDuration(value)
			if err != nil || d <= 0 {
				return errors.New("a duration of more than 0: write a number and a unit, such as 30s or 1h")
			}
			*of(c) = d
			return nil
		},
		get: func(c *Config) string {
			if *of(c) == 0 {
				return ""
			}
			return short(*of(c))
		},
	}
}

// short writes a duration as people do: 1h and not 1h0m0s.
func short(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
