package pricing

import (
	"strconv"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

// attributeReader reads members of a row's JSON for conditions. It caches the last one, since the tiers of a model
// usually ask for the same member.
type attributeReader struct {
	row         *domain.Observation
	source, key string
	text        string
	ok          bool
}

// read returns a member as text if it is a string, a number or a boolean.
func (a *attributeReader) read(source, key string) (text string, ok bool) {
	if a.source == source && a.key == key {
		return a.text, a.ok
	}
	a.source, a.key, a.text, a.ok = source, key, "", false
	switch source {
	case domain.SourceModelParameters:
		a.text, a.ok = memberText(a.row.ModelParameters, key)
	case domain.SourceMetadata:
		a.text, a.ok = memberText(a.row.Metadata, key)
	}
	return a.text, a.ok
}

// memberText returns a top-level member of a JSON object as text if it is a string, a number or a boolean. Numbers are
// formatted as in JavaScript.
func memberText(object, key string) (text string, ok bool) {
	// An object that does not contain the key as text has no such member, unless something in it is escaped.
	if !strings.Contains(object, key) && strings.IndexByte(object, '\\') < 0 {
		return "", false
	}
	for m := jsontext.CheckedMembersOf(object); m.Next(); {
		if m.Key() == key {
			return scalarText(m.Value)
		}
	}
	return "", false
}

// scalarText returns a value as text if it is a string, a number or a boolean.
func scalarText(value string) (text string, ok bool) {
	if value == "true" || value == "false" {
		return value, true
	}
	if text, ok = jsontext.Unquote(value); ok {
		return text, true
	}
	if !jsontext.StartsNumber(value[0]) {
		return "", false
	}
	number, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return "", false
	}
	return string(jsontext.AppendNumber(nil, number)), true
}
