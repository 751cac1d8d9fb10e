package pricing

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"almanac/internal/domain"
)

// units returns usage from alternating kinds and numbers.
func units(kindsAndNumbers ...any) []domain.UsageEntry {
	var usage []domain.UsageEntry
	for pair := range slices.Chunk(kindsAndNumbers, 2) {
		entry := domain.UsageEntry{Kind: pair[0].(string)}
		switch n := pair[1].(type) {
		case int:
			entry.Units = int64(n)
		case int64:
			entry.Units = n
		}
		usage = append(usage, entry)
	}
	return usage
}

// dollars returns costs from alternating kinds and numbers.
func dollars(kindsAndNumbers ...any) []domain.CostEntry {
	var cost []domain.CostEntry
	for pair := range slices.Chunk(kindsAndNumbers, 2) {
		entry := domain.CostEntry{Kind: pair[0].(string)}
		switch n := pair[1].(type) {
		case int:
			entry.Amount = float64(n)
		case float64:
			entry.Amount = n
		}
		cost = append(cost, entry)
	}
	return cost
}

// outcome is the result of Apply in short form.
type outcome struct {
	Model, Tier               string
	ProvidedUsage, Usage      string
	ProvidedCost, Cost        string
	InputTokens, OutputTokens int64
	TotalTokens               domain.OptInt
	InputCost, OutputCost     float64
	TotalCost                 domain.OptFloat
}

func outcomeOf(l *List, row *domain.Observation) outcome {
	o := outcome{
		Tier: row.PricingTierName, ProvidedUsage: row.ProvidedUsage, Usage: row.Usage, ProvidedCost: row.ProvidedCost, Cost: row.Cost,
		InputTokens: row.InputTokens, OutputTokens: row.OutputTokens, TotalTokens: row.TotalTokens,
		InputCost: row.InputCost, OutputCost: row.OutputCost, TotalCost: row.TotalCost,
	}
	for _, m := range l.Models() {
		if m.ID == row.ModelID {
			o.Model = m.Name
		}
	}
	return o
}

func TestApply(t *testing.T) {
	own := domain.Model{ID: "own", ProjectID: "p", Name: "own", MatchPattern: "^own$", Tiers: []domain.PricingTier{
		{ID: "own_tier_default", Name: "Standard", Default: true, Prices: []domain.Price{{Kind: "input", PerUnit: 1}}},
	}}
	bare := domain.Model{ID: "bare", ProjectID: "p", Name: "bare", MatchPattern: "^bare$"}
	l := New([]domain.Model{own, bare}, defaults(t))
	for _, test := range []struct {
		name  string
		row   domain.Observation
		usage []domain.UsageEntry
		cost  []domain.CostEntry
		want  outcome
	}{
		{name: "nothing", want: outcome{}},
		{name: "a model without usage", row: domain.Observation{Model: "own"}, want: outcome{Model: "own"}},
		{name: "an unknown model", row: domain.Observation{Model: "unknown", Input: "hi"}, want: outcome{}},
		{
			name: "usage and a model", row: domain.Observation{Model: "own"}, usage: units("input", 2, "output", 3),
			want: outcome{
				Model: "own", Tier: "Standard", ProvidedUsage: `{"input":2,"output":3}`, Usage: `{"input":2,"output":3,"total":5}`,
				Cost:        `{"input":2,"total":2}`,
				InputTokens: 2, OutputTokens: 3, TotalTokens: domain.IntOf(5), InputCost: 2, TotalCost: domain.FloatOf(2),
			},
		},
		{
			name: "usage with a total", row: domain.Observation{Model: "own"}, usage: units("input", 2, "total", 9),
			want: outcome{
				Model: "own", Tier: "Standard", ProvidedUsage: `{"input":2,"total":9}`, Usage: `{"input":2,"total":9}`,
				Cost:        `{"input":2,"total":2}`,
				InputTokens: 2, TotalTokens: domain.IntOf(9), InputCost: 2, TotalCost: domain.FloatOf(2),
			},
		},
		{
			name: "usage without a model", usage: units("input", 2),
			want: outcome{ProvidedUsage: `{"input":2}`, Usage: `{"input":2,"total":2}`, InputTokens: 2, TotalTokens: domain.IntOf(2)},
		},
		{
			name: "usage of a model without prices", row: domain.Observation{Model: "bare"}, usage: units("input", 2),
			want: outcome{
				Model: "bare", ProvidedUsage: `{"input":2}`, Usage: `{"input":2,"total":2}`, InputTokens: 2, TotalTokens: domain.IntOf(2),
			},
		},
		{
			name: "cost without a model", cost: dollars("input", 0.25),
			want: outcome{
				ProvidedCost: `{"input":0.25}`, Cost: `{"input":0.25,"total":0.25}`, InputCost: 0.25, TotalCost: domain.FloatOf(0.25),
			},
		},
		{
			name:  "cost wins over prices",
			row:   domain.Observation{Model: "own"},
			usage: units("input", 2),
			cost:  dollars("output", 0.25, "x", 1),
			want: outcome{
				Model: "own", Tier: "Standard", ProvidedUsage: `{"input":2}`, Usage: `{"input":2,"total":2}`,
				InputTokens: 2, TotalTokens: domain.IntOf(2),
				ProvidedCost: `{"output":0.25,"x":1}`, Cost: `{"output":0.25,"x":1}`, OutputCost: 0.25,
			},
		},
		{
			name: "cost without usage has no tier and is not counted",
			row:  domain.Observation{Model: "gpt-4o", Input: "hello"},
			cost: dollars("total", 0.25),
			want: outcome{Model: "gpt-4o", ProvidedCost: `{"total":0.25}`, Cost: `{"total":0.25}`, TotalCost: domain.FloatOf(0.25)},
		},
		{
			name:  "cost that is no number is none",
			row:   domain.Observation{Model: "own"},
			usage: units("input", 2),
			cost:  dollars("total", math.NaN()),
			want: outcome{
				Model: "own", Tier: "Standard", ProvidedUsage: `{"input":2}`, Usage: `{"input":2,"total":2}`,
				InputTokens: 2, TotalTokens: domain.IntOf(2),
				Cost: `{"input":2,"total":2}`, InputCost: 2, TotalCost: domain.FloatOf(2),
			},
		},
		{
			name: "texts are counted",
			row:  domain.Observation{Model: "gpt-4o", Input: "hello world", Output: `"hi"`, Level: "ERROR"},
			want: outcome{
				Model: "gpt-4o", Tier: "Standard", Usage: `{"input":2,"output":1,"total":3}`,
				InputTokens: 2, OutputTokens: 1, TotalTokens: domain.IntOf(3),
				Cost:      `{"input":0.000005,"output":0.00001,"total":0.000015}`,
				InputCost: 0.000005, OutputCost: 0.00001, TotalCost: domain.FloatOf(0.000015),
			},
		},
		{
			name: "an absent text has no entry", row: domain.Observation{Model: "gpt-4o", Output: "hello world"},
			want: outcome{
				Model: "gpt-4o", Tier: "Standard", Usage: `{"output":2,"total":2}`, OutputTokens: 2, TotalTokens: domain.IntOf(2),
				Cost: `{"output":0.00002,"total":0.00002}`, OutputCost: 0.00002, TotalCost: domain.FloatOf(0.00002),
			},
		},
		{
			name: "all texts or none",
			row:  domain.Observation{Model: "gpt-4o", Input: strings.Repeat("long ", 1<<20), Output: "hello"},
			want: outcome{Model: "gpt-4o"},
		},
		{
			name:  "usage of zero is usage",
			row:   domain.Observation{Model: "gpt-4o", Input: "hello"},
			usage: units("input", 0, "output", 0),
			want: outcome{
				Model: "gpt-4o", Tier: "Standard", ProvidedUsage: `{"input":0,"output":0}`, Usage: `{"input":0,"output":0,"total":0}`,
				TotalTokens: domain.IntOf(0),
				Cost:        `{"input":0,"output":0,"total":0}`, TotalCost: domain.FloatOf(0),
			},
		},
		{
			name: "tokenizers that are not available",
			row:  domain.Observation{Model: "claude-sonnet-4-20250514", Input: "hello"},
			want: outcome{Model: "claude-sonnet-4-20250514"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			row := test.row
			l.Apply(&row, test.usage, test.cost)
			if diff := cmp.Diff(test.want, outcomeOf(l, &row)); diff != "" {
				t.Errorf("row (-want +got):\n%s", diff)
			}
			if (row.PricingTierID == "") != (row.PricingTierName == "") {
				t.Errorf("tier id %q of tier %q", row.PricingTierID, row.PricingTierName)
			}
		})
	}
}

func TestTokenizingCanBeSwitchedOff(t *testing.T) {
	l := defaults(t)
	l.Tokenize = false
	row := domain.Observation{Model: "gpt-4o", Input: "hello"}
	l.Apply(&row, nil, nil)
	if diff := cmp.Diff(outcome{Model: "gpt-4o"}, outcomeOf(l, &row)); diff != "" {
		t.Errorf("row (-want +got):\n%s", diff)
	}
}

// TestProviders tests usage as reported by providers, in normalized form.
func TestProviders(t *testing.T) {
	l := defaults(t)
	for _, test := range []struct {
		name  string
		row   domain.Observation
		usage []domain.UsageEntry
		tier  string
		cost  string
	}{
		{
			"OpenAI chat, details taken out",
			domain.Observation{Model: "gpt-4o-2024-08-06"},
			units("input", 900, "output", 150, "total", 2250, "input_cached_tokens", 1100, "output_reasoning_tokens", 100),
			"Standard", `{"input":0.00225,"output":0.0015,"input_cached_tokens":0.001375,"total":0.005125}`,
		},
		{
			"OpenAI, reasoning priced by its own name",
			domain.Observation{Model: "o3", ModelParameters: `{"service_tier":"default"}`},
			units("input", 1000, "output", 500, "output_reasoning_tokens", 100),
			"Standard", `{"input":0.002,"output":0.004,"output_reasoning_tokens":0.0008,"total":0.0068}`,
		},
		{
			"OpenAI, flexible service",
			domain.Observation{Model: "openai/o3", ModelParameters: `{"temperature":1,"service_tier":"flex"}`},
			units("input", 1000, "output", 500),
			"Flex", `{"input":0.001,"output":0.002,"total":0.003}`,
		},
		{
			"OpenAI, priority service",
			domain.Observation{Model: "gpt-4o", ModelParameters: `{"service_tier":"priority"}`},
			units("input", 7, "output", 2),
			"Fast mode", `{"input":0.00002975,"output":0.000034,"total":0.00006375}`,
		},
		{
			"Anthropic, raw names",
			domain.Observation{Model: "claude-sonnet-4-20250514"},
			units("input_tokens", 1000, "output_tokens", 100, "cache_read_input_tokens", 400, "cache_creation_input_tokens", 50),
			"Standard",
			`{"input_tokens":0.003,"output_tokens":0.0015,"cache_read_input_tokens":0.00012,"cache_creation_input_tokens":0.0001875,"total":0.0048075}`,
		},
		{
			"Anthropic on Bedrock, by its name there",
			domain.Observation{Model: "us.anthropic.claude-sonnet-4-20250514-v1:0"},
			units("input", 1000, "output", 100, "input_cache_read", 400, "input_cache_creation", 50),
			"Standard", `{"input":0.003,"output":0.0015,"input_cache_read":0.00012,"input_cache_creation":0.0001875,"total":0.0048075}`,
		},
		{
			"Anthropic, caches by age",
			domain.Observation{Model: "claude-sonnet-4-20250514"},
			units("input", 100, "input_cache_creation_5m", 700, "input_cache_creation_1h", 200),
			"Standard", `{"input":0.0003,"input_cache_creation_5m":0.002625,"input_cache_creation_1h":0.0012,"total":0.004125}`,
		},
		{
			"Gemini, raw names",
			domain.Observation{Model: "gemini-2.5-pro"},
			units("promptTokenCount", 1000, "candidatesTokenCount", 100, "thoughtsTokenCount", 50, "totalTokenCount", 1150),
			"Standard", `{"promptTokenCount":0.00125,"candidatesTokenCount":0.001,"thoughtsTokenCount":0.0005,"total":0.00275}`,
		},
		{
			"Gemini, large context by raw names",
			domain.Observation{Model: "google/gemini-2.5-pro"},
			units("promptTokenCount", 200001, "candidatesTokenCount", 100),
			"Large Context", `{"promptTokenCount":0.5000025,"candidatesTokenCount":0.0015,"total":0.5015025}`,
		},
		{
			"Gemini, just below large context",
			domain.Observation{Model: "gemini-2.5-pro"},
			units("input", 150000, "input_cached_tokens", 50000),
			"Standard", `{"input":0.1875,"input_cached_tokens":0.00625,"total":0.19375}`,
		},
		{
			"an embedding, priced by its total",
			domain.Observation{Model: "text-embedding-3-small"},
			units("input", 2000),
			"Standard", `{"total":0.00004}`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			row := test.row
			l.Apply(&row, test.usage, nil)
			if row.PricingTierName != test.tier || row.Cost != test.cost {
				t.Errorf("model %q, tier %q, cost %s; want tier %q, cost %s", row.ModelID, row.PricingTierName, row.Cost,
					test.tier, test.cost)
			}
		})
	}
}

// TestVectors tests rows as returned by the attribute mapping: usage and cost are normalized, without computed totals.
func TestVectors(t *testing.T) {
	text, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct {
		ID, Model       string
		ModelParameters json.RawMessage
		Input, Output   string
		Usage           []domain.UsageEntry
		Cost            []domain.CostEntry
		UsageDetails    map[string]int64
		CostDetails     map[string]float64
		MatchedModel    string
		PricingTier     string
	}
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors) < 20 {
		t.Errorf("there are %d vectors only", len(vectors))
	}
	l := defaults(t)
	for _, v := range vectors {
		t.Run(v.ID, func(t *testing.T) {
			row := domain.Observation{Model: v.Model, ModelParameters: string(v.ModelParameters), Input: v.Input, Output: v.Output}
			l.Apply(&row, v.Usage, v.Cost)
			got := outcomeOf(l, &row)
			if got.Model != v.MatchedModel || got.Tier != v.PricingTier {
				t.Errorf("model %q, tier %q; want %q, %q", got.Model, got.Tier, v.MatchedModel, v.PricingTier)
			}
			usage, cost := map[string]int64{}, map[string]float64{}
			readObject(t, row.Usage, &usage)
			readObject(t, row.Cost, &cost)
			if diff := cmp.Diff(v.UsageDetails, usage); diff != "" {
				t.Errorf("usage (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(v.CostDetails, cost, cmpopts.EquateApprox(0, 1e-12)); diff != "" {
				t.Errorf("cost (-want +got):\n%s", diff)
			}
		})
	}
}

func readObject(t *testing.T, text string, into any) {
	t.Helper()
	if text == "" {
		return
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// The strings of a row must not share memory with the request.
func TestApplyKeepsNothingOfTheRequest(t *testing.T) {
	l := defaults(t)
	kind, name := []byte("input"), []byte("gpt-4o")
	row := domain.Observation{Model: viewOf(name)}
	l.Apply(&row, units(viewOf(kind), 1000), nil)
	copy(kind, "xxxxx")
	copy(name, "xxxxxx")
	if row.Usage != `{"input":1000,"total":1000}` || row.Cost != `{"input":0.0025,"total":0.0025}` {
		t.Errorf("usage %s, cost %s", row.Usage, row.Cost)
	}
	if m, ok := l.Match("gpt-4o"); !ok || m.Name != "gpt-4o" {
		t.Errorf("gpt-4o matches %q", m.Name)
	}
}

func TestApplyAllocatesOnce(t *testing.T) {
	l := defaults(t)
	for name, row := range benchmarkRows() {
		got := testing.AllocsPerRun(100, func() {
			r := row.row
			l.Apply(&r, row.usage, row.cost)
		})
		if got > 1 {
			t.Errorf("%s: %v allocations", name, got)
		}
	}
}

// FuzzApply searches for names and numbers that panic or produce an unreadable row.
func FuzzApply(f *testing.F) {
	f.Add("gpt-4o", `{"service_tier":"flex"}`, "input", int64(5), "output", int64(7), 0.5, byte(0))
	f.Add("o3", `{"a`, "a\"\xff\n", int64(math.MaxInt64), "total", int64(math.MaxInt64), math.Inf(1), byte(3))
	f.Add("gemini-2.5-pro", ``, "prompt", int64(-1), "input", int64(200000), math.NaN(), byte(1))
	l := defaults(f)
	f.Fuzz(func(t *testing.T, name, parameters, kind1 string, units1 int64, kind2 string, units2 int64, amount float64, given byte) {
		usage := units(kind1, units1, kind2, units2)[:given%3]
		cost := dollars(kind1, amount, kind2, -amount)[:given/3%3]
		row := domain.Observation{Model: name, ModelParameters: parameters, Metadata: parameters, Input: kind1, Output: kind2}
		l.Apply(&row, usage, cost)
		for _, text := range []string{row.ProvidedUsage, row.Usage, row.ProvidedCost, row.Cost} {
			if text != "" && (!json.Valid([]byte(text)) || text[0] != '{' || text == "{}") {
				t.Errorf("a row has the text %q", text)
			}
		}
		if (row.ProvidedUsage != "") != (len(usage) > 0) || len(usage) > 0 && row.Usage == "" {
			t.Errorf("usage %v is kept as %q and %q", usage, row.ProvidedUsage, row.Usage)
		}
		if math.IsNaN(row.InputCost + row.OutputCost + row.TotalCost.Value) {
			t.Error("a cost is not a number")
		}
	})
}

type benchmarkRow struct {
	row   domain.Observation
	usage []domain.UsageEntry
	cost  []domain.CostEntry
}

func benchmarkRows() map[string]benchmarkRow {
	const parameters = `{"temperature":0.7,"max_tokens":256,"top_p":1}`
	details := units("input", 900, "output", 150, "total", 2250, "input_cached_tokens", 1100, "output_reasoning_tokens", 100)
	return map[string]benchmarkRow{
		"usage":      {domain.Observation{Model: "gpt-4o", ModelParameters: parameters}, units("input", 1234, "output", 567), nil},
		"details":    {domain.Observation{Model: "gpt-4o-mini", ModelParameters: parameters}, details, nil},
		"attributes": {domain.Observation{Model: "o3", ModelParameters: `{"temperature":0.7,"service_tier":"flex"}`}, details, nil},
		"context":    {domain.Observation{Model: "gemini-2.5-pro", ModelParameters: parameters}, details, nil},
		"cost":       {domain.Observation{Model: "gpt-4o"}, nil, dollars("input", 0.001234, "output", 0.0567)},
		"unknown":    {domain.Observation{Model: "my-own-model"}, units("input", 1234, "output", 567), nil},
	}
}

func BenchmarkApply(b *testing.B) {
	l := defaults(b)
	for name, row := range benchmarkRows() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r := row.row
				l.Apply(&r, row.usage, row.cost)
			}
		})
	}
	b.Run("parallel", func(b *testing.B) {
		row := benchmarkRows()["details"]
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				r := row.row
				l.Apply(&r, row.usage, row.cost)
			}
		})
	})
}
