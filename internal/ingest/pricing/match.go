package pricing

import (
	"fmt"
	"regexp/syntax"
)

// maxName is the maximum length of a model name in bytes. Longer names match nothing.
const maxName = 512

// match returns the first model whose pattern is found in the name, or nil.
func (l *List) match(name string) *model {
	if name == "" || len(name) > maxName {
		return nil
	}
	if m, ok := l.known.get(name); ok {
		return m
	}
	m := l.search(name)
	l.known.put(name, m)
	return m
}

// search tries every pattern, which takes about as long as pricing twenty rows.
func (l *List) search(name string) *model {
	for _, m := range l.models {
		if m.pattern.MatchString(name) {
			return m
		}
	}
	if l.defaults == nil {
		return nil
	}
	return l.defaults.match(name)
}

// MaxPatternSize is the maximum size of a model's patterns, in instructions of the compiled program. The largest
// pattern of the embedded list has 173; repetitions such as (a{99}){9} make a short pattern large.
const MaxPatternSize = 1000

// PatternSize returns the size of the compiled program of a pattern.
func PatternSize(pattern string) (int, error) {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return 0, fmt.Errorf("pattern %q is not a regular expression: %w", pattern, err)
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return 0, fmt.Errorf("pattern %q is not a regular expression: %w", pattern, err)
	}
	return len(program.Inst), nil
}

// CheckPattern returns an error if the pattern of a model or condition is invalid or too large.
func CheckPattern(pattern string) error {
	size, err := PatternSize(pattern)
	if err == nil && size > MaxPatternSize {
		err = fmt.Errorf("pattern %q is too large: write fewer repetitions and alternatives", pattern)
	}
	return err
}
