package legacy

import (
	"fmt"
	"strings"

	"almanac/internal/decode"
	"almanac/internal/jsontext"
)

const (
	// maxMetadata bounds what updates can make of the metadata of one trace or observation.
	maxMetadata = 16 << 20
	// maxNames is how many names deep values are looked for that stand in the way of others.
	maxNames = 32
)

// mergeMetadata merges metadata, both objects of dotted keys or nothing. A value replaces the one with its key, and what
// is below it or above it: a value cannot be an object as well. Nothing clears.
func mergeMetadata(old, added string) (string, error) {
	if old == "" || added == "" {
		return added, nil
	}
	if len(old)+len(added) > maxMetadata {
		return "", refuse(decode.Violation([]any{"body", "metadata"},
			fmt.Sprintf("The metadata would have %d bytes after this change, more than %d", len(old)+len(added), maxMetadata)))
	}
	keys, above := make(map[string]struct{}), make(map[string]struct{})
	for m := jsontext.MembersOf(added); m.Next(); {
		key := m.Key()
		keys[key] = struct{}{}
		for prefix := range prefixes(key) {
			above[prefix] = struct{}{}
		}
	}
	replaced := func(key string) bool {
		if _, same := keys[key]; same {
			return true
		}
		if _, isAbove := above[key]; isAbove {
			return true
		}
		for prefix := range prefixes(key) {
			if _, isBelow := keys[prefix]; isBelow {
				return true
			}
		}
		return false
	}
	b := []byte{'{'}
	for m := jsontext.MembersOf(old); m.Next(); {
		if !replaced(m.Key()) {
			b = appendMember(b, &m)
		}
	}
	for m := jsontext.MembersOf(added); m.Next(); {
		b = appendMember(b, &m)
	}
	return string(append(b, '}')), nil
}

// appendMember appends a member to an object that was begun.
func appendMember(b []byte, m *jsontext.Members) []byte {
	if len(b) > 1 {
		b = append(b, ',')
	}
	b = append(jsontext.AppendString(b, m.Key()), ':')
	return append(b, m.Value...)
}

// prefixes yields the dotted keys that a key is below.
func prefixes(key string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for at, names := 0, 0; names < maxNames; names++ {
			dot := strings.IndexByte(key[at:], '.')
			if dot < 0 || !yield(key[:at+dot]) {
				return
			}
			at += dot + 1
		}
	}
}
