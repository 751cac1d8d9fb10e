package filtertest

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"almanac/internal/domain"
)

// Oracle returns the meaning of a filter: a function that reports whether a row meets all its conditions. The function
// is not safe for concurrent use. Oracle panics if the filter is invalid, which is for other tests to find.
func Oracle(filter string) func(*domain.Observation) bool {
	var conditions []map[string]any
	d := json.NewDecoder(strings.NewReader(filter))
	d.UseNumber()
	if err := d.Decode(&conditions); err != nil {
		panic(fmt.Sprintf("the filter %s is not valid: %v", filter, err))
	}
	checks := make([]func(*domain.Observation) bool, len(conditions))
	for n, members := range conditions {
		checks[n] = check(members)
	}
	return func(row *domain.Observation) bool {
		for _, meets := range checks {
			if !meets(row) {
				return false
			}
		}
		return true
	}
}

// check returns the meaning of a condition, given the members of its JSON object.
func check(members map[string]any) func(*domain.Observation) bool {
	text := func(member string) string {
		s, _ := members[member].(string)
		return s
	}
	column, operator, key := unaliased(text("column")), text("operator"), text("key")
	switch text("type") {
	case "positionInTrace":
		return func(*domain.Observation) bool { return true }
	case "null":
		return func(row *domain.Observation) bool { return isEmpty(Value(column, row)) == (operator == "is null") }
	case "string":
		return func(row *domain.Observation) bool {
			return meetsText(column, operator, Value(column, row), text("value"))
		}
	case "stringOptions":
		values := textsOf(members["value"])
		return func(row *domain.Observation) bool { return meetsChoice(column, operator, Value(column, row), values) }
	case "arrayOptions":
		values := textsOf(members["value"])
		return func(row *domain.Observation) bool {
			list, _ := Value(column, row).([]string)
			return meetsList(operator, list, values)
		}
	case "number":
		value := truncated(rational(members["value"]), decimals(column))
		return func(row *domain.Observation) bool { return meetsNumber(column, operator, Value(column, row), value) }
	case "datetime":
		value := Millis(timeOf(members["value"]).UnixMilli())
		return func(row *domain.Observation) bool {
			at, ok := Value(column, row).(Millis)
			return ok && ordered(operator, big.NewRat(int64(at), 1).Cmp(big.NewRat(int64(value), 1)))
		}
	case "boolean":
		return func(row *domain.Observation) bool {
			return (Value(column, row) == members["value"]) == (operator == "=")
		}
	case "stringObject", "numberObject", "booleanObject":
		// Many rows have the same metadata, and parsing it is most of the work.
		known := map[string]bool{}
		return func(row *domain.Observation) bool {
			meets, ok := known[row.Metadata]
			if !ok {
				entries, _ := Value(column, row).(Entries)
				meets = meetsEntry(text("type"), operator, entries, key, members["value"])
				known[row.Metadata] = meets
			}
			return meets
		}
	}
	panic(fmt.Sprintf("there are no conditions of type %v", members["type"]))
}

func isEmpty(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case string:
		return value == ""
	case []string:
		return len(value) == 0
	case Entries:
		return len(value) == 0
	}
	return false
}

// meetsText compares a text with the wanted one. A null text meets nothing.
func meetsText(column, operator string, value any, wanted string) bool {
	text, ok := value.(string)
	if !ok {
		return false
	}
	if emptyIsNull(column) && operator != "does not contain" && (text == "" || wanted == "") {
		return text == wanted // the empty text means unset and nothing else
	}
	if emptyIsNull(column) && text == "" {
		return false
	}
	switch operator {
	case "=":
		return text == wanted
	case "contains":
		return strings.Contains(text, wanted)
	case "does not contain":
		return !strings.Contains(text, wanted)
	case "starts with":
		return strings.HasPrefix(text, wanted)
	case "ends with":
		return strings.HasSuffix(text, wanted)
	case "matches":
		return searched(text, wanted, []string{text}, lowerASCII)
	}
	panic("texts are not compared by " + operator)
}

func meetsChoice(column, operator string, value any, wanted []string) bool {
	text, ok := value.(string)
	switch {
	case !ok:
		return false
	case operator == "any of":
		return slices.Contains(wanted, text)
	case operator == "none of":
		return !slices.Contains(wanted, text) && (text != "" || !emptyIsNull(column))
	}
	panic("texts are not chosen by " + operator)
}

func meetsList(operator string, list, wanted []string) bool {
	inList := func(value string) bool { return slices.Contains(list, value) }
	switch operator {
	case "any of":
		return slices.ContainsFunc(wanted, inList)
	case "none of":
		return !slices.ContainsFunc(wanted, inList)
	case "all of":
		return !slices.ContainsFunc(wanted, func(value string) bool { return !inList(value) })
	}
	panic("lists are not compared by " + operator)
}

// meetsNumber compares a number of a row, rounded to the precision of the column, with one that was truncated to it.
func meetsNumber(column, operator string, value any, wanted *big.Rat) bool {
	switch value := value.(type) {
	case Infinity:
		return ordered(operator, +1)
	case *big.Rat:
		return ordered(operator, rounded(value, decimals(column)).Cmp(wanted))
	}
	return false
}

// ordered reports whether the operator accepts the result of a comparison.
func ordered(operator string, comparison int) bool {
	switch operator {
	case "=":
		return comparison == 0
	case ">":
		return comparison > 0
	case "<":
		return comparison < 0
	case ">=":
		return comparison >= 0
	case "<=":
		return comparison <= 0
	}
	panic("values are not ordered by " + operator)
}

// meetsEntry compares the entry with a key. Nothing is met without it.
func meetsEntry(typ, operator string, entries Entries, key string, wanted any) bool {
	at := slices.IndexFunc(entries, func(e Entry) bool { return e.Key == key })
	if at < 0 {
		return false
	}
	text := entries[at].Text
	switch typ {
	case "numberObject":
		if !number.MatchString(text) {
			return false
		}
		return ordered(operator, rational(json.Number(text)).Cmp(rational(wanted)))
	case "booleanObject":
		return (text == "true" || text == "false") && (text == fmt.Sprint(wanted)) == (operator == "=")
	}
	value, _ := wanted.(string)
	if operator == "matches" {
		all := make([]string, len(entries))
		for n, e := range entries {
			all[n] = e.Text
		}
		return searched(text, value, all, func(s string) string { return s })
	}
	return meetsText("metadata", operator, text, value)
}

func textsOf(value any) []string {
	list, _ := value.([]any)
	texts := make([]string, len(list))
	for n := range list {
		texts[n], _ = list[n].(string)
	}
	return texts
}

// timeOf parses the time formats of cells and random filters.
func timeOf(value any) time.Time {
	if millis, ok := value.(json.Number); ok {
		n, err := millis.Int64()
		if err != nil {
			panic(err)
		}
		return time.UnixMilli(n)
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", time.DateOnly} {
		if t, err := time.Parse(layout, fmt.Sprint(value)); err == nil {
			return t
		}
	}
	panic(fmt.Sprintf("%v is no time", value))
}
