package clickhouse

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"almanac/internal/domain"
)

// TestRowBinary encodes values of every type and decodes them again, each after the row mark.
func TestRowBinary(t *testing.T) {
	type values struct {
		Text    string
		Texts   []string
		Int     int64
		Float   float64
		Floats  []float64
		Bool    bool
		OptInt  domain.OptInt
		OptReal domain.OptFloat
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringN(0, 20, -1)
		var rows, got []values
		for range rapid.IntRange(0, 4).Draw(t, "rows") {
			v := values{
				Text: text.Draw(t, "text"), Texts: rapid.SliceOfN(text, 0, 3).Draw(t, "texts"),
				Int: rapid.Int64().Draw(t, "int"), Float: rapid.Float64().Draw(t, "float"), Bool: rapid.Bool().Draw(t, "bool"),
				Floats: rapid.SliceOfN(rapid.Float64(), 0, 3).Draw(t, "floats"),
			}
			if rapid.Bool().Draw(t, "set") {
				v.OptInt, v.OptReal = domain.IntOf(v.Int), domain.FloatOf(v.Float)
			}
			if rapid.IntRange(0, 9).Draw(t, "long") == 0 {
				v.Text = string(bytes.Repeat([]byte("long"), 50_000))
			}
			rows = append(rows, v)
		}
		var b []byte
		for _, v := range rows {
			b = appendTexts(appendText(append(b, 1), v.Text), v.Texts)
			b = appendBool(appendFloats(appendFloat(appendInt(b, v.Int), v.Float), v.Floats), v.Bool)
			b = appendOptFloat(appendOptInt(b, v.OptInt), v.OptReal)
		}
		d := newDecoder(context.Background(), bytes.NewReader(b))
		for d.next() {
			v := values{
				Text: d.text(), Texts: d.texts(), Int: d.int(), Float: d.float(), Floats: d.floats(10), Bool: d.bool(),
				OptInt: d.optInt(), OptReal: d.optFloat(),
			}
			v.Text = string([]byte(v.Text)) // it is valid only until the next row
			for i := range v.Texts {
				v.Texts[i] = string([]byte(v.Texts[i]))
			}
			got = append(got, v)
		}
		if d.err != nil {
			t.Fatal(d.err)
		}
		if d := cmp.Diff(rows, got, cmpopts.EquateEmpty(), cmpopts.EquateNaNs()); d != "" {
			t.Fatal(d)
		}
	})
}

// TestDamagedAnswers checks that nothing else is mistaken for a row.
func TestDamagedAnswers(t *testing.T) {
	row := appendText([]byte{1}, "a text")
	var exception *exceptionError
	for name, c := range map[string]struct {
		answer []byte
		rows   int
		check  func(error) bool
	}{
		"nothing":        {nil, 0, func(err error) bool { return err == nil }},
		"a row":          {row, 1, func(err error) bool { return err == nil }},
		"cut off":        {row[:4], 0, func(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) }},
		"only the mark":  {row[:1], 0, func(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) }},
		"another format": {[]byte("2 hello"), 0, func(err error) bool { return errors.Is(err, errDamaged) }},
		"too long": {
			[]byte{1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, 0, func(err error) bool { return errors.Is(err, errDamaged) },
		},
		"long and missing": {[]byte{1, 0xff, 0xff, 0xff, 0xff, 0x03}, 0, func(err error) bool {
			return errors.Is(err, io.ErrUnexpectedEOF)
		}},
		"an exception behind a row": {append(bytes.Clone(row),
			"Code: 241. DB::Exception: a secret (total) (MEMORY_LIMIT_EXCEEDED) (version 1)"...), 1, func(err error) bool {
			return errors.As(err, &exception) && exception.code == codeMemory &&
				exception.Error() == "ClickHouse error 241 MEMORY_LIMIT_EXCEEDED"
		}},
	} {
		d := newDecoder(context.Background(), bytes.NewReader(c.answer))
		n := 0
		for d.next() {
			if d.text(); d.err == nil {
				n++
			}
		}
		if n != c.rows || !c.check(d.err) {
			t.Errorf("%s: %d rows and the error %v", name, n, d.err)
		}
	}
	d := newDecoder(context.Background(), bytes.NewReader(appendFloats([]byte{1}, []float64{1, 2, 3})))
	if d.next(); d.floats(2) != nil || !errors.Is(d.err, errTooMany) {
		t.Errorf("more values than allowed: %v", d.err)
	}
}

// FuzzDecoder decodes arbitrary input as rows of both tables: decoding must terminate, with no more rows than bytes.
func FuzzDecoder(f *testing.F) {
	o, s := domain.Observation{TraceID: "t", ID: "a", Tags: []string{"x", ""}, TotalCost: domain.FloatOf(1)}, domain.Score{ID: "a"}
	f.Add(encodeFields(observationsDefinition().columns, &o))
	f.Add(encodeFields(scoresDefinition().columns, &s))
	f.Add([]byte("Code: 1. DB::Exception"))
	f.Fuzz(func(t *testing.T, answer []byte) {
		if n := countRows(answer, observationsDefinition().columns); n > len(answer) {
			t.Errorf("%d observations in %d bytes", n, len(answer))
		}
		if n := countRows(answer, scoresDefinition().columns); n > len(answer) {
			t.Errorf("%d scores in %d bytes", n, len(answer))
		}
	})
}

func encodeFields[R any](columns []column[R], row *R) []byte {
	b := []byte{1}
	for i := range columns {
		if columns[i].get != nil {
			b = columns[i].put(b, row)
		}
	}
	return b
}

func countRows[R any](answer []byte, columns []column[R]) int {
	d := newDecoder(context.Background(), bytes.NewReader(answer))
	n := 0
	for ; d.next(); n++ {
		var row R
		for i := range columns {
			if columns[i].get != nil {
				columns[i].get(d, &row)
			}
		}
	}
	return n
}
