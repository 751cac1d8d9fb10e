package respond

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/jsontext"
)

// maxNames is how many names a dotted key is taken apart into at most. The rest stays one name.
const maxNames = 32

// attributeGroups are where names of attributes are kept, whose dots are part of them.
var attributeGroups = [...]string{"attributes.", "resourceAttributes.", "scope.attributes."}

// leaf is a value of metadata and its dotted key, as it stands between the quotes of JSON.
type leaf struct{ key, value string }

// appendNestedMetadata appends metadata as objects within objects, whole. Clients send metadata in that form; it is kept
// with dotted keys because conditions name values that way. Members are ordered by name. A dotted key stays as it is
// where an object cannot be: when there is a value of that name already.
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

// compareKeys orders keys so that those below a name follow it at once: a dot comes before everything else.
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

// appendLeaves appends an object of leaves, in order, whose keys begin with the same names. These take so many bytes.
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
