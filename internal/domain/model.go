package domain

import (
	"encoding/json"
	"time"
)

// Model defines the prices of a language model, or of another service billed by usage. Model names sent by clients are
// matched against its pattern.
type Model struct {
	ID              string
	ProjectID       string // empty for built-in models
	Name            string
	MatchPattern    string // regular expression, searched for in the model names sent by clients
	StartDate       time.Time
	Unit            ModelUnit       // may be empty
	TokenizerID     string          // "openai", "claude" or empty
	TokenizerConfig json.RawMessage // any JSON value; nil if there is none
	Tiers           []PricingTier
	CreatedAt       time.Time // zero for built-in models
	UpdatedAt       time.Time
}

// BuiltIn reports whether the model is built in.
func (m *Model) BuiltIn() bool { return m.ProjectID == "" }

// DefaultTier returns the tier that applies when no other does, or nil.
func (m *Model) DefaultTier() *PricingTier {
	for i := range m.Tiers {
		if m.Tiers[i].Default {
			return &m.Tiers[i]
		}
	}
	return nil
}

// ModelUnit is the unit in which the usage of a model is counted.
type ModelUnit string

// The units.
const (
	UnitTokens       ModelUnit = "TOKENS"
	UnitCharacters   ModelUnit = "CHARACTERS"
	UnitMilliseconds ModelUnit = "MILLISECONDS"
	UnitSeconds      ModelUnit = "SECONDS"
	UnitRequests     ModelUnit = "REQUESTS"
	UnitImages       ModelUnit = "IMAGES"
)

// PricingTier is a list of prices and the conditions under which they apply. The default tier of a model has priority 0
// and no conditions; the others are tried in ascending order of priority and apply if all their conditions hold.
type PricingTier struct {
	ID         string
	Name       string
	Default    bool
	Priority   int
	Conditions []TierCondition
	Prices     []Price
}

// Price returns the price of one unit of a kind.
func (t *PricingTier) Price(kind string) (perUnit float64, ok bool) {
	for _, p := range t.Prices {
		if p.Kind == kind {
			return p.PerUnit, true
		}
	}
	return 0, false
}

// Price is what one unit of usage costs, in US dollars.
type Price struct {
	Kind    string
	PerUnit float64
}

// TierCondition is a condition on a row: exactly one of its members is set.
type TierCondition struct {
	Usage     *UsageCondition
	Attribute *AttributeCondition
}

// UsageCondition compares the sum of all usage whose kind matches the pattern.
type UsageCondition struct {
	KindPattern   string // regular expression, searched for in the kinds
	Operator      string // gt, gte, lt, lte, eq or neq
	Value         float64
	CaseSensitive bool
}

// The sources of attribute conditions.
const (
	SourceModelParameters = "model_parameters"
	SourceMetadata        = "metadata"
)

// AttributeCondition holds if the member with this key is a string, number or boolean whose text is one of the values.
type AttributeCondition struct {
	Source string
	Key    string
	Values []string
}
