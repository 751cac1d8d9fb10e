package respond

import "almanac/internal/jsontext"

// maxLeaf is the number of characters to which a metadata value is truncated unless its key is expanded.
const maxLeaf = 200

// appendMetadata appends the stored metadata object with long values truncated. The text between those is copied in one
// go. Metadata that is unset or damaged becomes an empty object.
func appendMetadata(dst []byte, name, text string, expand *Expand, flush Flush) []byte {
	dst = append(dst, name...)
	if len(text) > jsontext.LongPart && !isWhole(text) { // what has been flushed cannot be undone
		return append(dst, "{}"...)
	}
	start := len(dst)
	m := jsontext.CheckedMembersOf(text)
	copied := 0
	for m.Next() {
		if len(m.Value) <= maxLeaf || expand.has(m.Name) {
			continue
		}
		if m.Value[0] == '"' {
			end := 1 + prefixOfString(m.Value[1:len(m.Value)-1])
			if end == len(m.Value)-1 {
				continue
			}
			dst = jsontext.AppendLongUTF8(dst, text[copied:m.Start+end], flush)
			dst = append(dst, '"')
		} else {
			end := prefixOfText(m.Value)
			if end == len(m.Value) {
				continue
			}
			// A truncated list is no longer JSON, so it becomes a string.
			dst = jsontext.AppendLongUTF8(dst, text[copied:m.Start], flush)
			dst = jsontext.AppendString(dst, m.Value[:end])
		}
		copied = m.End
	}
	if !m.Whole {
		return append(dst[:start], "{}"...)
	}
	return jsontext.AppendLongUTF8(dst, text[copied:], flush)
}

// isWhole reports whether text is a complete metadata object.
func isWhole(text string) bool {
	m := jsontext.CheckedMembersOf(text)
	for m.Next() {
	}
	return m.Whole
}

// prefixOfString returns the length in bytes of the first maxLeaf characters of a JSON-escaped string.
func prefixOfString(s string) int {
	if len(s) > maxLeaf {
		if plain, seen := jsontext.Plain(s[:maxLeaf], 0); plain == maxLeaf && seen.ASCII() { // every byte is a character
			return maxLeaf
		}
	}
	end := 0
	for n := 0; n < maxLeaf && end < len(s); n++ {
		_, size := jsontext.FirstRune(s[end:])
		end += size
	}
	return end
}

// prefixOfText returns the length in bytes of the first maxLeaf characters of s.
func prefixOfText(s string) int {
	n := 0
	for i := range s {
		if n == maxLeaf {
			return i
		}
		n++
	}
	return len(s)
}
