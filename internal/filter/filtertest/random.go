package filtertest

import (
	"encoding/json"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"almanac/internal/domain"
	"almanac/internal/filter"
)

// Filters draws valid filters of one to four conditions, as clients may write them: members in any order, additional
// members, whitespace, escapes. Their values are mostly those of Rows or close to them, so that they match some rows.
func Filters() *rapid.Generator[string] {
	rows := Rows()
	return rapid.Custom(func(t *rapid.T) string {
		var conditions []string
		for range rapid.IntRange(1, 4).Draw(t, "conditions") {
			conditions = append(conditions, drawCondition(t, rows))
		}
		space := rapid.SampledFrom([]string{"", " ", "\n\t"}).Draw(t, "space")
		return space + "[" + space + strings.Join(conditions, space+","+space) + space + "]" + space
	})
}

func drawCondition(t *rapid.T, rows []domain.Observation) string {
	column := rapid.SampledFrom(filter.Observations().Columns()).Draw(t, "column")
	f := rapid.SampledFrom(formsOf(column.Kind())).Draw(t, "type")
	operator := rapid.SampledFrom(f.operators).Draw(t, "operator")
	row := &rows[rapid.IntRange(0, len(rows)-1).Draw(t, "row")]

	a := rapid.SampledFrom(f.values(column.ID(), operator, rows)).Draw(t, "value")
	if near, ok := drawNear(t, Value(column.ID(), row), f.typ, operator); ok && rapid.Bool().Draw(t, "like the row") {
		a = near
	}
	name := rapid.SampledFrom(append([]string{column.ID()}, column.Aliases()...)).Draw(t, "name")
	members := []string{member("type", f.typ), member("column", name), member("operator", operator)}
	if f.typ != "null" || rapid.Bool().Draw(t, "with value") {
		members = append(members, member("value", a.value))
	}
	if a.keyed {
		members = append(members, member("key", a.key))
	}
	if rapid.IntRange(0, 3).Draw(t, "more") == 0 {
		members = append(members, `"id":"x"`, `"Value":[{"value":{}}]`)
	}
	return "{" + strings.Join(rapid.Permutation(members).Draw(t, "members"), ", ") + "}"
}

func member(name string, value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return `"` + name + `":` + string(text)
}

// drawNear draws a value of a row, a part of it, or one close to it.
func drawNear(t *rapid.T, value any, typ, operator string) (arguments, bool) {
	switch value := value.(type) {
	case string:
		return drawNearText(t, value, typ, operator)
	case []string:
		if typ == "arrayOptions" && len(value) > 0 {
			list := rapid.SliceOfN(rapid.SampledFrom(append(slices.Clone(value), nowhere)), 1, 15).Draw(t, "list")
			return arguments{value: list}, true
		}
	case Millis:
		if typ == "datetime" {
			at := value + Millis(rapid.IntRange(-3, 3).Draw(t, "milliseconds off"))
			return arguments{value: rapid.SampledFrom(timeForms(at)).Draw(t, "form")}, true
		}
	case Entries:
		if typ == "stringObject" && len(value) > 0 {
			entry := rapid.SampledFrom(value).Draw(t, "entry")
			a, ok := drawNearText(t, entry.Text, "string", operator)
			a.keyed, a.key = true, entry.Key
			return a, ok
		}
	}
	return arguments{}, false
}

func drawNearText(t *rapid.T, text, typ, operator string) (arguments, bool) {
	characters := []rune(text)
	from := rapid.IntRange(0, len(characters)).Draw(t, "from")
	part := string(characters[from:rapid.IntRange(from, len(characters)).Draw(t, "to")])
	switch typ {
	case "string":
		return arguments{value: part}, operator != "matches" || len(words(part)) > 0
	case "stringOptions":
		list := rapid.SliceOfN(rapid.SampledFrom([]string{text, part, "", nowhere}), 1, 15).Draw(t, "list")
		return arguments{value: list}, true
	}
	return arguments{}, false
}
