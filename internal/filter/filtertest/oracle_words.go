package filtertest

import (
	"slices"
	"strings"
	"unicode"
)

// searched reports whether a text contains a value, and all words of the value are words of the given texts.
func searched(text, value string, in []string, fold func(string) string) bool {
	if !strings.Contains(fold(text), fold(value)) {
		return false
	}
	var there []string
	for _, t := range in {
		there = append(there, words(fold(t))...)
	}
	var wanted []string
	for _, w := range words(fold(value)) {
		if !slices.Contains(wanted, w) {
			wanted = append(wanted, w)
		}
	}
	for _, w := range wanted[:min(64, len(wanted))] {
		if !slices.Contains(there, w) {
			return false
		}
	}
	return true
}

// words splits a text into runs of ASCII letters, ASCII digits and other characters. Each character of languages
// without spaces, and each of their punctuation marks, is a word of its own.
func words(text string) []string {
	var found []string
	word := ""
	end := func() {
		if word != "" {
			found = append(found, word)
		}
		word = ""
	}
	for _, r := range text {
		alone := unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
		switch {
		case alone || strings.ContainsRune("，。、！ー", r):
			end()
			found = append(found, string(r))
		case r > unicode.MaxASCII || unicode.IsLetter(r) || unicode.IsDigit(r):
			word += string(r)
		default:
			end()
		}
	}
	end()
	return found
}

func lowerASCII(text string) string {
	return strings.Map(func(r rune) rune {
		if r <= unicode.MaxASCII {
			return unicode.ToLower(r)
		}
		return r
	}, text)
}
