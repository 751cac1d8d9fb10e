package catalog

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"
)

// column stores a field in another form than Go has it in. It is both a destination of Scan and an argument of a statement, as
// which storable takes it.
type column struct {
	read  func(stored any) error // nil, a string or an int64
	write func() any
	bytes int64 // length of the text that was read
}

// Scan reads what is stored.
func (c *column) Scan(stored any) error {
	if raw, ok := stored.([]byte); ok {
		stored = string(raw)
	}
	if text, ok := stored.(string); ok {
		c.bytes = int64(len(text))
	}
	return c.read(stored)
}

// Times are stored as milliseconds since 1970.

func millis(t time.Time) int64 { return t.UnixMilli() }

func fromMillis(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// asTime stores a time; the zero time is NULL.
func asTime(t *time.Time) *column {
	return &column{
		read: func(stored any) error {
			at, err := scanned[int64](stored)
			if *t = (time.Time{}); at != nil {
				*t = fromMillis(*at)
			}
			return err
		},
		write: func() any {
			if t.IsZero() {
				return nil
			}
			return millis(*t)
		},
	}
}

// asOptionalTime stores nil as NULL.
func asOptionalTime(t **time.Time) *column {
	return &column{
		read: func(stored any) error {
			at, err := scanned[int64](stored)
			if *t = nil; at != nil {
				*t = new(fromMillis(*at))
			}
			return err
		},
		write: func() any {
			if *t == nil {
				return nil
			}
			return millis(**t)
		},
	}
}

// asOptional stores the zero value as NULL.
func asOptional[T comparable](v *T) *column {
	return &column{
		read: func(stored any) error {
			found, err := scanned[T](stored)
			if *v = *new(T); found != nil {
				*v = *found
			}
			return err
		},
		write: func() any {
			if *v == *new(T) {
				return nil
			}
			return *v
		},
	}
}

// asRaw stores JSON as it is, and nil as NULL.
func asRaw(raw *json.RawMessage) *column {
	return &column{
		read: func(stored any) error {
			text, err := scanned[string](stored)
			if *raw = nil; text != nil {
				*raw = json.RawMessage(*text)
			}
			return err
		},
		write: func() any {
			if *raw == nil {
				return nil
			}
			return string(*raw)
		},
	}
}

// asJSON stores a value as JSON text.
func asJSON[T any](v *T) *column {
	return &column{
		read: func(stored any) error {
			text, err := scanned[string](stored)
			if text == nil {
				return err
			}
			return json.Unmarshal([]byte(*text), v)
		},
		write: func() any { return textOf(*v) },
	}
}

// asOptionalJSON stores a list as JSON text, and nil, which differs from an empty list, as NULL.
func asOptionalJSON[T any](list *[]T) *column {
	c := asJSON(list)
	write := c.write
	c.write = func() any {
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

// storable returns the arguments of a statement as every database takes them. PostgreSQL refuses texts with a zero byte and those
// that are not UTF-8: what cannot be kept becomes the replacement character, in what is stored and in what is looked for.
func storable(args []any) []any {
	out := make([]any, len(args))
	for n, arg := range args {
		out[n] = storableValue(arg)
	}
	return out
}

func storableValue(arg any) any {
	if c, ok := arg.(*column); ok {
		arg = c.write()
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
