package segment

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// drawRow sets random columns of a row to random values.
func drawRow[R any](t *rapid.T, s *schema[R], columns int) (row R) {
	for n := range columns {
		if !rapid.Bool().Draw(t, "set") {
			continue
		}
		c := &s.columns[n]
		switch c.class {
		case classShort, classID, classLong:
			*c.Text(&row) = rapid.String().Draw(t, c.Name)
		case classTime:
			*c.Time(&row) = domain.Micros(rapid.Int64().Draw(t, c.Name))
		case classInt:
			*c.Int(&row) = rapid.Int64().Draw(t, c.Name)
		case classOptInt:
			*c.OptInt(&row) = domain.IntOf(rapid.Int64().Draw(t, c.Name))
		case classFloat:
			*c.Float(&row) = rapid.Float64().Draw(t, c.Name)
		case classOptFloat:
			*c.OptFloat(&row) = domain.FloatOf(rapid.Float64().Draw(t, c.Name))
		case classBool:
			*c.Bool(&row) = true
		case classList:
			*c.List(&row) = rapid.SliceOfN(rapid.String(), 1, 3).Draw(t, c.Name)
		}
	}
	return row
}

func TestRowsRoundTrip(t *testing.T) {
	t.Run("observations", func(t *testing.T) { rowsRoundTrip(t, observationSchema()) })
	t.Run("scores", func(t *testing.T) { rowsRoundTrip(t, scoreSchema()) })
}

func rowsRoundTrip[R any](t *testing.T, s *schema[R]) {
	rapid.Check(t, func(t *rapid.T) {
		// An older version had fewer columns; this one must read what it wrote.
		older := *s
		older.columns = s.columns[:rapid.IntRange(1, len(s.columns)).Draw(t, "columns")]
		var rows []R
		var encoded []byte
		for range rapid.IntRange(1, 3).Draw(t, "rows") {
			rows = append(rows, drawRow(t, &older, len(older.columns)))
			encoded = older.appendRow(encoded, &rows[len(rows)-1])
		}
		rest := encoded
		for n := range rows {
			var got R
			var err error
			if rest, err = s.readRow(rest, len(older.columns), &got); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(rows[n], got); d != "" {
				t.Fatalf("row %d: %s", n, d)
			}
		}
		if len(rest) > 0 {
			t.Fatalf("%d bytes are left", len(rest))
		}
		// A truncated row is an error.
		var got R
		if size := len(older.appendRow(nil, &rows[0])); size > 1 {
			cut := rapid.IntRange(0, size-1).Draw(t, "cut")
			if _, err := s.readRow(encoded[:cut:cut], len(older.columns), &got); err == nil {
				t.Fatalf("%d of %d bytes were enough", cut, size)
			}
		}
	})
}

// TestRowValues tests values that a careless encoding confuses with unset.
func TestRowValues(t *testing.T) {
	s := observationSchema()
	for name, row := range map[string]domain.Observation{
		"nothing":              {},
		"zeroes that are set":  {TotalTokens: domain.IntOf(0), TotalCost: domain.FloatOf(0), PromptVersion: domain.IntOf(0)},
		"negative":             {InputTokens: -1, InputCost: -1, StartTime: -1, TotalTokens: domain.IntOf(math.MinInt64)},
		"negative zero":        {TotalCost: domain.FloatOf(math.Copysign(0, -1))},
		"infinite":             {InputCost: math.Inf(1), TotalCost: domain.FloatOf(math.Inf(-1))},
		"an empty text listed": {Tags: []string{""}},
		"not UTF-8":            {ID: "\xff\xfe", Tags: []string{"\xf0\x9f", "\x00"}},
		"all flags":            {IsAppRoot: true, AsRoot: true, Public: true, Bookmarked: true},
	} {
		var got domain.Observation
		rest, err := s.readRow(s.appendRow(nil, &row), len(s.columns), &got)
		if d := cmp.Diff(row, got); err != nil || len(rest) > 0 || d != "" {
			t.Errorf("%s: %v, %d bytes left, %s", name, err, len(rest), d)
		}
		if math.Signbit(row.TotalCost.Value) != math.Signbit(got.TotalCost.Value) {
			t.Errorf("%s: the sign is lost", name)
		}
	}
}

// bareTable returns a table with just enough to read records.
func bareTable() *table[domain.Observation] {
	return &table[domain.Observation]{schema: observationSchema()}
}

func TestRecordsRoundTrip(t *testing.T) {
	tbl := bareTable()
	rows := []domain.Observation{
		{TraceID: "t", ID: "a", StartTime: 1000},
		{TraceID: "t", ID: "b", StartTime: 2000},
		{TraceID: "t", ID: "a", StartTime: 3000, Name: "again"},
	}
	written, err := tbl.newAppend("project", rows)
	if err != nil {
		t.Fatal(err)
	}
	putSeq(written.record, 77)
	read, seq, err := tbl.readRecord(written.record)
	if err != nil || seq != 77 || read.project != "project" || read.remove != nil || len(read.rows) != 2 {
		t.Fatalf("read %+v, %d, %v", read, seq, err)
	}
	// Newest first, and the later of two rows with the same key.
	for n, want := range []domain.Observation{rows[2], rows[1]} {
		if d := cmp.Diff(want, read.rows[n].row); d != "" {
			t.Errorf("row %d: %s", n, d)
		}
	}
	for _, s := range []store.Selection{
		{All: true},
		{Before: 123},
		{Before: -123},
		{TraceIDs: []string{"a", ""}},
		{IDs: []string{"b"}},
		{Before: 123, Arrived: &store.Window{After: -1, UpTo: 1 << 40}},
	} {
		record := tbl.newDelete("project", s).record
		putSeq(record, 78)
		read, seq, err := tbl.readRecord(record)
		if err != nil || seq != 78 || read.project != "project" {
			t.Fatalf("%+v: read %+v, %d, %v", s, read, seq, err)
		}
		if d := cmp.Diff(s, *read.remove); d != "" {
			t.Errorf("%+v: %s", s, d)
		}
	}
}

func TestRecordsThatMakeNoSense(t *testing.T) {
	tbl := bareTable()
	head := func(kind byte, project string) []byte { return newRecord(kind, project, 0) }
	for name, record := range map[string][]byte{
		"nothing":             {},
		"no sequence":         {recordAppend, 1, 2, 3},
		"no project":          head(recordAppend, "")[:9],
		"a part of a project": append(head(recordAppend, "")[:9], 5, 'p'),
		"unknown kind":        append(head(9, "p"), 1, 0),
		"no rows":             append(head(recordAppend, "p"), 1, 5),
		"too many rows":       binary.AppendUvarint(append(head(recordAppend, "p"), 1), math.MaxUint64),
		"unknown columns":     append(binary.AppendUvarint(head(recordAppend, "p"), 10_000), 0),
		"no selection":        head(recordDelete, "p"),
		"no window":           append(head(recordWindow, "p"), 0, 2, 0, 0),
		"endless list":        append(head(recordDelete, "p"), 0, 0, 200, 1, 'a'),
	} {
		if r, _, err := tbl.readRecord(record); err == nil {
			t.Errorf("%s: read %+v", name, r)
		}
	}
}

func FuzzReadRow(f *testing.F) {
	s := observationSchema()
	for n := range 3 {
		op := crashOperation(1, 0, n)
		for i := range op.observations {
			f.Add(s.appendRow(nil, &op.observations[i]), len(s.columns))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, columns int) {
		if columns < 0 || columns > len(s.columns) {
			return
		}
		var row domain.Observation
		rest, err := s.readRow(src, columns, &row)
		if err != nil {
			return
		}
		if len(rest) > len(src) {
			t.Errorf("%d bytes are left of %d", len(rest), len(src))
		}
		var again domain.Observation
		if _, err := s.readRow(s.appendRow(nil, &row), len(s.columns), &again); err != nil {
			t.Errorf("what was read cannot be written: %v", err)
		}
	})
}

func FuzzReadRecord(f *testing.F) {
	tbl := bareTable()
	for n := range 20 {
		op := crashOperation(1, 0, n)
		if op.remove != nil {
			f.Add(tbl.newDelete(op.project, *op.remove).record)
		} else if op.table == "observations" {
			r, err := tbl.newAppend(op.project, op.observations)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(r.record)
		}
	}
	f.Fuzz(func(t *testing.T, record []byte) {
		if len(record) > 1<<10 {
			return // a record may claim as many rows as it has bytes, which takes a while to allocate
		}
		r, _, err := tbl.readRecord(record)
		if err != nil {
			return
		}
		if r.remove == nil && len(r.rows) > len(record) {
			t.Errorf("%d rows of %d bytes", len(r.rows), len(record))
		}
	})
}
