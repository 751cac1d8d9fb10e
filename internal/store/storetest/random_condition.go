package storetest

import (
	"slices"

	"pgregory.net/rapid"

	"almanac/internal/domain"
	"almanac/internal/filter"
)

// drawColumn draws a column of one of the kinds, or of any if none is given. It draws the name, which is what a failure
// prints.
func (k *kind[R]) drawColumn(rt *rapid.T, kinds ...filter.Kind) *filter.Column[R] {
	var names []string
	for _, column := range k.catalogue.Columns() {
		if len(kinds) == 0 || slices.Contains(kinds, column.Kind()) {
			names = append(names, column.ID())
		}
	}
	column, _ := k.catalogue.Column(rapid.SampledFrom(names).Draw(rt, "column"))
	return column
}

// drawMeasured draws a column of one of the kinds, which may be derived.
func (k *kind[R]) drawMeasured(rt *rapid.T, kinds ...filter.Kind) *filter.Column[R] {
	var derived []*filter.Column[R]
	var names []string
	for _, column := range k.derived {
		if slices.Contains(kinds, column.Kind()) {
			derived, names = append(derived, column), append(names, column.ID())
		}
	}
	if len(derived) > 0 && rapid.IntRange(0, 3).Draw(rt, "derived") == 3 {
		return derived[slices.Index(names, rapid.SampledFrom(names).Draw(rt, "column"))]
	}
	return k.drawColumn(rt, kinds...)
}

// drawConditions draws conditions. Their values are mostly those of existing rows, so that something is found.
func (k *kind[R]) drawConditions(rt *rapid.T, existing []*R) []filter.Condition[R] {
	var conditions []filter.Condition[R]
	for range rapid.SampledFrom([]int{0, 1, 1, 2, 3}).Draw(rt, "conditions") {
		conditions = append(conditions, k.drawCondition(rt, existing))
	}
	return conditions
}

func (k *kind[R]) drawCondition(rt *rapid.T, existing []*R) filter.Condition[R] {
	if k.search != nil && rapid.IntRange(0, 14).Draw(rt, "search") == 14 {
		return must(k.search(rapid.SampledFrom(slices.Concat(searches, traceIDs, ids, sessions[1:])).Draw(rt, "text")))(rt)
	}
	column := k.drawColumn(rt)
	if rapid.IntRange(0, 9).Draw(rt, "derived") == 9 {
		column = k.derived[rapid.IntRange(0, len(k.derived)-1).Draw(rt, "which")]
	}
	var row *R // nil if the value is made up
	if i := rapid.IntRange(-1, len(existing)-1).Draw(rt, "like row"); i >= 0 {
		row = existing[i]
	}
	if column.Kind() != filter.LongText && rapid.IntRange(0, 5).Draw(rt, "about null") == 5 {
		return must(filter.NewNull(column, rapid.Bool().Draw(rt, "is null")))(rt)
	}
	switch column.Kind() {
	case filter.Text:
		return drawTextCondition(rt, column, row)
	case filter.List:
		var from []string
		if row != nil {
			from = column.List(row)
		}
		operator := drawOperator(rt, filter.AnyOf, filter.NoneOf, filter.AllOf)
		return must(filter.NewTexts(column, operator, drawTexts(rt, "values", append(slices.Clone(from), texts...))))(rt)
	case filter.Number:
		value := rapid.SampledFrom(numberPool).Draw(rt, "value")
		if row != nil {
			if existing, null := column.Number(row); !null && existing-existing == 0 { // conditions cannot have infinite values
				value = existing
			}
		}
		if rapid.IntRange(0, 3).Draw(rt, "several numbers") == 3 {
			operator, other := drawOperator(rt, filter.AnyOf, filter.NoneOf), rapid.SampledFrom(numberPool).Draw(rt, "other value")
			return must(filter.NewNumbers(column, operator, []float64{value, other}))(rt)
		}
		return must(filter.NewNumber(column, drawOrder(rt, filter.Equal), value))(rt)
	case filter.Time:
		value := drawTime(rt)
		if row != nil && column.TimeOf(row) != 0 {
			value = column.TimeOf(row) + domain.Micros(rapid.SampledFrom([]int{0, 1, -1, 1000, -1000}).Draw(rt, "off by"))
		}
		return must(filter.NewTime(column, drawOrder(rt), value))(rt)
	case filter.Bool:
		operator := drawOperator(rt, filter.Equal, filter.NotEqual)
		return must(filter.NewBool(column, operator, rapid.Bool().Draw(rt, "value")))(rt)
	case filter.LongText:
		if rapid.Bool().Draw(rt, "search") {
			return must(filter.NewText(column, filter.Matches, rapid.SampledFrom(searches).Draw(rt, "value")))(rt)
		}
		return must(filter.NewText(column, filter.Equal, rapid.SampledFrom(longTextPool).Draw(rt, "value")))(rt)
	default:
		return drawMetadataCondition(rt, column)
	}
}

func drawTextCondition[R any](rt *rapid.T, column *filter.Column[R], row *R) filter.Condition[R] {
	from := texts
	if row != nil {
		existing, _ := column.Text(row)
		from = []string{existing, firstHalf(existing), existing[len(firstHalf(existing)):]}
	}
	operator := drawOperator(rt, filter.Equal, filter.Contains, filter.DoesNotContain, filter.StartsWith, filter.EndsWith, filter.AnyOf,
		filter.NoneOf)
	if operator == filter.AnyOf || operator == filter.NoneOf {
		return must(filter.NewTexts(column, operator, drawTexts(rt, "values", append(slices.Clone(from), texts...))))(rt)
	}
	return must(filter.NewText(column, operator, rapid.SampledFrom(from).Draw(rt, "value")))(rt)
}

// firstHalf returns the first half of the characters of a string.
func firstHalf(text string) string {
	characters := []rune(text)
	return string(characters[:len(characters)/2])
}

func drawMetadataCondition[R any](rt *rapid.T, column *filter.Column[R]) filter.Condition[R] {
	key := rapid.SampledFrom(metadataKeys).Draw(rt, "key")
	switch rapid.SampledFrom([]string{"text", "search", "number", "boolean"}).Draw(rt, "compare as") {
	case "text":
		operator := drawOperator(rt, filter.Equal, filter.Contains, filter.DoesNotContain, filter.StartsWith, filter.EndsWith)
		return must(filter.NewMetadataText(column, operator, key,
			rapid.SampledFrom(append([]string{"1", "true", `["x",1]`}, texts...)).Draw(rt, "value")))(rt)
	case "search":
		return must(filter.NewMetadataText(column, filter.Matches, key,
			rapid.SampledFrom(append([]string{"Alpha beta", "1", "true"}, searches...)).Draw(rt, "value")))(rt)
	case "number":
		return must(filter.NewMetadataNumber(column, drawOrder(rt, filter.Equal), key,
			rapid.SampledFrom(append([]float64{2.5}, numberPool...)).Draw(rt, "value")))(rt)
	default:
		return must(filter.NewMetadataBool(column, drawOperator(rt, filter.Equal, filter.NotEqual), key,
			rapid.Bool().Draw(rt, "value")))(rt)
	}
}

// drawOrder draws an ordering operator or one of the others.
func drawOrder(rt *rapid.T, others ...filter.Operator) filter.Operator {
	return drawOperator(rt, append([]filter.Operator{filter.GreaterEqual, filter.LessEqual, filter.Greater, filter.Less}, others...)...)
}

func drawOperator(rt *rapid.T, operators ...filter.Operator) filter.Operator {
	return rapid.SampledFrom(operators).Draw(rt, "operator")
}

// must returns a function, since a call that returns two values cannot be combined with other arguments.
func must[R any](c filter.Condition[R], err error) func(*rapid.T) filter.Condition[R] {
	return func(rt *rapid.T) filter.Condition[R] {
		if err != nil {
			rt.Fatalf("BUG: a condition that does not fit was drawn: %v", err)
		}
		return c
	}
}
