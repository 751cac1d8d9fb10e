package decode

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"almanac/internal/jsontext"
)

// ErrNotJSON means that a text is not one JSON value, or is nested more deeply than jsontext.MaxDepth.
var ErrNotJSON = errors.New("not valid JSON")

// CheckJSON reports whether the text is one JSON value that is not nested too deeply.
func CheckJSON(text []byte) error {
	if !jsontext.Valid(jsontext.View(text)) {
		return ErrNotJSON
	}
	return nil
}

// Value is one JSON value of a body, or the absence of one, with its path.
type Value struct {
	raw    json.RawMessage // nil if absent
	path   []any
	issues *Issues
}

// NewBody returns a reader of a body that CheckJSON accepts. A nil body is an absent one.
func NewBody(raw []byte) Value {
	return Value{raw: bytes.TrimSpace(raw), issues: new(Issues)}
}

// NewText returns a reader of a body that is plain text, which fits where a string is expected.
func NewText(text string) Value {
	return NewBody(jsontext.AppendString(nil, text))
}

// Err returns an *Invalid with all issues of the body, or nil.
func (v Value) Err() error { return v.issues.Err() }

// Path returns where in the body the value is.
func (v Value) Path() []any { return v.path }

// Raw returns the value's text; nil if it is absent.
func (v Value) Raw() json.RawMessage { return v.raw }

// Reject records an issue of the caller's.
func (v Value) Reject(i Issue) { v.issues.Add(i) }

// WithOwnIssues returns the value with issues of its own, for items that are accepted or refused one by one.
func (v Value) WithOwnIssues() Value {
	v.issues = new(Issues)
	return v
}

// Kind returns the value's type: string, number, boolean, array, object, null or undefined.
func (v Value) Kind() string {
	if len(v.raw) == 0 {
		return "undefined"
	}
	switch v.raw[0] {
	case '"':
		return "string"
	case '{':
		return "object"
	case '[':
		return "array"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

func (v Value) is(kind string) bool {
	if got := v.Kind(); got != kind {
		v.issues.Add(WrongType(v.path, kind, got))
		return false
	}
	return true
}

// Text returns a string.
func (v Value) Text() string {
	if !v.is("string") {
		return ""
	}
	text, _ := jsontext.Unquote(string(v.raw))
	return validUTF8(text)
}

// validUTF8 replaces bytes that are not UTF-8 one by one, as encoding/json does.
func validUTF8(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string([]rune(text))
}

// TextLen returns a string of minimum to maximum characters, counted as JavaScript clients count them.
func (v Value) TextLen(minimum, maximum int) string { return v.checkLen(v.Text(), minimum, maximum) }

// TrimmedLen is TextLen without the blanks around the string.
func (v Value) TrimmedLen(minimum, maximum int) string {
	return v.checkLen(strings.TrimFunc(v.Text(), isBlank), minimum, maximum)
}

// isBlank reports whether JavaScript trims the character.
func isBlank(r rune) bool { return unicode.IsSpace(r) && r != '\u0085' || r == '\uFEFF' }

func (v Value) checkLen(s string, minimum, maximum int) string {
	if v.Kind() != "string" {
		return ""
	}
	length := 0
	for _, r := range s {
		length += utf16.RuneLen(r)
	}
	if length < minimum {
		v.issues.Add(TooShort(v.path, "string", minimum))
	}
	if length > maximum {
		v.issues.Add(TooLong(v.path, "string", maximum))
	}
	return s
}

// Enum returns a string that is one of the allowed ones.
func (v Value) Enum(allowed ...string) string {
	if v.Kind() == "string" {
		if s := v.Text(); slices.Contains(allowed, s) {
			return s
		}
	}
	v.issues.Add(NotInEnum(v.path, allowed))
	return ""
}

// Bool returns a boolean.
func (v Value) Bool() bool { return v.is("boolean") && v.raw[0] == 't' }

// Number returns a number.
func (v Value) Number() float64 {
	if !v.is("number") {
		return 0
	}
	f, err := strconv.ParseFloat(string(v.raw), 64)
	if err != nil { // only a range error can be left in valid JSON
		v.issues.Add(WrongType(v.path, "number", "Infinity"))
		return 0
	}
	return f
}

// Within returns a number from minimum to maximum.
func (v Value) Within(minimum, maximum float64) float64 {
	f := v.Number()
	return v.checkRange(f, minimum, maximum)
}

// IntWithin returns a number without a fraction from minimum to maximum.
func (v Value) IntWithin(minimum, maximum int) int {
	return int(v.checkRange(float64(v.Int()), float64(minimum), float64(maximum)))
}

func (v Value) checkRange(f, minimum, maximum float64) float64 {
	switch {
	case v.Kind() != "number":
	case f < minimum:
		v.issues.Add(TooSmall(v.path, minimum, false))
	case f > maximum:
		v.issues.Add(TooBig(v.path, maximum))
	}
	return f
}

// ArrayLen returns the items of an array that has from minimum to maximum of them; none if it has not.
func (v Value) ArrayLen(minimum, maximum int) []Value {
	switch count := v.Len(); {
	case v.Kind() != "array":
	case count < minimum:
		v.issues.Add(TooShort(v.path, "array", minimum))
		return nil
	case count > maximum: // before its items are read
		v.issues.Add(TooLong(v.path, "array", maximum))
		return nil
	}
	return v.Array()
}

// Int returns a number without a fraction.
func (v Value) Int() int {
	f := v.Number()
	if f != math.Trunc(f) || math.Abs(f) > maxSafeInteger {
		v.issues.Add(NotAnInteger(v.path))
		return 0
	}
	return int(f)
}

// Time returns a date and time with its zone, in UTC and cut to milliseconds.
func (v Value) Time() time.Time {
	if !v.is("string") {
		return time.Time{}
	}
	t, ok := ParseDatetime(v.Text())
	if !ok {
		v.issues.Add(NotADatetime(v.path))
	}
	return t
}

// WebAddress returns an absolute http or https URL of at most maximum characters.
func (v Value) WebAddress(maximum int) string {
	s := v.TextLen(0, maximum)
	if v.Kind() != "string" {
		return ""
	}
	if u, err := url.Parse(s); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		v.issues.Add(NotAURL(v.path))
	}
	return s
}

// Instant returns a date and time with its zone, in UTC and as precise as it was sent.
func (v Value) Instant() time.Time {
	if !v.is("string") {
		return time.Time{}
	}
	t, ok := ParseInstant(v.Text())
	if !ok {
		v.issues.Add(NotADatetime(v.path))
	}
	return t
}

// Len returns how many items an array has, at little cost: ask it before Array where clients decide. It is 0 for what is none.
func (v Value) Len() int {
	if v.Kind() != "array" {
		return 0
	}
	n := 0
	for e := jsontext.ElementsOf(jsontext.View(v.raw)); e.Next(); {
		n++
	}
	return n
}

// Array returns the items of an array.
func (v Value) Array() []Value {
	if !v.is("array") {
		return nil
	}
	values := make([]Value, 0, v.Len())
	for e := jsontext.ElementsOf(jsontext.View(v.raw)); e.Next(); {
		values = append(values, Value{raw: v.part(e.Start, e.End), path: v.inner(len(values)), issues: v.issues})
	}
	return values
}

func (v Value) part(from, to int) json.RawMessage { return v.raw[from:to:to] }

func (v Value) inner(step any) []any {
	return append(append(make([]any, 0, len(v.path)+1), v.path...), step)
}

// Object returns the members of an object. It is never nil: the members of what is not an object are absent,
// and only the wrong type is an issue.
func (v Value) Object() *Object {
	o := &Object{value: v}
	if !v.is("object") {
		o.missing = true
		return o
	}
	o.members = make(map[string]json.RawMessage)
	for m := jsontext.MembersOf(jsontext.View(v.raw)); m.Next(); {
		key := strings.Clone(validUTF8(m.Key())) // the body may be gone before it
		if _, twice := o.members[key]; twice {
			o.repeated = append(o.repeated, key)
		} else {
			o.order = append(o.order, key)
		}
		o.members[key] = v.part(m.Start, m.End) // the last of several members with one name counts
	}
	return o
}

// Object reads the members of a JSON object.
type Object struct {
	value    Value
	missing  bool // not an object at all: an issue says so, and its members need none of their own
	members  map[string]json.RawMessage
	order    []string
	repeated []string
	read     []string
}

// Field returns the member with this name, absent or not.
func (o *Object) Field(name string) Value {
	o.read = append(o.read, name)
	v := Value{raw: o.members[name], path: o.value.inner(name), issues: o.value.issues}
	if o.missing {
		v.issues = new(Issues)
	}
	return v
}

// Strict records an issue for members that were not read. Call it after reading all of them.
func (o *Object) Strict() {
	var unknown []string
	for _, name := range o.order {
		if !slices.Contains(o.read, name) {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) > 0 {
		o.value.issues.Add(UnknownKeys(o.value.path, unknown))
	}
}

// Err returns an *Invalid with all issues of the whole body, or nil.
func (o *Object) Err() error { return o.value.Err() }

// Optional reads a value that may be absent: nil then.
func Optional[T any](v Value, read func(Value) T) *T {
	if v.Kind() == "undefined" {
		return nil
	}
	t := read(v)
	return &t
}

// Nullish reads a value that may be absent or null: nil then.
func Nullish[T any](v Value, read func(Value) T) *T {
	if v.Kind() == "null" {
		return nil
	}
	return Optional(v, read)
}

// OptionalOr reads a value that may be absent: the other one then.
func OptionalOr[T any](v Value, read func(Value) T, other T) T {
	if t := Optional(v, read); t != nil {
		return *t
	}
	return other
}

// NullishOr reads a value that may be absent or null: the other one then.
func NullishOr[T any](v Value, read func(Value) T, other T) T {
	if t := Nullish(v, read); t != nil {
		return *t
	}
	return other
}

// Set changes a value unless there is no new one.
func Set[T any](value, change *T) {
	if change != nil {
		*value = *change
	}
}

// RejectNoChange rejects the body of a change that changes nothing.
func (v Value) RejectNoChange(none bool) {
	if none && v.Kind() == "object" && v.Err() == nil {
		v.Reject(Violation(nil, "At least one field must be provided"))
	}
}

// RejectPresent rejects a member that must be absent.
func (v Value) RejectPresent() {
	if kind := v.Kind(); kind != "undefined" {
		v.Reject(WrongType(v.path, "undefined", kind))
	}
}

// RejectUnlessNull rejects a member that must be absent or null.
func (v Value) RejectUnlessNull() {
	if v.Kind() != "null" {
		v.RejectPresent()
	}
}
