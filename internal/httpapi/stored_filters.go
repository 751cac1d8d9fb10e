package httpapi

import (
	"encoding/json"
	"slices"

	"almanac/internal/decode"
	"almanac/internal/domain"
)

// The limits of filters that are stored.
const (
	maxStoredFilters = 100
	maxFilterColumn  = 200
	maxFilterKey     = 500
	maxFilterText    = 10_000
	maxFilterOptions = 500
)

// filterTypes are the types of conditions, in the order in which clients are told of them.
func filterTypes() []string {
	return []string{
		"string", "number", "datetime", "boolean", "null", "stringOptions", "arrayOptions", "categoryOptions",
		"stringObject", "numberObject", "booleanObject",
	}
}

func filterOperators(filterType string) []string {
	switch filterType {
	case "string", "stringObject":
		return []string{"=", "contains", "does not contain", "starts with", "ends with"}
	case "number", "numberObject", "datetime":
		return []string{"=", ">", "<", ">=", "<="}
	case "stringOptions", "categoryOptions":
		return []string{"any of", "none of"}
	case "arrayOptions":
		return []string{"any of", "none of", "all of"}
	case "null":
		return []string{"is null", "is not null"}
	}
	return []string{"=", "<>"} // boolean, booleanObject
}

// readStoredFilters reads a list of conditions. Whether the columns exist is for the caller to say.
func readStoredFilters(v decode.Value) []domain.StoredFilter {
	filters := []domain.StoredFilter{}
	if v.Len() > maxStoredFilters {
		v.Reject(decode.TooLong(v.Path(), "array", maxStoredFilters))
		return filters
	}
	for _, item := range v.Array() {
		filters = append(filters, readStoredFilter(item))
	}
	return filters
}

func readStoredFilter(v decode.Value) domain.StoredFilter {
	b := v.Object()
	f := domain.StoredFilter{
		Column: b.Field("column").TextLen(1, maxFilterColumn),
		Type:   b.Field("type").Enum(filterTypes()...),
	}
	operator, value, key := b.Field("operator"), b.Field("value"), b.Field("key")
	b.Strict()
	if f.Type == "" {
		return f // what the others may be depends on it
	}
	f.Operator = operator.Enum(filterOperators(f.Type)...)
	switch f.Type {
	case "categoryOptions", "stringObject", "numberObject", "booleanObject":
		f.Key = key.TextLen(1, maxFilterKey)
	default:
		rejectUnlessNull(key)
	}
	f.Value = readFilterValue(value, f.Type, f.Operator)
	return f
}

func readFilterValue(v decode.Value, filterType, operator string) json.RawMessage {
	switch filterType {
	case "string", "stringObject":
		v.TextLen(0, maxFilterText)
	case "number", "numberObject":
		v.Number()
	case "datetime":
		v.Time()
	case "boolean", "booleanObject":
		v.Bool()
	case "null":
		if kind := v.Kind(); kind != "undefined" && kind != "null" {
			v.Enum("")
		}
		return json.RawMessage(`""`)
	default:
		readFilterOptions(v, filterType != "arrayOptions" || operator == "any of")
	}
	return v.Raw()
}

func readFilterOptions(v decode.Value, needsOne bool) {
	switch length := v.Len(); {
	case length > maxFilterOptions:
		v.Reject(decode.TooLong(v.Path(), "array", maxFilterOptions))
		return
	case length == 0 && needsOne && v.Kind() == "array":
		v.Reject(decode.TooShort(v.Path(), "array", 1))
	}
	for _, item := range v.Array() {
		item.TextLen(0, maxFilterText)
	}
}

// filterOptions returns the values of a condition of a type with options.
func filterOptions(f domain.StoredFilter) []string {
	var options []string
	for _, item := range decode.NewBody(f.Value).Array() {
		options = append(options, item.Text())
	}
	return slices.Clip(options)
}
