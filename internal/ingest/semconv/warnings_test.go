package semconv

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
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
		{"nothing wrong", "x", []any{"gen_ai.usage.input_tokens", 0, "gen_ai.usage.cost", 0.0}, []domain.UsageEntry{{Kind: "input"}}, []domain.CostEntry{{Kind: "total"}}, ""},
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
	if err := json.Unmarshal([]byte(metadata), &all); err != nil {
		t.Fatal(err)
	}
	text, _ := all[warningsKey].(string)
	return text
}
