package legacy

import (
	"fmt"
	"strings"

	"almanac/internal/decode"
	"almanac/internal/jsontext"
)

const (
	// maxMetadata is the maximum size of metadata after updates of one trace or observation, in bytes.
	maxMetadata = 16 << 20
	// maxNames is the maximum depth at which conflicts between keys are detected.
	maxNames = 32
)

// mergeMetadata merges metadata, both objects of dotted keys or "". A value replaces the one with the same key, and
// those below and above it, since a value cannot be an object at the same time. An added "" clears the metadata.
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

// appendMember appends a member to an open object.
func appendMember(b []byte, m *jsontext.Members) []byte {
	if len(b) > 1 {
		b = append(b, ',')
	}
	b = append(jsontext.AppendString(b, m.Key()), ':')
	return append(b, m.Value...)
}

// prefixes yields the dotted keys above a key.
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
