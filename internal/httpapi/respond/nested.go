package respond

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/jsontext"
)

// maxNames is the maximum number of names into which a dotted key is split. The rest stays one name.
const maxNames = 32

// attributeGroups are the key prefixes below which dots belong to attribute names.
var attributeGroups = [...]string{"attributes.", "resourceAttributes.", "scope.attributes."}

// leaf is a metadata value and its dotted key, which is JSON-escaped, without quotes.
type leaf struct{ key, value string }

// appendNestedMetadata appends metadata as nested objects, without truncation. Clients send metadata in that form; it
// is stored with dotted keys because filters name values that way. Members are ordered by name. A dotted key is kept
// where a nested object is impossible, because its name already has a value.
func appendNestedMetadata(dst []byte, name, text string, flush Flush) []byte {
	dst = append(dst, name...)
	var room [32]leaf
	leaves := room[:0]
	m := jsontext.CheckedMembersOf(text)
	for m.Next() {
		leaves = append(leaves, leaf{m.Name, m.Value})
	}
	if !m.Whole || len(leaves) == 0 {
		return append(dst, "{}"...)
	}
	slices.SortFunc(leaves, func(a, b leaf) int { return compareKeys(a.key, b.key) })
	return appendLeaves(dst, leaves, 0, maxNames, flush)
}

// compareKeys orders keys so that those below a name follow it immediately: a dot sorts before everything else.
func compareKeys(a, b string) int {
	for i := range min(len(a), len(b)) {
		switch {
		case a[i] == b[i]:
		case a[i] == '.':
			return -1
		case b[i] == '.':
			return 1
		default:
			return cmp.Compare(a[i], b[i])
		}
	}
	return cmp.Compare(len(a), len(b))
}

// appendLeaves appends an object of sorted leaves whose keys share their first taken bytes. At most names levels are
// nested.
func appendLeaves(dst []byte, leaves []leaf, taken, names int, flush Flush) []byte {
	takeApart := names > 1 && !slices.Contains(attributeGroups[:], leaves[0].key[:taken])
	dst = append(dst, '{')
	for i := 0; i < len(leaves); {
		if i > 0 {
			dst = append(dst, ',')
		}
		key := leaves[i].key[taken:]
		dot := strings.IndexByte(key, '.')
		if dot < 0 || !takeApart {
			dst = appendLeaf(dst, key, leaves[i].value, flush)
			i++
			for takeApart && i < len(leaves) && isBelow(leaves[i].key[taken:], key) {
				dst = append(dst, ',')
				dst = appendLeaf(dst, leaves[i].key[taken:], leaves[i].value, flush)
				i++
			}
			continue
		}
		end := i + 1
		for end < len(leaves) && isBelow(leaves[end].key[taken:], key[:dot]) {
			end++
		}
		dst = append(dst, '"')
		dst = jsontext.AppendUTF8(dst, key[:dot])
		dst = append(dst, '"', ':')
		dst = appendLeaves(dst, leaves[i:end], taken+dot+1, names-1, flush)
		i = end
	}
	return append(dst, '}')
}

// isBelow reports whether a key begins with a name and a dot.
func isBelow(key, name string) bool {
	return len(key) > len(name) && key[len(name)] == '.' && key[:len(name)] == name
}

func appendLeaf(dst []byte, key, value string, flush Flush) []byte {
	dst = append(dst, '"')
	dst = jsontext.AppendUTF8(dst, key)
	dst = append(dst, '"', ':')
	return jsontext.AppendLongUTF8(dst, value, flush)
}
