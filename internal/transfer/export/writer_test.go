package export

import (
	"bytes"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var sampleColumns = []Column{
	{"id", Text}, {"at", Time}, {"tokens", Int}, {"cost", Float}, {"ok", Bool}, {"metadata", JSON}, {"input", Text},
}

// sampleRows returns two rows: one with everything that is hard to encode, one with nothing.
func sampleRows() [][]Value {
	const at = 1_772_236_800_123_456 // 2026-02-28 00:00:00.123456
	full := []Value{
		{Set: true, Text: "a"},
		{Set: true, Int: at},
		{Set: true, Int: -7},
		{Set: true, Float: 0.00003},
		{Set: true, Int: 1},
		{Set: true, Text: `{"k":"a \"quote\"","n":[1,2]}`},
		{Set: true, Text: "line 1\nsaid \"hi\", 東京 \xff"},
	}
	return [][]Value{full, make([]Value, len(sampleColumns))}
}

func write(t *testing.T, format string, style Style, columns []Column, rows ...[]Value) string {
	t.Helper()
	var out bytes.Buffer
	w, err := NewWriter(format, &out, columns, style)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if err := w.Write(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestGoldenFiles(t *testing.T) {
	const first = `{"id":"a","at":"2026-02-28T00:00:00.123456Z","tokens":-7,"cost":0.00003,"ok":true,` +
		`"metadata":{"k":"a \"quote\"","n":[1,2]},"input":"line 1\nsaid \"hi\", 東京 �"}`
	const none = `{"id":null,"at":null,"tokens":null,"cost":null,"ok":null,"metadata":null,"input":null}`
	const header = `"id","at","tokens","cost","ok","metadata","input"` + "\n"
	const line = `"a","2026-02-28T00:00:00.123456Z","-7","0.00003","true","{""k"":""a \""quote\"""",""n"":[1,2]}","line 1` +
		"\n" + `said ""hi"", 東京 �"` + "\n"
	scheduled := Style{Times: "2006-01-02 15:04:05.000000", Formulas: true, NoHeader: true}
	for _, c := range []struct {
		name, format string
		style        Style
		rows         int
		want         string
	}{
		{"CSV", CSV, Batch, 2, header + line + `"","","","","","",""` + "\n"},
		{"CSV without rows", CSV, Batch, 0, header},
		{"CSV without rows, of the scheduled export", CSV, scheduled, 0, ""},
		{
			"CSV of the scheduled export", CSV, scheduled, 1,
			header + strings.Replace(line, "2026-02-28T00:00:00.123456Z", "2026-02-28 00:00:00.123456", 1),
		},
		{"JSON", JSONOne, Batch, 2, "[" + first + "," + none + "]"},
		{"JSON without rows", JSONOne, Batch, 0, "[]"},
		{"JSONL", JSONL, Batch, 2, first + "\n" + none + "\n"},
		{"JSONL without rows", JSONL, Batch, 0, ""},
	} {
		if got := write(t, c.format, c.style, sampleColumns, sampleRows()[:c.rows]...); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestFormulasInCSV(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"plain", "plain"},
		{"=1+1", "'=1+1"},
		{"=HYPERLINK(\"http://x\",\"y\")", "'=HYPERLINK(\"http://x\",\"y\")"},
		{"+1-800-CALL", "'+1-800-CALL"},
		{"-2+3", "'-2+3"},
		{"@SUM(A1)", "'@SUM(A1)"},
		{"\t=1", "'\t=1"},
		{"\r=1", "'\r=1"},
		{"\n=1", "'\n=1"},
		{"＝1+1", "'＝1+1"},
		{"＋1", "'＋1"},
		{"－1", "'－1"},
		{"＠SUM(A1)", "'＠SUM(A1)"},
		{"'=1", "''=1"}, // so that it can be told from an escaped =1
		{"'said'", "'said'"},
		{"-", "'-"},
		{"--1", "'--1"},
		{"-1", "-1"},
		{"+1.5", "+1.5"},
		{"-1.5e3", "'-1.5e3"},
		{"-1.", "'-1."},
		{" =1", " =1"}, // a leading space is enough
		{"1=1", "1=1"},
	} {
		got := write(t, CSV, Style{NoHeader: true}, []Column{{"x", Text}}, []Value{{Set: true, Text: c.text}})
		records, err := csv.NewReader(strings.NewReader(got)).ReadAll()
		if err != nil || len(records) != 2 {
			t.Fatalf("%q: %q: %v", c.text, got, err)
		}
		if records[1][0] != c.want {
			t.Errorf("%q became %q, want %q", c.text, records[1][0], c.want)
		}
		if as := write(t, CSV, Style{Formulas: true}, []Column{{"x", Text}}, []Value{{Set: true, Text: c.text}}); !strings.Contains(as,
			"\n\""+strings.ReplaceAll(c.text, `"`, `""`)+"\"\n") {
			t.Errorf("%q became %q although formulas are wanted", c.text, as)
		}
	}
	// Numbers stay numbers, whatever their sign; a header may also look like a formula.
	if got := write(t, CSV, Batch, []Column{{"=1", Int}}, []Value{{Set: true, Int: -5}}); got != "\"'=1\"\n\"-5\"\n" {
		t.Errorf("got %q", got)
	}
}

func TestJSONOfAnyText(t *testing.T) {
	for _, text := range []string{"\x00\x1f", "\u2028", "</script>", "\\u0041", strings.Repeat("ä", 100_000)} {
		got := write(t, JSONL, Batch, []Column{{"a b\"", Text}}, []Value{{Set: true, Text: text}})
		var row map[string]string
		if err := json.Unmarshal([]byte(got), &row); err != nil || row[`a b"`] != text {
			t.Errorf("%.20q became %.60q: %v", text, got, err)
		}
	}
}

func TestWhatIsNoJSONIsNull(t *testing.T) {
	for _, c := range []struct {
		text string
		set  bool
	}{{`{"a":1}`, true}, {`[]`, true}, {`{"a":`, false}, {"", false}, {"plain", false}} {
		var v Value
		if v.json(c.text); v.Set != c.set {
			t.Errorf("%q: %v", c.text, v.Set)
		}
	}
}

// TestParquetGroupsAreBounded checks that row groups are bounded by memory and, where texts compress well, by
// uncompressed size.
func TestParquetGroupsAreBounded(t *testing.T) {
	random := make([]byte, 512<<10)
	rand.NewChaCha8([32]byte{}).Read(random)
	for _, c := range []struct {
		name   string
		text   string
		groups int
	}{{"packed well", strings.Repeat("x", 1<<20), 2}, {"not packed", hex.EncodeToString(random), 5}} {
		var out bytes.Buffer
		w, err := newParquetWriter(&out, []Column{{"n", Int}, {"text", Text}})
		if err != nil {
			t.Fatal(err)
		}
		for n := range 40 {
			if err := w.Write([]Value{{Set: true, Int: int64(n)}, {Set: true, Text: c.text}}); err != nil {
				t.Fatal(err)
			}
			texts := &w.columns[1]
			if held := len(texts.packed) + len(texts.values); held >= groupBytes || texts.unpacked >= groupUnpack {
				t.Fatalf("%s: %d bytes are held after %d rows, %d unpacked", c.name, held, n+1, texts.unpacked)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if len(w.groups) < c.groups {
			t.Errorf("%s: there are %d row groups", c.name, len(w.groups))
		}
		if out.String()[:4] != parquetMagic || !strings.HasSuffix(out.String(), parquetMagic) {
			t.Errorf("%s: it is no Parquet file", c.name)
		}
	}
}

func TestParquetIsReadAgain(t *testing.T) {
	var rows [][]Value
	for n := range groupRows + 10 { // in two row groups
		full := sampleRows()[n%2]
		full[2] = Value{Set: n%3 > 0, Int: int64(n)}
		full[4] = Value{Set: n%5 > 0, Int: int64(n / 7 % 2)}
		full[6].Text = validUTF8(full[6].Text)
		if !full[2].Set {
			full[2] = Value{}
		}
		if !full[4].Set {
			full[4] = Value{}
		}
		rows = append(rows, full)
	}
	content := write(t, Parquet, Batch, sampleColumns, rows...)
	f, err := OpenParquet(strings.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for row, err := range f.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(row, rows[read]) {
			t.Fatalf("row %d is %v, want %v", read, row, rows[read])
		}
		read++
	}
	if read != len(rows) || len(f.meta.RowGroups) != 2 {
		t.Errorf("%d rows in %d groups", read, len(f.meta.RowGroups))
	}
	if texts := f.meta.RowGroups[0].Columns[5].MetaData.TotalUncompressedSize; texts < 2*pageBytes {
		t.Errorf("a column has %d bytes, which are no two pages", texts)
	}
	for n, c := range f.Columns {
		want := sampleColumns[n]
		if want.Kind == JSON {
			want.Kind = Text
		}
		if c != want {
			t.Errorf("column %v, want %v", c, want)
		}
	}
}

// TestDamagedParquet modifies and truncates a file everywhere. It may still be readable, but reading must terminate.
func TestDamagedParquet(t *testing.T) {
	content := write(t, Parquet, Batch, sampleColumns, sampleRows()...)
	read := func(content string) (rows int, err error) {
		f, err := OpenParquet(strings.NewReader(content), int64(len(content)))
		if err != nil {
			return 0, err
		}
		for _, err := range f.Rows() {
			if err != nil {
				return rows, err
			}
			if rows++; rows > 10 {
				return rows, errors.New("there is no end")
			}
		}
		return rows, nil
	}
	if rows, err := read(content); rows != 2 || err != nil {
		t.Fatalf("%d rows, %v", rows, err)
	}
	failed := 0
	for n := range content {
		if _, err := read(content[:n]); err == nil {
			t.Errorf("cut to %d bytes it can be read", n)
		}
		changed := []byte(content)
		changed[n] ^= 0x5a
		if _, err := read(string(changed)); err != nil {
			failed++
		}
	}
	if failed < len(content)/2 {
		t.Errorf("%d of %d changes were noticed", failed, len(content))
	}
}

func TestUnescaped(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"'=1+1", "=1+1"},
		{"'-2+3", "-2+3"},
		{"'\t=1", "\t=1"},
		{"''=1", "'=1"},
		{"'\n=1", "\n=1"},
		{"'＝1", "＝1"},
		{"'quoted'", "'quoted'"},
		{"'-1", "'-1"},
		{"=1", "=1"},
	} {
		if got := Unescaped(c.text); got != c.want {
			t.Errorf("%q is %q, want %q", c.text, got, c.want)
		}
	}
}

// TestLayoutsAreToldApart looks for the marks of each table in the columns of all others.
func TestLayoutsAreToldApart(t *testing.T) {
	for _, of := range Layouts() {
		for _, l := range Layouts() {
			has := !slices.ContainsFunc(of.Marks, func(mark string) bool {
				return !slices.ContainsFunc(l.Columns, func(c Column) bool { return c.Name == mark })
			})
			if same := l.Table == of.Table && l.Scheduled == of.Scheduled; has != same {
				t.Errorf("the marks of %s (%t) are in %s (%t): %t", of.Table, of.Scheduled, l.Table, l.Scheduled, has)
			}
		}
	}
}

func TestUnknownFormat(t *testing.T) {
	if _, err := NewWriter("xlsx", new(bytes.Buffer), nil, Batch); err == nil || !strings.Contains(fmt.Sprint(err), "xlsx") {
		t.Errorf("got %v", err)
	}
}
