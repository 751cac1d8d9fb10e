package traces

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"almanac/internal/jsontext"
)

const (
	// maxNames is the depth up to which objects in metadata are flattened. Objects below it are kept as they are.
	maxNames = 32
	// maxMetadata bounds the metadata of a trace, in bytes, since it may come from any number of rows. Values that do
	// not fit are left out.
	maxMetadata = 16 << 20
)

// leaves are metadata values as JSON, by dotted key. If a key has several values, the first wins.
type leaves struct {
	values map[string]json.RawMessage
	bytes  int
}

// everything and ofOrigin select keys from the metadata of a row.
func everything(string) bool { return true }

func ofOrigin(key string) bool {
	return strings.HasPrefix(key, "resourceAttributes.") || strings.HasPrefix(key, "scope.")
}

// add adds the values of an object whose keys are chosen. Text that is not an object is ignored.
func (l *leaves) add(object string, chosen func(key string) bool) {
	if object != "" {
		l.addBelow("", []byte(object), maxNames, chosen)
	}
}

func (l *leaves) addBelow(prefix string, object []byte, names int, chosen func(key string) bool) {
	var members map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(members)) { // so that the same one of two equal keys always wins
		key, value := prefix+name, members[name]
		if names > 1 && value[0] == '{' && len(value) > len("{}") {
			l.addBelow(key+".", value, names-1, chosen)
			continue
		}
		if _, known := l.values[key]; known || !chosen(key) || l.bytes+len(key)+len(value) > maxMetadata {
			continue
		}
		if l.values == nil {
			l.values = make(map[string]json.RawMessage)
		}
		l.values[key] = value
		l.bytes += len(key) + len(value)
	}
}

// merge returns both as one object of dotted keys, or "" if both are empty. The first takes precedence.
func merge(first, second *leaves) string {
	all := first.values
	switch {
	case len(first.values) == 0:
		all = second.values
	case len(second.values) > 0:
		all = maps.Clone(second.values)
		maps.Copy(all, first.values)
	}
	if len(all) == 0 {
		return ""
	}
	text, err := jsontext.Marshal(all)
	if err != nil {
		panic("BUG: values that were read from JSON do not marshal: " + err.Error())
	}
	return string(text)
}
