package settings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/ingest/pricing"
)

// The limits of a model definition.
const (
	maxModelName       = 500
	maxModelPattern    = 2000
	maxTokenizerConfig = 10_000 // bytes
	maxTiers           = 50
	maxTierName        = 100
	maxTierPriority    = 999
	maxTierPattern     = 200
	maxTierConditions  = 20
	maxTierPrices      = 200
	maxUsageKind       = 200
	maxAttributeKey    = 200
	maxAttributeValues = 100
	maxAttributeValue  = 500
)

// standardTier is the name of the tier created from flat prices.
const standardTier = "Standard"

func modelUnits() []string {
	return []string{
		string(domain.UnitCharacters), string(domain.UnitTokens), string(domain.UnitMilliseconds), string(domain.UnitSeconds),
		string(domain.UnitImages), string(domain.UnitRequests),
	}
}

// readModel reads a definition.
func readModel(body decode.Value) (domain.Model, error) {
	b := body.Object()
	m := domain.Model{
		Name:         b.Field("modelName").TextLen(1, maxModelName),
		MatchPattern: readPattern(b.Field("matchPattern"), maxModelPattern),
	}
	decode.Set(&m.StartDate, decode.Nullish(b.Field("startDate"), decode.Value.Date))
	m.Unit = domain.ModelUnit(b.Field("unit").Enum(modelUnits()...))
	flat := readFlatPrices(b)
	tiers := decode.Nullish(b.Field("pricingTiers"), readTiers)
	decode.Set(&m.TokenizerID, decode.Nullish(b.Field("tokenizerId"), func(v decode.Value) string { return v.Enum("openai", "claude") }))
	m.TokenizerConfig = readTokenizerConfig(b.Field("tokenizerConfig"))
	if err := b.Err(); err != nil {
		return m, err
	}
	switch {
	case tiers != nil && len(flat) > 0:
		body.Reject(decode.Violation(nil, "Give either pricingTiers or inputPrice, outputPrice and totalPrice, not both"))
	case tiers != nil:
		m.Tiers = *tiers
	case len(flat) > 0:
		m.Tiers = []domain.PricingTier{{Name: standardTier, Default: true, Prices: flat}}
	default:
		body.Reject(decode.Violation(nil, "Prices are missing: give pricingTiers, or inputPrice and outputPrice, or totalPrice"))
	}
	if patternsSize(m) > pricing.MaxPatternSize {
		body.Reject(decode.Violation(nil,
			"The patterns of the model are too large together: write fewer conditions, repetitions and alternatives"))
	}
	return m, b.Err()
}

// patternsSize returns the total size of all patterns of a model, which must be valid regular expressions.
func patternsSize(m domain.Model) int {
	total, _ := pricing.PatternSize(m.MatchPattern)
	for _, t := range m.Tiers {
		for _, condition := range t.Conditions {
			if condition.Usage != nil {
				size, _ := pricing.PatternSize(condition.Usage.KindPattern)
				total += size
			}
		}
	}
	return total
}

func readFlatPrices(b *decode.Object) (prices []domain.Price) {
	total := b.Field("totalPrice")
	for _, p := range []struct {
		kind  string
		field decode.Value
	}{{"input", b.Field("inputPrice")}, {"output", b.Field("outputPrice")}, {"total", total}} {
		if price := decode.Nullish(p.field, readPrice); price != nil {
			prices = append(prices, domain.Price{Kind: p.kind, PerUnit: *price})
		}
	}
	if n := len(prices); n > 1 && prices[n-1].Kind == "total" {
		total.Reject(decode.Violation(total.Path(), "totalPrice excludes inputPrice and outputPrice"))
	}
	return prices
}

func readPrice(v decode.Value) float64 { return v.Within(0, math.MaxFloat64) }

// readPattern reads a regular expression.
func readPattern(v decode.Value, maximum int) string {
	text := v.TextLen(1, maximum)
	if v.Kind() != "string" || len(text) > 4*maximum {
		return text
	}
	if err := pricing.CheckPattern(text); err != nil {
		v.Reject(decode.Violation(v.Path(), strings.ToUpper(err.Error()[:1])+err.Error()[1:]))
	}
	return text
}

func readTokenizerConfig(v decode.Value) json.RawMessage {
	if kind := v.Kind(); kind == "undefined" || kind == "null" {
		return nil
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, v.Raw()); err != nil || compact.Len() > maxTokenizerConfig {
		v.Reject(decode.Violation(v.Path(), fmt.Sprintf("tokenizerConfig is longer than %d bytes", maxTokenizerConfig)))
		return nil
	}
	return compact.Bytes()
}

// readTiers reads the tiers of a model and checks them against each other.
func readTiers(v decode.Value) []domain.PricingTier {
	items := v.ArrayLen(1, maxTiers)
	tiers := make([]domain.PricingTier, len(items))
	for n, item := range items {
		tiers[n] = readTier(item)
	}
	if v.Err() == nil {
		checkTiers(v, tiers)
	}
	return tiers
}

func readTier(v decode.Value) domain.PricingTier {
	b := v.Object()
	t := domain.PricingTier{
		Name: b.Field("name").TrimmedLen(1, maxTierName), Default: b.Field("isDefault").Bool(),
		Priority: b.Field("priority").IntWithin(0, maxTierPriority),
	}
	for _, item := range b.Field("conditions").ArrayLen(0, maxTierConditions) {
		t.Conditions = append(t.Conditions, readCondition(item))
	}
	prices := b.Field("prices")
	members := prices.Object()
	switch kinds := members.Names(); {
	case prices.Kind() != "object":
	case len(kinds) == 0 || len(kinds) > maxTierPrices:
		prices.Reject(decode.Violation(prices.Path(), fmt.Sprintf("A tier has from 1 to %d prices", maxTierPrices)))
	default:
		for _, kind := range slices.Sorted(slices.Values(kinds)) {
			price := members.Field(kind)
			if kind == "" || len(kind) > maxUsageKind {
				price.Reject(decode.Violation(price.Path(), fmt.Sprintf("A usage type has from 1 to %d bytes", maxUsageKind)))
			}
			t.Prices = append(t.Prices, domain.Price{Kind: kind, PerUnit: readPrice(price)})
		}
	}
	return t
}

// readCondition reads a condition on an attribute, which has a source, or on usage.
func readCondition(v decode.Value) domain.TierCondition {
	b := v.Object()
	if source := b.Field("source"); source.Kind() != "undefined" {
		b.Field("operator").Enum("in")
		attribute := &domain.AttributeCondition{
			Source: source.Enum(domain.SourceModelParameters, domain.SourceMetadata), Key: b.Field("key").TextLen(1, maxAttributeKey),
			Values: []string{},
		}
		for _, item := range b.Field("values").ArrayLen(1, maxAttributeValues) {
			attribute.Values = append(attribute.Values, item.TextLen(0, maxAttributeValue))
		}
		return domain.TierCondition{Attribute: attribute}
	}
	usage := &domain.UsageCondition{
		KindPattern: readPattern(b.Field("usageDetailPattern"), maxTierPattern),
		Operator:    b.Field("operator").Enum("gt", "gte", "lt", "lte", "eq", "neq"),
		Value:       readPrice(b.Field("value")),
	}
	decode.Set(&usage.CaseSensitive, decode.Optional(b.Field("caseSensitive"), decode.Value.Bool))
	return domain.TierCondition{Usage: usage}
}

// checkTiers rejects inconsistent tiers, reporting only the first violation.
func checkTiers(v decode.Value, tiers []domain.PricingTier) {
	reject := func(n int, message string) {
		v.Reject(decode.Violation(append(slices.Clone(v.Path()), n), message))
	}
	defaults := 0
	names, priorities := make(map[string]bool), make(map[int]bool)
	for n, t := range tiers {
		switch {
		case t.Default && (t.Priority != 0 || len(t.Conditions) > 0):
			reject(n, "The default tier has priority 0 and no conditions")
		case !t.Default && len(t.Conditions) == 0:
			reject(n, "A tier that is not the default one needs at least one condition")
		case names[t.Name]:
			reject(n, "Duplicate tier name: "+t.Name)
		case priorities[t.Priority]:
			reject(n, fmt.Sprintf("Duplicate tier priority: %d", t.Priority))
		case !slices.EqualFunc(t.Prices, tiers[0].Prices, func(a, b domain.Price) bool { return a.Kind == b.Kind }):
			reject(n, "All tiers have prices for the same usage types")
		}
		if v.Err() != nil {
			return
		}
		if t.Default {
			defaults++
		}
		names[t.Name], priorities[t.Priority] = true, true
	}
	if defaults != 1 {
		v.Reject(decode.Violation(v.Path(), "Exactly one tier is the default one"))
	}
}
