package catalog

import (
	"context"
	"fmt"
	"slices"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

const evaluatorVersionColumns = "id, version, created_at, definition"

func versionFields(v *domain.EvaluatorVersion) []any {
	return []any{&v.ID, &v.Number, tables.AsTime(&v.CreatedAt), tables.AsJSON(&v.EvaluatorDefinition)}
}

var evaluators = tables.Table[domain.Evaluator]{
	Name: "evaluators", Kind: "evaluator", Audited: "evaluator", Order: "id DESC",
	Columns: "id, name, description, kind, version, created_at, updated_at",
	Fields: func(e *domain.Evaluator) []any {
		return []any{&e.ID, &e.Name, &e.Description, &e.Type, &e.Version.Number, tables.AsTime(&e.CreatedAt), tables.AsTime(&e.UpdatedAt)}
	},
	View: `(SELECT e.*, v.id AS version_id, v.created_at AS version_created_at, v.definition,
		(SELECT COUNT(*) FROM evaluation_rule_evaluators a WHERE a.evaluator_id = e.id) AS rule_count
		FROM evaluators e JOIN evaluator_versions v ON v.evaluator_id = e.id AND v.version = e.version) AS e`,
	ViewColumns: "version_id, version_created_at, definition, rule_count",
	ViewFields: func(e *domain.Evaluator) []any {
		return []any{&e.Version.ID, tables.AsTime(&e.Version.CreatedAt), tables.AsJSON(&e.Version.EvaluatorDefinition), &e.RuleCount}
	},
	State: func(e *domain.Evaluator) map[string]any {
		return map[string]any{
			"name": e.Name, "description": e.Description, "type": e.Type, "version": e.Version.Number,
			"definition": e.Version.EvaluatorDefinition,
		}
	},
	Lock: lockProject,
	Check: func(_ context.Context, _ tables.Session, _ domain.ProjectScope, before, n *domain.Evaluator) error {
		if before == nil {
			n.Version.Number = 1
		}
		return nil
	},
	Stored: func(ctx context.Context, s tables.Session, _ domain.ProjectScope, before *domain.Evaluator, n domain.Evaluator) error {
		if before != nil && before.Version.Number == n.Version.Number {
			return nil
		}
		d := n.Version.EvaluatorDefinition
		return s.Insert(ctx, "evaluator_versions (id, evaluator_id, version, definition, variables, mapping, created_at)",
			tables.OrderedID(),
			n.ID, n.Version.Number, tables.TextOf(d), tables.TextOf(d.Variables(n.Type)), tables.AsOptionalJSON(&d.Mapping),
			tables.Millis(s.Now()))
	},
	// A rule that has no other evaluator is disabled.
	Deleting: func(ctx context.Context, s tables.Session, scope domain.ProjectScope, id string) error {
		_, err := s.Exec(ctx, `UPDATE evaluation_rules SET enabled = ?, updated_at = ? WHERE project_id = ? AND enabled
			AND EXISTS (SELECT 1 FROM evaluation_rule_evaluators a WHERE a.rule_id = evaluation_rules.id AND a.evaluator_id = ?)
			AND NOT EXISTS (SELECT 1 FROM evaluation_rule_evaluators a WHERE a.rule_id = evaluation_rules.id AND a.evaluator_id <> ?)`,
			false, tables.Millis(s.Now()), scope.ProjectID(), id, id)
		return err
	},
}

func lockProject(ctx context.Context, s tables.Session, scope domain.ProjectScope) error {
	return s.LockProject(ctx, scope)
}

// EvaluatorVersions returns at most limit versions of one of the project's evaluators, newest first: those with a
// number less than below, or the first ones if below is 0.
func (c *Catalog) EvaluatorVersions(
	ctx context.Context, scope domain.ProjectScope, id string, below, limit int,
) ([]domain.EvaluatorVersion, error) {
	s := c.db.Reader()
	if _, err := evaluators.Get(ctx, s, scope, id); err != nil {
		return nil, err
	}
	return tables.QueryAll(ctx, s, tables.ScanInto(versionFields), "SELECT "+evaluatorVersionColumns+` FROM evaluator_versions
		WHERE evaluator_id = ? AND (CAST(? AS BIGINT) = 0 OR version < ?) ORDER BY version DESC LIMIT ?`, id, below, below, limit)
}

// RulesOf returns the rules that use the given evaluators, newest first, by evaluator id.
func (c *Catalog) RulesOf(
	ctx context.Context, scope domain.ProjectScope, evaluatorIDs []string,
) (map[string][]domain.RuleAssignment, error) {
	type assignment struct {
		evaluator string
		domain.RuleAssignment
	}
	q := tables.SQL(`SELECT a.evaluator_id, a.rule_id, a.mapping FROM evaluation_rule_evaluators a JOIN evaluation_rules r ON r.id = a.rule_id
		WHERE r.project_id = ?`, scope.ProjectID()).And(tables.In("a.evaluator_id", evaluatorIDs))
	found, err := tables.QueryAll(ctx, c.db.Reader(), func(r tables.Row) (a assignment, err error) {
		err = r.Scan(&a.evaluator, &a.RuleID, tables.AsOptionalJSON(&a.Mapping))
		return a, err
	}, q.Text+" ORDER BY a.rule_id DESC", q.Args...)
	rules := make(map[string][]domain.RuleAssignment)
	for _, a := range found {
		rules[a.evaluator] = append(rules[a.evaluator], a.RuleAssignment)
	}
	return rules, err
}

// PutEvaluator stores an evaluator under its name: as the next version of the newest evaluator with that name and type,
// or as a new one. It returns domain.ErrConflict if only evaluators of another type have that name.
func (c *Catalog) PutEvaluator(
	ctx context.Context, scope domain.ProjectScope, n domain.Evaluator, actor domain.Actor,
) (domain.Evaluator, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (domain.Evaluator, error) {
		if err := s.LockProject(ctx, scope); err != nil {
			return n, err
		}
		known, err := evaluators.List(ctx, s, scope, tables.Unlimited, tables.SQL("name = ?", n.Name))
		if err != nil {
			return n, err
		}
		same := slices.IndexFunc(known, func(e domain.Evaluator) bool { return e.Type == n.Type })
		switch {
		case same >= 0:
			return evaluators.Change(ctx, s, scope, known[same].ID, func(e domain.Evaluator) (domain.Evaluator, error) {
				return e.Redefined(n.Version.EvaluatorDefinition), nil
			}, actor)
		case len(known) > 0:
			return n, fmt.Errorf("evaluator %q has the type %s: %w", n.Name, known[0].Type, domain.ErrConflict)
		}
		return evaluators.Create(ctx, s, scope, tables.OrderedID(), n, actor)
	})
}
