package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"almanac/internal/domain"
)

// metadataColumn is the column that becomes a map, so that ClickHouse can search its values.
const metadataColumn = "metadata"

// repeating are the columns whose values repeat often enough for a dictionary.
var repeating = []string{
	"type", "model", "name", "environment", "version", "release", "level", "trace_name", "model_id", "pricing_tier_id", "pricing_tier_name",
	"prompt_id", "prompt_name", "experiment_id", "experiment_name", "experiment_dataset_id", "experiment_item_version", "source",
	"ingestion_key", "sdk_name", "sdk_version", "service_name", "service_version", "scope_name", "scope_version", "telemetry_language",
	"telemetry_name", "telemetry_version",
}

// clickhouseType returns the type of a column.
func clickhouseType(c column) string {
	switch field := c.field(new(domain.Observation)).(type) {
	case *string:
		switch {
		case c.name == metadataColumn:
			return "Map(LowCardinality(String), String)"
		case slices.Contains(repeating, c.name):
			return "LowCardinality(String)"
		}
		return "String"
	case *[]string:
		return "Array(LowCardinality(String))"
	case *bool:
		return "Bool"
	case *int64:
		return "Int64"
	case *float64:
		return "Float64"
	case *domain.Micros:
		return "Int64 CODEC(Delta(8), ZSTD(1))"
	case *domain.OptInt:
		return "Nullable(Int64)"
	case *domain.OptFloat:
		return "Nullable(Float64)"
	default:
		panic(fmt.Sprintf("BUG: no column for a %T", field))
	}
}

// appendClickHouseRow encodes a row in the RowBinary format.
func appendClickHouseRow(b []byte, project string, o *domain.Observation) []byte {
	b = appendText(b, project)
	b = binary.LittleEndian.AppendUint64(b, uint64(o.StartTime.Millis())) //nolint:gosec // the bits are meant
	b = binary.LittleEndian.AppendUint64(b, uint64(o.UpdatedAt))          //nolint:gosec // the bits are meant
	for _, c := range columns {
		b = appendField(b, c.name, c.field(o))
	}
	return b
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

func appendField(b []byte, name string, field any) []byte {
	switch f := field.(type) {
	case *string:
		if name == metadataColumn {
			return appendMetadata(b, *f)
		}
		return appendText(b, *f)
	case *[]string:
		b = binary.AppendUvarint(b, uint64(len(*f)))
		for _, text := range *f {
			b = appendText(b, text)
		}
		return b
	case *bool:
		if *f {
			return append(b, 1)
		}
		return append(b, 0)
	case *int64:
		return binary.LittleEndian.AppendUint64(b, uint64(*f)) //nolint:gosec // the bits are meant
	case *domain.Micros:
		return binary.LittleEndian.AppendUint64(b, uint64(*f)) //nolint:gosec // the bits are meant
	case *float64:
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(*f))
	case *domain.OptInt:
		if !f.Set {
			return append(b, 1)
		}
		return binary.LittleEndian.AppendUint64(append(b, 0), uint64(f.Value)) //nolint:gosec // the bits are meant
	case *domain.OptFloat:
		if !f.Set {
			return append(b, 1)
		}
		return binary.LittleEndian.AppendUint64(append(b, 0), math.Float64bits(f.Value))
	}
	panic(fmt.Sprintf("BUG: no column for a %T", field))
}

// appendMetadata encodes a JSON object as a map from its keys to its raw values, keeping their order. Anything else is
// stored under an empty key.
func appendMetadata(b []byte, text string) []byte {
	if text == "" {
		return append(b, 0)
	}
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	type pair struct {
		key   string
		value json.RawMessage
	}
	var pairs []pair
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return appendText(appendText(append(b, 1), ""), text)
	}
	for decoder.More() {
		token, err := decoder.Token()
		key, ok := token.(string)
		var value json.RawMessage
		if err != nil || !ok || decoder.Decode(&value) != nil {
			return appendText(appendText(append(b, 1), ""), text)
		}
		pairs = append(pairs, pair{key, value})
	}
	b = binary.AppendUvarint(b, uint64(len(pairs)))
	for _, p := range pairs {
		b = appendText(appendText(b, p.key), string(p.value))
	}
	return b
}

// rowReader reads columns from a response in the RowBinary format. Strings refer to the response and are not copied.
type rowReader struct {
	rest []byte
	err  error
}

// more reports whether there is another row.
func (r *rowReader) more() bool { return r.err == nil && len(r.rest) > 0 }

// take returns the next n bytes, or zeros if there are not that many.
func (r *rowReader) take(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		if r.err == nil {
			r.err = fmt.Errorf("the answer ends within a row: %d bytes are missing", n-uint64(len(r.rest)))
		}
		r.rest = nil
		return make([]byte, min(n, 8))
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *rowReader) length() uint64 {
	value, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.take(uint64(len(r.rest)) + 1)
		return 0
	}
	r.rest = r.rest[n:]
	return value
}

func (r *rowReader) text() string {
	b := r.take(r.length())
	if len(b) == 0 {
		return ""
	}
	return unsafe.String(&b[0], len(b)) //nolint:gosec // nobody changes the answer
}

func (r *rowReader) number() uint64 { return binary.LittleEndian.Uint64(r.take(8)) }

// field reads a column into its field.
func (r *rowReader) field(name string, field any) {
	switch f := field.(type) {
	case *string:
		if name == metadataColumn {
			*f = r.metadata()
			return
		}
		*f = r.text()
	case *[]string:
		n := r.length()
		for *f = (*f)[:0]; n > 0 && r.err == nil; n-- {
			*f = append(*f, r.text())
		}
	case *bool:
		*f = r.take(1)[0] != 0
	case *int64:
		*f = int64(r.number()) //nolint:gosec // the bits are meant
	case *domain.Micros:
		*f = domain.Micros(r.number()) //nolint:gosec // the bits are meant
	case *float64:
		*f = math.Float64frombits(r.number())
	case *domain.OptInt:
		if f.Set = r.take(1)[0] == 0; f.Set {
			f.Value = int64(r.number()) //nolint:gosec // the bits are meant
		}
	case *domain.OptFloat:
		if f.Set = r.take(1)[0] == 0; f.Set {
			f.Value = math.Float64frombits(r.number())
		}
	default:
		panic(fmt.Sprintf("BUG: no column for a %T", field))
	}
}

// metadata reads a map and returns the original object.
func (r *rowReader) metadata() string {
	n := r.length()
	if n == 0 {
		return ""
	}
	b := []byte{'{'}
	for i := uint64(0); i < n && r.err == nil; i++ {
		key, value := r.text(), r.text()
		if n == 1 && key == "" {
			return value
		}
		if i > 0 {
			b = append(b, ',')
		}
		quoted, _ := json.Marshal(key) //nolint:errchkjson // texts always marshal
		b = append(append(append(b, quoted...), ':'), value...)
	}
	return string(append(b, '}'))
}
