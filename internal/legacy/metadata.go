package legacy

import (
	"fmt"
	"strings"

	"almanac/internal/decode"
	"almanac/internal/pricing/jsontext"
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
	for key := range jsontext.Members(added) {
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
	for key, value := range jsontext.Members(old) {
		if !replaced(key) {
			b = append(appendMember(b, key), value...)
		}
	}
	for key, value := range jsontext.Members(added) {
		b = append(appendMember(b, key), value...)
	}
	return string(append(b, '}')), nil
}

// appendMember appends what comes before the value of a member.
func appendMember(b []byte, key string) []byte {
	if len(b) > 1 {
		b = append(b, ',')
	}
	return append(jsontext.AppendString(b, key), ':')
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
