package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"almanac/internal/domain"
	"almanac/internal/filter"
)

// errSyntax means that a script has a syntax error.
var errSyntax = errors.New("mistake in the script")

// scanner scans a line of a script from left to right.
type scanner struct{ rest string }

func (s *scanner) end() bool {
	s.rest = strings.TrimLeft(s.rest, " ")
	return s.rest == ""
}

// word returns everything up to the next space.
func (s *scanner) word() string { return s.until(" ") }

func (s *scanner) until(mark string) string {
	s.end()
	var text string
	text, s.rest, _ = strings.Cut(s.rest, mark)
	return text
}

// operator returns the next operator, if there is one.
func (s *scanner) operator() (filter.Operator, bool) {
	s.end()
	for _, operator := range operators {
		if rest, ok := strings.CutPrefix(s.rest, string(operator)); ok && (rest == "" || rest[0] == ' ') {
			s.rest = rest
			return operator, true
		}
	}
	return "", false
}

// value returns a JSON value as written, including spaces inside it, or else a word.
func (s *scanner) value() (string, error) {
	if s.end() || !strings.ContainsRune(`"[{`, rune(s.rest[0])) {
		return s.word(), nil
	}
	d := json.NewDecoder(strings.NewReader(s.rest))
	var raw json.RawMessage
	if err := d.Decode(&raw); err != nil {
		return "", fmt.Errorf("%w: %s: %w", errSyntax, s.rest, err)
	}
	s.rest = s.rest[d.InputOffset():]
	return string(raw), nil
}

// parseJSON parses a string, a number, a boolean or a list of strings.
func parseJSON(raw string) (any, error) {
	var list []string
	if strings.HasPrefix(raw, "[") {
		if err := json.Unmarshal([]byte(raw), &list); err != nil {
			return nil, fmt.Errorf("%w: %s: %w", errSyntax, raw, err)
		}
		return list, nil
	}
	var value any
	if err := json.Unmarshal([]byte(raw), &value); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", errSyntax, raw, err)
	}
	return value, nil
}

// parseTime parses a time with its date, or a time of day on the fixed day of scripts.
func parseTime(text string) (domain.Micros, error) {
	if t, err := time.Parse("15:04:05.999999", text); err == nil {
		midnight := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
		return noon - day/2 + domain.Micros(t.Sub(midnight).Microseconds()), nil
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return 0, fmt.Errorf("%w: %q is no time", errSyntax, text)
	}
	return domain.MicrosOf(t), nil
}

// setField sets a field of a row. Names ignore case.
func setField(row any, name, raw string) error {
	field := reflect.ValueOf(row).Elem().FieldByNameFunc(func(n string) bool { return strings.EqualFold(n, name) })
	if !field.IsValid() {
		return fmt.Errorf("%w: no field is called %s", errSyntax, name)
	}
	var err error
	switch field := field.Addr().Interface().(type) {
	case *string:
		if *field = raw; strings.HasPrefix(raw, `"`) {
			err = json.Unmarshal([]byte(raw), field)
		}
	case *[]string, *bool, *int64, *float64:
		err = json.Unmarshal([]byte(raw), field)
	case *domain.Micros:
		*field, err = parseTime(raw)
	case *domain.OptInt:
		field.Set = true
		field.Value, err = strconv.ParseInt(raw, 10, 64)
	case *domain.OptFloat:
		field.Set = true
		field.Value, err = strconv.ParseFloat(raw, 64)
	default:
		err = fmt.Errorf("%w: fields like %s cannot be set", errSyntax, name)
	}
	return err
}
