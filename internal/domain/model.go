package domain

import (
	"encoding/json"
	"time"
)

// Model defines what a language model, or another service that is paid by use, costs. The names that clients give their
// models are matched against its pattern.
type Model struct {
	ID              string
	ProjectID       string // empty for the models that come with the program
	Name            string
	MatchPattern    string // regular expression, searched for in the names that clients give
	StartDate       time.Time
	Unit            ModelUnit       // may be empty
	TokenizerID     string          // "openai", "claude" or empty
	TokenizerConfig json.RawMessage // any JSON value; nil when there is none
	Tiers           []PricingTier
	CreatedAt       time.Time // zero for the models that come with the program
	UpdatedAt       time.Time
}

// BuiltIn reports whether the model comes with the program.
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

// ModelUnit says what the usage of a model counts.
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

// PricingTier is a list of prices and when they apply. The default tier of a model has priority 0 and no conditions; the
// others are tried by ascending priority and apply when all their conditions hold.
type PricingTier struct {
	ID         string
	Name       string
	Default    bool
	Priority   int
	Conditions []TierCondition
	Prices     []Price
}

// Price returns the price of one unit of that kind.
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

// AttributeCondition holds when the member with this key is a text, a number or a boolean whose text is one of the values.
type AttributeCondition struct {
	Source string
	Key    string
	Values []string
}
