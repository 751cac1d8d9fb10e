package tokens

import (
	"unicode"
	"unicode/utf8"
)

// class is the category of a character for splitting text into pieces.
type class uint8

const (
	symbol   class = iota // everything else
	upper                 // upper-case and title-case letters
	lower                 // lower-case letters
	caseless              // other letters
	mark                  // combining marks
	number
	blank   // white space except newlines
	newline // \r and \n
)

// isLetter reports whether characters of the class are letters.
func (c class) isLetter() bool { return c == upper || c == lower || c == caseless }

// isSpace reports whether characters of the class are white space.
func (c class) isSpace() bool { return c == blank || c == newline }

// asciiClasses are the classes of ASCII characters, which make up most text.
var asciiClasses = func() (classes [utf8.RuneSelf]class) {
	for r := range classes {
		classes[r] = findClass(rune(r))
	}
	return classes
}()

// classOf returns the class and size of the first character. The text must not be empty.
func classOf(text string) (c class, size int) {
	if first := text[0]; first < utf8.RuneSelf {
		return asciiClasses[first], 1
	}
	r, size := utf8.DecodeRuneInString(text)
	return findClass(r), size
}

func findClass(r rune) class {
	switch {
	case r == '\r' || r == '\n':
		return newline
	case unicode.IsLower(r):
		return lower
	case unicode.IsUpper(r) || unicode.IsTitle(r):
		return upper
	case unicode.IsLetter(r):
		return caseless
	case unicode.IsNumber(r):
		return number
	case unicode.IsMark(r):
		return mark
	case unicode.IsSpace(r):
		return blank
	}
	return symbol
}

// run returns the length of the prefix whose characters all have a wanted class.
func run(text string, wanted func(class) bool) int {
	n := 0
	for n < len(text) {
		c, size := classOf(text[n:])
		if !wanted(c) {
			break
		}
		n += size
	}
	return n
}
