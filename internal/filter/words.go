package filter

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// MaxQueryWords is the maximum number of distinct words of a value that are searched for; further words are not checked
// individually.
const MaxQueryWords = 64

// Words appends the words of text to dst, in order and as often as they occur.
//
// A word is a maximal run of ASCII letters, ASCII digits and non-ASCII characters. In languages without spaces between
// words that would make every sentence one word, and nothing in it would be found. Therefore every Chinese, Japanese
// and Korean character is a word of its own, whatever surrounds it, and so are the punctuation marks of those
// languages. A search for several of them still finds them in that order, because matches also looks for its value as a
// whole.
func Words(dst []string, text string) []string {
	EachWord(text, func(word string) { dst = append(dst, word) })
	return dst
}

// EachWord calls f with every word of text; see Words for the definition of a word. It does not allocate.
func EachWord(text string, f func(word string)) {
	for start, end := nextWord(text, 0); start < end; start, end = nextWord(text, end) {
		f(text[start:end])
	}
}

// EachFolded calls f with every word of text, with ASCII letters in lower case. The word is valid only during the call.
// It is stored in scratch; the returned, possibly larger buffer can be reused for the next text.
func EachFolded(text string, scratch []byte, f func(word []byte)) []byte {
	for start, end := nextWord(text, 0); start < end; start, end = nextWord(text, end) {
		scratch = appendFolded(scratch[:0], text[start:end])
		f(scratch)
	}
	return scratch
}

// nextWord returns the start and end of the first word at or after from, or an empty range if there is none. The
// position must not be within a word.
func nextWord(text string, from int) (start, end int) {
	i := from
	for i < len(text) && bytesOfWords[text[i]] == noWord {
		i++
	}
	start = i
	for i < len(text) {
		switch bytesOfWords[text[i]] {
		case noWord:
			return start, i
		case asciiWord:
			i++
		default:
			r, size := utf8.DecodeRuneInString(text[i:])
			if standsAlone(r) {
				if i == start {
					i += size
				}
				return start, i
			}
			i += size
		}
	}
	return start, i
}

// isBoundary reports whether no word of the text spans position i.
func isBoundary(text string, i int) bool {
	if i == 0 || i == len(text) {
		return true
	}
	if bytesOfWords[text[i-1]] == noWord || bytesOfWords[text[i]] == noWord {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i:])
	return standsAlone(before) || standsAlone(after)
}

// queryWords returns the words of a value that a text must contain.
func queryWords(value string) []string {
	var words []string
	for start, end := nextWord(value, 0); start < end && len(words) < MaxQueryWords; start, end = nextWord(value, end) {
		if word := value[start:end]; !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return words
}

// Classes of bytes in words.
const (
	noWord    = iota
	asciiWord // a letter or a digit
	otherWord // part of a non-ASCII character
)

var bytesOfWords = classifyBytes()

func classifyBytes() (table [256]uint8) {
	for i := range table {
		switch c := byte(i); {
		case c >= utf8.RuneSelf:
			table[i] = otherWord
		case '0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
			table[i] = asciiWord
		}
	}
	return table
}

// standsAlone reports whether a character is a word of its own.
func standsAlone(r rune) bool {
	switch {
	case r < 0x1100: // the start of Hangul; nearly all other scripts are below
		return false
	case 0x4E00 <= r && r <= 0x9FFF, 0xAC00 <= r && r <= 0xD7A3: // the bulk of Han and Hangul
		return true
	case 0x3000 <= r && r <= 0x30FF: // punctuation, Hiragana, Katakana and the marks they share
		return true
	case 0xFF01 <= r && r <= 0xFF9F: // fullwidth forms; fullwidth letters and digits form words, halfwidth Katakana does not
		return !unicode.In(r, unicode.Latin, unicode.Nd)
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// appendFolded appends text to dst, with ASCII letters in lower case.
func appendFolded(dst []byte, text string) []byte {
	start := len(dst)
	dst = append(dst, text...)
	for i := start; i < len(dst); i++ {
		dst[i] = lower(dst[i])
	}
	return dst
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
