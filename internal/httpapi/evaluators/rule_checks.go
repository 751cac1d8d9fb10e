package evaluators

import (
	"fmt"
	"slices"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// The limits of evaluation rules.
const (
	maxRuleName       = 500
	maxRuleEvaluators = 100
)

func readRuleName(v decode.Value) string { return v.TextLen(1, maxRuleName) }

// readSampling reads the fraction of matching objects to evaluate.
func readSampling(v decode.Value) float64 {
	sampling := v.Number()
	if v.Kind() != "number" {
		return 0
	}
	if sampling <= 0 {
		v.Reject(decode.TooSmall(v.Path(), 0, true))
	}
	if sampling > 1 {
		v.Reject(decode.TooBig(v.Path(), 1))
	}
	return sampling
}

// ruleColumn is a column that filters of evaluation rules can name.
type ruleColumn struct {
	name       string
	filterType string   // the only filter type it accepts
	values     []string // the allowed options; nil for any
}

// ruleColumns returns the columns for a target; all columns if the target is empty.
func ruleColumns(target string) []ruleColumn {
	var columns []ruleColumn
	if target != domain.TargetExperiment {
		columns = append(columns, []ruleColumn{
			{
				"type", "stringOptions", []string{
					"GENERATION", "SPAN", "EVENT", "AGENT", "TOOL", "CHAIN", "RETRIEVER", "EVALUATOR", "EMBEDDING", "GUARDRAIL",
				},
			},
			{"name", "stringOptions", nil},
			{"environment", "stringOptions", nil},
			{"level", "stringOptions", []string{"DEBUG", "DEFAULT", "WARNING", "ERROR"}},
			{"version", "string", nil},
			{"traceName", "stringOptions", nil},
			{"userId", "string", nil},
			{"sessionId", "string", nil},
			{"tags", "arrayOptions", nil},
			{"metadata", "stringObject", nil},
			{"isRootObservation", "boolean", nil},
			{"parentObservationId", "null", nil},
			{"calledToolNames", "arrayOptions", nil},
			{"toolCalls", "number", nil},
		}...)
	}
	if target != domain.TargetObservation {
		columns = append(columns, ruleColumn{"datasetId", "stringOptions", nil})
	}
	if target == "" {
		columns = append(columns, ruleColumn{"experimentId", "stringOptions", nil}, ruleColumn{"isExperimentItemRootSpan", "boolean", nil})
	}
	return columns
}

// checkRuleFilter returns an error for the first condition that is invalid for a target.
func checkRuleFilter(filter []domain.StoredFilter, target string) error {
	columns := ruleColumns(target)
	for _, f := range filter {
		n := slices.IndexFunc(columns, func(c ruleColumn) bool { return c.name == f.Column })
		if n < 0 {
			names := make([]string, len(columns))
			for n, c := range columns {
				names[n] = c.name
			}
			return respond.InvalidCoded(respond.CodeFilterValue, fmt.Sprintf("There is no column %q to filter by", f.Column),
				respond.Details{Field: "column", Column: f.Column, InvalidValues: []string{f.Column}, AllowedValues: names})
		}
		column := columns[n]
		if f.Type != column.filterType {
			return respond.InvalidCoded(respond.CodeFilterValue, fmt.Sprintf("The column %q takes filters of the type %s, not %s", f.Column,
				column.filterType, f.Type),
				respond.Details{
					Field: "type", Column: f.Column, InvalidValues: []string{f.Type}, AllowedValues: []string{column.filterType},
				})
		}
		if column.values == nil {
			continue
		}
		wrong := slices.DeleteFunc(endpoint.FilterOptions(f), func(value string) bool { return slices.Contains(column.values, value) })
		if len(wrong) > 0 {
			return respond.InvalidCoded(respond.CodeFilterValue, fmt.Sprintf("The column %q does not have these values", f.Column),
				respond.Details{Field: "value", Column: f.Column, InvalidValues: wrong, AllowedValues: column.values})
		}
	}
	return nil
}

// checkDatasets returns an error if conditions name datasets that do not exist. Datasets are named by id; a name would
// never match.
func (h *Handlers) checkDatasets(c *endpoint.Call, scope domain.ProjectScope, filter []domain.StoredFilter) error {
	for _, f := range filter {
		if f.Column != "datasetId" {
			continue
		}
		missing, err := h.Catalog.MissingDatasets(c.Context(), scope, endpoint.FilterOptions(f))
		if err != nil {
			return err
		}
		if len(missing) > 0 {
			return respond.InvalidCoded(respond.CodeFilterValue, "There are no datasets with these ids",
				respond.Details{Field: "value", Column: f.Column, InvalidValues: missing})
		}
	}
	return nil
}

// newAssignment assigns an evaluator to a rule, with the rule's own mapping or nil.
func newAssignment(e domain.Evaluator, mapping []domain.VariableMapping) domain.EvaluatorAssignment {
	if e.Type == domain.EvaluatorCode && len(mapping) == 0 {
		mapping = nil
	}
	return domain.EvaluatorAssignment{
		EvaluatorID: e.ID, Name: e.Name, Type: e.Type, Mapping: mapping, Variables: e.Version.Variables(e.Type),
		Inherited: e.Version.Mapping,
	}
}

// checkAssignments returns an error for the first evaluator that is invalid for its rule; field is the name of the list
// in the body.
func checkAssignments(assignments []domain.EvaluatorAssignment, target, field string) error {
	seen := make(map[string]bool)
	for n, a := range assignments {
		if seen[a.EvaluatorID] {
			return &decode.Invalid{Issues: []decode.Issue{decode.Violation([]any{field, n}, "The rule has the evaluator more than once")}}
		}
		seen[a.EvaluatorID] = true
		if a.Type == domain.EvaluatorCode {
			if len(a.Mapping) > 0 {
				return respond.InvalidCoded(respond.CodeInvalidMapping,
					"What an evaluator that is code is given is fixed: it takes no mapping",
					respond.Details{EvaluatorName: a.Name})
			}
			continue
		}
		if err := checkMapping(a.Name, a.Variables, a.EffectiveMapping(), target); err != nil {
			return err
		}
	}
	return nil
}
