package envelope_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/capgen/capgen/runtime/internal/envelope"
)

func TestParse(t *testing.T) {
	for body, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`:                            `request 1 "ping" params=`,
		" \t\r\n{ \"jsonrpc\" : \"2.0\" , \"id\" : 1 , \"method\":\"m\" } \n": `request 1 "m" params=`,
		`{"jsonrpc":"2.0","id":"a","method":"m","params":{"name":"x"}}`:       `request "a" "m" params={"name":"x"}`,
		`{"jsonrpc":"2.0","id":1,"method":"m","params":[1, {"a":[]}]}`:        `request 1 "m" params=[1, {"a":[]}]`,
		`{"jsonrpc":"2.0","method":"notifications/x"}`:                        `notification  "notifications/x" params=`,
		`{"jsonrpc":"2.0","id":7,"result":{}}`:                                `response 7 "" params=`,
		`{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":""}}`:            `response 7 "" params=`,
		// What JSON-RPC does not name is ignored.
		`{"jsonrpc":"2.0","id":1,"method":"m","trace":{"id":2},"ids":3}`: `request 1 "m" params=`,
		// An ID is carried exactly, whatever a reader would round it to.
		`{"jsonrpc":"2.0","id":9007199254740993,"method":"m"}`:                   `request 9007199254740993 "m" params=`,
		`{"jsonrpc":"2.0","id":-99999999999999999999999999999999,"method":"m"}`:  `request -99999999999999999999999999999999 "m" params=`,
		`{"jsonrpc":"2.0","id":"\u0061\ud83d\ude00","method":"m"}`:               `request "\u0061\ud83d\ude00" "m" params=`,
		`{"jsonrpc":"2.0","id":"","method":""}`:                                  `request "" "" params=`,
		`{"jsonrpc":"2.\u0030","id":1,"m\u0065thod":"tools\/call","params":{}}`:  `request 1 "tools/call" params={}`,
		`{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1,"A":2,"id":null}}`: `request 1 "m" params={"a":1,"A":2,"id":null}`,
	} {
		m, err := envelope.Parse([]byte(body))
		if err != nil {
			t.Errorf("%s\n%v", body, err)
			continue
		}
		kind := map[envelope.Kind]string{envelope.Request: "request", envelope.Notification: "notification", envelope.Response: "response"}[m.Kind]
		if got := fmt.Sprintf("%s %s %q params=%s", kind, m.ID, m.Method, m.Params); got != want {
			t.Errorf("%s\n got %s\nwant %s", body, got, want)
		}
	}
}

// TestNoMessage holds texts that are JSON and no messages. The ID is there whenever it can be answered under.
func TestNoMessage(t *testing.T) {
	const twice = "an object has the same name twice"
	for body, want := range map[string]string{
		`[]`:   " a message is an object",
		`"x"`:  " a message is an object",
		`null`: " a message is an object",
		`[{"jsonrpc":"2.0","id":1,"method":"m"}]`: " a message is an object",
		`{}`:                                                  ` jsonrpc must be "2.0"`,
		`{"id":5,"method":"m"}`:                               `5 jsonrpc must be "2.0"`,
		`{"jsonrpc":2.0,"id":5,"method":"m"}`:                 `5 jsonrpc must be "2.0"`,
		`{"jsonrpc":"2","id":5,"method":"m"}`:                 `5 jsonrpc must be "2.0"`,
		`{"jsonrpc":"2.0","id":null,"method":"m"}`:            " id must be a string or an integer",
		`{"jsonrpc":"2.0","id":1.5,"method":"m"}`:             " id must be a string or an integer",
		`{"jsonrpc":"2.0","id":1.0,"method":"m"}`:             " id must be a string or an integer",
		`{"jsonrpc":"2.0","id":1e3,"method":"m"}`:             " id must be a string or an integer",
		`{"jsonrpc":"2.0","id":1E0,"method":"m"}`:             " id must be a string or an integer",
		`{"jsonrpc":"2.0","id":true,"method":"m"}`:            " id must be a string or an integer",
		`{"jsonrpc":"2.0","id":{},"method":"m"}`:              " id must be a string or an integer",
		`{"jsonrpc":"2.0","id":[1],"method":"m"}`:             " id must be a string or an integer",
		`{"jsonrpc":"2.0","id":"a"}`:                          `"a" method must be a string`,
		`{"jsonrpc":"2.0","id":"a","method":null}`:            `"a" method must be a string`,
		`{"jsonrpc":"2.0","id":"a","method":["m"]}`:           `"a" method must be a string`,
		`{"jsonrpc":"2.0","id":1,"method":"m","params":"x"}`:  `1 params must be an object or an array`,
		`{"jsonrpc":"2.0","id":1,"method":"m","params":null}`: `1 params must be an object or an array`,
		// Letter case, also as Unicode folds it: the long s, the Kelvin sign.
		`{"jsonrpc":"2.0","id":1,"Method":"m"}`:                 `1 a member is spelt like method but for letter case`,
		`{"jsonrpc":"2.0","id":1,"method":"m","METHOD":"n"}`:    `1 a member is spelt like method but for letter case`,
		`{"jsonrpc":"2.0","id":1,"method":"m","paramſ":{}}`:     `1 a member is spelt like params but for letter case`,
		`{"jsonrpc":"2.0","id":1,"method":"m","p\u0041rams":1}`: `1 a member is spelt like params but for letter case`,
		`{"jsonrpc":"2.0","ID":1,"method":"m"}`:                 ` a member is spelt like id but for letter case`,
		`{"jsonrpc":"2.0","id":1,"Result":{}}`:                  `1 a member is spelt like result but for letter case`,
		// Responses.
		`{"jsonrpc":"2.0","id":1,"method":"m","result":{}}`: `1 a message has either a method, or a result or an error`,
		`{"jsonrpc":"2.0","id":1,"method":"m","error":{}}`:  `1 a message has either a method, or a result or an error`,
		`{"jsonrpc":"2.0","id":1,"result":{},"error":{}}`:   `1 a response has either a result or an error`,
		`{"jsonrpc":"2.0","result":{}}`:                     ` a response must have an id`,
		// Names that are there twice, at any level and however they are spelt; the ID may come after them.
		`{"jsonrpc":"2.0","id":1,"id":2,"method":"m"}`:                                 " " + twice,
		`{"jsonrpc":"2.0","id":1,"method":"m","method":"m"}`:                           "1 " + twice,
		`{"method":"m","m\u0065thod":"m","jsonrpc":"2.0","id":1}`:                      "1 " + twice,
		`{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1,"\u0061":1}}`:            "1 " + twice,
		`{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[{"":1,"":1}]}}`:           "1 " + twice,
		`{"jsonrpc":"2.0","id":1,"method":"m","params":{` + manyNames("0") + `}}`:      "1 " + twice,
		`{"jsonrpc":"2.0","id":1,"method":"m","params":[{"/":0,"\/":0}],"x":{"y":{}}}`: "1 " + twice,
	} {
		id, reason, _ := strings.Cut(want, " ")
		check(t, body, envelope.InvalidRequest, "Invalid Request: "+reason, id)
	}
}

// manyNames returns members of 40 different names and one more.
func manyNames(last string) string {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, `"%d":{"0":1},`, i)
	}
	return b.String() + `"` + last + `":0`
}

// TestNoJSON holds texts that break JSON's rules, Unicode's, or the bound on nesting: there is never an ID.
func TestNoJSON(t *testing.T) {
	const head = `{"jsonrpc":"2.0","id":1,"method":"m","x":`
	for body, want := range map[string]string{
		``:                     "the text ends too early, at byte 0",
		`  `:                   "the text ends too early, at byte 2",
		"\ufeff{}":             "no value begins here, at byte 0",
		"\x00":                 "no value begins here, at byte 0",
		`{} {}`:                "something follows the value, at byte 3",
		`{}x`:                  "something follows the value, at byte 2",
		"{}\x00":               "something follows the value, at byte 2",
		`{`:                    "a name must follow, at byte 1",
		`{a:1}`:                "a name must follow, at byte 1",
		`{"a":1,}`:             "a name must follow, at byte 7",
		`{"a"}`:                "a colon must follow the name, at byte 4",
		`{"a":}`:               "no value begins here, at byte 5",
		`{"a":1`:               "a comma or a closing bracket must follow, at byte 6",
		`{"a":1]`:              "a comma or a closing bracket must follow, at byte 6",
		`[1,]`:                 "no value begins here, at byte 3",
		`[`:                    "the text ends too early, at byte 1",
		`nul`:                  "no value begins here, at byte 0",
		`nulL`:                 "no value begins here, at byte 0",
		`truefalse`:            "something follows the value, at byte 4",
		`-`:                    "a number lacks a digit, at byte 1",
		`01`:                   "something follows the value, at byte 1",
		`+1`:                   "no value begins here, at byte 0",
		`.5`:                   "no value begins here, at byte 0",
		`1.`:                   "a number lacks a digit after its point, at byte 2",
		`1e`:                   "a number lacks a digit in its exponent, at byte 2",
		`1e+-1`:                "a number lacks a digit in its exponent, at byte 3",
		`NaN`:                  "no value begins here, at byte 0",
		`"a`:                   "a string is not closed, at byte 2",
		`"a\`:                  "a string is not closed, at byte 3",
		`"\u12`:                "a string is not closed, at byte 3",
		`"\n` + "\n" + `"`:     "a string holds a control character, at byte 3",
		"\"a\tb\"":             "a string holds a control character, at byte 2",
		`"\x41"`:               "a string holds an unknown escape, at byte 2",
		`"\u00g0"`:             "an escape wants four hexadecimal digits, at byte 3",
		head + `"\ud800"}`:     "a string holds half a surrogate pair, at byte 48",
		head + `"\udc00"}`:     "a string holds half a surrogate pair, at byte 48",
		head + `"\ud800x"}`:    "a string holds half a surrogate pair, at byte 48",
		head + `"\ud800\n"}`:   "a string holds half a surrogate pair, at byte 48",
		`{"\ud800\ud800":1}`:   "a string holds half a surrogate pair, at byte 14",
		head + "\"\xff\"}":     "the text is not UTF-8",
		head + "\"\xc0\x80\"}": "the text is not UTF-8",
		// A surrogate written as if it were a character of UTF-8.
		head + "\"\xed\xa0\x80\"}":             "the text is not UTF-8",
		head + nested(envelope.MaxDepth) + `}`: "the text is nested more than 1000 levels deep, at byte 1040",
	} {
		check(t, body, envelope.ParseError, "Parse error: "+want, "")
	}
	if _, err := envelope.Parse([]byte(head + nested(envelope.MaxDepth-1) + `}`)); err != nil {
		t.Errorf("a body of the greatest depth: %v", err)
	}
}

func nested(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }

func check(t *testing.T, body string, code int, text, id string) {
	t.Helper()
	m, err := envelope.Parse([]byte(body))
	switch {
	case err == nil:
		t.Errorf("%.200s\nis accepted: %+v", body, m)
	case err.Code != code || err.Message != text || string(err.ID) != id || (id == "") != (err.ID == nil):
		t.Errorf("%.200s\n got %d %q %s\nwant %d %q %s", body, err.Code, err.Message, err.ID, code, text, id)
	}
}
