package files

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"almanac/internal/jsontext"
	"almanac/internal/transfer/export"
)

func gzipped(text string) string {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return out.String()
}

// parquet returns a file with two rows.
func parquet(t *testing.T) string {
	t.Helper()
	var out bytes.Buffer
	w, err := export.NewWriter(export.Parquet, &out, []export.Column{
		{Name: "id", Kind: export.Text},
		{Name: "json", Kind: export.JSON},
		{Name: "at", Kind: export.Time},
		{Name: "n", Kind: export.Int},
		{Name: "f", Kind: export.Float},
		{Name: "b", Kind: export.Bool},
	}, export.Batch)
	if err != nil {
		t.Fatal(err)
	}
	full := []export.Value{
		{Set: true, Text: "a"},
		{Set: true, Text: `{"x":1}`},
		{Set: true, Int: 1_772_236_800_123_456},
		{Set: true, Int: -7},
		{Set: true, Float: 0.5},
		{Set: true, Int: 1},
	}
	for _, row := range [][]export.Value{full, make([]export.Value, len(full))} {
		if err := w.Write(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func jsonCell(column, text string) json.RawMessage {
	if column == "json" {
		return json.RawMessage(text)
	}
	return jsontext.AppendString(nil, text)
}

func TestRead(t *testing.T) {
	for _, c := range []struct {
		what, name, content string
		want                []string // places and rows
		columns             string
		fails               string
	}{
		{what: "no lines", name: "x.jsonl"},
		{
			what: "lines", name: "x.jsonl", content: "{\"id\":\"a\"}\r\n\n {\"id\":\"b\"}", columns: "id",
			want: []string{`line 1 {"id":"a"}`, `line 3 {"id":"b"}`},
		},
		{what: "lines, packed", name: "x.jsonl.gz", content: gzipped(`{"id":"a"}`), want: []string{`line 1 {"id":"a"}`}, columns: "id"},
		{what: "an empty packed file", name: "x.jsonl.gz"},
		{
			what: "a damaged line", name: "x.jsonl", content: "{\"id\":\"a\"}\n{\"id\":\n", want: []string{`line 1 {"id":"a"}`},
			columns: "id", fails: "x.jsonl, line 2: the JSON object is damaged",
		},
		{what: "a line that is no object", name: "x.jsonl", content: "[1]\n", fails: "x.jsonl, line 1: there is no JSON object"},
		{
			what: "a long line", name: "x.jsonl", content: "{}\n{\"id\":\"" + strings.Repeat("x", 200) + "\"}\n",
			want: []string{"line 1 {}"}, fails: "line 2: the row is longer than 100 bytes",
		},
		{
			what: "a packed file that was cut", name: "x.jsonl.gz", content: gzipped("{\"id\":\"a\"}\n{}\n")[:24],
			want: []string{`line 1 {"id":"a"}`}, columns: "id", fails: "x.jsonl.gz, line 2: unexpected EOF",
		},
		{what: "no packed file", name: "x.jsonl.gz", content: "{}{}{}{}{}{}{}{}", fails: "x.jsonl.gz, after its start: "},

		{what: "no array", name: "x.json"},
		{what: "an empty array", name: "x.json", content: " []"},
		{
			what: "an array", name: "x.json", content: "\n[{\"id\":\"a\"}, {\"id\":2}]",
			want: []string{`row 1 {"id":"a"}`, `row 2 {"id":2}`}, columns: "id",
		},
		{
			what: "objects in a row", name: "x.json", content: "{\"id\":1}{\"id\":2}", want: []string{`row 1 {"id":1}`, `row 2 {"id":2}`},
			columns: "id",
		},
		{
			what: "an array without an end", name: "x.json", content: "[{}", want: []string{"row 1 {}"},
			fails: "x.json, row 2: the array has no end",
		},
		{
			what: "an array that was cut in a row", name: "x.json", content: "[{},{\"id", want: []string{"row 1 {}"},
			fails: "x.json, row 2: unexpected EOF",
		},
		{what: "an array of something else", name: "x.json", content: "[1]", fails: "x.json, row 1: there is no JSON object"},
		{
			what: "a long element", name: "x.json", content: "[{\"id\":\"" + strings.Repeat("x", 5000) + "\"}]", columns: "id",
			fails: "row 1: the row is longer than 100 bytes",
		},

		{what: "no CSV", name: "x.csv"},
		{what: "only a header", name: "x.csv", content: "\"id\",\"json\"\n", columns: "id json"},
		{
			what: "CSV", name: "x.csv", columns: "id json",
			content: "\"id\",\"json\"\n\"say \"\"hi\"\"\r\nthere\",\"{\"\"x\"\":1}\"\n\n\"\",\"[]\"\r\nplain,\n",
			want:    []string{`line 2 {"id":"say \"hi\"\r\nthere","json":{"x":1}}`, `line 5 {"json":[]}`, `line 6 {"id":"plain"}`},
		},
		{what: "CSV, packed", name: "x.csv.gz", content: gzipped("id\na\n"), want: []string{`line 2 {"id":"a"}`}, columns: "id"},
		{
			what: "CSV without its last end", name: "x.csv", content: "id,json\na,1", want: []string{`line 2 {"id":"a","json":1}`},
			columns: "id json",
		},
		{
			what: "too many fields", name: "x.csv", content: "id\na\na,b\n", want: []string{`line 2 {"id":"a"}`}, columns: "id",
			fails: "x.csv, line 3: there are 2 fields and 1 columns",
		},
		{what: "a quote within a field", name: "x.csv", content: "id\na\"b\n", columns: "id", fails: "x.csv, line 2: unexpected quote"},
		{what: "a quote behind quotes", name: "x.csv", content: "id\n\"a\"b\n", columns: "id", fails: "x.csv, line 2: unexpected quote"},
		{
			what: "quotes without an end", name: "x.csv", content: "id\n\"a\n", columns: "id",
			fails: "x.csv, line 2: the file ends within quotes",
		},
		{
			what: "a long record", name: "x.csv", content: "id\n\"" + strings.Repeat("x\n", 200) + "\"\n", columns: "id",
			fails: "line 2: the row is longer than 100 bytes",
		},

		{
			what: "Parquet", name: "x.parquet", content: parquet(t), columns: "id json at n f b",
			want: []string{`row 1 {"id":"a","json":{"x":1},"at":"2026-02-28T00:00:00.123456Z","n":-7,"f":0.5,"b":true}`, `row 2 {}`},
		},
		{what: "no Parquet", name: "x.parquet", content: "PAR1", fails: "x.parquet, after its start: it is too short"},
		{what: "Parquet that was cut", name: "x.parquet", content: parquet(t)[:100], fails: "it is not a Parquet file, or it is truncated"},
	} {
		t.Run(c.what, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), c.name)
			if err := os.WriteFile(path, []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			var got []string
			failure := ""
			for row, err := range read(path, jsonCell, 100) {
				if err != nil {
					failure = err.Error()
					break
				}
				if !json.Valid(row.JSON) {
					t.Errorf("%s is no JSON", row.JSON)
				}
				got = append(got, row.Place+" "+string(row.JSON))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if !strings.Contains(failure, c.fails) || (failure == "") != (c.fails == "") {
				t.Errorf("it ends with %q, want %q", failure, c.fails)
			}
			if columns, err := Columns(path); strings.Join(columns, " ") != c.columns || err != nil && c.fails == "" {
				t.Errorf("columns %q, %v", columns, err)
			}
		})
	}
	if _, err := Columns(filepath.Join(t.TempDir(), "none.csv")); err == nil {
		t.Error("a file that is not there has columns")
	}
}
