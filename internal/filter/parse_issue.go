package filter

import (
	"errors"
	"fmt"
	"strings"
)

// ErrNotJSON means that the text of a filter is not one JSON value.
var ErrNotJSON = errors.New("the filter is not valid JSON")

// Refused is the error of a filter that is well-formed but makes no sense, or asks for too much. The message is for the
// client.
type Refused struct{ Message string }

func (e *Refused) Error() string { return e.Message }

func refuse(format string, args ...any) *Refused { return &Refused{fmt.Sprintf(format, args...)} }

// Invalid is the error of a filter whose conditions do not have the form they should.
type Invalid struct{ Issues []Issue }

func (e *Invalid) Error() string {
	texts := make([]string, len(e.Issues))
	for n, issue := range e.Issues {
		texts[n] = issue.String()
	}
	return "invalid filter: " + strings.Join(texts, "; ")
}

// The codes of issues, as clients know them.
const (
	WrongType  = "invalid_type"  // the value is of another JSON type: Expected, Received
	WrongValue = "invalid_value" // it is none of the texts allowed: Allowed has one list
	WrongUnion = "invalid_union" // it is in none of the lists Allowed; if there is none, the type of the condition is unknown
	TooBig     = "too_big"       // it is longer than Maximum: Origin
	Violation  = "custom"        // another rule is broken: Message
)

// Issue is one thing wrong with the form of a filter. The code says what it is, and which of the members below are set.
// The caller must not change it.
type Issue struct {
	Code string
	Path []any // strings and ints, from the parameter inwards

	Expected, Received string     // types of JSON values; "undefined" is an absent one, "date" a point in time
	Allowed            [][]string // one list for each way to fit
	Origin             string     // what is too long: "string" or "array"
	Maximum            int        // characters of a string, items of an array
	Message            string
}

// String describes the issue to developers.
func (i Issue) String() string {
	at := strings.TrimSpace(fmt.Sprintln(i.Path...)) // with blanks between the steps
	switch {
	case i.Code == WrongType:
		return fmt.Sprintf("%s: expected %s, received %s", at, i.Expected, i.Received)
	case i.Code == WrongUnion && len(i.Allowed) == 0:
		return at + ": there is no such type"
	case i.Code == WrongValue || i.Code == WrongUnion:
		return fmt.Sprintf("%s: expected one of %q", at, i.Allowed)
	case i.Code == TooBig:
		return fmt.Sprintf("%s: the %s is longer than %d", at, i.Origin, i.Maximum)
	}
	return at + ": " + i.Message
}

// maxIssues bounds how many issues one filter can collect; a list of a thousand wrong values needs no more.
const maxIssues = 100

func (p *parser) add(issue Issue) {
	if len(p.issues) < maxIssues {
		p.issues = append(p.issues, issue)
	}
}

func (p *parser) wrongType(v jsonValue, expected, received string) {
	p.add(Issue{Code: WrongType, Path: v.path, Expected: expected, Received: received})
}

func (p *parser) wrongValue(v jsonValue, allowed ...[]string) {
	code := WrongValue
	if len(allowed) != 1 {
		code = WrongUnion
	}
	p.add(Issue{Code: code, Path: v.path, Allowed: allowed})
}

func (p *parser) tooLong(v jsonValue, origin string, maximum int) {
	p.add(Issue{Code: TooBig, Path: v.path, Origin: origin, Maximum: maximum})
}

func (p *parser) violation(v jsonValue, message string) {
	p.add(Issue{Code: Violation, Path: v.path, Message: message})
}
