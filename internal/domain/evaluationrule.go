package domain

import (
	"slices"
	"time"
)

// The targets of evaluation rules.
const (
	TargetObservation = "observation"
	TargetExperiment  = "experiment"
)

// EvaluationRule defines which new data is scored by which evaluators.
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
	Mapping     []VariableMapping // specific to this rule; nil to inherit the evaluator's
	// From the latest version of the evaluator. Lists of rules fill them in only for the first assignment.
	Variables []string
	Inherited []VariableMapping
}

// EffectiveMapping returns the mapping in effect: the rule's own or the inherited one.
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

// experimentColumns are filter columns that exist only in rows of experiments.
var experimentColumns = []string{"datasetId", "experimentId", "isExperimentItemRootSpan"}

// IsExperimentColumn reports whether the column exists only in rows of experiments.
func IsExperimentColumn(column string) bool { return slices.Contains(experimentColumns, column) }
