package jsonschema

import "regexp"

// Instructions that all patterns of a schema may have together; a repeated part counts as often as it may be repeated.
const maxPatternSize = 20_000

// Matching costs one unit for so many pairs of an instruction and a byte.
const matchStepsPerUnit = 16

// pattern is a regular expression whose matches cost something.
type pattern struct {
	source     string
	expression *regexp.Regexp
	size       int // number of instructions, roughly
	checker    *checker
}

// pattern compiles a regular expression of a schema, once.
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

// String returns the pattern as the schema has it.
func (p *pattern) String() string { return p.source }

// MatchString searches a text for the pattern.
func (p *pattern) MatchString(s string) bool {
	p.checker.run.spend(p.size * len(s) / matchStepsPerUnit)
	return p.expression.MatchString(s)
}
