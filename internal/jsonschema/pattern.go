package jsonschema

import "regexp"

// Maximum number of instructions in all patterns of a schema; a repeated part counts as often as it may be repeated.
const maxPatternSize = 20_000

// Matching costs one unit per this many pairs of an instruction and a byte.
const matchStepsPerUnit = 16

// pattern is a regular expression whose matches are charged to the budget.
type pattern struct {
	source     string
	expression *regexp.Regexp
	size       int // approximate number of instructions
	checker    *checker
}

// pattern compiles a regular expression of a schema, caching the result.
func (c *compiler) pattern(schema *value, source string) *pattern {
	if known := c.patterns[source]; known != nil {
		return known
	}
	translated, size, err := translate(source)
	if err != nil {
		c.refuse(schema, "pattern %q %s", source, err)
	}
	if c.patternSize += size; c.patternSize > maxPatternSize {
		c.refuse(schema, "pattern %q and the others are too large together", source)
	}
	expression, err := regexp.Compile(translated)
	if err != nil {
		c.refuse(schema, "pattern %q is not supported: %s", source, err)
	}
	p := &pattern{source, expression, size, c.checker}
	c.patterns[source] = p
	return p
}

// String returns the pattern as written in the schema.
func (p *pattern) String() string { return p.source }

// MatchString reports whether the pattern matches anywhere in s.
func (p *pattern) MatchString(s string) bool {
	p.checker.run.spend(p.size * len(s) / matchStepsPerUnit)
	return p.expression.MatchString(s)
}
