package domain

import (
	"slices"
	"time"
)

// What evaluation rules are about.
const (
	TargetObservation = "observation"
	TargetExperiment  = "experiment"
)

// EvaluationRule says which new data is scored by which evaluators.
type EvaluationRule struct {
	ID          string
	Name        string
	Target      string
	Enabled     bool
	Sampling    float64 // above 0, at most 1
	Filter      []StoredFilter
	Assignments []EvaluatorAssignment
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// EvaluatorAssignment is an evaluator of a rule.
type EvaluatorAssignment struct {
	EvaluatorID string
	Name, Type  string            // of the evaluator
	Mapping     []VariableMapping // of this rule; nil to inherit the evaluator's
	// What the latest version of the evaluator has. Lists of rules have it of the first assignment only.
	Variables []string
	Inherited []VariableMapping
}

// EffectiveMapping returns the mapping that counts: the rule's own or the inherited one.
func (a EvaluatorAssignment) EffectiveMapping() []VariableMapping {
	if a.Mapping != nil {
		return a.Mapping
	}
	return a.Inherited
}

// RuleAssignment is a rule that uses an evaluator.
type RuleAssignment struct {
	RuleID  string
	Mapping []VariableMapping // nil if it inherits the evaluator's
}

// experimentColumns are the columns of filters that only rows of experiments have.
var experimentColumns = []string{"datasetId", "experimentId", "isExperimentItemRootSpan"}

// IsExperimentColumn reports whether only rows of experiments have the column.
func IsExperimentColumn(column string) bool { return slices.Contains(experimentColumns, column) }
