package respond

import "almanac/internal/jsontext"

// maxLeaf is how many characters of a metadata value are returned unless its key is listed.
const maxLeaf = 200

// appendMetadata appends metadata: the stored object, in which values that are too long are cut. What is between those
// is copied in one go. Metadata that are unset or damaged become an empty object.
func appendMetadata(dst []byte, name, text string, expand *Expand, flush Flush) []byte {
	dst = append(dst, name...)
	if len(text) > jsontext.LongPart && !isWhole(text) { // what is flushed cannot be taken back
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
			// Half a list is no JSON any more, so it becomes a text.
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

// isWhole reports whether a text is an object of metadata.
func isWhole(text string) bool {
	m := jsontext.CheckedMembersOf(text)
	for m.Next() {
	}
	return m.Whole
}

// prefixOfString returns how many bytes the first characters of a string take that has the escapes of JSON.
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

// prefixOfText returns how many bytes the first characters of a text take.
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
