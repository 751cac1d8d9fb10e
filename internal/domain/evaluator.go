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

// Evaluator says how something is scored: by a model or by code. Its definition is that of its latest version.
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

// EvaluatorVersion is one definition of an evaluator.
type EvaluatorVersion struct {
	ID        string
	Number    int // from 1
	CreatedAt time.Time
	EvaluatorDefinition
}

// EvaluatorDefinition is how an evaluator works. Which members it has depends on the evaluator's type.
type EvaluatorDefinition struct {
	Prompt  []ChatMessage     `json:"prompt,omitempty"`
	Output  *EvaluatorOutput  `json:"output,omitempty"`
	Model   *EvaluatorModel   `json:"model,omitempty"` // nil for the project's default
	Mapping []VariableMapping `json:"mapping"`         // the default of rules; nil for none

	SourceCode string `json:"sourceCode,omitempty"`
	Language   string `json:"language,omitempty"`
}

// ChatMessage is a part of the prompt of an evaluator.
type ChatMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// EvaluatorModel is the model that a judge asks.
type EvaluatorModel struct {
	Provider string `json:"provider"`
	Model    string `json:"model"`
}

// EvaluatorOutput is what an evaluator is asked for.
type EvaluatorOutput struct {
	DataType      string   `json:"dataType"`
	Reasoning     string   `json:"reasoning,omitempty"` // instructions for the explanation
	Score         string   `json:"score,omitempty"`     // instructions for the score
	MinValue      *float64 `json:"minValue,omitempty"`
	MaxValue      *float64 `json:"maxValue,omitempty"`
	Categories    []string `json:"categories,omitempty"`
	MultipleMatch bool     `json:"multipleMatch,omitempty"`
}

// VariableMapping says where the value of a variable of a prompt comes from.
type VariableMapping struct {
	Variable string  `json:"variable"`
	Source   string  `json:"source"`
	JSONPath *string `json:"jsonPath,omitempty"`
}

// codeVariables are what the code of every evaluator is given.
var codeVariables = []string{"input", "output", "metadata", "toolCalls", "experimentItemExpectedOutput", "experimentItemMetadata"}

// Variables returns what an evaluator of the type is given: the variables of its prompt in the order of their appearance,
// each once, or the fixed ones of code.
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

// templateVariables returns the names between double braces. What is no name there is text.
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
