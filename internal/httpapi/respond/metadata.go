package respond

// maxLeaf is how many characters of a metadata value are returned unless its key is listed. It is a multiple of eight.
const maxLeaf = 200

// appendMetadata appends metadata: the stored object, in which values that are too long are cut. What is between those
// is copied in one go. Metadata that are unset or damaged become an empty object.
func appendMetadata(dst []byte, text string, expand *Expand, flush Flush) []byte {
	if len(text) > longPart && !isWhole(text) { // what is flushed cannot be taken back
		return append(dst, "{}"...)
	}
	start := len(dst)
	m := membersOf(text)
	copied := 0
	for m.next() {
		if len(m.value) <= maxLeaf || expand.has(m.name) {
			continue
		}
		if m.value[0] == '"' {
			end := 1 + prefixOfString(m.value[1:len(m.value)-1])
			if end == len(m.value)-1 {
				continue
			}
			dst = appendLongJSON(dst, text[copied:m.start+end], flush)
			dst = append(dst, '"')
		} else {
			end := prefixOfText(m.value)
			if end == len(m.value) {
				continue
			}
			// Half a list is no JSON any more, so it becomes a text.
			dst = appendLongJSON(dst, text[copied:m.start], flush)
			dst = appendText(dst, m.value[:end])
		}
		copied = m.at
	}
	if !m.whole {
		return append(dst[:start], "{}"...)
	}
	return appendLongJSON(dst, text[copied:], flush)
}

// isWhole says whether a text is an object of metadata.
func isWhole(text string) bool {
	m := membersOf(text)
	for m.next() {
	}
	return m.whole
}

// prefixOfString returns how many bytes the first characters of a string take that has the escapes of JSON.
func prefixOfString(s string) int {
	if len(s) > maxLeaf && isPlain(s[:maxLeaf]) {
		return maxLeaf
	}
	end := 0
	for n := 0; n < maxLeaf && end < len(s); n++ {
		_, size := firstRune(s[end:])
		end += size
	}
	return end
}

// isPlain says whether every byte of a text of whole words is a character, in JSON too.
func isPlain(s string) bool {
	var found uint64
	for i := 0; i+8 <= len(s); i += 8 {
		word := eightBytes(s, i)
		found |= word | specialBytes(word)
	}
	return found&highBits == 0
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
