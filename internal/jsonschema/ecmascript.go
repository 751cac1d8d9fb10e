package jsonschema

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Character sets that differ between ECMAScript and Go, as contents of brackets.
const (
	lineEnds  = `\n\r\x{2028}\x{2029}`
	blanks    = `\x{9}-\x{d} \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
	notBlanks = `\x{0}-\x{8}\x{e}-\x{1f}\x{21}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}` +
		`\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`
	anything = `[\x{0}-\x{10ffff}]`
	nothing  = `[^\x{0}-\x{10ffff}]`
)

const (
	maxGroups = 100   // maximum nesting of groups
	maxRepeat = 1_000 // maximum repeat count in Go
	unlimited = -1    // repetitions
)

const (
	errTooLarge refusal = "is too large"
	errEnd      refusal = "ends too early"
)

// translate converts an ECMAScript regular expression with the flag u to a Go expression that matches the same strings.
// The size is about the number of instructions of the result. Groups and the preference among several matches are not
// preserved: all that matters is whether there is a match.
func translate(source string) (expression string, size int, err error) {
	defer catchRefusal(&err)
	t := translator{in: source, names: map[string]bool{}}
	e := t.alternatives(0)
	if t.at < len(t.in) {
		panic(refusal("has a parenthesis too many"))
	}
	return e.text, e.size, nil
}

// translated is a part of an expression.
type translated struct {
	text    string
	size    int
	repeats int // how often the innermost repetition is repeated by enclosing ones, 0 if there is none
}

// char returns an expression that needs one instruction.
func char(text string) translated { return translated{text: text, size: 1} }

type translator struct {
	in    string
	at    int
	names map[string]bool // of groups
}

// peek returns the next character without consuming it, 0 at the end.
func (t *translator) peek() rune {
	if t.at >= len(t.in) {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(t.in[t.at:])
	return r
}

func (t *translator) next() rune {
	if t.at >= len(t.in) {
		panic(errEnd)
	}
	r, size := utf8.DecodeRuneInString(t.in[t.at:])
	t.at += size
	return r
}

func (t *translator) take(prefix string) bool {
	if strings.HasPrefix(t.in[t.at:], prefix) {
		t.at += len(prefix)
		return true
	}
	return false
}

func (t *translator) alternatives(depth int) translated {
	if depth > maxGroups {
		panic(refusal(fmt.Sprintf("has more than %d groups within each other", maxGroups)))
	}
	var b strings.Builder
	all := translated{size: 1}
	for t.at < len(t.in) && t.peek() != ')' {
		if t.take("|") {
			b.WriteByte('|')
			all.size++
			continue
		}
		e := t.term(depth)
		b.WriteString(e.text)
		all.repeats = max(all.repeats, e.repeats)
		if all.size += e.size; all.size > maxPatternSize {
			panic(errTooLarge)
		}
	}
	all.text = b.String()
	return all
}

// term parses an assertion, or an atom with its quantifier.
func (t *translator) term(depth int) translated {
	for _, assertion := range []string{"^", "$", `\b`, `\B`} {
		if t.take(assertion) {
			return char(assertion)
		}
	}
	return t.repeated(t.atom(depth))
}

func (t *translator) atom(depth int) translated {
	switch r := t.next(); r {
	case '(':
		return t.group(depth)
	case '[':
		return char(t.class())
	case '.':
		return char("[^" + lineEnds + "]")
	case '\\':
		return t.atomEscape()
	case '*', '+', '?', '{', '}', ']':
		panic(refusal(fmt.Sprintf("has nothing before %q", r)))
	default:
		return char(regexp.QuoteMeta(string(r)))
	}
}

func (t *translator) group(depth int) translated {
	switch {
	case t.take("?:"):
	case t.take("?=") || t.take("?!") || t.take("?<=") || t.take("?<!"):
		panic(refusal("looks ahead or behind, which is not supported"))
	case t.take("?<"):
		t.groupName()
	case t.peek() == '?':
		panic(refusal("has an unknown kind of group"))
	}
	e := t.alternatives(depth + 1)
	if !t.take(")") {
		panic(refusal("has a group without an end"))
	}
	e.text = "(?:" + e.text + ")"
	return e
}

func (t *translator) groupName() {
	name, _, found := strings.Cut(t.in[t.at:], ">")
	if !found || name == "" {
		panic(refusal("has a group without a name"))
	}
	for i, r := range name {
		if r != '$' && r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			panic(refusal(fmt.Sprintf("has a group of the impossible name %q", name)))
		}
	}
	if t.names[name] {
		panic(refusal(fmt.Sprintf("has two groups of the name %q", name)))
	}
	t.names[name] = true
	t.at += len(name) + 1
}

// repeated parses the quantifier of an atom.
func (t *translator) repeated(e translated) translated {
	least, most := 0, unlimited
	switch {
	case t.take("*"):
	case t.take("+"):
		least = 1
	case t.take("?"):
		most = 1
	case t.take("{"):
		least, most = t.counts()
	default:
		return e
	}
	t.take("?") // lazy quantifiers match the same strings
	return repeat(e, least, most)
}

func (t *translator) counts() (least, most int) {
	counts, _, found := strings.Cut(t.in[t.at:], "}")
	first, second, two := strings.Cut(counts, ",")
	if !found || !isDigits(first) || two && second != "" && !isDigits(second) {
		panic(refusal("has a { that does not begin a number of repetitions"))
	}
	t.at += len(counts) + 1
	least = atMost(first)
	switch {
	case !two:
		return least, least
	case second == "":
		return least, unlimited
	}
	if most = atMost(second); most < least {
		panic(refusal("has numbers of repetitions out of order"))
	}
	return least, most
}

// atMost parses a number, capped just above maxPatternSize.
func atMost(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return maxPatternSize + 1
	}
	return min(n, maxPatternSize+1)
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// repeat repeats an expression. Counts above what Go supports are split.
func repeat(e translated, least, most int) translated {
	count := max(least, most, 1)
	if e.size*count > maxPatternSize {
		panic(errTooLarge)
	}
	inner := max(1, e.repeats)
	piece := max(1, maxRepeat/inner)
	atom := "(?:" + e.text + ")"
	var b strings.Builder
	b.WriteString("(?:")
	rest := least
	for ; rest > piece; rest -= piece {
		fmt.Fprintf(&b, "%s{%d}", atom, piece)
	}
	if most == unlimited {
		fmt.Fprintf(&b, "%s{%d,}", atom, rest)
	} else {
		fmt.Fprintf(&b, "%s{%d}", atom, rest)
	}
	for optional := most - least; optional > 0; optional -= piece {
		fmt.Fprintf(&b, "%s{0,%d}", atom, min(optional, piece))
	}
	b.WriteString(")")
	return translated{text: b.String(), size: e.size*count + 1, repeats: inner * min(count, piece)}
}

// atomEscape parses what follows a backslash outside brackets.
func (t *translator) atomEscape() translated {
	if set, found := t.setEscape(); found {
		return char("[" + set + "]")
	}
	switch r := t.peek(); {
	case r >= '1' && r <= '9', r == 'k':
		panic(refusal("refers back to a group, which is not supported"))
	}
	return char(one(t.charEscape()))
}

// one returns an expression for a character, or one that never matches for a lone surrogate, which no string contains.
func one(r rune) string {
	if !utf8.ValidRune(r) {
		return nothing
	}
	return regexp.QuoteMeta(string(r))
}

// setEscape parses what follows a backslash if it denotes a set of characters, returned as contents of brackets.
func (t *translator) setEscape() (set string, found bool) {
	switch r := t.peek(); r {
	case 'd', 'D', 'w', 'W':
		t.at++
		return `\` + string(r), true
	case 's':
		t.at++
		return blanks, true
	case 'S':
		t.at++
		return notBlanks, true
	case 'p', 'P':
		t.at++
		return `\` + string(r) + "{" + t.property() + "}", true
	}
	return "", false
}

// property parses the name of a Unicode property.
func (t *translator) property() string {
	name, _, found := strings.Cut(t.in[t.at:], "}")
	if !found || !strings.HasPrefix(name, "{") {
		panic(refusal(`has a \p without a name in braces`))
	}
	t.at += len(name) + 1
	name = name[1:]
	for _, prefix := range []string{"Script=", "sc=", "General_Category=", "gc="} {
		name = strings.TrimPrefix(name, prefix)
	}
	if name == "" || strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") != "" {
		panic(refusal(`has a \p that is not supported`))
	}
	return name
}

var controls = map[rune]rune{'t': '\t', 'n': '\n', 'v': '\v', 'f': '\f', 'r': '\r'}

// charEscape parses what follows a backslash if it denotes a single character.
func (t *translator) charEscape() rune {
	r := t.next()
	if control, found := controls[r]; found {
		return control
	}
	switch r {
	case 'c':
		letter := t.peek() // 0 at the end
		if letter > unicode.MaxASCII || !unicode.IsLetter(letter) {
			panic(refusal(`has a \c without a letter`))
		}
		t.at++
		return letter % 32
	case '0':
		if next := t.peek(); next >= '0' && next <= '9' {
			panic(refusal("has an octal number"))
		}
		return 0
	case 'x':
		return t.hex(2)
	case 'u':
		return t.unicode()
	}
	if strings.ContainsRune(`^$\.*+?()[]{}|/`, r) {
		return r
	}
	panic(refusal(fmt.Sprintf(`has an unknown escape \%c`, r)))
}

func (t *translator) hex(digits int) rune {
	if len(t.in)-t.at < digits {
		panic(errEnd)
	}
	n, err := strconv.ParseUint(t.in[t.at:t.at+digits], 16, 31)
	if err != nil {
		panic(refusal("has a character number that is not hexadecimal"))
	}
	t.at += digits
	return rune(n)
}

// unicode parses four digits, two groups of four that form a surrogate pair, or digits in braces.
func (t *translator) unicode() rune {
	if t.take("{") {
		digits, _, found := strings.Cut(t.in[t.at:], "}")
		n, err := strconv.ParseUint(digits, 16, 31)
		if !found || err != nil || n > unicode.MaxRune {
			panic(refusal("has an impossible character number"))
		}
		t.at += len(digits) + 1
		return rune(n)
	}
	first := t.hex(4)
	if !utf16.IsSurrogate(first) {
		return first
	}
	ahead := *t
	if ahead.take(`\u`) {
		if pair := utf16.DecodeRune(first, ahead.hex(4)); pair != unicode.ReplacementChar {
			t.at = ahead.at
			return pair
		}
	}
	return first // a lone surrogate, which no string contains
}

// class parses what follows an opening bracket.
func (t *translator) class() string {
	negated := t.take("^")
	var b strings.Builder
	for !t.take("]") {
		first, set := t.classAtom()
		if !strings.HasPrefix(t.in[t.at:], "-") || strings.HasPrefix(t.in[t.at:], "-]") {
			b.WriteString(set)
			if set == "" {
				writeRange(&b, first, first)
			}
			continue
		}
		t.at++
		last, lastSet := t.classAtom()
		if set != "" || lastSet != "" || last < first {
			panic(refusal("has a range of characters out of order"))
		}
		writeRange(&b, first, last)
	}
	switch {
	case b.Len() == 0 && negated:
		return anything
	case b.Len() == 0:
		return nothing
	case negated:
		return "[^" + b.String() + "]"
	default:
		return "[" + b.String() + "]"
	}
}

func writeRange(b *strings.Builder, first, last rune) {
	fmt.Fprintf(b, `\x{%x}-\x{%x}`, first, last)
}

// classAtom parses a character or a set of characters within brackets.
func (t *translator) classAtom() (r rune, set string) {
	if r = t.next(); r != '\\' {
		return r, ""
	}
	if set, found := t.setEscape(); found {
		return 0, set
	}
	switch {
	case t.take("b"):
		return '\b', ""
	case t.take("-"):
		return '-', ""
	}
	return t.charEscape(), ""
}
