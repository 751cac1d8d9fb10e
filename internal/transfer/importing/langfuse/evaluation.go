package langfuse

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"net/url"
	"slices"

	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/transfer/importing"
)

type evaluatorRow struct {
	ID               string    `json:"id"`
	Name             string    `json:"name"`
	Description      *string   `json:"description"`
	Type             string    `json:"type"`
	CreatedAt        Timestamp `json:"createdAt"`
	UpdatedAt        Timestamp `json:"updatedAt"`
	VersionID        string    `json:"versionId"`
	Version          int       `json:"version"`
	VersionCreatedAt Timestamp `json:"versionCreatedAt"`
	evaluatorDefinition
}

type evaluatorVersionRow struct {
	ID        string    `json:"id"`
	Version   int       `json:"version"`
	CreatedAt Timestamp `json:"createdAt"`
	evaluatorDefinition
}

// evaluatorDefinition is the definition of an LLM judge or code evaluator. Which members it has depends on the type.
type evaluatorDefinition struct {
	Prompt   json.RawMessage        `json:"prompt"` // a list of messages, or a string
	Mapping  []variableMapping      `json:"variableMapping"`
	Model    *domain.EvaluatorModel `json:"modelConfig"`
	Output   *evaluatorOutput       `json:"outputDefinition"`
	Source   string                 `json:"sourceCode"`
	Language string                 `json:"sourceCodeLanguage"`
}

type variableMapping struct {
	Variable string  `json:"variable"`
	Source   string  `json:"source"`
	JSONPath *string `json:"jsonPath"`
}

type evaluatorOutput struct {
	DataType      string   `json:"dataType"`
	Reasoning     string   `json:"scoreReasoningInstructions"`
	Score         string   `json:"scoreValueInstructions"`
	MinValue      *float64 `json:"minValue"`
	MaxValue      *float64 `json:"maxValue"`
	Categories    []string `json:"categories"`
	MultipleMatch bool     `json:"shouldAllowMultipleMatches"`
}

func mappingOf(rows []variableMapping) []domain.VariableMapping {
	if rows == nil {
		return nil
	}
	mapping := make([]domain.VariableMapping, 0, len(rows))
	for _, m := range rows {
		if m.Source != "" {
			mapping = append(mapping, domain.VariableMapping{Variable: m.Variable, Source: m.Source, JSONPath: m.JSONPath})
		}
	}
	return mapping
}

func (d *evaluatorDefinition) definition() domain.EvaluatorDefinition {
	definition := domain.EvaluatorDefinition{Model: d.Model, Mapping: mappingOf(d.Mapping), SourceCode: d.Source, Language: d.Language}
	if len(d.Prompt) > 0 && d.Prompt[0] == '"' {
		definition.Prompt = []domain.ChatMessage{{Role: "user", Content: unquoted(d.Prompt)}}
	} else {
		_ = json.Unmarshal(d.Prompt, &definition.Prompt) // code has none
	}
	if o := d.Output; o != nil {
		definition.Output = &domain.EvaluatorOutput{
			DataType: o.DataType, Reasoning: o.Reasoning, Score: o.Score, MinValue: o.MinValue, MaxValue: o.MaxValue,
			Categories: o.Categories, MultipleMatch: o.MultipleMatch,
		}
	}
	return definition
}

// evaluators reads evaluators with all their versions.
func (a *API) evaluators(ctx context.Context, cursor string) iter.Seq2[*importing.Page, error] {
	return byCursor(a, "/api/public/v2/evaluators", nil, func(ctx context.Context, rows []evaluatorRow) (*importing.Page, error) {
		page := new(importing.Page)
		for _, e := range rows {
			history := catalog.EvaluatorHistory{Evaluator: domain.Evaluator{
				ID: e.ID, Name: e.Name, Description: e.Description, Type: e.Type, CreatedAt: e.CreatedAt.Time(),
				UpdatedAt: e.UpdatedAt.Time(),
			}}
			read := byCursor(a, "/api/public/v2/evaluators/"+url.PathEscape(e.ID)+"/versions", nil,
				func(_ context.Context, versions []evaluatorVersionRow) (*importing.Page, error) {
					for _, v := range versions {
						history.Versions = append(history.Versions, domain.EvaluatorVersion{
							ID: v.ID, Number: v.Version, CreatedAt: v.CreatedAt.Time(), EvaluatorDefinition: v.definition(),
						})
					}
					return new(importing.Page), nil
				})
			for _, err := range read(ctx, "") {
				if err != nil && !isStatus(err, http.StatusNotFound) {
					return nil, err
				}
			}
			if !slices.ContainsFunc(history.Versions, func(v domain.EvaluatorVersion) bool { return v.Number == e.Version }) {
				history.Versions = append(history.Versions, domain.EvaluatorVersion{
					ID: e.VersionID, Number: e.Version, CreatedAt: e.VersionCreatedAt.Time(), EvaluatorDefinition: e.definition(),
				})
			}
			page.Records = append(page.Records, history)
		}
		return page, nil
	})(ctx, cursor)
}

type ruleRow struct {
	ID          string                `json:"id"`
	Name        string                `json:"name"`
	Enabled     bool                  `json:"enabled"`
	Sampling    float64               `json:"sampling"`
	Filter      []domain.StoredFilter `json:"filter"`
	Assignments []struct {
		EvaluatorID string            `json:"evaluatorId"`
		Mapping     []variableMapping `json:"variableMapping"`
	} `json:"evaluatorAssignments"`
	CreatedAt Timestamp `json:"createdAt"`
	UpdatedAt Timestamp `json:"updatedAt"`
}

func ruleOf(r *ruleRow) domain.EvaluationRule {
	rule := domain.EvaluationRule{
		ID: r.ID, Name: r.Name, Target: domain.TargetObservation, Enabled: r.Enabled, Sampling: r.Sampling, Filter: r.Filter,
		CreatedAt: r.CreatedAt.Time(), UpdatedAt: r.UpdatedAt.Time(),
	}
	if slices.ContainsFunc(r.Filter, func(f domain.StoredFilter) bool { return domain.IsExperimentColumn(f.Column) }) {
		rule.Target = domain.TargetExperiment
	}
	for _, assigned := range r.Assignments {
		rule.Assignments = append(rule.Assignments, domain.EvaluatorAssignment{
			EvaluatorID: assigned.EvaluatorID, Mapping: mappingOf(assigned.Mapping),
		})
	}
	return rule
}
