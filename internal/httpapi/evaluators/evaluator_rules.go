package evaluators

import (
	"fmt"
	"slices"

	"almanac/internal/decode"
	"almanac/internal/domain"
)

// The limits of evaluators.
const (
	maxEvaluatorName        = 500
	maxEvaluatorDescription = 10_000
	maxEvaluatorText        = 100_000 // of prompts and of code
	maxPromptMessages       = 100
	maxEvaluatorModel       = 500
	maxOutputCategories     = 500
	maxOutputCategory       = 500
)

func readEvaluatorName(v decode.Value) string        { return v.TextLen(1, maxEvaluatorName) }
func readEvaluatorDescription(v decode.Value) string { return v.TextLen(0, maxEvaluatorDescription) }

// readCode reads the definition of a code evaluator.
func readCode(b *decode.Object) domain.EvaluatorDefinition {
	return domain.EvaluatorDefinition{
		SourceCode: b.Field("sourceCode").TextLen(1, maxEvaluatorText),
		Language:   b.Field("sourceCodeLanguage").Enum("PYTHON", "TYPESCRIPT"),
	}
}

func readEvaluatorModel(v decode.Value) domain.EvaluatorModel {
	b := v.Object()
	model := domain.EvaluatorModel{
		Provider: b.Field("provider").TextLen(1, maxEvaluatorModel), Model: b.Field("model").TextLen(1, maxEvaluatorModel),
	}
	b.Strict()
	return model
}

// checkPrompt rejects a prompt with too many variables or with variable names that are too long.
func checkPrompt(v decode.Value, d domain.EvaluatorDefinition) {
	variables := d.Variables(domain.EvaluatorJudge)
	if len(variables) > maxVariables {
		v.Reject(decode.Violation(v.Path(), fmt.Sprintf("A prompt may have %d variables, this one has %d", maxVariables, len(variables))))
	}
	for _, name := range variables {
		if len(name) > maxVariableName {
			v.Reject(decode.Violation(v.Path(), fmt.Sprintf("The name of a variable may have %d characters", maxVariableName)))
			return
		}
	}
}

func readOutputType(v decode.Value) string {
	return v.Enum(domain.ScoreNumeric, domain.ScoreBoolean, domain.ScoreCategorical)
}

// readScoreRange reads the range of scores that an evaluator may return.
func readScoreRange(b *decode.Object, output *domain.EvaluatorOutput) {
	output.MinValue = decode.Nullish(b.Field("minValue"), decode.Value.Number)
	maximum := b.Field("maxValue")
	output.MaxValue = decode.Nullish(maximum, decode.Value.Number)
	if output.MinValue != nil && output.MaxValue != nil && *output.MaxValue < *output.MinValue {
		maximum.Reject(decode.Violation(maximum.Path(), "maxValue must not be below minValue"))
	}
}

// readOutputCategories reads the categories that an evaluator may return.
func readOutputCategories(b *decode.Object, output *domain.EvaluatorOutput) {
	list := b.Field("categories")
	for _, item := range list.ArrayLen(0, maxOutputCategories) {
		category := item.TextLen(1, maxOutputCategory)
		if category != "" && slices.Contains(output.Categories, category) {
			item.Reject(decode.Violation(item.Path(), "Duplicate category: "+category+", categories must be unique"))
		}
		output.Categories = append(output.Categories, category)
	}
	if list.Kind() == "array" && list.Len() < 2 {
		list.Reject(decode.TooShort(list.Path(), "array", 2))
	}
	output.MultipleMatch = b.Field("shouldAllowMultipleMatches").Bool()
}
