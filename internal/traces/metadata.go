package traces

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"almanac/internal/jsontext"
)

const (
	// maxNames is how many names deep an object in metadata is taken apart. What is below stays an object.
	maxNames = 32
	// maxMetadata bounds the metadata of a trace, which may come from any number of rows. What comes after is left out.
	maxMetadata = 16 << 20
)

// leaves are the values of metadata by their dotted keys, as JSON. Of several values for a key the first counts.
type leaves struct {
	values map[string]json.RawMessage
	bytes  int
}

// everything and ofOrigin choose what is taken from the metadata of a row.
func everything(string) bool { return true }

func ofOrigin(key string) bool {
	return strings.HasPrefix(key, "resourceAttributes.") || strings.HasPrefix(key, "scope.")
}

// add adds the values of an object whose keys are chosen. Text that is no object has none.
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
	for _, name := range slices.Sorted(maps.Keys(members)) { // so that it is always the same of two that meet
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

// merge returns both as one object of dotted keys, empty if there is nothing in them. The first outweighs the second.
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
