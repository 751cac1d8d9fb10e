package respond

import (
	"slices"
	"strings"

	"almanac/internal/decode"
	"almanac/internal/jsontext"
)

// MaxExpandedKeys is the maximum number of metadata keys that one request can expand. Each is compared with the key of
// every long value.
const MaxExpandedKeys = 256

// Expand is a set of metadata keys whose values are returned in full. Nil is the empty set.
type Expand struct{ keys []string }

// ParseExpand parses a comma-separated list of keys. A blank list is the empty set.
func ParseExpand(text string) (*Expand, *Error) {
	var keys []string
	for key := range strings.SplitSeq(text, ",") {
		if key = strings.TrimSpace(key); key == "" || slices.Contains(keys, key) {
			continue
		}
		if len(keys) == MaxExpandedKeys {
			return nil, InvalidData([]decode.Issue{decode.TooLong([]any{"expandMetadata"}, "array", MaxExpandedKeys)})
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, nil
	}
	return &Expand{keys: keys}, nil
}

// has reports whether a key, or a dotted prefix of it, is in the set. The key is JSON-escaped, without quotes.
func (e *Expand) has(name string) bool {
	if e == nil {
		return false
	}
	for _, key := range e.keys {
		if rest, ok := cutKey(name, key); ok && (rest == "" || rest[0] == '.') {
			return true
		}
	}
	return false
}

// cutKey removes a key from the start of a JSON-escaped name.
func cutKey(name, key string) (rest string, ok bool) {
	for _, want := range key {
		if name == "" {
			return "", false
		}
		got, size := jsontext.FirstRune(name)
		if got != want {
			return "", false
		}
		name = name[size:]
	}
	return name, true
}
