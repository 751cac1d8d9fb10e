package respond

import (
	"slices"
	"strings"

	"almanac/internal/decode"
	"almanac/internal/jsontext"
)

// MaxExpandedKeys is how many metadata keys one request can ask to be returned whole. Each is compared with the key of
// every value that is too long.
const MaxExpandedKeys = 256

// Expand is a set of metadata keys whose values are returned whole. Nil is the empty set.
type Expand struct{ keys []string }

// ParseExpand reads a comma list of keys. A blank list is the empty set.
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

// has reports whether a key is in the set, or is below one that is. The key is as it stands between the quotes of JSON.
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

// cutKey takes a key off the beginning of a name that has the escapes of JSON.
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
