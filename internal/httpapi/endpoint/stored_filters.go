package endpoint

import (
	"encoding/json"
	"slices"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/filter"
)

// The limits of stored filters.
const (
	maxStoredFilters = 100
	maxFilterColumn  = 200
	maxFilterKey     = 500
	maxFilterText    = 10_000
	maxFilterOptions = 500
)

// ReadStoredFilters reads a list of conditions. The caller must check that the columns exist.
func ReadStoredFilters(v decode.Value) []domain.StoredFilter {
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
		Type:   b.Field("type").Enum(filter.TypeNames()...),
	}
	operator, value, key := b.Field("operator"), b.Field("value"), b.Field("key")
	b.Strict()
	typ := filter.TypeNamed(f.Type)
	if typ == nil {
		return f // the other fields depend on it
	}
	operators := typ.Operators
	if typ.Value == filter.Time {
		operators = slices.Insert(slices.Clone(operators), 0, string(filter.Equal)) // a stored filter may name a point in time
	}
	f.Operator = operator.Enum(operators...)
	if typ.Keyed {
		f.Key = key.TextLen(1, maxFilterKey)
	} else {
		key.RejectUnlessNull()
	}
	f.Value = readFilterValue(value, typ, f.Operator)
	return f
}

func readFilterValue(v decode.Value, typ *filter.Type, operator string) json.RawMessage {
	if typ.Unused {
		if kind := v.Kind(); kind != "undefined" && kind != "null" {
			v.Enum("")
		}
		return json.RawMessage(`""`)
	}
	switch typ.Value {
	case filter.Number:
		v.Number()
	case filter.Time:
		v.Time()
	case filter.Bool:
		v.Bool()
	case filter.List:
		readFilterOptions(v, typ.Name != "arrayOptions" || operator == "any of")
	default:
		v.TextLen(0, maxFilterText)
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

// FilterOptions returns the values of a condition whose type has options.
func FilterOptions(f domain.StoredFilter) []string {
	var options []string
	for _, item := range decode.NewBody(f.Value).Array() {
		options = append(options, item.Text())
	}
	return slices.Clip(options)
}
