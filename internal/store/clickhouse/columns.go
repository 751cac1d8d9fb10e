package clickhouse

import (
	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// column is a column of a table that holds a field of the rows R.
type column[R any] struct {
	name string
	typ  string     // of ClickHouse; the schema has it too, and a test compares them
	part store.Want // that it belongs to; 0 if it is always returned
	put  func(b []byte, row *R) []byte
	get  func(d *decoder, row *R)
}

func textColumn[R any](name string, part store.Want, field func(*R) *string) column[R] {
	return column[R]{
		name, "String", part,
		func(b []byte, row *R) []byte { return appendText(b, *field(row)) },
		func(d *decoder, row *R) { *field(row) = d.text() },
	}
}

// wordColumn holds texts of which there are few different ones.
func wordColumn[R any](name string, field func(*R) *string) column[R] {
	c := textColumn(name, 0, field)
	c.typ = "LowCardinality(String)"
	return c
}

func listColumn[R any](name string, field func(*R) *[]string) column[R] {
	return column[R]{
		name, "Array(String)", 0,
		func(b []byte, row *R) []byte { return appendTexts(b, *field(row)) },
		func(d *decoder, row *R) { *field(row) = d.texts() },
	}
}

func timeColumn[R any](name string, field func(*R) *domain.Micros) column[R] {
	return column[R]{
		name, "Int64", 0,
		func(b []byte, row *R) []byte { return appendInt(b, int64(*field(row))) },
		func(d *decoder, row *R) { *field(row) = domain.Micros(d.int()) },
	}
}

func intColumn[R any](name string, field func(*R) *int64) column[R] {
	return column[R]{
		name, "Int64", 0,
		func(b []byte, row *R) []byte { return appendInt(b, *field(row)) },
		func(d *decoder, row *R) { *field(row) = d.int() },
	}
}

func floatColumn[R any](name string, field func(*R) *float64) column[R] {
	return column[R]{
		name, "Float64", 0,
		func(b []byte, row *R) []byte { return appendFloat(b, *field(row)) },
		func(d *decoder, row *R) { *field(row) = d.float() },
	}
}

func boolColumn[R any](name string, field func(*R) *bool) column[R] {
	return column[R]{
		name, "Bool", 0,
		func(b []byte, row *R) []byte { return appendBool(b, *field(row)) },
		func(d *decoder, row *R) { *field(row) = d.bool() },
	}
}

func optIntColumn[R any](name string, field func(*R) *domain.OptInt) column[R] {
	return column[R]{
		name, "Nullable(Int64)", 0,
		func(b []byte, row *R) []byte { return appendOptInt(b, *field(row)) },
		func(d *decoder, row *R) { *field(row) = d.optInt() },
	}
}

func optFloatColumn[R any](name string, field func(*R) *domain.OptFloat) column[R] {
	return column[R]{
		name, "Nullable(Float64)", 0,
		func(b []byte, row *R) []byte { return appendOptFloat(b, *field(row)) },
		func(d *decoder, row *R) { *field(row) = d.optFloat() },
	}
}

// entryColumns are what conditions on metadata are asked of: its entries as package filter sees them, which differs from
// how ClickHouse reads JSON. They are written only.
func entryColumns[R any](metadata func(*R) *string) []column[R] {
	entries := func(row *R) (keys, values []string, numbers []float64) {
		filter.EachLeaf(*metadata(row), func(key, text string) bool {
			keys, values = append(keys, key), append(values, text)
			numbers = append(numbers, filter.EntryNumber(text))
			return true
		})
		return keys, values, numbers
	}
	return []column[R]{
		{name: "metadata_keys", typ: "Array(String)", put: func(b []byte, row *R) []byte {
			keys, _, _ := entries(row)
			return appendTexts(b, keys)
		}},
		{name: "metadata_values", typ: "Array(String)", put: func(b []byte, row *R) []byte {
			_, values, _ := entries(row)
			return appendTexts(b, values)
		}},
		{name: "metadata_numbers", typ: "Array(Float64)", put: func(b []byte, row *R) []byte {
			_, _, numbers := entries(row)
			return appendFloats(b, numbers)
		}},
		{name: "has_metadata", typ: "Bool", put: func(b []byte, row *R) []byte {
			return appendBool(b, filter.HasEntries(*metadata(row)))
		}},
	}
}
