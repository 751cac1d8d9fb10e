package pricing

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/ingest/pricing/tokens"
)

// prices.json lists the built-in models in the format of the models API: names, patterns, tokenizers and prices in US
// dollars per unit. It describes the default models of the Langfuse API as of server version 4.16; the prices are those
// published by the providers at the time, without a date. To change a price, change the file: no price is in code. A
// price is listed under every name that clients use for its kind.
//
//go:embed prices.json
var prices []byte

// Default returns the list of the built-in models. It parses and compiles it on every call: call it once.
func Default() (*List, error) {
	definitions, err := readDefinitions(prices)
	if err != nil {
		return nil, fmt.Errorf("read the embedded price list: %w", err)
	}
	l := &List{Tokenize: true, counter: tokens.NewCounter()}
	for _, definition := range definitions {
		m, err := compile(definition)
		if err != nil {
			return nil, fmt.Errorf("read the embedded price list: %w", err)
		}
		l.models = append(l.models, m)
	}
	return l, nil
}

// listedModel is an entry of the price list.
type listedModel struct {
	Name            string          `json:"modelName"`
	MatchPattern    string          `json:"matchPattern"`
	TokenizerID     string          `json:"tokenizerId"`
	TokenizerConfig json.RawMessage `json:"tokenizerConfig"`
	Tiers           []listedTier    `json:"pricingTiers"`
}

type listedTier struct {
	Name       string             `json:"name"`
	Default    bool               `json:"isDefault"`
	Priority   int                `json:"priority"`
	Conditions []listedCondition  `json:"conditions"`
	Prices     map[string]float64 `json:"prices"`
}

// listedCondition has the members of both kinds of conditions.
type listedCondition struct {
	Operator      string   `json:"operator"`
	KindPattern   string   `json:"usageDetailPattern"`
	Value         float64  `json:"value"`
	CaseSensitive bool     `json:"caseSensitive"`
	Source        string   `json:"source"`
	Key           string   `json:"key"`
	Values        []string `json:"values"`
}

func readDefinitions(text []byte) ([]domain.Model, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var listed []listedModel
	if err := decoder.Decode(&listed); err != nil {
		return nil, err
	}
	models := make([]domain.Model, 0, len(listed))
	for _, entry := range listed {
		m := domain.Model{
			ID:           stableID(entry.Name, entry.MatchPattern),
			Name:         entry.Name,
			MatchPattern: entry.MatchPattern,
			TokenizerID:  entry.TokenizerID,
		}
		if !bytes.Equal(entry.TokenizerConfig, []byte("null")) {
			m.TokenizerConfig = entry.TokenizerConfig
		}
		for _, t := range entry.Tiers {
			m.Tiers = append(m.Tiers, t.tier(m.ID))
		}
		models = append(models, m)
	}
	return models, nil
}

func (t listedTier) tier(modelID string) domain.PricingTier {
	tier := domain.PricingTier{
		ID: modelID + "_tier_default", Name: t.Name, Default: t.Default, Priority: t.Priority,
	}
	if !t.Default {
		tier.ID = modelID + "_tier_" + stableID(t.Name)[:8]
	}
	for _, c := range t.Conditions {
		tier.Conditions = append(tier.Conditions, c.condition())
	}
	for _, kind := range slices.Sorted(maps.Keys(t.Prices)) {
		tier.Prices = append(tier.Prices, domain.Price{Kind: kind, PerUnit: t.Prices[kind]})
	}
	return tier
}

func (c listedCondition) condition() domain.TierCondition {
	if c.Source != "" {
		return domain.TierCondition{Attribute: &domain.AttributeCondition{Source: c.Source, Key: c.Key, Values: c.Values}}
	}
	return domain.TierCondition{Usage: &domain.UsageCondition{
		KindPattern: c.KindPattern, Operator: c.Operator, Value: c.Value, CaseSensitive: c.CaseSensitive,
	}}
}

// stableID returns the id of a built-in object: 26 lower-case letters and digits, the start of a SHA-256 of its names.
// Rows and clients store ids, so they must be the same in every build. The id of a model is derived from its name and
// pattern, that of a tier from the model's id and the tier's name.
func stableID(names ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(names, "\x00")))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:]))[:26]
}
