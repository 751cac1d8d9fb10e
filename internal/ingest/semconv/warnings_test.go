package semconv

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
	"almanac/internal/ingest/otlp"
)

func TestNegativeNumbersAreLeftOutAndTold(t *testing.T) {
	for _, c := range []struct {
		name  string
		scope string
		pairs []any
		usage []domain.UsageEntry
		cost  []domain.CostEntry
		want  string // warnings
	}{
		{
			"nothing wrong", "x",
			[]any{"gen_ai.usage.input_tokens", 0, "gen_ai.usage.cost", 0.0},
			[]domain.UsageEntry{{Kind: "input"}},
			[]domain.CostEntry{{Kind: "total"}},
			"",
		},
		{
			"generic", "x",
			[]any{"gen_ai.usage.input_tokens", -5, "gen_ai.usage.output_tokens", 2, "gen_ai.usage.cost", -0.5, "llm.cost.total", 0.25},
			[]domain.UsageEntry{{Kind: "output", Units: 2}},
			[]domain.CostEntry{{Kind: "total", Amount: 0.25}},
			"negative usage left out: input_tokens -5; negative cost left out: total -0.5",
		},
		{
			"explicit", "langfuse-sdk",
			[]any{
				"langfuse.observation.usage_details", `{"input":-3,"output":4,"half":0.5}`,
				"langfuse.observation.cost_details", `{"input":-1e-3,"output":"-2","total":1}`,
			},
			[]domain.UsageEntry{{Kind: "output", Units: 4}},
			[]domain.CostEntry{{Kind: "total", Amount: 1}},
			"negative usage left out: input -3; negative cost left out: input -0.001; negative cost left out: output -2",
		},
		{
			"Vercel", "ai",
			[]any{"gen_ai.usage.input_tokens", -1, "gen_ai.usage.output_tokens", 2},
			[]domain.UsageEntry{{Kind: "output", Units: 2}, {Kind: "input"}},
			nil, "negative usage left out: input -1",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			row, p := mappedAttributes(c.scope, append(c.pairs, "langfuse.observation.status_message", "all is well")...)
			if d := cmp.Diff(c.usage, p.Usage); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(c.cost, p.Cost); len(c.cost)+len(p.Cost) > 0 && d != "" {
				t.Error(d)
			}
			if got := warningsOf(t, row.Metadata); got != c.want || row.StatusMessage != "all is well" || row.Level != "DEFAULT" {
				t.Errorf("warnings %q, status %q, level %s", got, row.StatusMessage, row.Level)
			}
		})
	}
}

func TestCappedCostsAreTold(t *testing.T) {
	for _, c := range []struct {
		scope string
		pairs []any
		want  string
	}{
		{"x", []any{"gen_ai.usage.cost", 999_999.999_999}, ""},
		{"x", []any{"gen_ai.usage.cost", 123_456_789.5}, "cost above the maximum stored as 999999.999999: total 123456789.5"},
		{"x", []any{"gen_ai.usage.cost", "Infinity"}, ""}, // no number, and left out
		{
			"langfuse-sdk",
			[]any{"langfuse.observation.cost_details", `{"input":1e6,"output":2}`},
			"cost above the maximum stored as 999999.999999: input 1000000",
		},
	} {
		row, _ := mappedAttributes(c.scope, c.pairs...)
		if got := warningsOf(t, row.Metadata); got != c.want {
			t.Errorf("%v: %q, not %q", c.pairs, got, c.want)
		}
	}
}

func TestSpansThatEndBeforeTheyStartAreTold(t *testing.T) {
	for end, want := range map[int64]string{1_700_000_000_000: "", 1_699_999_998_500: "ends before it starts, by 1500 ms"} {
		span := otlp.Span{
			TraceID: "0af7651916cd43dd8448eb211c80319c", SpanID: "b7ad6b7169203331",
			Start: otlp.Nanos{Value: 1_700_000_000_000_000_000, Set: true}, End: otlp.Nanos{Value: end * 1e6, Set: true},
		}
		var m Mapper
		var row domain.Observation
		m.Begin(Source{}, domain.Micros(1))
		m.Resource(&otlp.Resource{})
		m.Scope(&otlp.Scope{})
		m.Span(&span, &row)
		if got := warningsOf(t, row.Metadata); got != want {
			t.Errorf("%d: %q, not %q", end, got, want)
		}
	}
}

func TestWarningsAreBounded(t *testing.T) {
	var list []string
	for i := range 100 {
		list = append(list, fmt.Sprintf(`"%s%d":-1`, strings.Repeat("k", 1000), i))
	}
	row, _ := mappedAttributes("langfuse-sdk", "langfuse.observation.usage_details", "{"+strings.Join(list, ",")+"}")
	if got := warningsOf(t, row.Metadata); strings.Count(got, ";") != mostWarnings-1 || len(got) > 1000 {
		t.Errorf("%d bytes: %s", len(got), got)
	}
	// Clients may use the key as well.
	row, _ = mappedAttributes("langfuse-sdk", "gen_ai.usage.input_tokens", -1, "langfuse.observation.metadata.almanac.warnings", `"mine"`)
	if strings.Count(row.Metadata, warningsKey) != 1 {
		t.Error(row.Metadata)
	}
}

func warningsOf(t *testing.T, metadata string) string {
	t.Helper()
	var all map[string]any
	if err := json.Unmarshal([]byte(metadata), &all); metadata != "" && err != nil {
		t.Fatal(err)
	}
	text, _ := all[warningsKey].(string)
	return text
}
