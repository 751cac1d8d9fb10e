package tables

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"
)

// Column stores a field in another form than it has in Go. It is both a destination for Scan and an argument for
// statements, where sanitized converts it.
type Column struct {
	Read  func(stored any) error // nil, a string or an int64
	Write func() any
	bytes int64 // length of the string that was read
}

// Scan reads the stored value.
func (c *Column) Scan(stored any) error {
	if raw, ok := stored.([]byte); ok {
		stored = string(raw)
	}
	if text, ok := stored.(string); ok {
		c.bytes = int64(len(text))
	}
	return c.Read(stored)
}

// Millis returns a time as it is stored, in milliseconds since 1970.
func Millis(t time.Time) int64 { return t.UnixMilli() }

// FromMillis returns the time for a stored number of milliseconds.
func FromMillis(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// AsTime stores a time; the zero time is stored as NULL.
func AsTime(t *time.Time) *Column {
	return &Column{
		Read: func(stored any) error {
			at, err := scanned[int64](stored)
			if *t = (time.Time{}); at != nil {
				*t = FromMillis(*at)
			}
			return err
		},
		Write: func() any {
			if t.IsZero() {
				return nil
			}
			return Millis(*t)
		},
	}
}

// AsOptionalTime stores nil as NULL.
func AsOptionalTime(t **time.Time) *Column {
	return &Column{
		Read: func(stored any) error {
			at, err := scanned[int64](stored)
			if *t = nil; at != nil {
				*t = new(FromMillis(*at))
			}
			return err
		},
		Write: func() any {
			if *t == nil {
				return nil
			}
			return Millis(**t)
		},
	}
}

// AsOptional stores the zero value as NULL.
func AsOptional[T comparable](v *T) *Column {
	return &Column{
		Read: func(stored any) error {
			found, err := scanned[T](stored)
			if *v = *new(T); found != nil {
				*v = *found
			}
			return err
		},
		Write: func() any {
			if *v == *new(T) {
				return nil
			}
			return *v
		},
	}
}

// AsRaw stores JSON as it is, and nil as NULL.
func AsRaw(raw *json.RawMessage) *Column {
	return &Column{
		Read: func(stored any) error {
			text, err := scanned[string](stored)
			if *raw = nil; text != nil {
				*raw = json.RawMessage(*text)
			}
			return err
		},
		Write: func() any {
			if *raw == nil {
				return nil
			}
			return string(*raw)
		},
	}
}

// AsJSON stores a value as JSON.
func AsJSON[T any](v *T) *Column {
	return &Column{
		Read: func(stored any) error {
			text, err := scanned[string](stored)
			if text == nil {
				return err
			}
			return json.Unmarshal([]byte(*text), v)
		},
		Write: func() any { return TextOf(*v) },
	}
}

// AsOptionalJSON stores a list as JSON, and nil, as opposed to an empty list, as NULL.
func AsOptionalJSON[T any](list *[]T) *Column {
	c := AsJSON(list)
	write := c.Write
	c.Write = func() any {
		if *list == nil {
			return nil
		}
		return write()
	}
	return c
}

// scanned returns nil for NULL.
func scanned[T any](stored any) (*T, error) {
	var v sql.Null[T]
	if err := v.Scan(stored); err != nil {
		return nil, fmt.Errorf("unexpected value in a column: %w", err)
	}
	if !v.Valid {
		return nil, nil
	}
	return &v.V, nil
}

// sanitized converts the arguments of a statement to values that every database accepts. PostgreSQL refuses strings with
// zero bytes or invalid UTF-8: these parts become the replacement character, both when storing and when looking up.
func sanitized(args []any) []any {
	out := make([]any, len(args))
	for n, arg := range args {
		out[n] = StorableValue(arg)
	}
	return out
}

// StorableValue converts one argument of a statement to a value that every database accepts.
func StorableValue(arg any) any {
	if c, ok := arg.(*Column); ok {
		arg = c.Write()
	}
	v := reflect.ValueOf(arg)
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Invalid:
		return nil
	case reflect.String:
		return strings.ReplaceAll(strings.ToValidUTF8(v.String(), "\uFFFD"), "\x00", "\uFFFD")
	}
	return v.Interface()
}
