package evaluators

import (
	"strconv"

	"almanac/internal/catalog/tables"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// evaluatorBody is an evaluator as clients see it, with the members of a judge or of code. Its creator is always null,
// because keys are not users.
type evaluatorBody struct {
	ID               string               `json:"id"`
	Name             string               `json:"name"`
	Description      *string              `json:"description"`
	Type             string               `json:"type"`
	Status           string               `json:"status"`
	PausedAt         respond.Time         `json:"pausedAt"`
	PausedReason     string               `json:"pausedReason"`
	PausedMessage    string               `json:"pausedMessage"`
	Rules            []ruleAssignmentBody `json:"evaluationRuleAssignments"`
	CreatedBy        *struct{}            `json:"createdBy"`
	CreatedAt        respond.Time         `json:"createdAt"`
	UpdatedAt        respond.Time         `json:"updatedAt"`
	VersionID        string               `json:"versionId"`
	Version          int                  `json:"version"`
	VersionCreatedAt respond.Time         `json:"versionCreatedAt"`
	VersionCreatedBy *struct{}            `json:"versionCreatedBy"`
	*judgeBody
	*codeBody
}

type ruleAssignmentBody struct {
	RuleID   string        `json:"evaluationRuleId"`
	Override []mappingBody `json:"variableMappingOverride,omitempty"`
}

type judgeBody struct {
	Prompt    []domain.ChatMessage   `json:"prompt"`
	Variables []string               `json:"variables"`
	Mapping   []mappingBody          `json:"variableMapping"`
	Model     *domain.EvaluatorModel `json:"modelConfig"`
	Output    outputBody             `json:"outputDefinition"`
}

type outputBody struct {
	DataType      string   `json:"dataType"`
	Reasoning     string   `json:"scoreReasoningInstructions,omitempty"`
	Score         string   `json:"scoreValueInstructions,omitempty"`
	MinValue      *float64 `json:"minValue,omitempty"`
	MaxValue      *float64 `json:"maxValue,omitempty"`
	Categories    []string `json:"categories,omitempty"`
	MultipleMatch *bool    `json:"shouldAllowMultipleMatches,omitempty"`
}

// evaluatorVersionBody is a version of an evaluator as clients see it.
type evaluatorVersionBody struct {
	ID        string       `json:"id"`
	Version   int          `json:"version"`
	Type      string       `json:"type"`
	CreatedAt respond.Time `json:"createdAt"`
	CreatedBy *struct{}    `json:"createdBy"`
	*judgeBody
	*codeBody
}

func definitionBodies(kind string, d domain.EvaluatorDefinition) (*judgeBody, *codeBody) {
	if kind == domain.EvaluatorCode {
		return nil, &codeBody{d.SourceCode, d.Language}
	}
	output := outputBody{
		DataType: d.Output.DataType, Reasoning: d.Output.Reasoning, Score: d.Output.Score,
		MinValue: d.Output.MinValue, MaxValue: d.Output.MaxValue, Categories: d.Output.Categories,
	}
	if output.DataType == domain.ScoreCategorical {
		output.MultipleMatch = new(d.Output.MultipleMatch)
	}
	return &judgeBody{d.Prompt, d.Variables(kind), newMappingBodies(d.Mapping), d.Model, output}, nil
}

// newEvaluatorBody converts an evaluator, given the rules that use it and the providers to which the project has no
// connection.
func newEvaluatorBody(e domain.Evaluator, rules []domain.RuleAssignment, missing []string) evaluatorBody {
	body := evaluatorBody{
		ID: e.ID, Name: e.Name, Description: e.Description, Type: e.Type, Status: "paused", PausedAt: respond.Time(e.CreatedAt),
		Rules: make([]ruleAssignmentBody, len(rules)), CreatedAt: respond.Time(e.CreatedAt), UpdatedAt: respond.Time(e.UpdatedAt),
		VersionID: e.Version.ID, Version: e.Version.Number, VersionCreatedAt: respond.Time(e.Version.CreatedAt),
	}
	body.PausedReason, body.PausedMessage = pauseOf(e, missing)
	for n, rule := range rules {
		body.Rules[n] = ruleAssignmentBody{rule.RuleID, newMappingBodies(rule.Mapping)}
	}
	body.judgeBody, body.codeBody = definitionBodies(e.Type, e.Version.EvaluatorDefinition)
	return body
}

// bodiesOf returns a function that converts these evaluators, with the rules that use them.
func (h *Handlers) bodiesOf(
	c *endpoint.Call, scope domain.ProjectScope, evaluators ...domain.Evaluator,
) (func(domain.Evaluator) evaluatorBody, error) {
	ids := endpoint.Map(evaluators, evaluatorID)
	rules, err := h.Catalog.RulesOf(c.Context(), scope, ids)
	if err != nil {
		return nil, err
	}
	missing, err := h.missingProviders(c, scope, evaluators)
	return func(e domain.Evaluator) evaluatorBody { return newEvaluatorBody(e, rules[e.ID], missing) }, err
}

func evaluatorID(e domain.Evaluator) string { return e.ID }

// ListEvaluators returns a cursor page of evaluators, newest first.
func (h *Handlers) ListEvaluators(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	after, limit, err := endpoint.ReadCursorPage(c, endpoint.ValidPlace)
	if err != nil {
		return nil, err
	}
	found, err := h.Catalog.Evaluators.List(c.Context(), scope, limit+1, tables.If(after != "", "id < ?", after))
	if err != nil {
		return nil, err
	}
	body, err := h.bodiesOf(c, scope, found...)
	if err != nil {
		return nil, err
	}
	return endpoint.NewCursorPage(found, limit, evaluatorID, body), nil
}

// CreateEvaluator serves POST /api/public/v2/evaluators.
func (h *Handlers) CreateEvaluator(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	body := c.Body()
	b := body.Object()
	n := domain.Evaluator{
		Name:        readEvaluatorName(b.Field("name")),
		Description: decode.Nullish(b.Field("description"), readEvaluatorDescription),
		Type:        readEvaluatorType(b.Field("type")),
	}
	if n.Type == "" {
		return nil, b.Err()
	}
	n.Version.EvaluatorDefinition = readDefinitionOf(b, n.Type, stable)
	b.Strict()
	if err := b.Err(); err != nil {
		return nil, err
	}
	if err := checkDefaultMapping(n); err != nil {
		return nil, err
	}
	if err := h.checkModelReachable(c, scope, n); err != nil {
		return nil, err
	}
	created, err := h.Catalog.Evaluators.Create(c.Context(), scope, n, c.Actor())
	if err != nil {
		return nil, evaluatorError(err)
	}
	return newEvaluatorBody(created, nil, nil), nil // no rule uses it yet, and its provider is connected
}

// GetEvaluator serves GET /api/public/v2/evaluators/{evaluatorId}.
func (h *Handlers) GetEvaluator(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	e, err := h.Catalog.Evaluators.Get(c.Context(), scope, c.Path("evaluatorId"))
	if err != nil {
		return nil, evaluatorError(err)
	}
	body, err := h.bodiesOf(c, scope, e)
	if err != nil {
		return nil, err
	}
	return body(e), nil
}

// evaluatorChange is a change of an evaluator; nil members stay unchanged.
type evaluatorChange struct {
	name        *string
	description **string
	definition  *domain.EvaluatorDefinition
}

// UpdateEvaluator changes the name or the description of an evaluator. If the body has a type, it also stores a new
// definition as the next version.
func (h *Handlers) UpdateEvaluator(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	body := c.Body()
	b := body.Object()
	change := evaluatorChange{name: decode.Optional(b.Field("name"), readEvaluatorName)}
	if description := b.Field("description"); description.Kind() != "undefined" {
		change.description = new(decode.Nullish(description, readEvaluatorDescription))
	}
	kind := decode.Optional(b.Field("type"), readEvaluatorType)
	if kind != nil && *kind != "" {
		change.definition = new(readDefinitionOf(b, *kind, stable))
	}
	if kind == nil || *kind != "" {
		b.Strict()
	}
	body.RejectNoChange(change == evaluatorChange{} && kind == nil)
	if err := b.Err(); err != nil {
		return nil, err
	}
	missing, err := h.checkChangedModel(c, scope, change)
	if err != nil {
		return nil, err
	}
	// Read everything the response needs before the update, so that an update that was made is not reported as a failure.
	rules, err := h.Catalog.RulesOf(c.Context(), scope, []string{c.Path("evaluatorId")})
	if err != nil {
		return nil, err
	}
	after, err := h.Catalog.Evaluators.Change(c.Context(), scope, c.Path("evaluatorId"),
		func(e domain.Evaluator) (domain.Evaluator, error) {
			decode.Set(&e.Name, change.name)
			decode.Set(&e.Description, change.description)
			if kind == nil {
				return e, nil
			}
			if *kind != e.Type {
				return e, &decode.Invalid{Issues: []decode.Issue{
					decode.Violation([]any{"type"}, "The type of an evaluator cannot change; it is "+e.Type),
				}}
			}
			e = e.Redefined(*change.definition)
			return e, checkDefaultMapping(e)
		}, c.Actor())
	if err != nil {
		return nil, evaluatorError(err)
	}
	return newEvaluatorBody(after, rules[after.ID], missing), nil
}

// checkChangedModel checks the model of a new definition. It returns the providers that the changed evaluator needs but
// to which the project has no connection. Other problems of the change are reported later.
func (h *Handlers) checkChangedModel(c *endpoint.Call, scope domain.ProjectScope, change evaluatorChange) (missing []string, err error) {
	e, err := h.Catalog.Evaluators.Get(c.Context(), scope, c.Path("evaluatorId"))
	if err != nil {
		return nil, evaluatorError(err)
	}
	if change.definition == nil {
		return h.missingProviders(c, scope, []domain.Evaluator{e})
	}
	e.Version.EvaluatorDefinition = *change.definition
	return nil, h.checkModelReachable(c, scope, e)
}

type deletedBody struct {
	ID string `json:"id"`
}

// DeleteEvaluator serves DELETE /api/public/v2/evaluators/{evaluatorId}.
func (h *Handlers) DeleteEvaluator(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	id := c.Path("evaluatorId")
	err := h.Catalog.Evaluators.Delete(c.Context(), scope, id, c.Actor())
	return endpoint.Confirm(evaluatorError(err), deletedBody{id})
}

// ListEvaluatorVersions returns a cursor page of an evaluator's versions, newest first.
func (h *Handlers) ListEvaluatorVersions(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	after, limit, err := endpoint.ReadCursorPage(c, func(place string) bool {
		number, err := strconv.ParseInt(place, 10, 32)
		return err == nil && number > 0
	})
	if err != nil {
		return nil, err
	}
	e, err := h.Catalog.Evaluators.Get(c.Context(), scope, c.Path("evaluatorId"))
	if err != nil {
		return nil, evaluatorError(err)
	}
	below, _ := strconv.Atoi(after) // already validated; 0 without a cursor
	found, err := h.Catalog.EvaluatorVersions(c.Context(), scope, e.ID, below, limit+1)
	if err != nil {
		return nil, evaluatorError(err)
	}
	place := func(v domain.EvaluatorVersion) string { return strconv.Itoa(v.Number) }
	return endpoint.NewCursorPage(found, limit, place, func(v domain.EvaluatorVersion) evaluatorVersionBody {
		body := evaluatorVersionBody{ID: v.ID, Version: v.Number, Type: e.Type, CreatedAt: respond.Time(v.CreatedAt)}
		body.judgeBody, body.codeBody = definitionBodies(e.Type, v.EvaluatorDefinition)
		return body
	}), nil
}

// shape is how the stable or the unstable routes name the members of a definition.
type shape struct {
	mapping string
	// flat is whether the members of outputDefinition are its own, rather than those of reasoning and score. Unstable
	// routes, where they are not, also know no messages.
	flat bool
}

var stable, unstable = shape{"variableMapping", true}, shape{"mapping", false}

// readDefinitionOf reads the definition of an evaluator of the given type.
func readDefinitionOf(b *decode.Object, kind string, as shape) domain.EvaluatorDefinition {
	if kind == domain.EvaluatorCode {
		return readCode(b)
	}
	prompt := b.Field("prompt")
	d := domain.EvaluatorDefinition{
		Prompt:  readPrompt(prompt, as),
		Model:   decode.Nullish(b.Field("modelConfig"), readEvaluatorModel),
		Mapping: decode.NullishOr(b.Field(as.mapping), readMapping, nil),
		Output:  new(readOutput(b.Field("outputDefinition"), as)),
	}
	checkPrompt(prompt, d)
	return d
}

// readPrompt reads a string, which becomes a user message, or a list of messages.
func readPrompt(v decode.Value, as shape) []domain.ChatMessage {
	if v.Kind() != "array" || !as.flat {
		return []domain.ChatMessage{{Role: "user", Content: v.TextLen(1, maxEvaluatorText)}}
	}
	var messages []domain.ChatMessage
	for n, item := range v.ArrayLen(0, maxPromptMessages) {
		b := item.Object()
		role := b.Field("role")
		m := domain.ChatMessage{Role: role.Enum("system", "user", "assistant"), Content: b.Field("content").TextLen(1, maxEvaluatorText)}
		if m.Role == "system" && n > 0 {
			role.Reject(decode.Violation(role.Path(), "A system message is only allowed as the first message"))
		}
		b.Strict()
		messages = append(messages, m)
	}
	if v.Len() == 0 {
		v.Reject(decode.TooShort(v.Path(), "array", 1))
	}
	return messages
}

func readOutput(v decode.Value, as shape) domain.EvaluatorOutput {
	b := v.Object()
	output := domain.EvaluatorOutput{DataType: readOutputType(b.Field("dataType"))}
	score := b
	if as.flat {
		output.Reasoning = decode.NullishOr(b.Field("scoreReasoningInstructions"), readEvaluatorDescription, "")
		output.Score = decode.NullishOr(b.Field("scoreValueInstructions"), readEvaluatorDescription, "")
	} else {
		reasoning := b.Field("reasoning").Object()
		output.Reasoning = readEvaluatorDescription(reasoning.Field("description"))
		reasoning.Strict()
		score = b.Field("score").Object()
		b.Strict()
	}
	if output.DataType == "" {
		return output // the other members depend on it
	}
	if !as.flat {
		output.Score = readEvaluatorDescription(score.Field("description"))
	}
	switch output.DataType {
	case domain.ScoreNumeric:
		readScoreRange(score, &output)
	case domain.ScoreCategorical:
		readOutputCategories(score, &output)
	}
	score.Strict()
	return output
}
