package options

import (
	"strings"
	"unicode/utf8"
)

// wrap breaks a text into lines of at most so many columns; only a word that is longer gets a longer line. Empty lines
// separate paragraphs and are kept.
func wrap(text string, columns int) []string {
	var lines []string
	for n, paragraph := range strings.Split(text, "\n\n") {
		if n > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, wrapParagraph(paragraph, columns)...)
	}
	return lines
}

func wrapParagraph(text string, columns int) []string {
	var lines []string
	line, width := "", 0
	for word := range strings.FieldsSeq(text) {
		letters := utf8.RuneCountInString(word)
		switch {
		case line == "":
			line, width = word, letters
		case width+1+letters <= columns:
			line, width = line+" "+word, width+1+letters
		default:
			lines = append(lines, line)
			line, width = word, letters
		}
	}
	return append(lines, line)
}
