package pricing

import (
	"slices"
	"testing"

	"almanac/internal/domain"
)

func usageCondition(pattern, operator string, value float64) domain.TierCondition {
	return domain.TierCondition{Usage: &domain.UsageCondition{KindPattern: pattern, Operator: operator, Value: value}}
}

func attributeCondition(source, key string, values ...string) domain.TierCondition {
	return domain.TierCondition{Attribute: &domain.AttributeCondition{Source: source, Key: key, Values: values}}
}

func TestConditions(t *testing.T) {
	row := domain.Observation{
		ModelParameters: `{"service_tier":"flex","temperature":0.50,"seed":7,"stream":true,"off":false,"none":null,` +
			`"list":["flex"],"nested":{"speed":"fast"}}`,
		Metadata: `{"tenant":"acme","plan.name":"gold","count":1e3}`,
	}
	usage := units("input", 60, "Input_Cached", 40, "output", 5, "total", 105)
	sensitive := usageCondition("input", "eq", 60)
	sensitive.Usage.CaseSensitive = true
	for _, test := range []struct {
		name      string
		condition domain.TierCondition
		want      bool
	}{
		{"gt", usageCondition("input", "gt", 99), true},
		{"gt, equal", usageCondition("input", "gt", 100), false},
		{"gte, equal", usageCondition("input", "gte", 100), true},
		{"gte, less", usageCondition("input", "gte", 100.5), false},
		{"lt", usageCondition("input", "lt", 101), true},
		{"lt, equal", usageCondition("input", "lt", 100), false},
		{"lte, equal", usageCondition("input", "lte", 100), true},
		{"lte, more", usageCondition("input", "lte", 99), false},
		{"eq", usageCondition("input", "eq", 100), true},
		{"eq, another", usageCondition("input", "eq", 60), false},
		{"neq", usageCondition("input", "neq", 60), true},
		{"neq, equal", usageCondition("input", "neq", 100), false},
		{"case matters when it is asked to", sensitive, true},
		{"several words", usageCondition("(cached|output)", "eq", 45), true},
		{"words without a group", usageCondition("CACHED|output", "eq", 45), true},
		{"an expression", usageCondition("^(in|out)put$", "eq", 65), true},
		{"an expression with its own flag", usageCondition("(?i)INPUT$", "eq", 60), true},
		{"the total only when it matches", usageCondition("total", "eq", 105), true},
		{"everything, the total too", usageCondition(".", "eq", 210), true},
		{"nothing matches", usageCondition("audio", "eq", 0), true},
		{"a text", attributeCondition("model_parameters", "service_tier", "priority", "flex"), true},
		{"another text", attributeCondition("model_parameters", "service_tier", "priority"), false},
		{"part of a text", attributeCondition("model_parameters", "service_tier", "flexible", "fle"), false},
		{"a number, as JavaScript writes it", attributeCondition("model_parameters", "temperature", "0.5"), true},
		{"a number, as it is written", attributeCondition("model_parameters", "temperature", "0.50"), false},
		{"a whole number", attributeCondition("model_parameters", "seed", "7"), true},
		{"true", attributeCondition("model_parameters", "stream", "true"), true},
		{"false", attributeCondition("model_parameters", "off", "false"), true},
		{"null", attributeCondition("model_parameters", "none", "null", ""), false},
		{"a list", attributeCondition("model_parameters", "list", "flex", `["flex"]`), false},
		{"an object", attributeCondition("model_parameters", "nested", `{"speed":"fast"}`), false},
		{"a member of an object", attributeCondition("model_parameters", "speed", "fast"), false},
		{"a member that is not there", attributeCondition("model_parameters", "missing", ""), false},
		{"no values", attributeCondition("model_parameters", "service_tier"), false},
		{"metadata", attributeCondition("metadata", "tenant", "acme"), true},
		{"metadata with a dot", attributeCondition("metadata", "plan.name", "gold"), true},
		{"metadata as a number", attributeCondition("metadata", "count", "1000"), true},
		{"parameters are not metadata", attributeCondition("metadata", "service_tier", "flex"), false},
		{"an unknown source", attributeCondition("tags", "tenant", "acme"), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, err := compileCondition(test.condition)
			if err != nil {
				t.Fatal(err)
			}
			if got := c.holds(usage, &attributeReader{row: &row}); got != test.want {
				t.Errorf("holds = %v, want %v", got, test.want)
			}
		})
	}
}

// Searching for words must agree with the regular expression.
func TestKindPatternWordsAgreeWithExpressions(t *testing.T) {
	for _, pattern := range []string{"input", "(input|prompt|cached)", "INPUT", "K", "s", "a|", "()", "(a)|(b)", "in.put", ""} {
		for _, sensitive := range []bool{false, true} {
			p, err := newKindPattern(pattern, sensitive)
			if err != nil {
				t.Fatal(err)
			}
			for _, kind := range []string{"", "input", "INPUT", "cache_input_1", "prompt", "\u212a", "k", "K", "ſ", "S", "b", "é"} {
				if got, want := p.matches(kind), p.expression.MatchString(kind); got != want {
					t.Errorf("pattern %q, case-sensitive %v: matches(%q) = %v, want %v", pattern, sensitive, kind, got, want)
				}
			}
		}
	}
}

// Lists of plain words are searched for without the regular expression, which is many times slower.
func TestWordsOf(t *testing.T) {
	for pattern, want := range map[string][]string{
		"input":             {"input"},
		"(input|prompt)":    {"input", "prompt"},
		"az_AZ|09":          {"az_AZ", "09"},
		"(input":            nil,
		"input)":            nil,
		"":                  nil,
		"input|":            nil,
		"in.put":            nil,
		"/|:":               nil, // before 0 and after 9
		"@|[":               nil,
		"`|{":               nil,
		"(input|cache)_[0]": nil,
	} {
		if got := wordsOf(pattern); !slices.Equal(got, want) {
			t.Errorf("the words of %q are %q, want %q", pattern, got, want)
		}
	}
}

func TestTierFor(t *testing.T) {
	price := []domain.Price{{Kind: "input", PerUnit: 1}}
	definition := domain.Model{MatchPattern: "^m$", Tiers: []domain.PricingTier{
		{Name: "large and fast", Priority: 3, Prices: price, Conditions: []domain.TierCondition{
			usageCondition("input", "gt", 100), attributeCondition("metadata", "speed", "fast"),
		}},
		{Name: "large", Priority: 20, Prices: price, Conditions: []domain.TierCondition{usageCondition("input", "gt", 100)}},
		{Name: "default", Default: true, Prices: price},
		{Name: "fast", Priority: 10, Prices: price, Conditions: []domain.TierCondition{attributeCondition("metadata", "speed", "fast")}},
		{Name: "without conditions", Priority: 1, Prices: price},
		{Name: "an unknown operator", Priority: 2, Prices: price, Conditions: []domain.TierCondition{usageCondition("input", "in", 0)}},
		{Name: "no expression", Priority: 4, Prices: price, Conditions: []domain.TierCondition{usageCondition("(", "gte", 0)}},
		{Name: "a condition on nothing", Priority: 5, Prices: price, Conditions: []domain.TierCondition{{}}},
	}}
	m, err := compile(definition)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name     string
		units    int64
		metadata string
		want     string
	}{
		{"no condition holds", 100, `{}`, "default"},
		{"one of two conditions holds", 101, `{"speed":"slow"}`, "large"},
		{"all conditions hold", 101, `{"speed":"fast"}`, "large and fast"},
		{"by priority, not by place", 100, `{"speed":"fast"}`, "fast"},
	} {
		t.Run(test.name, func(t *testing.T) {
			row := domain.Observation{Metadata: test.metadata}
			got := m.tierFor(&row, []domain.UsageEntry{{Kind: "input", Units: test.units}})
			if got.name != test.want {
				t.Errorf("the tier is %q, want %q", got.name, test.want)
			}
		})
	}
	if m, err = compile(domain.Model{MatchPattern: "x"}); err != nil || m.tierFor(&domain.Observation{}, nil) != nil {
		t.Errorf("a model without tiers has one (%v)", err)
	}
}
