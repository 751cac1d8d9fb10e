package evaluators

import (
	"errors"
	"fmt"
	"net/http"

	"almanac/internal/catalog"
	"almanac/internal/catalog/tables"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// unstableRuleBody is an evaluation rule as the unstable routes return it.
type unstableRuleBody struct {
	ID            string                   `json:"id"`
	Name          string                   `json:"name"`
	Evaluators    []unstableAssignmentBody `json:"evaluators"`
	Evaluator     *ruleEvaluatorBody       `json:"evaluator"` // the first one, for older clients
	Target        string                   `json:"target"`
	Filter        []domain.StoredFilter    `json:"filter"`
	Mapping       []mappingBody            `json:"mapping"` // of the first evaluator, for older clients
	Enabled       bool                     `json:"enabled"`
	Status        string                   `json:"status"`
	PausedReason  *string                  `json:"pausedReason"`
	PausedMessage *string                  `json:"pausedMessage"`
	Sampling      float64                  `json:"sampling"`
	CreatedAt     respond.Time             `json:"createdAt"`
	UpdatedAt     respond.Time             `json:"updatedAt"`
}

type unstableAssignmentBody struct {
	Evaluator ruleEvaluatorBody `json:"evaluator"`
	Mapping   []mappingBody     `json:"mapping"`
}

type ruleEvaluatorBody struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Type string `json:"type"`
}

func newUnstableRuleBody(r domain.EvaluationRule) unstableRuleBody {
	body := unstableRuleBody{
		ID: r.ID, Name: r.Name, Evaluators: make([]unstableAssignmentBody, len(r.Assignments)), Target: r.Target, Filter: r.Filter,
		Mapping: []mappingBody{}, Enabled: r.Enabled, Status: "inactive", Sampling: r.Sampling,
		CreatedAt: respond.Time(r.CreatedAt), UpdatedAt: respond.Time(r.UpdatedAt),
	}
	for n, a := range r.Assignments {
		body.Evaluators[n] = unstableAssignmentBody{ruleEvaluatorBody{a.EvaluatorID, a.Name, a.Type}, newMappingBodies(a.Mapping)}
	}
	if len(r.Assignments) > 0 {
		body.Evaluator, body.Mapping = &body.Evaluators[0].Evaluator, effectiveMapping(r.Assignments[0])
	}
	if r.Enabled {
		body.Status, body.PausedReason, body.PausedMessage = "paused", new(pausedReason), new(pausedMessage)
	}
	return body
}

// ListUnstableRules returns a numbered page of evaluation rules, newest first.
func (h *Handlers) ListUnstableRules(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	page, err := endpoint.ReadPage(c)
	if err != nil {
		return nil, err
	}
	return endpoint.CatalogList(c, scope, page, h.Catalog.EvaluationRules, newUnstableRuleBody)
}

// CreateUnstableRule serves POST /api/public/unstable/evaluation-rules.
func (h *Handlers) CreateUnstableRule(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	body := c.Body()
	b := body.Object()
	n := domain.EvaluationRule{Name: readRuleName(b.Field("name"))}
	drafts := readAssignmentDrafts(body, b, true)
	n.Target = readTarget(b.Field("target"))
	n.Enabled = b.Field("enabled").Bool()
	n.Sampling = decode.NullishOr(b.Field("sampling"), readSampling, 1)
	n.Filter = decode.NullishOr(b.Field("filter"), endpoint.ReadStoredFilters, []domain.StoredFilter{})
	b.Strict()
	if err := b.Err(); err != nil {
		return nil, err
	}
	if err := h.checkFilter(c, scope, n.Filter, n.Target); err != nil {
		return nil, err
	}
	named, err := h.evaluatorsOf(c, scope, drafts)
	if err != nil {
		return nil, err
	}
	if n.Assignments, err = named.assign(drafts.all()); err != nil {
		return nil, err
	}
	if err := checkAssignments(n.Assignments, n.Target, "evaluators"); err != nil {
		return nil, err
	}
	created, err := h.Catalog.EvaluationRules.Create(c.Context(), scope, n, c.Actor(), catalog.UniqueRuleName)
	return endpoint.Show(created, ruleError(err, n.Name), newUnstableRuleBody)
}

// GetUnstableRule serves GET /api/public/unstable/evaluation-rules/{evaluationRuleId}.
func (h *Handlers) GetUnstableRule(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	r, err := h.Catalog.EvaluationRules.Get(c.Context(), scope, c.Path("evaluationRuleId"))
	return endpoint.Show(r, ruleError(err, ""), newUnstableRuleBody)
}

// UpdateUnstableRule changes the members that are present in the body. A list of evaluators replaces all of them.
func (h *Handlers) UpdateUnstableRule(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	body := c.Body()
	b := body.Object()
	name := decode.Nullish(b.Field("name"), readRuleName)
	drafts := readAssignmentDrafts(body, b, false)
	target := decode.Nullish(b.Field("target"), readTarget)
	enabled := decode.Nullish(b.Field("enabled"), decode.Value.Bool)
	sampling := decode.Nullish(b.Field("sampling"), readSampling)
	filter := decode.Nullish(b.Field("filter"), endpoint.ReadStoredFilters)
	b.Strict()
	body.RejectNoChange(name == nil && !drafts.given() && target == nil && enabled == nil && sampling == nil && filter == nil)
	if err := b.Err(); err != nil {
		return nil, err
	}
	named, err := h.evaluatorsOf(c, scope, drafts)
	if err != nil {
		return nil, err
	}
	if err := h.checkDatasets(c, scope, endpoint.ValueOr(filter, nil)); err != nil {
		return nil, err
	}
	changed, err := h.Catalog.EvaluationRules.Change(c.Context(), scope, c.Path("evaluationRuleId"),
		func(r domain.EvaluationRule) (domain.EvaluationRule, error) {
			decode.Set(&r.Name, name)
			decode.Set(&r.Target, target)
			decode.Set(&r.Enabled, enabled)
			decode.Set(&r.Sampling, sampling)
			decode.Set(&r.Filter, filter)
			if filter != nil || target != nil {
				if err := checkRuleFilter(r.Filter, r.Target); err != nil {
					return r, err
				}
			}
			assignments, err := named.change(r.Assignments, drafts)
			if err != nil {
				return r, err
			}
			r.Assignments = assignments
			if drafts.given() || target != nil {
				return r, checkAssignments(r.Assignments, r.Target, "evaluators")
			}
			return r, nil
		}, c.Actor(), catalog.UniqueRuleName)
	return endpoint.Show(changed, ruleError(err, endpoint.ValueOr(name, "")), newUnstableRuleBody)
}

// DeleteUnstableRule serves DELETE /api/public/unstable/evaluation-rules/{evaluationRuleId}.
func (h *Handlers) DeleteUnstableRule(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	err := h.Catalog.EvaluationRules.Delete(c.Context(), scope, c.Path("evaluationRuleId"), c.Actor())
	return endpoint.Confirm(ruleError(err, ""), respond.Message{Message: "Evaluation rule successfully deleted"})
}

func ruleError(err error, name string) error {
	switch {
	case errors.Is(err, catalog.ErrRuleNameTaken):
		return &respond.Error{
			Status: http.StatusConflict, Code: respond.CodeNameConflict, Message: "An evaluation rule with this name already exists",
			Details: &respond.Details{Field: "name", Value: name},
		}
	case errors.Is(err, catalog.ErrTooManyRules):
		return respond.Conflict(fmt.Sprintf("A project may have %d enabled evaluation rules. Disable or delete one first.",
			catalog.MaxEnabledRules))
	case errors.Is(err, domain.ErrNotFound):
		return respond.NotFound("Evaluation rule not found within authorized project")
	}
	return err
}

func readTarget(v decode.Value) string {
	return v.Enum(domain.TargetObservation, domain.TargetExperiment)
}

// assignmentDrafts holds the evaluators of a rule in a body: a list of all, or the older form with a single one, of
// which an update may give only a part.
type assignmentDrafts struct {
	list    []assignmentReference
	first   *assignmentReference
	mapping *[]domain.VariableMapping // from the older form
}

func (d assignmentDrafts) given() bool { return d.list != nil || d.first != nil || d.mapping != nil }

func readAssignmentDrafts(body decode.Value, b *decode.Object, required bool) (drafts assignmentDrafts) {
	list, one, mapping := b.Field("evaluators"), b.Field("evaluator"), b.Field("mapping")
	given := func(v decode.Value) bool { return v.Kind() != "undefined" && v.Kind() != "null" }
	switch {
	case given(list) && (given(one) || given(mapping)):
		body.Reject(decode.Violation([]any{"evaluators"}, "Send either evaluators, or evaluator and mapping, not both"))
	case given(list), required && !given(one):
		items := list.ArrayLen(0, maxRuleEvaluators)
		if list.Kind() == "array" && list.Len() == 0 {
			list.Reject(decode.TooShort(list.Path(), "array", 1))
		}
		for _, item := range items {
			entry := item.Object()
			draft := readEvaluatorReference(entry.Field("evaluator"))
			draft.mapping = decode.NullishOr(entry.Field("mapping"), readMapping, nil)
			entry.Strict()
			drafts.list = append(drafts.list, draft)
		}
	default:
		drafts.mapping = decode.Nullish(mapping, readMapping)
		drafts.first = decode.Nullish(one, readEvaluatorReference)
		if drafts.first != nil {
			drafts.first.mapping = endpoint.ValueOr(drafts.mapping, nil)
		}
	}
	return drafts
}

// readEvaluatorReference reads the name and the type of an evaluator. The kind is empty if the client does not give
// one.
func readEvaluatorReference(v decode.Value) assignmentReference {
	b := v.Object()
	draft := assignmentReference{name: readEvaluatorName(b.Field("name")), kind: decode.NullishOr(b.Field("type"), readEvaluatorType, "")}
	b.Strict()
	return draft
}

// all returns all references in the body.
func (d assignmentDrafts) all() []assignmentReference {
	if d.first != nil {
		return []assignmentReference{*d.first}
	}
	return d.list
}

// evaluatorsOf returns the evaluators with the names in the body, newest first.
func (h *Handlers) evaluatorsOf(c *endpoint.Call, scope domain.ProjectScope, drafts assignmentDrafts) (evaluatorList, error) {
	names := endpoint.Map(drafts.all(), func(r assignmentReference) string { return r.name })
	return h.Catalog.Evaluators.List(c.Context(), scope, tables.Unlimited, tables.In("name", names))
}

// change returns the assignments of a rule after a change. The older form has a single evaluator, so it cannot change a
// rule with several; nor can it change the type of the evaluator.
func (l evaluatorList) change(current []domain.EvaluatorAssignment, drafts assignmentDrafts) ([]domain.EvaluatorAssignment, error) {
	refuse := func(message string) ([]domain.EvaluatorAssignment, error) {
		return nil, &decode.Invalid{Issues: []decode.Issue{decode.Violation([]any{"evaluators"}, message)}}
	}
	switch {
	case drafts.list != nil:
		return l.assign(drafts.list)
	case !drafts.given():
		return current, nil
	case len(current) > 1:
		return refuse("The rule has several evaluators: send all of them as evaluators")
	case drafts.first == nil && len(current) == 0:
		return refuse("The rule has no evaluator that a mapping could be for")
	case drafts.first == nil:
		current[0].Mapping = *drafts.mapping
		return current, nil
	}
	draft := *drafts.first
	if len(current) > 0 {
		if draft.kind != "" && draft.kind != current[0].Type {
			return refuse("The type of the evaluator cannot change; it is " + current[0].Type)
		}
		draft.kind = current[0].Type
	}
	assignments, err := l.assign([]assignmentReference{draft})
	if err == nil && drafts.mapping == nil && len(current) > 0 && current[0].EvaluatorID == assignments[0].EvaluatorID {
		assignments[0].Mapping = current[0].Mapping
	}
	return assignments, err
}
