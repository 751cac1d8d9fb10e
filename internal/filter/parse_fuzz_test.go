package filter_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/decode"
	"almanac/internal/filter"
	"almanac/internal/filter/filtertest"
)

// written returns a filter with the meaning of the conditions.
func written(t *testing.T, conditions []condition) string {
	t.Helper()
	all := []map[string]any{}
	for n := range conditions {
		c, s := &conditions[n], saidBy(&conditions[n])
		typ := "null"
		switch s.Value.(type) {
		case string:
			typ = "string"
		case []string:
			typ = "stringOptions"
			if c.Column().Kind() == filter.List {
				typ = "arrayOptions"
			}
		case float64:
			typ = "number"
		case int64:
			typ = "datetime"
		case bool:
			typ = "boolean"
		}
		if c.Column().Kind() == filter.Metadata && typ != "null" {
			typ += "Object"
		}
		all = append(all, map[string]any{"type": typ, "column": s.Column, "key": s.Key, "operator": s.Operator, "value": s.Value})
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// FuzzParse looks for filters that crash the parser, return an error that is not the client's fault, or do not mean
// what they say.
func FuzzParse(f *testing.F) {
	for n, cell := range filtertest.Cells() {
		if n%97 == 0 {
			f.Add(cell.Filter)
		}
	}
	for _, text := range []string{
		``, `[]`, `{`, `null`, `[1,[],{}]`, `[{"type":"zzz"}]`, `[{"type":"string","type":"string"}]`,
		`[{"type":"null","column":"name","operator":"is null"}]`,
		` [ {"type" : "positionInTrace","column":"x","operator":"=","value":1e400} ] `,
		`[{"type":"stringObject","column":"metadata","key":"\ud800","operator":"matches","value":"a"}]`,
		`[{"type":"datetime","column":"endTime","operator":"<","value":-8.64e15},{"x":{"y":[[]]}}]`,
	} {
		f.Add(text)
	}
	rows := filtertest.Rows()
	rows = append(rows[:20:20], rows[len(rows)-4:]...)
	limits := filter.Limits{Bytes: 10_000, Depth: 8, Conditions: 10, Values: 20, Characters: 1000}
	f.Fuzz(func(t *testing.T, text string) {
		conditions, err := filter.Parse(filter.Observations(), text, limits)
		if err != nil {
			var (
				invalid *decode.Invalid
				refused *filter.Refused
			)
			if conditions != nil || !errors.Is(err, decode.ErrNotJSON) && !errors.As(err, &invalid) && !errors.As(err, &refused) {
				t.Fatalf("%q: %v", text, err)
			}
			if invalid != nil {
				issuesOf(t, err)
			}
			return
		}
		again, err := filter.Parse(filter.Observations(), written(t, conditions), filter.DefaultLimits())
		if err != nil {
			t.Fatalf("%q, written again: %v", text, err)
		}
		if diff := cmp.Diff(saidByAll(conditions), saidByAll(again)); diff != "" {
			t.Fatalf("%q, written again (-before +after):\n%s", text, diff)
		}
		for n := range rows {
			if matchAll(conditions, &rows[n]) != matchAll(again, &rows[n]) {
				t.Fatalf("%q and the same written again differ on %s", text, filtertest.Name(&rows[n]))
			}
		}
	})
}

const typical = `[{"type":"stringOptions","column":"environment","operator":"any of","value":["production","staging"]},` +
	`{"type":"number","column":"latency","operator":">","value":1.5},` +
	`{"type":"datetime","column":"startTime","operator":">=","value":"2026-03-04T05:06:07.123Z"},` +
	`{"type":"stringObject","column":"metadata","key":"plan","operator":"=","value":"enterprise"}]`

func BenchmarkParse(b *testing.B) {
	b.SetBytes(int64(len(typical)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := filter.Parse(filter.Observations(), typical, filter.DefaultLimits()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkUnmarshal is the baseline for the other benchmark.
func BenchmarkUnmarshal(b *testing.B) {
	b.SetBytes(int64(len(typical)))
	b.ReportAllocs()
	for b.Loop() {
		var all []map[string]any
		if err := json.Unmarshal([]byte(typical), &all); err != nil {
			b.Fatal(err)
		}
	}
}
