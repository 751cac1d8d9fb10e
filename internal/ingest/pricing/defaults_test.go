package pricing

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
)

// defaults returns the built-in list.
func defaults(tb testing.TB) *List {
	tb.Helper()
	l, err := Default()
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

func TestDefaultListIsComplete(t *testing.T) {
	l := defaults(t)
	tiers, conditional := 0, 0
	tokenizers := map[string]int{}
	ids := map[string]bool{}
	for _, m := range l.models {
		tokenizers[m.definition.TokenizerID]++
		if known := m.tokenizer.Known(); known != (m.definition.TokenizerID == "openai") {
			t.Errorf("model %s has the tokenizer %q; texts can be counted: %v", m.definition.Name, m.definition.TokenizerID, known)
		}
		if m.standard == nil || len(m.standard.prices) == 0 {
			t.Errorf("model %s has no prices", m.definition.Name)
		}
		tiers += len(m.definition.Tiers)
		conditional += len(m.conditional)
		for _, id := range append(tierIDs(m.definition), m.definition.ID) {
			if ids[id] {
				t.Errorf("the id %s of model %s is taken", id, m.definition.Name)
			}
			ids[id] = true
		}
	}
	// No tier was dropped because of an invalid condition.
	if len(l.models) != 167 || tiers != 251 || conditional != 251-167 {
		t.Errorf("%d models, %d tiers, %d of them conditional; want 167, 251, 84", len(l.models), tiers, conditional)
	}
	if diff := cmp.Diff(map[string]int{"openai": 79, "claude": 32, "": 56}, tokenizers); diff != "" {
		t.Errorf("models by tokenizer (-want +got):\n%s", diff)
	}
}

func tierIDs(m domain.Model) []string {
	var ids []string
	for _, t := range m.Tiers {
		ids = append(ids, t.ID)
	}
	return ids
}

// Built-in definitions must satisfy the rules of the models API as well.
func TestDefaultDefinitionsKeepTheRules(t *testing.T) {
	for _, m := range defaults(t).Models() {
		var names, priorities, kinds []string
		for _, tier := range m.Tiers {
			names = append(names, tier.Name)
			priorities = append(priorities, strconv.Itoa(tier.Priority))
			if tier.Default != (tier.Priority == 0) || tier.Default != (len(tier.Conditions) == 0) {
				t.Errorf("model %s: tier %s has priority %d and %d conditions", m.Name, tier.Name, tier.Priority, len(tier.Conditions))
			}
			var of []string
			for _, p := range tier.Prices {
				of = append(of, p.Kind)
				if p.PerUnit < 0 || p.PerUnit > 1 {
					t.Errorf("model %s: tier %s has the price %v for %s", m.Name, tier.Name, p.PerUnit, p.Kind)
				}
			}
			if tier.Default {
				kinds = of
			} else if !slices.Equal(of, kinds) {
				t.Errorf("model %s: tier %s has other kinds of usage than the default tier", m.Name, tier.Name)
			}
		}
		for _, list := range [][]string{names, priorities} {
			slices.Sort(list)
			if len(slices.Compact(list)) != len(m.Tiers) {
				t.Errorf("model %s has tiers of the same name or priority", m.Name)
			}
		}
		if m.DefaultTier() == nil || !m.BuiltIn() {
			t.Errorf("model %s has no default tier or is not built in", m.Name)
		}
	}
}

func TestNoDefaultNameMatchesTwoPatterns(t *testing.T) {
	l := defaults(t)
	for _, m := range l.models {
		var found []string
		for _, other := range l.models {
			if other.pattern.MatchString(m.definition.Name) {
				found = append(found, other.definition.Name)
			}
		}
		if len(found) > 1 || len(found) == 1 && found[0] != m.definition.Name {
			t.Errorf("the name %s matches the patterns of %s", m.definition.Name, strings.Join(found, ", "))
		}
	}
}

// Rows store these ids, so they must not change.
func TestIDsAreStable(t *testing.T) {
	m, ok := defaults(t).Match("gpt-4o")
	if !ok {
		t.Fatal("gpt-4o matches nothing")
	}
	want := []string{
		"pp3a3kl3ewy6l3marw3uprsbxx",
		"pp3a3kl3ewy6l3marw3uprsbxx_tier_default",
		"pp3a3kl3ewy6l3marw3uprsbxx_tier_dn7z5s34",
	}
	if diff := cmp.Diff(want, append([]string{m.ID}, tierIDs(m)...)); diff != "" {
		t.Errorf("ids (-want +got):\n%s", diff)
	}
}

func TestDefaultsAreReadInto(t *testing.T) {
	m, _ := defaults(t).Match("gemini-2.5-pro")
	tier := m.Tiers[1]
	want := domain.TierCondition{Usage: &domain.UsageCondition{KindPattern: "(input|prompt|cached)", Operator: "gt", Value: 200000}}
	if diff := cmp.Diff([]domain.TierCondition{want}, tier.Conditions); diff != "" {
		t.Errorf("conditions (-want +got):\n%s", diff)
	}
	if perUnit, ok := tier.Price("output"); !ok || perUnit != 0.000015 {
		t.Errorf("the price of output is %v, %v", perUnit, ok)
	}
	if _, ok := tier.Price("nothing"); ok {
		t.Error("there is a price for nothing")
	}
	m, _ = defaults(t).Match("o3")
	want = domain.TierCondition{Attribute: &domain.AttributeCondition{
		Source: domain.SourceModelParameters, Key: "service_tier", Values: []string{"flex"},
	}}
	if !slices.ContainsFunc(m.Tiers, func(tier domain.PricingTier) bool {
		return tier.Name == "Flex" && cmp.Equal(tier.Conditions, []domain.TierCondition{want})
	}) {
		t.Errorf("o3 has no tier for flexible service: %+v", m.Tiers)
	}
	m, _ = defaults(t).Match("gpt-4o")
	if !strings.Contains(string(m.TokenizerConfig), `"gpt-4o"`) || m.TokenizerID != "openai" {
		t.Errorf("gpt-4o has the tokenizer %q with %s", m.TokenizerID, m.TokenizerConfig)
	}
	m, _ = defaults(t).Match("claude-sonnet-4-20250514")
	if m.TokenizerConfig != nil {
		t.Errorf("a configuration of null is kept as %s", m.TokenizerConfig)
	}
}

func TestReadDefinitionsRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":          `[`,
		"an unknown field": `[{"modelName":"a","matchPattern":"a","price":1}]`,
		"a price as text":  `[{"modelName":"a","pricingTiers":[{"prices":{"input":"1"}}]}]`,
	} {
		if models, err := readDefinitions([]byte(text)); err == nil {
			t.Errorf("%s is read as %v", name, models)
		}
	}
}

// Every name that providers use for a kind of usage has a price in at least one model.
func TestSpellingsHavePrices(t *testing.T) {
	spellings := map[string]bool{}
	for _, m := range defaults(t).models {
		for kind := range m.standard.prices {
			spellings[kind] = true
		}
	}
	for _, kind := range []string{
		"input", "output", "total", "input_tokens", "output_tokens", "input_cached_tokens", "input_cache_read", "cache_read_input_tokens",
		"input_cache_creation", "cache_creation_input_tokens", "output_reasoning_tokens", "promptTokenCount", "candidatesTokenCount",
	} {
		if !spellings[kind] {
			t.Errorf("no model has a price for %s; there are %v", kind, slices.Sorted(maps.Keys(spellings)))
		}
	}
}
