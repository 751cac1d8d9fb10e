package clickhouse

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"almanac/internal/filter"
)

// compile translates a condition into SQL, equivalent to filter.Condition.Match. It returns false if only Go can check
// it.
func (t *definition[R]) compile(c *filter.Condition[R], args *params) (sql string, ok bool) {
	if alternatives := c.Alternatives(); len(alternatives) > 0 {
		return t.compileEach(alternatives, " OR ", args)
	}
	if conjuncts := c.Conjuncts(); len(conjuncts) > 0 {
		return t.compileEach(conjuncts, " AND ", args)
	}
	if negated := c.Negated(); len(negated) > 0 {
		sql, ok := t.compileEach(negated, " AND ", args)
		return "(NOT " + sql + ")", ok
	}
	column := c.Column()
	if column.Derived() {
		return "", false
	}
	e := t.expressionOf(column.ID())
	switch column.Kind() {
	case filter.Text:
		if c.Operator() == filter.Matches {
			sql, ok := compileLongText(c, e, args)
			if e.null != "" {
				sql = "(NOT " + e.null + " AND " + sql + ")"
			}
			return sql, ok
		}
		return compileText(c, e, args), true
	case filter.LongText:
		return compileLongText(c, e, args)
	case filter.List:
		return compileList(c, e, args), true
	case filter.Number:
		return compileNumber(c, e, args), true
	case filter.Time:
		return compileTime(c, e, args), true
	case filter.Bool:
		return compileBool(c, e), true
	case filter.Metadata:
		return compileMetadata(c, args)
	}
	panic("BUG: column " + column.ID() + " has no kind")
}

// compileEach joins conditions by an operator.
func (t *definition[R]) compileEach(conditions []filter.Condition[R], operator string, args *params) (sql string, ok bool) {
	parts := make([]string, len(conditions))
	for n := range conditions {
		if parts[n], ok = t.compile(&conditions[n], args); !ok {
			return "", false
		}
	}
	return "(" + strings.Join(parts, operator) + ")", true
}

func compileText[R any](c *filter.Condition[R], e expression, args *params) string {
	switch {
	case c.Operator() == filter.IsNull && e.null != "":
		return "(" + e.null + " OR " + e.value + " = '')"
	case c.Operator() == filter.IsNull:
		return e.value + " = ''"
	case c.Operator() == filter.IsNotNull && e.null != "":
		return "(NOT " + e.null + " AND " + e.value + " != '')"
	case c.Operator() == filter.IsNotNull:
		return e.value + " != ''"
	}
	sql := compareText(c, e.value, args)
	if e.null != "" {
		return "(NOT " + e.null + " AND " + sql + ")"
	}
	if !c.Column().EmptyIsNull() {
		return sql
	}
	// An unset string is matched only by conditions that ask for it, and a condition that asks for the empty string
	// matches nothing else.
	list := c.ValueKind() == filter.List
	unset := !list && c.Text() == "" && c.Operator() != filter.DoesNotContain ||
		c.Operator() == filter.AnyOf && slices.Contains(c.Texts(), "")
	switch {
	case !list && c.Text() == "" && unset:
		return e.value + " = ''"
	case !list && c.Text() == "":
		return "0"
	case unset:
		return "(" + e.value + " = '' OR " + sql + ")"
	}
	return "(" + e.value + " != '' AND " + sql + ")"
}

// compareText compares a string with the value of a condition.
func compareText[R any](c *filter.Condition[R], value string, args *params) string {
	switch c.Operator() {
	case filter.Equal:
		return value + " = " + args.text(c.Text())
	case filter.Contains:
		return "position(" + value + ", " + args.text(c.Text()) + ") > 0"
	case filter.DoesNotContain:
		return "position(" + value + ", " + args.text(c.Text()) + ") = 0"
	case filter.StartsWith:
		return "startsWith(" + value + ", " + args.text(c.Text()) + ")"
	case filter.EndsWith:
		return "endsWith(" + value + ", " + args.text(c.Text()) + ")"
	case filter.AnyOf:
		return value + " IN (" + args.texts(c.Texts()) + ")"
	case filter.NoneOf:
		return value + " NOT IN (" + args.texts(c.Texts()) + ")"
	}
	panic("BUG: " + string(c.Operator()) + " does not compare texts")
}

func compileLongText[R any](c *filter.Condition[R], e expression, args *params) (string, bool) {
	if c.Operator() == filter.Equal {
		return e.value + " = " + args.text(c.Text()), true
	}
	words, ok := wholeWords(c.Words())
	if !ok {
		return "", false
	}
	// Both functions fold only ASCII letters, as conditions do.
	parts := append(seen(e.value, c.Words(), args), "position(lower("+e.value+"), lower("+args.text(c.Text())+")) > 0")
	for _, pattern := range words {
		parts = append(parts, "match(lower("+e.value+"), "+args.text(pattern)+")")
	}
	return "(" + strings.Join(parts, " AND ") + ")", true
}

// Characters that are words by themselves, as in package filter, and all characters that end words.
const (
	alone    = `\x{3000}-\x{30FF}\x{FF01}-\x{FF0F}\x{FF1A}-\x{FF20}\x{FF3B}-\x{FF40}\x{FF5B}-\x{FF9F}\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}`
	boundary = `[\x00-/:-@\[-` + "`" + `{-\x7F` + alone + `]`
)

var standsAlone = regexp.MustCompile(`^[` + alone + `]$`)

// wholeWords returns patterns that match whole words; false if that cannot be expressed as patterns.
func wholeWords(words []string) (patterns []string, ok bool) {
	for _, word := range words {
		switch {
		case !utf8.ValidString(word):
			return nil, false
		case standsAlone.MatchString(word):
			// It is a whole word wherever it occurs, and it is part of the phrase.
		default:
			patterns = append(patterns, "(?:^|"+boundary+")"+regexp.QuoteMeta(word)+"(?:$|"+boundary+")")
		}
	}
	return patterns, true
}

func compileList[R any](c *filter.Condition[R], e expression, args *params) string {
	switch c.Operator() {
	case filter.AnyOf:
		return "hasAny(" + e.value + ", " + args.texts(c.Texts()) + ")"
	case filter.NoneOf:
		return "NOT hasAny(" + e.value + ", " + args.texts(c.Texts()) + ")"
	case filter.AllOf:
		return "hasAll(" + e.value + ", " + args.texts(c.Texts()) + ")"
	case filter.IsNull:
		return "empty(" + e.value + ")"
	case filter.IsNotNull:
		return "notEmpty(" + e.value + ")"
	}
	panic("BUG: " + string(c.Operator()) + " does not compare lists")
}

func compileNumber[R any](c *filter.Condition[R], e expression, args *params) string {
	switch {
	case c.Operator() == filter.IsNull && e.null == "":
		return "0"
	case c.Operator() == filter.IsNull:
		return e.null
	case c.Operator() == filter.IsNotNull && e.null == "":
		return "1"
	case c.Operator() == filter.IsNotNull:
		return "NOT " + e.null
	}
	value := snap(e.value, c.Column().Decimals())
	var sql string
	switch c.Operator() {
	case filter.AnyOf, filter.NoneOf:
		sql = "has(" + args.numbers(c.Numbers()) + ", " + value + ")"
		if c.Operator() == filter.NoneOf {
			sql = "NOT " + sql
		}
	default:
		sql = value + " " + string(c.Operator()) + " " + args.number(c.Number())
	}
	if e.null != "" {
		sql = "(NOT " + e.null + " AND " + sql + ")"
	}
	return sql
}

// snap rounds a number to a precision exactly as package filter does: half away from zero, and only while floats have
// decimals.
func snap(value string, decimals int) string {
	if decimals < 0 {
		return value
	}
	scale := "1e" + strconv.Itoa(decimals)
	scaled := "(" + value + " * " + scale + ")"
	size := "abs" + scaled
	return "if(" + size + " < 9007199254740992, sign" + scaled + " * (trunc(" + size + ") + (" + size + " - trunc(" + size +
		") >= 0.5)) / " + scale + ", " + value + ")"
}

func compileTime[R any](c *filter.Condition[R], e expression, args *params) string {
	switch c.Operator() {
	case filter.IsNull:
		return e.value + " = 0"
	case filter.IsNotNull:
		return e.value + " != 0"
	case filter.GreaterEqual:
		if from := c.Millis(); from > 0 {
			return e.value + " >= " + args.int(from*1000) // equivalent, and can use an index of the column
		}
	}
	return "(" + e.value + " != 0 AND " + millis(e.value) + " " + string(c.Operator()) + " " + args.int(c.Millis()) + ")"
}

func compileBool[R any](c *filter.Condition[R], e expression) string {
	switch {
	case c.Operator() == filter.IsNotNull:
		return "1"
	case c.Operator() == filter.IsNull:
		return "0"
	case c.Bool() == (c.Operator() == filter.Equal):
		return e.value
	}
	return "NOT " + e.value
}

// compileMetadata evaluates a condition on the entries of metadata, which are stored beside it as arrays of keys,
// strings and numbers. The first of several entries with the same key counts.
func compileMetadata[R any](c *filter.Condition[R], args *params) (string, bool) {
	switch c.Operator() {
	case filter.IsNull:
		return "NOT has_metadata", true
	case filter.IsNotNull:
		return "has_metadata", true
	}
	key := args.text(c.Key())
	place := "indexOf(metadata_keys, " + key + ")"
	there := "has(metadata_keys, " + key + ")"
	text := "metadata_values[" + place + "]"
	switch {
	case c.ValueKind() == filter.Number:
		number := "metadata_numbers[" + place + "]"
		// Non-numbers are NaN, which no comparison matches.
		return "(" + there + " AND NOT isNaN(" + number + ") AND " + number + " " + string(c.Operator()) + " " +
			args.number(c.Number()) + ")", true
	case c.ValueKind() == filter.Bool:
		wanted := "'false'"
		if c.Bool() == (c.Operator() == filter.Equal) {
			wanted = "'true'"
		}
		return "(" + there + " AND " + text + " = " + wanted + ")", true
	case c.Operator() == filter.Equal:
		// The second condition, that any entry has the value, can use the skip index.
		value := args.text(c.Text())
		return "(" + there + " AND has(metadata_values, " + value + ") AND " + text + " = " + value + ")", true
	case c.Operator() != filter.Matches:
		return "(" + there + " AND " + compareText(c, text, args) + ")", true
	}
	words, ok := wholeWords(c.Words())
	if !ok {
		return "", false
	}
	parts := []string{there, "position(" + text + ", " + args.text(c.Text()) + ") > 0"}
	for _, pattern := range words {
		parts = append(parts, "arrayExists(v -> match(v, "+args.text(pattern)+"), metadata_values)")
	}
	return "(" + strings.Join(parts, " AND ") + ")", true
}
