package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

const (
	evaluatorColumns = `e.id, e.name, e.description, e.kind, e.created_at, e.updated_at,
		(SELECT COUNT(*) FROM evaluation_rule_evaluators a WHERE a.evaluator_id = e.id), ` + evaluatorVersionColumns
	evaluatorVersionColumns = "v.id, v.version, v.created_at, v.definition"
	fromEvaluators          = "FROM evaluators e JOIN evaluator_versions v ON v.evaluator_id = e.id AND v.version = e.version WHERE e.project_id = ?"
)

func scanEvaluator(r tables.Row) (e domain.Evaluator, err error) {
	err = r.Scan(append([]any{&e.ID, &e.Name, &e.Description, &e.Type, tables.AsTime(&e.CreatedAt), tables.AsTime(&e.UpdatedAt), &e.RuleCount},
		versionFields(&e.Version)...)...)
	return e, err
}

func versionFields(v *domain.EvaluatorVersion) []any {
	return []any{&v.ID, &v.Number, tables.AsTime(&v.CreatedAt), tables.AsJSON(&v.EvaluatorDefinition)}
}

// Evaluator returns one of the project's evaluators.
func (c *Catalog) Evaluator(ctx context.Context, scope domain.ProjectScope, id string) (domain.Evaluator, error) {
	return readEvaluator(ctx, c.db.Reader(), scope, id)
}

// Evaluators returns a page of the project's evaluators, newest first, and the total count.
func (c *Catalog) Evaluators(ctx context.Context, scope domain.ProjectScope, page tables.Page) ([]domain.Evaluator, int, error) {
	return tables.QueryPage(ctx, c.db.Reader(), scanEvaluator, evaluatorColumns, tables.SQL(fromEvaluators, scope.ProjectID()), "e.id DESC", page)
}

// EvaluatorsAfter returns at most limit of the project's evaluators, newest first: those after the evaluator with the
// given id, or the first ones if the id is empty.
func (c *Catalog) EvaluatorsAfter(ctx context.Context, scope domain.ProjectScope, id string, limit int) ([]domain.Evaluator, error) {
	return tables.QueryAll(ctx, c.db.Reader(), scanEvaluator, "SELECT "+evaluatorColumns+" "+fromEvaluators+" AND (? = '' OR e.id < ?) ORDER BY e.id DESC LIMIT ?",
		scope.ProjectID(), id, id, limit)
}

// EvaluatorsNamed returns the project's evaluators with any of the names, newest first.
func (c *Catalog) EvaluatorsNamed(ctx context.Context, scope domain.ProjectScope, names []string) ([]domain.Evaluator, error) {
	return evaluatorsWith(ctx, c.db.Reader(), scope, "e.name", names)
}

// EvaluatorsByID returns the project's evaluators with any of the ids, newest first.
func (c *Catalog) EvaluatorsByID(ctx context.Context, scope domain.ProjectScope, ids []string) ([]domain.Evaluator, error) {
	return evaluatorsWith(ctx, c.db.Reader(), scope, "e.id", ids)
}

func evaluatorsWith(ctx context.Context, s tables.Session, scope domain.ProjectScope, column string, values []string) ([]domain.Evaluator, error) {
	q := tables.SQL("SELECT "+evaluatorColumns+" "+fromEvaluators, scope.ProjectID()).And(tables.In(column, values))
	return tables.QueryAll(ctx, s, scanEvaluator, q.Text+" ORDER BY e.id DESC", q.Args...)
}

// EvaluatorVersions returns at most limit versions of one of the project's evaluators, newest first: those with a
// number less than below, or the first ones if below is 0.
func (c *Catalog) EvaluatorVersions(ctx context.Context, scope domain.ProjectScope, id string, below, limit int) ([]domain.EvaluatorVersion, error) {
	s := c.db.Reader()
	if _, err := readEvaluator(ctx, s, scope, id); err != nil {
		return nil, err
	}
	return tables.QueryAll(ctx, s, tables.ScanInto(versionFields), "SELECT "+evaluatorVersionColumns+` FROM evaluator_versions v
		WHERE v.evaluator_id = ? AND (CAST(? AS BIGINT) = 0 OR v.version < ?) ORDER BY v.version DESC LIMIT ?`, id, below, below, limit)
}

// RulesOf returns the rules that use the given evaluators, newest first, by evaluator id.
func (c *Catalog) RulesOf(ctx context.Context, scope domain.ProjectScope, evaluatorIDs []string) (map[string][]domain.RuleAssignment, error) {
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

// CreateEvaluator stores a new evaluator with its first version; ids and timestamps are assigned here.
func (c *Catalog) CreateEvaluator(ctx context.Context, scope domain.ProjectScope, n domain.Evaluator, actor domain.Actor) (domain.Evaluator, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (domain.Evaluator, error) { return createEvaluator(ctx, s, scope, n, actor) })
}

// PutEvaluator stores an evaluator under its name: as the next version of the newest evaluator with that name and type,
// or as a new one. It returns domain.ErrConflict if only evaluators of another type have that name.
func (c *Catalog) PutEvaluator(ctx context.Context, scope domain.ProjectScope, n domain.Evaluator, actor domain.Actor) (domain.Evaluator, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (domain.Evaluator, error) {
		if err := s.LockProject(ctx, scope); err != nil {
			return n, err
		}
		known, err := evaluatorsWith(ctx, s, scope, "e.name", []string{n.Name})
		if err != nil {
			return n, err
		}
		same := slices.IndexFunc(known, func(e domain.Evaluator) bool { return e.Type == n.Type })
		switch {
		case same >= 0:
			return updateEvaluator(ctx, s, scope, known[same], EvaluatorChange{Definition: &n.Version.EvaluatorDefinition}, actor)
		case len(known) > 0:
			return n, fmt.Errorf("evaluator %q has the type %s: %w", n.Name, known[0].Type, domain.ErrConflict)
		}
		return createEvaluator(ctx, s, scope, n, actor)
	})
}

// EvaluatorChange changes an evaluator; nil fields leave values unchanged.
type EvaluatorChange struct {
	Name        *string
	Description **string
	Definition  *domain.EvaluatorDefinition // becomes the next version
}

// UpdateEvaluator passes the current evaluator to change and applies the result. Concurrent changes of the project's
// evaluators wait. Errors from change are returned unchanged.
func (c *Catalog) UpdateEvaluator(
	ctx context.Context, scope domain.ProjectScope, id string, change func(domain.Evaluator) (EvaluatorChange, error), actor domain.Actor,
) (domain.Evaluator, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (domain.Evaluator, error) {
		before, err := lockedEvaluator(ctx, s, scope, id)
		if err != nil {
			return before, err
		}
		wanted, err := change(before)
		if err != nil {
			return before, err
		}
		return updateEvaluator(ctx, s, scope, before, wanted, actor)
	})
}

// DeleteEvaluator deletes one of the project's evaluators with all its versions and removes it from all rules. A rule
// that has no other evaluator is disabled.
func (c *Catalog) DeleteEvaluator(ctx context.Context, scope domain.ProjectScope, id string, actor domain.Actor) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		before, err := lockedEvaluator(ctx, s, scope, id)
		if err != nil {
			return err
		}
		if _, err := s.Exec(ctx, `UPDATE evaluation_rules SET enabled = ?, updated_at = ? WHERE project_id = ? AND enabled
			AND EXISTS (SELECT 1 FROM evaluation_rule_evaluators a WHERE a.rule_id = evaluation_rules.id AND a.evaluator_id = ?)
			AND NOT EXISTS (SELECT 1 FROM evaluation_rule_evaluators a WHERE a.rule_id = evaluation_rules.id AND a.evaluator_id <> ?)`,
			false, tables.Millis(c.db.Now()), scope.ProjectID(), id, id); err != nil {
			return err
		}
		if _, err := s.Exec(ctx, "DELETE FROM evaluators WHERE id = ? AND project_id = ?", id, scope.ProjectID()); err != nil {
			return err
		}
		return s.AuditInProject(ctx, scope, actor, "evaluator", id, evaluatorState(before), nil)
	})
}

// lockedEvaluator returns an evaluator that nobody else can change until the transaction ends.
func lockedEvaluator(ctx context.Context, s tables.Session, scope domain.ProjectScope, id string) (domain.Evaluator, error) {
	if err := s.LockProject(ctx, scope); err != nil {
		return domain.Evaluator{}, err
	}
	return readEvaluator(ctx, s, scope, id)
}

func readEvaluator(ctx context.Context, s tables.Session, scope domain.ProjectScope, id string) (domain.Evaluator, error) {
	e, err := tables.QueryOne(ctx, s, scanEvaluator, "SELECT "+evaluatorColumns+" "+fromEvaluators+" AND e.id = ?", scope.ProjectID(), id)
	return e, tables.Named(err, "evaluator", id)
}

func createEvaluator(ctx context.Context, s tables.Session, scope domain.ProjectScope, n domain.Evaluator, actor domain.Actor) (domain.Evaluator, error) {
	id, now := tables.OrderedID(), tables.Millis(s.Now())
	if err := s.Insert(ctx, "evaluators (id, project_id, name, description, kind, version, created_at, updated_at)",
		id, scope.ProjectID(), n.Name, n.Description, n.Type, 1, now, now); err != nil {
		return n, err
	}
	if err := addEvaluatorVersion(ctx, s, id, n.Type, 1, n.Version.EvaluatorDefinition); err != nil {
		return n, err
	}
	created, err := readEvaluator(ctx, s, scope, id)
	if err != nil {
		return n, err
	}
	return created, s.AuditInProject(ctx, scope, actor, "evaluator", id, nil, evaluatorState(created))
}

func updateEvaluator(ctx context.Context, s tables.Session, scope domain.ProjectScope, before domain.Evaluator, change EvaluatorChange, actor domain.Actor) (domain.Evaluator, error) {
	name, description, number := before.Name, before.Description, before.Version.Number
	if change.Name != nil {
		name = *change.Name
	}
	if change.Description != nil {
		description = *change.Description
	}
	if change.Definition != nil {
		number++
		if err := addEvaluatorVersion(ctx, s, before.ID, before.Type, number, *change.Definition); err != nil {
			return before, err
		}
	}
	if _, err := s.Exec(ctx, "UPDATE evaluators SET name = ?, description = ?, version = ?, updated_at = ? WHERE id = ? AND project_id = ?",
		name, description, number, tables.Millis(s.Now()), before.ID, scope.ProjectID()); err != nil {
		return before, err
	}
	after, err := readEvaluator(ctx, s, scope, before.ID)
	if err != nil {
		return before, err
	}
	return after, s.AuditInProject(ctx, scope, actor, "evaluator", before.ID, evaluatorState(before), evaluatorState(after))
}

func addEvaluatorVersion(ctx context.Context, s tables.Session, evaluatorID, kind string, number int, d domain.EvaluatorDefinition) error {
	return s.Insert(ctx, "evaluator_versions (id, evaluator_id, version, definition, variables, mapping, created_at)",
		tables.OrderedID(), evaluatorID, number, tables.TextOf(d), tables.TextOf(d.Variables(kind)), tables.AsOptionalJSON(&d.Mapping), tables.Millis(s.Now()))
}

func evaluatorState(e domain.Evaluator) json.RawMessage {
	return tables.StateOf(map[string]any{
		"name": e.Name, "description": e.Description, "type": e.Type, "version": e.Version.Number, "definition": e.Version.EvaluatorDefinition,
	})
}
