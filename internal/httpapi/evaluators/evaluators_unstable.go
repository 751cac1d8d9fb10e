package evaluators

import (
	"errors"
	"net/http"
	"strings"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// unstableEvaluatorBody is an evaluator as the unstable routes return it, with the members of a judge or of code.
type unstableEvaluatorBody struct {
	ID        string        `json:"id"`
	Name      string        `json:"name"`
	Version   int           `json:"version"`
	Type      string        `json:"type"`
	Variables []string      `json:"variables"`
	Mapping   []mappingBody `json:"mapping"`
	RuleCount int           `json:"evaluationRuleCount"`
	CreatedAt respond.Time  `json:"createdAt"`
	UpdatedAt respond.Time  `json:"updatedAt"`
	*unstableJudgeBody
	*codeBody
}

type unstableJudgeBody struct {
	Prompt string                 `json:"prompt"`
	Output unstableOutputBody     `json:"outputDefinition"`
	Model  *domain.EvaluatorModel `json:"modelConfig"`
}

type codeBody struct {
	SourceCode string `json:"sourceCode"`
	Language   string `json:"sourceCodeLanguage"`
}

type unstableOutputBody struct {
	DataType  string          `json:"dataType"`
	Reasoning descriptionBody `json:"reasoning"`
	Score     any             `json:"score"`
}

type descriptionBody struct {
	Description string `json:"description"`
}

func newUnstableEvaluatorBody(e domain.Evaluator) unstableEvaluatorBody {
	body := unstableEvaluatorBody{
		ID: e.ID, Name: e.Name, Version: e.Version.Number, Type: e.Type, Variables: e.Version.Variables(e.Type),
		Mapping: newMappingBodies(e.Version.Mapping), RuleCount: e.RuleCount,
		CreatedAt: respond.Time(e.CreatedAt), UpdatedAt: respond.Time(e.UpdatedAt),
	}
	if e.Type == domain.EvaluatorCode {
		body.codeBody = &codeBody{e.Version.SourceCode, e.Version.Language}
	} else {
		body.unstableJudgeBody = &unstableJudgeBody{promptText(e.Version.Prompt), newUnstableOutputBody(*e.Version.Output), e.Version.Model}
	}
	return body
}

// promptText returns a prompt as one string, for clients that do not support messages.
func promptText(messages []domain.ChatMessage) string {
	texts := make([]string, len(messages))
	for n, m := range messages {
		texts[n] = m.Content
	}
	return strings.Join(texts, "\n\n")
}

func newUnstableOutputBody(o domain.EvaluatorOutput) unstableOutputBody {
	body := unstableOutputBody{DataType: o.DataType, Reasoning: descriptionBody{o.Reasoning}}
	switch o.DataType {
	case domain.ScoreNumeric:
		body.Score = struct {
			descriptionBody
			MinValue *float64 `json:"minValue,omitempty"`
			MaxValue *float64 `json:"maxValue,omitempty"`
		}{descriptionBody{o.Score}, o.MinValue, o.MaxValue}
	case domain.ScoreCategorical:
		body.Score = struct {
			descriptionBody
			Categories    []string `json:"categories"`
			MultipleMatch bool     `json:"shouldAllowMultipleMatches"`
		}{descriptionBody{o.Score}, o.Categories, o.MultipleMatch}
	default:
		body.Score = descriptionBody{o.Score}
	}
	return body
}

// ListUnstableEvaluators returns a numbered page of evaluators, newest first.
func (h *Handlers) ListUnstableEvaluators(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	page, err := endpoint.ReadPage(c)
	if err != nil {
		return nil, err
	}
	return endpoint.CatalogList(c, scope, page, h.Catalog.Evaluators, newUnstableEvaluatorBody)
}

// PutUnstableEvaluator creates an evaluator, or stores the next version of the one with its name.
func (h *Handlers) PutUnstableEvaluator(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	n, err := readUnstableEvaluator(c.Body())
	if err != nil {
		return nil, err
	}
	if err := h.checkModelReachable(c, scope, n); err != nil {
		return nil, err
	}
	stored, err := h.Catalog.PutEvaluator(c.Context(), scope, n, c.Actor())
	if errors.Is(err, domain.ErrConflict) {
		return nil, &respond.Error{
			Status: http.StatusConflict, Code: respond.CodeNameConflict, Message: "An evaluator of another type has this name",
			Details: &respond.Details{Field: "name", Value: n.Name},
		}
	}
	if err != nil {
		return nil, err
	}
	return newUnstableEvaluatorBody(stored), nil
}

// GetUnstableEvaluator serves GET /api/public/unstable/evaluators/{evaluatorId}.
func (h *Handlers) GetUnstableEvaluator(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	e, err := h.Catalog.Evaluators.Get(c.Context(), scope, c.Path("evaluatorId"))
	return endpoint.Show(e, evaluatorError(err), newUnstableEvaluatorBody)
}

// DeleteUnstableEvaluator serves DELETE /api/public/unstable/evaluators/{evaluatorId}.
func (h *Handlers) DeleteUnstableEvaluator(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	err := h.Catalog.Evaluators.Delete(c.Context(), scope, c.Path("evaluatorId"), c.Actor())
	return endpoint.Confirm(evaluatorError(err), respond.Message{Message: "Evaluator successfully deleted"})
}

func evaluatorError(err error) error {
	return endpoint.NotFoundAs(err, "Evaluator not found within authorized project")
}

func readUnstableEvaluator(body decode.Value) (domain.Evaluator, error) {
	b := body.Object()
	n := domain.Evaluator{Type: domain.EvaluatorJudge}
	decode.Set(&n.Type, decode.Nullish(b.Field("type"), readEvaluatorType))
	n.Name = readEvaluatorName(b.Field("name"))
	if n.Type == "" {
		return n, b.Err()
	}
	n.Version.EvaluatorDefinition = readDefinitionOf(b, n.Type, unstable)
	b.Strict()
	if err := b.Err(); err != nil {
		return n, err
	}
	return n, checkDefaultMapping(n)
}

func readEvaluatorType(v decode.Value) string {
	return v.Enum(domain.EvaluatorJudge, domain.EvaluatorCode)
}

// checkDefaultMapping checks an evaluator's own mapping, if it has one.
func checkDefaultMapping(e domain.Evaluator) error {
	if e.Version.Mapping == nil {
		return nil
	}
	return checkMapping(e.Name, e.Version.Variables(e.Type), e.Version.Mapping, "")
}
