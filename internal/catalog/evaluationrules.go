package catalog

import (
	"context"
	"encoding/json"
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
		return []any{&r.ID, &r.Name, &r.Target, &r.Enabled, &r.Sampling, tables.AsJSON(&r.Filter), tables.AsTime(&r.CreatedAt), tables.AsTime(&r.UpdatedAt)}
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
}

// EvaluationRule returns one of the project's evaluation rules.
func (c *Catalog) EvaluationRule(ctx context.Context, scope domain.ProjectScope, id string) (domain.EvaluationRule, error) {
	return readRule(ctx, c.db.Reader(), scope, id)
}

// EvaluationRules returns a page of the project's evaluation rules, newest first, and the total count.
func (c *Catalog) EvaluationRules(ctx context.Context, scope domain.ProjectScope, page tables.Page) ([]domain.EvaluationRule, int, error) {
	s := c.db.Reader()
	found, total, err := rules.Page(ctx, s, scope, page)
	if err != nil {
		return nil, 0, err
	}
	return found, total, assign(ctx, s, found, false)
}

// EvaluationRulesAfter returns at most limit of the project's evaluation rules, newest first: those after the rule with
// the given id, or the first ones if the id is empty.
func (c *Catalog) EvaluationRulesAfter(ctx context.Context, scope domain.ProjectScope, id string, limit int) ([]domain.EvaluationRule, error) {
	s := c.db.Reader()
	found, err := tables.QueryAll(ctx, s, rules.Scan, "SELECT "+rules.Columns+" FROM evaluation_rules WHERE project_id = ? AND (? = '' OR id < ?) ORDER BY id DESC LIMIT ?",
		scope.ProjectID(), id, id, limit)
	if err != nil {
		return nil, err
	}
	return found, assign(ctx, s, found, false)
}

// CreateEvaluationRule stores a new evaluation rule; its id and timestamps are assigned here. It returns
// domain.ErrNotFound if the project lacks one of the evaluators, and, if uniqueName is set, ErrRuleNameTaken if the
// name is taken.
func (c *Catalog) CreateEvaluationRule(ctx context.Context, scope domain.ProjectScope, n domain.EvaluationRule, uniqueName bool, actor domain.Actor) (domain.EvaluationRule, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (domain.EvaluationRule, error) {
		if err := s.LockProject(ctx, scope); err != nil {
			return n, err
		}
		n.ID = tables.OrderedID()
		if err := checkRule(ctx, s, scope, n, uniqueName, n.Enabled); err != nil {
			return n, err
		}
		if err := rules.Insert(ctx, s, scope, n.ID, n); err != nil {
			return n, err
		}
		return putAssignments(ctx, s, scope, n, nil, actor)
	})
}

// UpdateEvaluationRule passes the current rule to edit and stores the result; the id and the creation time do not
// change. Concurrent changes of the project's rules wait. Errors from edit are returned unchanged; other errors are
// those of CreateEvaluationRule.
func (c *Catalog) UpdateEvaluationRule(
	ctx context.Context, scope domain.ProjectScope, id string, uniqueName bool, edit func(domain.EvaluationRule) (domain.EvaluationRule, error), actor domain.Actor,
) (domain.EvaluationRule, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (domain.EvaluationRule, error) {
		before, err := lockedRule(ctx, s, scope, id)
		if err != nil {
			return before, err
		}
		n, err := edit(before)
		if err != nil {
			return before, err
		}
		n.ID = id
		if err := checkRule(ctx, s, scope, n, uniqueName && n.Name != before.Name, n.Enabled && !before.Enabled); err != nil {
			return before, err
		}
		if err := rules.Replace(ctx, s, scope, id, n); err != nil {
			return before, err
		}
		return putAssignments(ctx, s, scope, n, rules.StateOf(&before), actor)
	})
}

// DeleteEvaluationRule deletes one of the project's evaluation rules. Its evaluators and the scores that it made are
// kept.
func (c *Catalog) DeleteEvaluationRule(ctx context.Context, scope domain.ProjectScope, id string, actor domain.Actor) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		before, err := lockedRule(ctx, s, scope, id)
		if err != nil {
			return err
		}
		if _, err := s.Exec(ctx, "DELETE FROM evaluation_rules WHERE id = ? AND project_id = ?", id, scope.ProjectID()); err != nil {
			return err
		}
		return s.AuditInProject(ctx, scope, actor, rules.Audited, id, rules.StateOf(&before), nil)
	})
}

// checkRule looks for conflicts between a rule and the other rules of the project.
func checkRule(ctx context.Context, s tables.Session, scope domain.ProjectScope, n domain.EvaluationRule, name, enabled bool) error {
	if name {
		taken, err := tables.QueryOne(ctx, s, tables.ScanValue[int], "SELECT COUNT(*) FROM evaluation_rules WHERE project_id = ? AND name = ? AND id <> ?", scope.ProjectID(), n.Name, n.ID)
		if err != nil {
			return err
		}
		if taken > 0 {
			return ErrRuleNameTaken
		}
	}
	if enabled {
		others, err := tables.QueryOne(ctx, s, tables.ScanValue[int], "SELECT COUNT(*) FROM evaluation_rules WHERE project_id = ? AND enabled AND id <> ?", scope.ProjectID(), n.ID)
		if err != nil {
			return err
		}
		if others >= MaxEnabledRules {
			return ErrTooManyRules
		}
	}
	return nil
}

// putAssignments replaces the evaluators of a stored rule and records the change.
func putAssignments(ctx context.Context, s tables.Session, scope domain.ProjectScope, n domain.EvaluationRule, before json.RawMessage, actor domain.Actor) (domain.EvaluationRule, error) {
	if _, err := s.Exec(ctx, "DELETE FROM evaluation_rule_evaluators WHERE rule_id = ?", n.ID); err != nil {
		return n, err
	}
	for position, a := range n.Assignments {
		stored, err := s.Exec(ctx, `INSERT INTO evaluation_rule_evaluators (rule_id, evaluator_id, position, mapping)
			SELECT CAST(? AS TEXT), id, CAST(? AS BIGINT), CAST(? AS TEXT) FROM evaluators WHERE id = ? AND project_id = ?`,
			n.ID, position, tables.AsOptionalJSON(&a.Mapping), a.EvaluatorID, scope.ProjectID())
		if err := tables.Named(tables.OrNotFound(stored, err), "evaluator", a.EvaluatorID); err != nil {
			return n, err
		}
	}
	after, err := readRule(ctx, s, scope, n.ID)
	if err != nil {
		return n, err
	}
	return after, s.AuditInProject(ctx, scope, actor, rules.Audited, n.ID, before, rules.StateOf(&after))
}

// lockedRule returns a rule that nobody else can change until the transaction ends.
func lockedRule(ctx context.Context, s tables.Session, scope domain.ProjectScope, id string) (domain.EvaluationRule, error) {
	if err := s.LockProject(ctx, scope); err != nil {
		return domain.EvaluationRule{}, err
	}
	return readRule(ctx, s, scope, id)
}

func readRule(ctx context.Context, s tables.Session, scope domain.ProjectScope, id string) (domain.EvaluationRule, error) {
	rule, err := rules.Get(ctx, s, scope, id)
	if err != nil {
		return rule, err
	}
	one := []domain.EvaluationRule{rule}
	err = assign(ctx, s, one, true)
	return one[0], err
}

// assign reads the evaluators of rules. Unless all is set, inherited mappings are read only for the first evaluator of
// each rule, which is all that lists show.
func assign(ctx context.Context, s tables.Session, to []domain.EvaluationRule, all bool) error {
	if len(to) == 0 {
		return nil
	}
	ids, at := make([]string, len(to)), make(map[string]int)
	for n, rule := range to {
		ids[n], at[rule.ID] = rule.ID, n
	}
	inherited := ""
	if !all {
		inherited = " AND a.position = (SELECT MIN(f.position) FROM evaluation_rule_evaluators f WHERE f.rule_id = a.rule_id)"
	}
	type assignment struct {
		rule string
		domain.EvaluatorAssignment
	}
	of := tables.In("a.rule_id", ids)
	assignments, err := tables.QueryAll(ctx, s, func(r tables.Row) (a assignment, err error) {
		err = r.Scan(&a.rule, &a.EvaluatorID, &a.Name, &a.Type, tables.AsOptionalJSON(&a.Mapping), tables.AsOptionalJSON(&a.Variables), tables.AsOptionalJSON(&a.Inherited))
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
