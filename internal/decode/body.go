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

// ErrNotJSON means that the input is not a single JSON value, or is nested more deeply than jsontext.MaxDepth.
var ErrNotJSON = errors.New("not valid JSON")

// CheckJSON returns ErrNotJSON unless text is a single JSON value that is not nested too deeply.
func CheckJSON(text []byte) error {
	if !jsontext.Valid(jsontext.View(text)) {
		return ErrNotJSON
	}
	return nil
}

// Value is a JSON value in a body, which may be absent, with its path.
type Value struct {
	raw    json.RawMessage // nil if absent
	path   []any
	issues *Issues
}

// NewBody returns a reader for a body that CheckJSON accepts. A nil body is absent.
func NewBody(raw []byte) Value {
	return Value{raw: bytes.TrimSpace(raw), issues: new(Issues)}
}

// NewText returns a reader for a plain text body, which fits where a string is expected.
func NewText(text string) Value {
	return NewBody(jsontext.AppendString(nil, text))
}

// Err returns an *Invalid with all issues of the body, or nil if there are none.
func (v Value) Err() error { return v.issues.Err() }

// Path returns the position of the value in the body.
func (v Value) Path() []any { return v.path }

// Raw returns the JSON text of the value, or nil if it is absent.
func (v Value) Raw() json.RawMessage { return v.raw }

// Reject records an issue found by the caller.
func (v Value) Reject(i Issue) { v.issues.Add(i) }

// WithOwnIssues returns the value with its own list of issues, for items that are accepted or rejected one by one.
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

// validUTF8 replaces each invalid UTF-8 byte, as encoding/json does.
func validUTF8(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string([]rune(text))
}

// TextLen returns a string of minimum to maximum characters, counted in UTF-16 code units as JavaScript clients do.
func (v Value) TextLen(minimum, maximum int) string { return v.checkLen(v.Text(), minimum, maximum) }

// TrimmedLen is like TextLen, but trims surrounding whitespace first.
func (v Value) TrimmedLen(minimum, maximum int) string {
	return v.checkLen(strings.TrimFunc(v.Text(), isBlank), minimum, maximum)
}

// isBlank reports whether JavaScript trims r.
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

// Enum returns a string that is one of the allowed values.
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
	if err != nil { // valid JSON leaves only range errors
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

// ArrayLen returns the items of an array that has minimum to maximum of them, or nil if the length is out of bounds.
func (v Value) ArrayLen(minimum, maximum int) []Value {
	switch count := v.Len(); {
	case v.Kind() != "array":
	case count < minimum:
		v.issues.Add(TooShort(v.path, "array", minimum))
		return nil
	case count > maximum: // checked before the items are read
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

// Time returns a date and time with a time zone, in UTC and truncated to milliseconds.
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

// WebAddress returns an absolute http or https URL of at most maximum characters, without credentials: those who can read
// the URL would see them.
func (v Value) WebAddress(maximum int) string {
	s := v.TextLen(0, maximum)
	if v.Kind() != "string" {
		return ""
	}
	switch u, err := url.Parse(s); {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		v.issues.Add(NotAURL(v.path))
	case u.User != nil:
		v.issues.Add(Violation(v.path, "The URL holds a user name or a password: anybody who can read it would see them"))
	}
	return s
}

// Instant returns a date and time with a time zone, in UTC and as precise as it was sent.
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

// Len returns the number of items in an array, or 0 if the value is not an array. It is cheap: call it before Array
// when the client controls the length.
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

// Object returns the members of an object. It is never nil: if the value is not an object, all members are absent and
// only the wrong type is recorded as an issue.
func (v Value) Object() *Object {
	o := &Object{value: v}
	if !v.is("object") {
		o.missing = true
		return o
	}
	o.members = make(map[string]json.RawMessage)
	for m := jsontext.MembersOf(jsontext.View(v.raw)); m.Next(); {
		key := strings.Clone(validUTF8(m.Key())) // the key may outlive the body
		if _, twice := o.members[key]; twice {
			o.repeated = append(o.repeated, key)
		} else {
			o.order = append(o.order, key)
		}
		o.members[key] = v.part(m.Start, m.End) // the last of several members with the same name wins
	}
	return o
}

// Object reads the members of a JSON object.
type Object struct {
	value    Value
	missing  bool // not an object: that is already an issue, and members add none
	members  map[string]json.RawMessage
	order    []string
	repeated []string
	read     []string
}

// Field returns the named member, which may be absent.
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

// Err returns an *Invalid with all issues of the whole body, or nil if there are none.
func (o *Object) Err() error { return o.value.Err() }

// Optional reads a value that may be absent, in which case it returns nil.
func Optional[T any](v Value, read func(Value) T) *T {
	if v.Kind() == "undefined" {
		return nil
	}
	t := read(v)
	return &t
}

// Nullish reads a value that may be absent or null, in which case it returns nil.
func Nullish[T any](v Value, read func(Value) T) *T {
	if v.Kind() == "null" {
		return nil
	}
	return Optional(v, read)
}

// OptionalOr reads a value that may be absent, in which case it returns other.
func OptionalOr[T any](v Value, read func(Value) T, other T) T {
	if t := Optional(v, read); t != nil {
		return *t
	}
	return other
}

// NullishOr reads a value that may be absent or null, in which case it returns other.
func NullishOr[T any](v Value, read func(Value) T, other T) T {
	if t := Nullish(v, read); t != nil {
		return *t
	}
	return other
}

// Set assigns *change to *value unless change is nil.
func Set[T any](value, change *T) {
	if change != nil {
		*value = *change
	}
}

// RejectNoChange rejects the body of an update that changes nothing.
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
