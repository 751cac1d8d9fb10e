package clickhouse

import (
	"almanac/internal/filter"
	"almanac/internal/store"
)

// column is a column of a table that holds a field of the rows R.
type column[R any] struct {
	name string
	typ  string     // the ClickHouse type; the schema has it as well, and a test compares them
	part store.Want // the part of the row it belongs to; 0 if it is always returned
	put  func(b []byte, row *R) []byte
	get  func(d *decoder, row *R)
}

// tableName returns the name of a column in the tables, where "version" is the version of a row.
func tableName(column string) string {
	if column == "version" {
		return "version_of_app"
	}
	return column
}

// columnsOf returns the columns of a table, in the order in which they are inserted.
func columnsOf[R any](fields []store.Column[R], metadata func(*R) *string) []column[R] {
	var columns []column[R]
	for _, f := range fields {
		c := column[R]{name: tableName(f.Name), part: f.Want}
		switch f.Kind {
		case store.KindWord, store.KindText, store.KindID, store.KindLong:
			c.typ = "String"
			if f.Kind == store.KindWord {
				c.typ = "LowCardinality(String)"
			}
			c.put, c.get = codec(f.Text, appendText, (*decoder).text)
		case store.KindTime:
			c.typ = "Int64"
			c.put, c.get = codec(f.Time, appendTime, (*decoder).time)
		case store.KindInt:
			c.typ = "Int64"
			c.put, c.get = codec(f.Int, appendInt, (*decoder).int)
		case store.KindOptInt:
			c.typ = "Nullable(Int64)"
			c.put, c.get = codec(f.OptInt, appendOptInt, (*decoder).optInt)
		case store.KindFloat:
			c.typ = "Float64"
			c.put, c.get = codec(f.Float, appendFloat, (*decoder).float)
		case store.KindOptFloat:
			c.typ = "Nullable(Float64)"
			c.put, c.get = codec(f.OptFloat, appendOptFloat, (*decoder).optFloat)
		case store.KindBool:
			c.typ = "Bool"
			c.put, c.get = codec(f.Bool, appendBool, (*decoder).bool)
		case store.KindList:
			c.typ = "Array(String)"
			c.put, c.get = codec(f.List, appendTexts, (*decoder).texts)
		}
		columns = append(columns, c)
	}
	return append(columns, entryColumns(metadata)...)
}

// codec returns functions that encode and decode a field, given those for its type.
func codec[R, T any](
	field func(*R) *T, write func([]byte, T) []byte, read func(*decoder) T,
) (put func([]byte, *R) []byte, get func(*decoder, *R)) {
	put = func(b []byte, row *R) []byte { return write(b, *field(row)) }
	get = func(d *decoder, row *R) { *field(row) = read(d) }
	return put, get
}

// entryColumns returns the columns that conditions on metadata are evaluated on: its entries as package filter sees
// them, which differs from how ClickHouse parses JSON. They are only written, never read back.
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
