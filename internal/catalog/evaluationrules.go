package catalog

import (
	"context"
	"fmt"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// MaxEnabledRules is the maximum number of evaluation rules of a project that may be enabled at the same time.
const MaxEnabledRules = 500

// The conflicts between evaluation rules.
var (
	ErrTooManyRules  = fmt.Errorf("%w: %d evaluation rules are enabled already", domain.ErrConflict, MaxEnabledRules)
	ErrRuleNameTaken = fmt.Errorf("%w: another evaluation rule has the name", domain.ErrConflict)
)

// rules stores evaluation rules without their assignments, which have their own table.
var rules = tables.Table[domain.EvaluationRule]{
	Name: "evaluation_rules", Kind: "evaluation rule", Audited: "evaluationRule", Order: "id DESC",
	Columns: "id, name, target, enabled, sampling, filter, created_at, updated_at",
	Fields: func(r *domain.EvaluationRule) []any {
		return []any{
			&r.ID, &r.Name, &r.Target, &r.Enabled, &r.Sampling, tables.AsJSON(&r.Filter), tables.AsTime(&r.CreatedAt),
			tables.AsTime(&r.UpdatedAt),
		}
	},
	State: func(r *domain.EvaluationRule) map[string]any {
		assignments := make([]map[string]any, len(r.Assignments))
		for n, a := range r.Assignments {
			assignments[n] = map[string]any{"evaluatorId": a.EvaluatorID, "variableMapping": a.Mapping}
		}
		return map[string]any{
			"name": r.Name, "target": r.Target, "enabled": r.Enabled, "sampling": r.Sampling, "filter": r.Filter,
			"evaluatorAssignments": assignments,
		}
	},
	Lock:  lockProject,
	Check: checkEnabled,
	Stored: func(ctx context.Context, s tables.Session, scope domain.ProjectScope, _ *domain.EvaluationRule,
		n domain.EvaluationRule,
	) error {
		return putAssignments(ctx, s, scope, n)
	},
	Complete: assign,
}

// UniqueRuleName refuses a new name that another rule of the project has.
func UniqueRuleName(ctx context.Context, s tables.Session, scope domain.ProjectScope, before, n *domain.EvaluationRule) error {
	if before != nil && before.Name == n.Name {
		return nil
	}
	taken, err := s.Exists(ctx, "SELECT id FROM evaluation_rules WHERE project_id = ? AND name = ? AND id <> ? LIMIT 1",
		scope.ProjectID(), n.Name, n.ID)
	if err == nil && taken {
		err = ErrRuleNameTaken
	}
	return err
}

// checkEnabled refuses to enable more rules than a project may have.
func checkEnabled(ctx context.Context, s tables.Session, scope domain.ProjectScope, before, n *domain.EvaluationRule) error {
	if !n.Enabled || before != nil && before.Enabled {
		return nil
	}
	others, err := tables.QueryOne(ctx, s, tables.ScanValue[int],
		"SELECT COUNT(*) FROM evaluation_rules WHERE project_id = ? AND enabled AND id <> ?", scope.ProjectID(), n.ID)
	if err == nil && others >= MaxEnabledRules {
		err = ErrTooManyRules
	}
	return err
}

// putAssignments replaces the evaluators of a rule. It returns domain.ErrNotFound if the project lacks one of them.
func putAssignments(ctx context.Context, s tables.Session, scope domain.ProjectScope, n domain.EvaluationRule) error {
	if _, err := s.Exec(ctx, "DELETE FROM evaluation_rule_evaluators WHERE rule_id = ?", n.ID); err != nil {
		return err
	}
	for position, a := range n.Assignments {
		stored, err := s.Exec(ctx, `INSERT INTO evaluation_rule_evaluators (rule_id, evaluator_id, position, mapping)
			SELECT CAST(? AS TEXT), id, CAST(? AS BIGINT), CAST(? AS TEXT) FROM evaluators WHERE id = ? AND project_id = ?`,
			n.ID, position, tables.AsOptionalJSON(&a.Mapping), a.EvaluatorID, scope.ProjectID())
		if err := tables.WithSubject(tables.OrNotFound(stored, err), "evaluator", a.EvaluatorID); err != nil {
			return err
		}
	}
	return nil
}

// assign reads the evaluators of rules. For a list, inherited mappings are read only for the first evaluator of each
// rule, which is all that lists show.
func assign(ctx context.Context, s tables.Session, _ domain.ProjectScope, list bool, to []domain.EvaluationRule) error {
	ids, at := make([]string, len(to)), make(map[string]int)
	for n, rule := range to {
		ids[n], at[rule.ID] = rule.ID, n
	}
	inherited := ""
	if list {
		inherited = " AND a.position = (SELECT MIN(f.position) FROM evaluation_rule_evaluators f WHERE f.rule_id = a.rule_id)"
	}
	type assignment struct {
		rule string
		domain.EvaluatorAssignment
	}
	of := tables.In("a.rule_id", ids)
	assignments, err := tables.QueryAll(ctx, s, func(r tables.Row) (a assignment, err error) {
		err = r.Scan(&a.rule, &a.EvaluatorID, &a.Name, &a.Type, tables.AsOptionalJSON(&a.Mapping), tables.AsOptionalJSON(&a.Variables),
			tables.AsOptionalJSON(&a.Inherited))
		return a, err
	}, `SELECT a.rule_id, e.id, e.name, e.kind, a.mapping, v.variables, v.mapping FROM evaluation_rule_evaluators a
		JOIN evaluators e ON e.id = a.evaluator_id
		LEFT JOIN evaluator_versions v ON v.evaluator_id = e.id AND v.version = e.version`+inherited+`
		WHERE `+of.Text+" ORDER BY a.rule_id, a.position", of.Args...)
	for _, a := range assignments {
		rule := &to[at[a.rule]]
		rule.Assignments = append(rule.Assignments, a.EvaluatorAssignment)
	}
	return err
}

// MissingDatasets returns the given ids that are not datasets of the project.
func (c *Catalog) MissingDatasets(ctx context.Context, scope domain.ProjectScope, ids []string) ([]string, error) {
	return c.db.Reader().Missing(ctx, scope, "SELECT id FROM datasets WHERE project_id = ?", "id", ids)
}
