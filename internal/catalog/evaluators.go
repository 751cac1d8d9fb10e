package catalog

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"almanac/internal/domain"
)

const (
	evaluatorColumns = `e.id, e.name, e.description, e.kind, e.created_at, e.updated_at,
		(SELECT COUNT(*) FROM evaluation_rule_evaluators a WHERE a.evaluator_id = e.id), ` + evaluatorVersionColumns
	evaluatorVersionColumns = "v.id, v.version, v.created_at, v.definition"
	fromEvaluators          = "FROM evaluators e JOIN evaluator_versions v ON v.evaluator_id = e.id AND v.version = e.version WHERE e.project_id = ?"
)

func scanEvaluator(r row) (domain.Evaluator, error) {
	var (
		e                domain.Evaluator
		description      sql.Null[string]
		created, updated int64
	)
	version, finish := versionInto(&e.Version)
	if err := r.Scan(append([]any{&e.ID, &e.Name, &description, &e.Type, &created, &updated, &e.RuleCount}, version...)...); err != nil {
		return e, err
	}
	e.Description, e.CreatedAt, e.UpdatedAt = optional(description), fromMillis(created), fromMillis(updated)
	return e, finish()
}

func scanEvaluatorVersion(r row) (v domain.EvaluatorVersion, err error) {
	columns, finish := versionInto(&v)
	if err := r.Scan(columns...); err != nil {
		return v, err
	}
	return v, finish()
}

// versionInto returns where evaluatorVersionColumns are scanned to, and what puts them into the version after that.
func versionInto(v *domain.EvaluatorVersion) (columns []any, finish func() error) {
	var (
		created    int64
		definition string
	)
	return []any{&v.ID, &v.Number, &created, &definition}, func() error {
		v.CreatedAt = fromMillis(created)
		if err := json.Unmarshal([]byte(definition), &v.EvaluatorDefinition); err != nil {
			return fmt.Errorf("cannot read evaluator version %s: %w", v.ID, err)
		}
		return nil
	}
}

// Evaluator returns an evaluator of the project.
func (c *Catalog) Evaluator(ctx context.Context, scope domain.ProjectScope, id string) (domain.Evaluator, error) {
	return c.reader().evaluator(ctx, scope, id)
}

// Evaluators returns a page of the project's evaluators, newest first, and how many there are in all.
func (c *Catalog) Evaluators(ctx context.Context, scope domain.ProjectScope, page Page) ([]domain.Evaluator, int, error) {
	return queryPage(ctx, c.reader(), scanEvaluator, evaluatorColumns, fromEvaluators, "e.id DESC", page, scope.ProjectID())
}

// EvaluatorsAfter returns at most limit of the project's evaluators, newest first: those behind the one with the id, or the
// first ones if it is empty.
func (c *Catalog) EvaluatorsAfter(ctx context.Context, scope domain.ProjectScope, id string, limit int) ([]domain.Evaluator, error) {
	return queryAll(ctx, c.reader(), scanEvaluator, "SELECT "+evaluatorColumns+" "+fromEvaluators+" AND (? = '' OR e.id < ?) ORDER BY e.id DESC LIMIT ?",
		scope.ProjectID(), id, id, limit)
}

// EvaluatorsNamed returns the project's evaluators with one of the names, newest first.
func (c *Catalog) EvaluatorsNamed(ctx context.Context, scope domain.ProjectScope, names []string) ([]domain.Evaluator, error) {
	return c.reader().evaluatorsWith(ctx, scope, "e.name", names)
}

// EvaluatorsByID returns those of the evaluators that the project has.
func (c *Catalog) EvaluatorsByID(ctx context.Context, scope domain.ProjectScope, ids []string) ([]domain.Evaluator, error) {
	return c.reader().evaluatorsWith(ctx, scope, "e.id", ids)
}

func (s session) evaluatorsWith(ctx context.Context, scope domain.ProjectScope, column string, values []string) ([]domain.Evaluator, error) {
	if len(values) == 0 {
		return nil, nil
	}
	list, args := inList(values)
	return queryAll(ctx, s, scanEvaluator, "SELECT "+evaluatorColumns+" "+fromEvaluators+" AND "+column+" IN "+list+" ORDER BY e.id DESC",
		append([]any{scope.ProjectID()}, args...)...)
}

// inList returns the placeholders and the arguments of an IN with at least one value.
func inList(values []string) (placeholders string, args []any) {
	for _, value := range values {
		args = append(args, value)
	}
	return "(?" + strings.Repeat(", ?", len(values)-1) + ")", args
}

// EvaluatorVersions returns at most limit versions of an evaluator of the project, newest first: those below a number, or the
// first ones if it is 0.
func (c *Catalog) EvaluatorVersions(ctx context.Context, scope domain.ProjectScope, id string, below, limit int) ([]domain.EvaluatorVersion, error) {
	s := c.reader()
	if _, err := s.evaluator(ctx, scope, id); err != nil {
		return nil, err
	}
	return queryAll(ctx, s, scanEvaluatorVersion, "SELECT "+evaluatorVersionColumns+` FROM evaluator_versions v
		WHERE v.evaluator_id = ? AND (CAST(? AS BIGINT) = 0 OR v.version < ?) ORDER BY v.version DESC LIMIT ?`, id, below, below, limit)
}

// RulesOf returns the rules that use each of the evaluators of the project, by the ids of the evaluators, newest first.
func (c *Catalog) RulesOf(ctx context.Context, scope domain.ProjectScope, evaluatorIDs []string) (map[string][]domain.RuleAssignment, error) {
	rules := make(map[string][]domain.RuleAssignment)
	if len(evaluatorIDs) == 0 {
		return rules, nil
	}
	list, args := inList(evaluatorIDs)
	_, err := queryAll(ctx, c.reader(), func(r row) (struct{}, error) {
		var (
			evaluator string
			a         domain.RuleAssignment
			mapping   sql.Null[string]
			none      struct{}
		)
		if err := r.Scan(&evaluator, &a.RuleID, &mapping); err != nil {
			return none, err
		}
		err := readMapping(mapping, &a.Mapping)
		rules[evaluator] = append(rules[evaluator], a)
		return none, err
	}, `SELECT a.evaluator_id, a.rule_id, a.mapping FROM evaluation_rule_evaluators a JOIN evaluation_rules r ON r.id = a.rule_id
		WHERE r.project_id = ? AND a.evaluator_id IN `+list+" ORDER BY a.rule_id DESC", append([]any{scope.ProjectID()}, args...)...)
	return rules, err
}

// CreateEvaluator stores a new evaluator of the project with its first version; ids and times are made here.
func (c *Catalog) CreateEvaluator(ctx context.Context, scope domain.ProjectScope, n domain.Evaluator, actor domain.Actor) (domain.Evaluator, error) {
	var created domain.Evaluator
	err := c.update(ctx, func(s session) (err error) {
		created, err = s.createEvaluator(ctx, scope, n, actor)
		return err
	})
	return created, err
}

// PutEvaluator stores an evaluator under its name: as the next version of the newest one that has it, or as a new one. A name
// that only evaluators of another type have is a conflict.
func (c *Catalog) PutEvaluator(ctx context.Context, scope domain.ProjectScope, n domain.Evaluator, actor domain.Actor) (domain.Evaluator, error) {
	var stored domain.Evaluator
	err := c.update(ctx, func(s session) error {
		if err := s.lockProject(ctx, scope); err != nil {
			return err
		}
		known, err := s.evaluatorsWith(ctx, scope, "e.name", []string{n.Name})
		if err != nil {
			return err
		}
		same := slices.IndexFunc(known, func(e domain.Evaluator) bool { return e.Type == n.Type })
		switch {
		case same >= 0:
			stored, err = s.updateEvaluator(ctx, scope, known[same], EvaluatorChange{Definition: &n.Version.EvaluatorDefinition}, actor)
		case len(known) > 0:
			err = fmt.Errorf("evaluator %q has the type %s: %w", n.Name, known[0].Type, domain.ErrConflict)
		default:
			stored, err = s.createEvaluator(ctx, scope, n, actor)
		}
		return err
	})
	return stored, err
}

// EvaluatorChange is what is changed of an evaluator; nil members stay.
type EvaluatorChange struct {
	Name        *string
	Description **string
	Definition  *domain.EvaluatorDefinition // becomes the next version
}

// UpdateEvaluator gives change the evaluator as it is and makes the change that it returns. Other changes of the project's
// evaluators wait meanwhile. An error of change is returned as it is.
func (c *Catalog) UpdateEvaluator(ctx context.Context, scope domain.ProjectScope, id string, change func(domain.Evaluator) (EvaluatorChange, error), actor domain.Actor) (domain.Evaluator, error) {
	var after domain.Evaluator
	err := c.update(ctx, func(s session) error {
		if err := s.lockProject(ctx, scope); err != nil {
			return err
		}
		before, err := s.evaluator(ctx, scope, id)
		if err != nil {
			return err
		}
		wanted, err := change(before)
		if err != nil {
			return err
		}
		after, err = s.updateEvaluator(ctx, scope, before, wanted, actor)
		return err
	})
	return after, err
}

// DeleteEvaluator deletes an evaluator of the project with all its versions and takes it out of all rules. A rule that has no
// other evaluator is disabled.
func (c *Catalog) DeleteEvaluator(ctx context.Context, scope domain.ProjectScope, id string, actor domain.Actor) error {
	return c.update(ctx, func(s session) error {
		if err := s.lockProject(ctx, scope); err != nil {
			return err
		}
		before, err := s.evaluator(ctx, scope, id)
		if err != nil {
			return err
		}
		if _, err := s.exec(ctx, `UPDATE evaluation_rules SET enabled = ?, updated_at = ? WHERE project_id = ? AND enabled
			AND EXISTS (SELECT 1 FROM evaluation_rule_evaluators a WHERE a.rule_id = evaluation_rules.id AND a.evaluator_id = ?)
			AND NOT EXISTS (SELECT 1 FROM evaluation_rule_evaluators a WHERE a.rule_id = evaluation_rules.id AND a.evaluator_id <> ?)`,
			false, millis(c.now()), scope.ProjectID(), id, id); err != nil {
			return err
		}
		if _, err := s.exec(ctx, "DELETE FROM evaluators WHERE id = ? AND project_id = ?", id, scope.ProjectID()); err != nil {
			return err
		}
		return s.auditInProject(ctx, scope, actor, "delete", "evaluator", id, evaluatorState(before), nil)
	})
}

// lockProject makes other changes of the project's evaluators and rules wait for this transaction.
func (s session) lockProject(ctx context.Context, scope domain.ProjectScope) error {
	_, err := s.exec(ctx, "UPDATE projects SET name = name WHERE id = ?", scope.ProjectID())
	return err
}

func (s session) evaluator(ctx context.Context, scope domain.ProjectScope, id string) (domain.Evaluator, error) {
	e, err := queryOne(ctx, s, scanEvaluator, "SELECT "+evaluatorColumns+" "+fromEvaluators+" AND e.id = ?", scope.ProjectID(), id)
	return e, named(err, "evaluator", id)
}

func (s session) createEvaluator(ctx context.Context, scope domain.ProjectScope, n domain.Evaluator, actor domain.Actor) (domain.Evaluator, error) {
	id, err := orderedID()
	if err != nil {
		return n, err
	}
	now := millis(s.now())
	if _, err := s.exec(ctx, "INSERT INTO evaluators (id, project_id, name, description, kind, version, created_at, updated_at) VALUES (?, ?, ?, ?, ?, 1, ?, ?)",
		id, scope.ProjectID(), n.Name, n.Description, n.Type, now, now); err != nil {
		return n, err
	}
	if err := s.addEvaluatorVersion(ctx, id, n.Type, 1, n.Version.EvaluatorDefinition); err != nil {
		return n, err
	}
	created, err := s.evaluator(ctx, scope, id)
	if err != nil {
		return n, err
	}
	return created, s.auditInProject(ctx, scope, actor, "create", "evaluator", id, nil, evaluatorState(created))
}

func (s session) updateEvaluator(ctx context.Context, scope domain.ProjectScope, before domain.Evaluator, change EvaluatorChange, actor domain.Actor) (domain.Evaluator, error) {
	name, description, number := before.Name, before.Description, before.Version.Number
	if change.Name != nil {
		name = *change.Name
	}
	if change.Description != nil {
		description = *change.Description
	}
	if change.Definition != nil {
		number++
		if err := s.addEvaluatorVersion(ctx, before.ID, before.Type, number, *change.Definition); err != nil {
			return before, err
		}
	}
	if _, err := s.exec(ctx, "UPDATE evaluators SET name = ?, description = ?, version = ?, updated_at = ? WHERE id = ? AND project_id = ?",
		name, description, number, millis(s.now()), before.ID, scope.ProjectID()); err != nil {
		return before, err
	}
	after, err := s.evaluator(ctx, scope, before.ID)
	if err != nil {
		return before, err
	}
	return after, s.auditInProject(ctx, scope, actor, "update", "evaluator", before.ID, evaluatorState(before), evaluatorState(after))
}

func (s session) addEvaluatorVersion(ctx context.Context, evaluatorID, kind string, number int, d domain.EvaluatorDefinition) error {
	id, err := orderedID()
	if err != nil {
		return err
	}
	_, err = s.exec(ctx, `INSERT INTO evaluator_versions (id, evaluator_id, version, definition, variables, mapping, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?)`,
		id, evaluatorID, number, textOf(d), textOf(d.Variables(kind)), mappingText(d.Mapping), millis(s.now()))
	return err
}

// mappingText is NULL for no mapping at all.
func mappingText(mapping []domain.VariableMapping) *string {
	if mapping == nil {
		return nil
	}
	return new(textOf(mapping))
}

func readMapping(column sql.Null[string], into *[]domain.VariableMapping) error {
	if !column.Valid {
		return nil
	}
	if err := json.Unmarshal([]byte(column.V), into); err != nil {
		return fmt.Errorf("cannot read a mapping of variables: %w", err)
	}
	return nil
}

func evaluatorState(e domain.Evaluator) json.RawMessage {
	return stateOf(map[string]any{
		"name": e.Name, "description": e.Description, "type": e.Type, "version": e.Version.Number, "definition": e.Version.EvaluatorDefinition,
	})
}
