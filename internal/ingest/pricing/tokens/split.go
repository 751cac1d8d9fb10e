package tokens

import "strings"

// nextPiece returns the length of the first piece of a text, which must not be empty. No token spans two pieces. The
// pieces are those of the regular expressions that define the encodings, quoted at the functions below; the
// alternatives of an expression are tried in order.
func (e encoding) nextPiece(text string) int {
	switch e {
	case o200kBase:
		return nextO200k(text)
	case cl100kBase:
		return nextCl100k(text)
	}
	return next50k(text)
}

// next50k is for r50k and p50k:
//
//	's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
func next50k(text string) int {
	if n := contraction(text, false); n > 0 {
		return n
	}
	start := 0
	if text[0] == ' ' {
		start = 1
	}
	for _, wanted := range [...]func(class) bool{class.isLetter, isNumber, isOther} {
		if n := run(text[start:], wanted); n > 0 {
			return start + n
		}
	}
	return spaces(text, run(text, class.isSpace))
}

// nextCl100k is for cl100k:
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
func nextCl100k(text string) int {
	if n := contraction(text, true); n > 0 {
		return n
	}
	start := prefix(text)
	if n := run(text[start:], class.isLetter); n > 0 {
		return start + n
	}
	return nextOther(text, "\r\n")
}

// nextO200k is for o200k. Its first two alternatives are words, which begin with upper-case letters and end with
// lower-case ones (caseless letters and marks count as both). The first requires at least one of the latter, the second
// at least one of the former:
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|
//	\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
func nextO200k(text string) int {
	// A character that may precede a word is tried as a prefix first. Only a mark can also be the start of the word
	// itself.
	starts := [...]int{prefix(text), 0}
	for _, find := range [...]func(string) int{endingLower, beginningUpper} {
		for _, start := range starts {
			if n := find(text[start:]); n > 0 {
				n += start
				return n + contraction(text[n:], true)
			}
		}
	}
	return nextOther(text, "\r\n/")
}

// endingLower returns the length of the word that ends with a lower-case letter, 0 if there is none.
func endingLower(text string) int {
	n, end := 0, 0 // end: after the last character that counts as either case
	for n < len(text) {
		c, size := classOf(text[n:])
		if !isUpperPart(c) {
			break
		}
		n += size
		if c != upper {
			end = n
		}
	}
	if lowers := run(text[n:], isLowerPart); lowers > 0 {
		return n + lowers
	}
	return end
}

// beginningUpper returns the length of the word that begins with an upper-case letter, 0 if there is none.
func beginningUpper(text string) int {
	n := run(text, isUpperPart)
	if n == 0 {
		return 0
	}
	return n + run(text[n:], isLowerPart)
}

func isUpperPart(c class) bool { return c == upper || c == caseless || c == mark }
func isLowerPart(c class) bool { return c == lower || c == caseless || c == mark }
func isNumber(c class) bool    { return c == number }
func isOther(c class) bool     { return c == symbol || c == mark }

// prefix returns the length of the first character if it may precede a word, that is, unless it is a letter, a number
// or a newline.
func prefix(text string) int {
	c, size := classOf(text)
	if c.isLetter() || c == number || c == newline {
		return 0
	}
	return size
}

// contraction returns the length of a contraction suffix, such as 'll, at the start of the text, or 0.
func contraction(text string, anyCase bool) int {
	if len(text) < 2 || text[0] != '\'' {
		return 0
	}
	for _, ending := range [...]string{"s", "t", "re", "ve", "m", "ll", "d"} {
		size := len(ending)
		if anyCase && ending == "s" && strings.HasPrefix(text[1:], "ſ") {
			return 1 + len("ſ") // the long s folds to s
		}
		if len(text) <= size {
			continue
		}
		if found := text[1 : 1+size]; found == ending || anyCase && strings.EqualFold(found, ending) {
			return 1 + size
		}
	}
	return 0
}

// nextOther returns the length of a piece that is not a word: numbers, other characters with what may follow them, or
// white space.
func nextOther(text, following string) int {
	c, size := classOf(text)
	if c == number {
		for range 2 {
			if size < len(text) {
				if next, more := classOf(text[size:]); next == number {
					size += more
				}
			}
		}
		return size
	}
	start := 0
	if text[0] == ' ' {
		start = 1
	}
	if n := run(text[start:], isOther); n > 0 {
		n += start
		return len(text) - len(strings.TrimLeft(text[n:], following))
	}
	n := run(text, class.isSpace)
	if last := strings.LastIndexAny(text[:n], "\r\n"); last >= 0 {
		return last + 1
	}
	return spaces(text, n)
}

// spaces returns how many of the n bytes of white space form a piece: all but the last character if more text follows,
// which that one belongs to, unless it is the only one.
func spaces(text string, n int) int {
	if n == len(text) {
		return n
	}
	last := 0
	for at := 0; at < n; {
		last = at
		_, size := classOf(text[at:])
		at += size
	}
	if last == 0 {
		return n
	}
	return last
}
