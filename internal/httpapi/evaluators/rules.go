package evaluators

import (
	"cmp"
	"encoding/json"
	"slices"

	"almanac/internal/catalog/tables"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// ruleBody is an evaluation rule as clients see it. Its creator is always null, because keys are not users.
type ruleBody struct {
	ID          string                `json:"id"`
	Name        string                `json:"name"`
	CreatedBy   *struct{}             `json:"createdBy"`
	Enabled     bool                  `json:"enabled"`
	Sampling    float64               `json:"sampling"`
	Filter      []domain.StoredFilter `json:"filter"`
	Assignments []assignmentBody      `json:"evaluatorAssignments"`
	CreatedAt   respond.Time          `json:"createdAt"`
	UpdatedAt   respond.Time          `json:"updatedAt"`
}

type assignmentBody struct {
	EvaluatorID string        `json:"evaluatorId"`
	Mapping     []mappingBody `json:"variableMapping"`
}

func newRuleBody(r domain.EvaluationRule) ruleBody {
	body := ruleBody{
		ID: r.ID, Name: r.Name, Enabled: r.Enabled, Sampling: r.Sampling, Filter: filterWithTarget(r),
		Assignments: make([]assignmentBody, len(r.Assignments)), CreatedAt: respond.Time(r.CreatedAt), UpdatedAt: respond.Time(r.UpdatedAt),
	}
	for n, a := range r.Assignments {
		body.Assignments[n] = assignmentBody{a.EvaluatorID, newMappingBodies(a.Mapping)}
	}
	return body
}

// filterWithTarget returns the filter of a rule, with a condition on experiments if they are its target.
func filterWithTarget(r domain.EvaluationRule) []domain.StoredFilter {
	if r.Target != domain.TargetExperiment || targetOf(r.Filter) == domain.TargetExperiment {
		return r.Filter
	}
	return append([]domain.StoredFilter{
		{Column: "isExperimentItemRootSpan", Type: "boolean", Operator: "=", Value: json.RawMessage("true")},
	}, r.Filter...)
}

// targetOf returns the target of a rule with a filter.
func targetOf(filter []domain.StoredFilter) string {
	if slices.ContainsFunc(filter, func(f domain.StoredFilter) bool { return domain.IsExperimentColumn(f.Column) }) {
		return domain.TargetExperiment
	}
	return domain.TargetObservation
}

// ListRules returns a cursor page of evaluation rules, newest first.
func (h *Handlers) ListRules(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	after, limit, err := endpoint.ReadCursorPage(c, endpoint.ValidPlace)
	if err != nil {
		return nil, err
	}
	found, err := h.Catalog.EvaluationRules.List(c.Context(), scope, limit+1, tables.If(after != "", "id < ?", after))
	if err != nil {
		return nil, err
	}
	return endpoint.NewCursorPage(found, limit, func(r domain.EvaluationRule) string { return r.ID }, newRuleBody), nil
}

// CreateRule serves POST /api/public/v2/evaluation-rules.
func (h *Handlers) CreateRule(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	body := c.Body()
	b := body.Object()
	n := domain.EvaluationRule{
		Name:     readRuleName(b.Field("name")),
		Enabled:  b.Field("enabled").Bool(),
		Sampling: decode.OptionalOr(b.Field("sampling"), readSampling, 1),
		Filter:   decode.OptionalOr(b.Field("filter"), endpoint.ReadStoredFilters, []domain.StoredFilter{}),
	}
	list := b.Field("evaluatorAssignments")
	references := readAssignmentReferences(list)
	b.Strict()
	if n.Enabled && list.Kind() == "array" && len(references) == 0 && body.Err() == nil {
		list.Reject(decode.Violation(list.Path(), "An enabled rule needs at least one evaluator"))
	}
	if err := b.Err(); err != nil {
		return nil, err
	}
	n.Target = targetOf(n.Filter)
	if err := h.checkFilter(c, scope, n.Filter, ""); err != nil {
		return nil, err
	}
	var err error
	if n.Assignments, err = h.assignments(c, scope, references); err != nil {
		return nil, err
	}
	created, err := h.Catalog.EvaluationRules.Create(c.Context(), scope, n, c.Actor())
	return endpoint.Show(created, ruleError(err, n.Name), newRuleBody)
}

// GetRule serves GET /api/public/v2/evaluation-rules/{evaluationRuleId}.
func (h *Handlers) GetRule(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	r, err := h.Catalog.EvaluationRules.Get(c.Context(), scope, c.Path("evaluationRuleId"))
	return endpoint.Show(r, ruleError(err, ""), newRuleBody)
}

// UpdateRule changes the members that are present in the body. A filter and a list of evaluators replace the existing
// ones; an empty list of evaluators disables the rule.
func (h *Handlers) UpdateRule(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	body := c.Body()
	b := body.Object()
	name := decode.Optional(b.Field("name"), readRuleName)
	enabled := decode.Optional(b.Field("enabled"), decode.Value.Bool)
	sampling := decode.Optional(b.Field("sampling"), readSampling)
	filter := decode.Optional(b.Field("filter"), endpoint.ReadStoredFilters)
	references := decode.Optional(b.Field("evaluatorAssignments"), readAssignmentReferences)
	b.Strict()
	body.RejectNoChange(name == nil && enabled == nil && sampling == nil && filter == nil && references == nil)
	if err := b.Err(); err != nil {
		return nil, err
	}
	if err := h.checkFilter(c, scope, endpoint.ValueOr(filter, nil), ""); err != nil {
		return nil, err
	}
	assignments, err := h.assignments(c, scope, endpoint.ValueOr(references, nil))
	if err != nil {
		return nil, err
	}
	changed, err := h.Catalog.EvaluationRules.Change(c.Context(), scope, c.Path("evaluationRuleId"),
		func(r domain.EvaluationRule) (domain.EvaluationRule, error) {
			decode.Set(&r.Name, name)
			decode.Set(&r.Sampling, sampling)
			decode.Set(&r.Enabled, enabled)
			if filter != nil {
				r.Filter, r.Target = *filter, targetOf(*filter)
			}
			if references != nil {
				r.Assignments = assignments
			}
			if r.Enabled && len(r.Assignments) == 0 {
				if enabled != nil {
					return r, &decode.Invalid{
						Issues: []decode.Issue{decode.Violation([]any{"enabled"}, "An enabled rule needs at least one evaluator")},
					}
				}
				r.Enabled = false
			}
			return r, nil
		}, c.Actor())
	return endpoint.Show(changed, ruleError(err, endpoint.ValueOr(name, "")), newRuleBody)
}

// DeleteRule serves DELETE /api/public/v2/evaluation-rules/{evaluationRuleId}.
func (h *Handlers) DeleteRule(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	id := c.Path("evaluationRuleId")
	err := h.Catalog.EvaluationRules.Delete(c.Context(), scope, id, c.Actor())
	return endpoint.Confirm(ruleError(err, ""), deletedBody{id})
}

func (h *Handlers) checkFilter(c *endpoint.Call, scope domain.ProjectScope, filter []domain.StoredFilter, target string) error {
	if err := checkRuleFilter(filter, target); err != nil {
		return err
	}
	return h.checkDatasets(c, scope, filter)
}

// assignmentReference refers to an evaluator by id or, on the unstable routes, by name and type.
type assignmentReference struct {
	id, name, kind string
	mapping        []domain.VariableMapping // nil to inherit
}

func readAssignmentReferences(v decode.Value) []assignmentReference {
	references := []assignmentReference{}
	for _, item := range v.ArrayLen(0, maxRuleEvaluators) {
		b := item.Object()
		references = append(references, assignmentReference{
			id:      b.Field("evaluatorId").TextLen(1, endpoint.MaxObjectID),
			mapping: decode.NullishOr(b.Field("variableMapping"), readMapping, nil),
		})
		b.Strict()
	}
	return references
}

// assignments resolves references to evaluators of the project.
func (h *Handlers) assignments(
	c *endpoint.Call, scope domain.ProjectScope, references []assignmentReference,
) ([]domain.EvaluatorAssignment, error) {
	ids := endpoint.Map(references, func(r assignmentReference) string { return r.id })
	found, err := h.Catalog.Evaluators.List(c.Context(), scope, tables.Unlimited, tables.In("id", ids))
	if err != nil {
		return nil, err
	}
	assignments, err := evaluatorList(found).assign(references)
	if err != nil {
		return nil, err
	}
	return assignments, checkAssignments(assignments, "", "evaluatorAssignments")
}

// evaluatorList is a list of evaluators that references may mean. Of those with the same name, the first one is meant.
type evaluatorList []domain.Evaluator

// assign returns the assignments for references. A reference by name without a type means a judge.
func (l evaluatorList) assign(references []assignmentReference) ([]domain.EvaluatorAssignment, error) {
	assignments := make([]domain.EvaluatorAssignment, len(references))
	for n, r := range references {
		at := slices.IndexFunc(l, func(e domain.Evaluator) bool {
			return e.ID == r.id || r.id == "" && e.Name == r.name && e.Type == cmp.Or(r.kind, domain.EvaluatorJudge)
		})
		if at < 0 {
			missing := respond.NotFound("Evaluator not found within authorized project")
			missing.Details = &respond.Details{EvaluatorName: r.name}
			if r.id != "" {
				missing.Details = &respond.Details{Field: "evaluatorId", Value: r.id}
			}
			return nil, missing
		}
		assignments[n] = newAssignment(l[at], r.mapping)
	}
	return assignments, nil
}
