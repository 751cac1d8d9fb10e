package domain

import (
	"slices"
	"strings"
	"time"
)

// The types of evaluators.
const (
	EvaluatorJudge = "llm_as_judge"
	EvaluatorCode  = "code"
)

// Evaluator describes how something is scored: by a model or by code. Its definition is that of its latest version.
type Evaluator struct {
	ID          string
	Name        string // need not be unique
	Description *string
	Type        string
	Version     EvaluatorVersion
	RuleCount   int
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// Redefined returns the evaluator with a definition that becomes its next version.
func (e Evaluator) Redefined(d EvaluatorDefinition) Evaluator {
	e.Version = EvaluatorVersion{Number: e.Version.Number + 1, EvaluatorDefinition: d}
	return e
}

// EvaluatorVersion is one definition of an evaluator.
type EvaluatorVersion struct {
	ID        string
	Number    int // from 1
	CreatedAt time.Time
	EvaluatorDefinition
}

// EvaluatorDefinition defines how an evaluator works. Which members are set depends on the evaluator's type.
type EvaluatorDefinition struct {
	Prompt  []ChatMessage     `json:"prompt,omitempty"`
	Output  *EvaluatorOutput  `json:"output,omitempty"`
	Model   *EvaluatorModel   `json:"model,omitempty"` // nil for the project's default
	Mapping []VariableMapping `json:"mapping"`         // default for rules; nil for none

	SourceCode string `json:"sourceCode,omitempty"`
	Language   string `json:"language,omitempty"`
}

// ChatMessage is one message of an evaluator's prompt.
type ChatMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// EvaluatorModel is the model used by a judge.
type EvaluatorModel struct {
	Provider string `json:"provider"`
	Model    string `json:"model"`
}

// EvaluatorOutput describes the expected output of an evaluator.
type EvaluatorOutput struct {
	DataType      string   `json:"dataType"`
	Reasoning     string   `json:"reasoning,omitempty"` // instructions for the explanation
	Score         string   `json:"score,omitempty"`     // instructions for the score
	MinValue      *float64 `json:"minValue,omitempty"`
	MaxValue      *float64 `json:"maxValue,omitempty"`
	Categories    []string `json:"categories,omitempty"`
	MultipleMatch bool     `json:"multipleMatch,omitempty"`
}

// VariableMapping defines where the value of a prompt variable comes from.
type VariableMapping struct {
	Variable string  `json:"variable"`
	Source   string  `json:"source"`
	JSONPath *string `json:"jsonPath,omitempty"`
}

// codeVariables are passed to the code of every evaluator.
var codeVariables = []string{"input", "output", "metadata", "toolCalls", "experimentItemExpectedOutput", "experimentItemMetadata"}

// Variables returns the variables of an evaluator of the given type: the distinct variables of its prompt in order of
// appearance, or the fixed ones of code.
func (d EvaluatorDefinition) Variables(evaluatorType string) []string {
	if evaluatorType == EvaluatorCode {
		return slices.Clone(codeVariables)
	}
	found := []string{}
	for _, m := range d.Prompt {
		for _, name := range templateVariables(m.Content) {
			if !slices.Contains(found, name) {
				found = append(found, name)
			}
		}
	}
	return found
}

// templateVariables returns the names between double braces. Anything else between them is plain text.
func templateVariables(text string) (names []string) {
	for {
		_, rest, found := strings.Cut(text, "{{")
		if !found {
			return names
		}
		inside, after, closed := strings.Cut(rest, "}}")
		if !closed {
			return names
		}
		if at := strings.LastIndex(inside, "{{"); at >= 0 {
			inside = inside[at+2:]
		}
		if name := strings.TrimSpace(inside); isVariableName(name) {
			names = append(names, name)
		}
		text = after
	}
}

func isVariableName(name string) bool {
	for i, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}
