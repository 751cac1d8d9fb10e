package pricing

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"almanac/internal/domain"
)

// condition is a compiled condition of a tier: on usage if compare is set, else on an attribute.
type condition struct {
	kinds     kindPattern
	compare   func(sum, value float64) bool
	value     float64
	attribute domain.AttributeCondition
}

func compileConditions(conditions []domain.TierCondition) ([]condition, error) {
	compiled := make([]condition, 0, len(conditions))
	for _, d := range conditions {
		c, err := compileCondition(d)
		if err != nil {
			return nil, err
		}
		compiled = append(compiled, c)
	}
	return compiled, nil
}

func compileCondition(d domain.TierCondition) (condition, error) {
	switch {
	case d.Usage != nil:
		kinds, err := newKindPattern(d.Usage.KindPattern, d.Usage.CaseSensitive)
		if err != nil {
			return condition{}, err
		}
		compare := comparison(d.Usage.Operator)
		if compare == nil {
			return condition{}, fmt.Errorf("unknown operator %q in a usage condition", d.Usage.Operator)
		}
		return condition{kinds: kinds, compare: compare, value: d.Usage.Value}, nil
	case d.Attribute != nil:
		return condition{attribute: *d.Attribute}, nil
	}
	return condition{}, errors.New("a condition on nothing")
}

// comparison returns the function for an operator, or nil.
func comparison(operator string) func(sum, value float64) bool {
	switch operator {
	case "gt":
		return func(sum, value float64) bool { return sum > value }
	case "gte":
		return func(sum, value float64) bool { return sum >= value }
	case "lt":
		return func(sum, value float64) bool { return sum < value }
	case "lte":
		return func(sum, value float64) bool { return sum <= value }
	case "eq":
		return func(sum, value float64) bool { return sum == value }
	case "neq":
		return func(sum, value float64) bool { return sum != value }
	}
	return nil
}

func (c *condition) holds(usage []domain.UsageEntry, attributes *attributeReader) bool {
	if c.compare == nil {
		text, ok := attributes.read(c.attribute.Source, c.attribute.Key)
		return ok && slices.Contains(c.attribute.Values, text)
	}
	var sum int64
	for i := range usage {
		if c.kinds.matches(usage[i].Kind) {
			sum = plus(sum, usage[i].Units)
		}
	}
	return c.compare(float64(sum), c.value)
}

// kindPattern is a regular expression for kinds of usage. Nearly all are lists of words such as (input|cached), for
// which words is set: searching for words is much faster, and it is done for every kind of every row.
type kindPattern struct {
	expression *regexp.Regexp
	words      []string
	fold       bool // match case-insensitively; the words are in lower case
}

func newKindPattern(pattern string, caseSensitive bool) (kindPattern, error) {
	source := pattern
	if !caseSensitive {
		source = "(?i)" + pattern
	}
	expression, err := regexp.Compile(source)
	if err != nil {
		return kindPattern{}, fmt.Errorf("compile the usage pattern %q: %w", pattern, err)
	}
	p := kindPattern{expression: expression, fold: !caseSensitive, words: wordsOf(pattern)}
	if p.fold {
		for i, word := range p.words {
			p.words[i] = strings.ToLower(word)
		}
	}
	return p, nil
}

// wordsOf returns the words if the pattern is a list of words, else nil.
func wordsOf(pattern string) []string {
	if strings.HasPrefix(pattern, "(") && strings.HasSuffix(pattern, ")") {
		pattern = pattern[1 : len(pattern)-1]
	}
	words := strings.Split(pattern, "|")
	for _, word := range words {
		if word == "" || strings.ContainsFunc(word, notPlain) {
			return nil
		}
	}
	return words
}

// notPlain reports whether the character might be special in a regular expression.
func notPlain(r rune) bool {
	return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
}

func (p *kindPattern) matches(kind string) bool {
	// Some non-ASCII letters fold to ASCII ones, such as the Kelvin sign.
	if p.words == nil || p.fold && !plainLower(kind) {
		return p.expression.MatchString(kind)
	}
	for _, word := range p.words {
		if strings.Contains(kind, word) {
			return true
		}
	}
	return false
}

// plainLower reports whether the string is ASCII without upper-case letters, as kinds of usage nearly always are.
func plainLower(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= utf8.RuneSelf || c >= 'A' && c <= 'Z' {
			return false
		}
	}
	return true
}
