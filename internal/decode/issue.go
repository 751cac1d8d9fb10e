package decode

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/jsontext"
)

// Issue is a problem with a request. Its JSON form has a fixed member order: members before the code, the code, members
// after it, then path and message.
type Issue struct {
	Code    string
	Path    []any // strings and ints, from the parameter or body member inwards
	Message string

	before, after []member
}

type member struct {
	name  string
	value any
}

// MarshalJSON writes the members in the order clients expect.
func (i Issue) MarshalJSON() ([]byte, error) {
	members := make([]member, 0, len(i.before)+len(i.after)+3)
	members = append(members, i.before...)
	members = append(members, member{"code", i.Code})
	members = append(members, i.after...)
	path := i.Path
	if path == nil {
		path = []any{}
	}
	members = append(members, member{"path", path}, member{"message", i.Message})

	out := []byte{'{'}
	for n, m := range members {
		if n > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendQuote(out, m.name)
		out = append(out, ':')
		value, err := jsontext.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		out = append(out, value...)
	}
	return append(out, '}'), nil
}

// WrongType says that a value of another JSON type was expected. Types are string, number, boolean, array,
// object, null and undefined (absent).
func WrongType(path []any, expected, received string) Issue {
	return Issue{
		Code: "invalid_type", Path: path,
		Message: "Invalid input: expected " + expected + ", received " + received,
		before:  []member{{"expected", expected}},
	}
}

// NotANumber says that a string cannot be parsed as a number.
func NotANumber(path []any) Issue {
	i := WrongType(path, "number", "NaN")
	i.after = []member{{"received", "NaN"}}
	return i
}

// NotAnInteger says that a number has a fraction, or is too large to be exact.
func NotAnInteger(path []any) Issue {
	i := WrongType(path, "int", "number")
	i.before = append(i.before, member{"format", "safeint"})
	return i
}

// TooBig says that a number is above its maximum.
func TooBig(path []any, maximum float64) Issue {
	return outOfBounds(path, "too_big", "number", "to be <="+formatNumber(maximum), member{"maximum", maximum}, true)
}

// TooSmall says that a number is below its minimum, or, if exclusive, not above it.
func TooSmall(path []any, minimum float64, exclusive bool) Issue {
	sign := ">="
	if exclusive {
		sign = ">"
	}
	return outOfBounds(path, "too_small", "number", "to be "+sign+formatNumber(minimum), member{"minimum", minimum}, !exclusive)
}

// TooLong says that a string has too many characters or an array too many items; origin is "string" or "array".
func TooLong(path []any, origin string, maximum int) Issue {
	return outOfBounds(path, "too_big", origin, "to have <="+strconv.Itoa(maximum)+lengthUnit(origin), member{"maximum", maximum}, true)
}

// TooShort is the counterpart of TooLong.
func TooShort(path []any, origin string, minimum int) Issue {
	return outOfBounds(path, "too_small", origin, "to have >="+strconv.Itoa(minimum)+lengthUnit(origin), member{"minimum", minimum}, true)
}

// outOfBounds says that a value violates the rule about a bound.
func outOfBounds(path []any, code, origin, rule string, bound member, inclusive bool) Issue {
	problem := "Too big"
	if code == "too_small" {
		problem = "Too small"
	}
	return Issue{
		Code: code, Path: path, Message: problem + ": expected " + origin + " " + rule,
		before: []member{{"origin", origin}},
		after:  []member{bound, {"inclusive", inclusive}},
	}
}

func lengthUnit(origin string) string {
	if origin == "array" {
		return " items"
	}
	return " characters"
}

// NotInEnum says that a value is not one of the allowed ones.
func NotInEnum(path []any, allowed []string) Issue {
	quoted := make([]string, len(allowed))
	for n, a := range allowed {
		quoted[n] = `"` + a + `"`
	}
	message := "Invalid option: expected one of " + strings.Join(quoted, "|")
	if len(allowed) == 1 {
		message = "Invalid input: expected " + quoted[0]
	}
	return Issue{Code: "invalid_value", Path: path, Message: message, after: []member{{"values", allowed}}}
}

// NotADatetime says that a string is not a date and time with a time zone.
func NotADatetime(path []any) Issue {
	return Issue{
		Code: "invalid_format", Path: path, Message: "Invalid ISO datetime",
		before: []member{{"origin", "string"}},
		after:  []member{{"format", "datetime"}, {"pattern", "/" + datetimePattern + "/"}},
	}
}

// NotMatching says, with the caller's message, that a string does not match a pattern.
func NotMatching(path []any, pattern, message string) Issue {
	return Issue{
		Code: "invalid_format", Path: path, Message: message,
		before: []member{{"origin", "string"}},
		after:  []member{{"format", "regex"}, {"pattern", pattern}},
	}
}

// NotAURL says that a string is not an absolute http or https URL.
func NotAURL(path []any) Issue {
	return Issue{Code: "invalid_format", Path: path, Message: "Invalid URL", after: []member{{"format", "url"}}}
}

// NotADate says that a string cannot be parsed as a date, in the lenient form of ParseDate.
func NotADate(path []any) Issue {
	i := WrongType(path, "date", "Date")
	i.after = []member{{"received", "Invalid Date"}}
	return i
}

// Violation says that a custom rule is broken.
func Violation(path []any, message string) Issue {
	return Issue{Code: "custom", Path: path, Message: message}
}

// UnknownKeys says that a strict object has unknown members.
func UnknownKeys(path []any, keys []string) Issue {
	quoted := make([]string, len(keys))
	for n, k := range keys {
		quoted[n] = `"` + k + `"`
	}
	word := "Unrecognized key: "
	if len(keys) > 1 {
		word = "Unrecognized keys: "
	}
	return Issue{
		Code: "unrecognized_keys", Path: path, Message: word + strings.Join(quoted, ", "),
		after: []member{{"keys", keys}},
	}
}

// NoDiscriminator says that the member that selects a variant has an unknown value.
func NoDiscriminator(path []any, discriminator string) Issue {
	return Issue{
		Code: "invalid_union", Path: path, Message: "Invalid input",
		after: []member{{"errors", []Issue{}}, {"note", "No matching discriminator"}, {"discriminator", discriminator}},
	}
}

// NoVariant says that a value fits none of several variants, with what each variant found wrong.
func NoVariant(path []any, perVariant ...[]Issue) Issue {
	return Issue{
		Code: "invalid_union", Path: path, Message: "Invalid input",
		after: []member{{"errors", perVariant}},
	}
}

func formatNumber(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// Invalid is returned for a request whose parameters or body do not fit.
type Invalid struct{ Issues []Issue }

func (e *Invalid) Error() string {
	texts := make([]string, len(e.Issues))
	for n, i := range e.Issues {
		texts[n] = i.Message
	}
	return "invalid request data: " + strings.Join(texts, "; ")
}

// Indented returns the issues as JSON indented by two spaces per level, for responses that embed them as a string.
func (e *Invalid) Indented() string {
	compact, err := jsontext.Marshal(e.Issues)
	if err != nil {
		panic("BUG: issues do not marshal: " + err.Error())
	}
	var b bytes.Buffer
	if err := json.Indent(&b, compact, "", "  "); err != nil {
		panic("BUG: issues are no JSON: " + err.Error())
	}
	return b.String()
}

// AllowsFurtherChecks reports whether rules about the value as a whole should still be checked. They should not if a
// member has the wrong type, since they would only report consequences of that.
func (e *Invalid) AllowsFurtherChecks() bool {
	return !slices.ContainsFunc(e.Issues, func(i Issue) bool { return strings.HasPrefix(i.Code, "invalid_") && i.Code != "invalid_format" })
}

// maxIssues is the maximum number of issues collected for a request; even a body with a million wrong items needs no
// more.
const maxIssues = 100

// Issues collects issues in the order found.
type Issues struct{ list []Issue }

// Add records an issue.
func (x *Issues) Add(i Issue) {
	if len(x.list) < maxIssues {
		x.list = append(x.list, i)
	}
}

// Has reports whether an issue with one of the given codes was recorded.
func (x *Issues) Has(codes ...string) bool {
	return slices.ContainsFunc(x.list, func(i Issue) bool { return slices.Contains(codes, i.Code) })
}

// Err returns an *Invalid with all recorded issues, or nil if there are none.
func (x *Issues) Err() error {
	if len(x.list) == 0 {
		return nil
	}
	return &Invalid{Issues: x.list}
}
