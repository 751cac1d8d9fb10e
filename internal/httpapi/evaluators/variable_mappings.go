package evaluators

import (
	"fmt"
	"slices"
	"strings"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/respond"
)

// The limits of variable mappings.
const (
	maxVariables    = 100
	maxVariableName = 200
	maxJSONPath     = 500
)

// mappingSources returns the sources of values for a rule with this target; all sources if the target is empty.
func mappingSources(target string) []string {
	sources := []string{"input", "output", "metadata", "tool_calls"}
	if target != domain.TargetObservation {
		sources = append(sources, "expected_output", "experiment_item_metadata")
	}
	return sources
}

// mappingBody is the mapping of one variable as clients see it. The source is null for an unmapped variable.
type mappingBody struct {
	Variable string  `json:"variable"`
	Source   *string `json:"source"`
	JSONPath *string `json:"jsonPath,omitempty"`
}

// newMappingBodies converts a mapping; nil, which is written as null, stays nil.
func newMappingBodies(mapping []domain.VariableMapping) []mappingBody {
	if mapping == nil {
		return nil
	}
	bodies := make([]mappingBody, len(mapping))
	for n, m := range mapping {
		bodies[n] = mappingBody{m.Variable, new(m.Source), m.JSONPath}
	}
	return bodies
}

// effectiveMapping returns the mapping of every variable of an evaluator, including unmapped ones.
func effectiveMapping(a domain.EvaluatorAssignment) []mappingBody {
	bodies := []mappingBody{}
	if a.Type == domain.EvaluatorCode {
		return bodies // the arguments of code are fixed
	}
	mapping := a.EffectiveMapping()
	for _, variable := range a.Variables {
		body := mappingBody{Variable: variable}
		if n := slices.IndexFunc(mapping, func(m domain.VariableMapping) bool { return m.Variable == variable }); n >= 0 {
			body.Source, body.JSONPath = new(mapping[n].Source), mapping[n].JSONPath
		}
		bodies = append(bodies, body)
	}
	return bodies
}

// readMapping reads a variable mapping. Use checkMapping to check it against an evaluator.
func readMapping(v decode.Value) []domain.VariableMapping {
	mapping := []domain.VariableMapping{}
	for _, item := range v.ArrayLen(0, maxVariables) {
		b := item.Object()
		mapping = append(mapping, domain.VariableMapping{
			Variable: b.Field("variable").TextLen(1, maxVariableName),
			Source:   b.Field("source").Enum(mappingSources("")...),
			JSONPath: decode.Nullish(b.Field("jsonPath"), func(v decode.Value) string { return v.TextLen(0, maxJSONPath) }),
		})
		b.Strict()
	}
	return mapping
}

// checkMapping checks a mapping for an evaluator with these variables, each of which must be mapped exactly once.
func checkMapping(evaluator string, variables []string, mapping []domain.VariableMapping, target string) error {
	refuse := func(code, message string, details respond.Details) error {
		details.EvaluatorName = evaluator
		return respond.InvalidCoded(code, message, details)
	}
	var seen []string
	for _, m := range mapping {
		switch {
		case !slices.Contains(variables, m.Variable):
			return refuse(respond.CodeInvalidMapping, fmt.Sprintf("The evaluator has no variable %q", m.Variable),
				respond.Details{Variable: m.Variable, AllowedValues: variables})
		case slices.Contains(seen, m.Variable):
			return refuse(respond.CodeDuplicateMapping, fmt.Sprintf("The variable %q is mapped more than once", m.Variable),
				respond.Details{Variable: m.Variable})
		case !slices.Contains(mappingSources(target), m.Source):
			return refuse(respond.CodeInvalidMapping, fmt.Sprintf("The source %q of the variable %q does not exist for the target %s",
				m.Source, m.Variable, target),
				respond.Details{Field: "source", Variable: m.Variable, Value: m.Source, AllowedValues: mappingSources(target)})
		case m.JSONPath != nil && !validJSONPath(*m.JSONPath):
			return refuse(respond.CodeJSONPath, fmt.Sprintf("The jsonPath of the variable %q is not a valid JSON path, which starts with $",
				m.Variable),
				respond.Details{Field: "jsonPath", Variable: m.Variable, Value: *m.JSONPath})
		}
		seen = append(seen, m.Variable)
	}
	missing := slices.DeleteFunc(slices.Clone(variables), func(v string) bool { return slices.Contains(seen, v) })
	if len(missing) > 0 {
		return refuse(respond.CodeMissingMapping, "These variables of the evaluator are not mapped: "+strings.Join(missing, ", "),
			respond.Details{Variables: missing})
	}
	return nil
}
