package catalog

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"

	"almanac/internal/domain"
)

// MaxEnabledRules is how many evaluation rules of a project may be enabled at once.
const MaxEnabledRules = 500

// The conflicts of evaluation rules.
var (
	ErrTooManyRules  = fmt.Errorf("%w: %d evaluation rules are enabled already", domain.ErrConflict, MaxEnabledRules)
	ErrRuleNameTaken = fmt.Errorf("%w: another evaluation rule has the name", domain.ErrConflict)
)

const ruleColumns = "id, name, target, enabled, sampling, filter, created_at, updated_at"

func scanRule(r row) (domain.EvaluationRule, error) {
	var (
		rule             domain.EvaluationRule
		filter           string
		created, updated int64
	)
	if err := r.Scan(&rule.ID, &rule.Name, &rule.Target, &rule.Enabled, &rule.Sampling, &filter, &created, &updated); err != nil {
		return rule, err
	}
	rule.CreatedAt, rule.UpdatedAt = fromMillis(created), fromMillis(updated)
	if err := json.Unmarshal([]byte(filter), &rule.Filter); err != nil {
		return rule, fmt.Errorf("cannot read the filter of evaluation rule %s: %w", rule.ID, err)
	}
	return rule, nil
}

// EvaluationRule returns an evaluation rule of the project.
func (c *Catalog) EvaluationRule(ctx context.Context, scope domain.ProjectScope, id string) (domain.EvaluationRule, error) {
	return c.reader().rule(ctx, scope, id)
}

// EvaluationRules returns a page of the project's evaluation rules, newest first, and how many there are in all.
func (c *Catalog) EvaluationRules(ctx context.Context, scope domain.ProjectScope, page Page) ([]domain.EvaluationRule, int, error) {
	s := c.reader()
	rules, total, err := queryPage(ctx, s, scanRule, ruleColumns, "FROM evaluation_rules WHERE project_id = ?", "id DESC", page, scope.ProjectID())
	if err != nil {
		return nil, 0, err
	}
	return rules, total, s.assign(ctx, rules, false)
}

// EvaluationRulesAfter returns at most limit of the project's evaluation rules, newest first: those behind the one with the
// id, or the first ones if it is empty.
func (c *Catalog) EvaluationRulesAfter(ctx context.Context, scope domain.ProjectScope, id string, limit int) ([]domain.EvaluationRule, error) {
	s := c.reader()
	rules, err := queryAll(ctx, s, scanRule, "SELECT "+ruleColumns+" FROM evaluation_rules WHERE project_id = ? AND (? = '' OR id < ?) ORDER BY id DESC LIMIT ?",
		scope.ProjectID(), id, id, limit)
	if err != nil {
		return nil, err
	}
	return rules, s.assign(ctx, rules, false)
}

// CreateEvaluationRule stores a new evaluation rule of the project; its id and its times are made here. An evaluator that the
// project does not have is not found. If names shall be unique, one that is taken is ErrRuleNameTaken.
func (c *Catalog) CreateEvaluationRule(ctx context.Context, scope domain.ProjectScope, n domain.EvaluationRule, uniqueName bool, actor domain.Actor) (domain.EvaluationRule, error) {
	var created domain.EvaluationRule
	err := c.update(ctx, func(s session) error {
		if err := s.lockProject(ctx, scope); err != nil {
			return err
		}
		id, err := orderedID()
		if err != nil {
			return err
		}
		n.ID = id
		if err := s.checkRule(ctx, scope, n, uniqueName, n.Enabled); err != nil {
			return err
		}
		now := millis(c.now())
		if _, err := s.exec(ctx, "INSERT INTO evaluation_rules (project_id, "+ruleColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
			scope.ProjectID(), id, n.Name, n.Target, n.Enabled, n.Sampling, textOf(n.Filter), now, now); err != nil {
			return err
		}
		if err := s.putAssignments(ctx, scope, n); err != nil {
			return err
		}
		if created, err = s.rule(ctx, scope, id); err != nil {
			return err
		}
		return s.auditInProject(ctx, scope, actor, "create", "evaluationRule", id, nil, ruleState(created))
	})
	return created, err
}

// UpdateEvaluationRule gives change the rule as it is and stores what it returns; the id and the time of creation stay. Other
// changes of the project's rules wait meanwhile. An error of change is returned as it is; the rest is as for
// CreateEvaluationRule.
func (c *Catalog) UpdateEvaluationRule(ctx context.Context, scope domain.ProjectScope, id string, uniqueName bool, change func(domain.EvaluationRule) (domain.EvaluationRule, error), actor domain.Actor) (domain.EvaluationRule, error) {
	var after domain.EvaluationRule
	err := c.update(ctx, func(s session) error {
		if err := s.lockProject(ctx, scope); err != nil {
			return err
		}
		before, err := s.rule(ctx, scope, id)
		if err != nil {
			return err
		}
		n, err := change(before)
		if err != nil {
			return err
		}
		n.ID = id
		if err := s.checkRule(ctx, scope, n, uniqueName && n.Name != before.Name, n.Enabled && !before.Enabled); err != nil {
			return err
		}
		if _, err := s.exec(ctx, "UPDATE evaluation_rules SET name = ?, target = ?, enabled = ?, sampling = ?, filter = ?, updated_at = ? WHERE id = ? AND project_id = ?",
			n.Name, n.Target, n.Enabled, n.Sampling, textOf(n.Filter), millis(c.now()), id, scope.ProjectID()); err != nil {
			return err
		}
		if err := s.putAssignments(ctx, scope, n); err != nil {
			return err
		}
		if after, err = s.rule(ctx, scope, id); err != nil {
			return err
		}
		return s.auditInProject(ctx, scope, actor, "update", "evaluationRule", id, ruleState(before), ruleState(after))
	})
	return after, err
}

// DeleteEvaluationRule deletes an evaluation rule of the project. Its evaluators and the scores it made stay.
func (c *Catalog) DeleteEvaluationRule(ctx context.Context, scope domain.ProjectScope, id string, actor domain.Actor) error {
	return c.update(ctx, func(s session) error {
		if err := s.lockProject(ctx, scope); err != nil {
			return err
		}
		before, err := s.rule(ctx, scope, id)
		if err != nil {
			return err
		}
		if _, err := s.exec(ctx, "DELETE FROM evaluation_rules WHERE id = ? AND project_id = ?", id, scope.ProjectID()); err != nil {
			return err
		}
		return s.auditInProject(ctx, scope, actor, "delete", "evaluationRule", id, ruleState(before), nil)
	})
}

// checkRule looks for conflicts of a rule with the others of its project.
func (s session) checkRule(ctx context.Context, scope domain.ProjectScope, n domain.EvaluationRule, name, enabled bool) error {
	if name {
		taken, err := queryOne(ctx, s, scanCount, "SELECT COUNT(*) FROM evaluation_rules WHERE project_id = ? AND name = ? AND id <> ?", scope.ProjectID(), n.Name, n.ID)
		if err != nil {
			return err
		}
		if taken > 0 {
			return ErrRuleNameTaken
		}
	}
	if enabled {
		others, err := queryOne(ctx, s, scanCount, "SELECT COUNT(*) FROM evaluation_rules WHERE project_id = ? AND enabled AND id <> ?", scope.ProjectID(), n.ID)
		if err != nil {
			return err
		}
		if others >= MaxEnabledRules {
			return ErrTooManyRules
		}
	}
	return nil
}

// putAssignments replaces the evaluators of a rule.
func (s session) putAssignments(ctx context.Context, scope domain.ProjectScope, n domain.EvaluationRule) error {
	if _, err := s.exec(ctx, "DELETE FROM evaluation_rule_evaluators WHERE rule_id = ?", n.ID); err != nil {
		return err
	}
	for position, a := range n.Assignments {
		stored, err := s.exec(ctx, `INSERT INTO evaluation_rule_evaluators (rule_id, evaluator_id, position, mapping)
			SELECT CAST(? AS TEXT), id, CAST(? AS BIGINT), CAST(? AS TEXT) FROM evaluators WHERE id = ? AND project_id = ?`,
			n.ID, position, mappingText(a.Mapping), a.EvaluatorID, scope.ProjectID())
		if err != nil {
			return err
		}
		if stored == 0 {
			return named(domain.ErrNotFound, "evaluator", a.EvaluatorID)
		}
	}
	return nil
}

func (s session) rule(ctx context.Context, scope domain.ProjectScope, id string) (domain.EvaluationRule, error) {
	rule, err := queryOne(ctx, s, scanRule, "SELECT "+ruleColumns+" FROM evaluation_rules WHERE id = ? AND project_id = ?", id, scope.ProjectID())
	if err != nil {
		return rule, named(err, "evaluation rule", id)
	}
	rules := []domain.EvaluationRule{rule}
	err = s.assign(ctx, rules, true)
	return rules[0], err
}

// assign reads the evaluators of rules. Unless all is set, what they inherit is read of the first evaluator of each rule only,
// which is all that lists show.
func (s session) assign(ctx context.Context, rules []domain.EvaluationRule, all bool) error {
	if len(rules) == 0 {
		return nil
	}
	ids, at := make([]string, len(rules)), make(map[string]int)
	for n, rule := range rules {
		ids[n], at[rule.ID] = rule.ID, n
	}
	list, args := inList(ids)
	inherited := ""
	if !all {
		inherited = " AND a.position = (SELECT MIN(f.position) FROM evaluation_rule_evaluators f WHERE f.rule_id = a.rule_id)"
	}
	_, err := queryAll(ctx, s, func(r row) (struct{}, error) {
		var (
			none               struct{}
			rule               string
			a                  domain.EvaluatorAssignment
			mapping, inherited sql.Null[string]
			variables          sql.Null[string]
		)
		if err := r.Scan(&rule, &a.EvaluatorID, &a.Name, &a.Type, &mapping, &variables, &inherited); err != nil {
			return none, err
		}
		if err := readMapping(mapping, &a.Mapping); err != nil {
			return none, err
		}
		if err := readMapping(inherited, &a.Inherited); err != nil {
			return none, err
		}
		if variables.Valid {
			if err := json.Unmarshal([]byte(variables.V), &a.Variables); err != nil {
				return none, fmt.Errorf("cannot read the variables of evaluator %s: %w", a.EvaluatorID, err)
			}
		}
		n := at[rule]
		rules[n].Assignments = append(rules[n].Assignments, a)
		return none, nil
	}, `SELECT a.rule_id, e.id, e.name, e.kind, a.mapping, v.variables, v.mapping FROM evaluation_rule_evaluators a
		JOIN evaluators e ON e.id = a.evaluator_id
		LEFT JOIN evaluator_versions v ON v.evaluator_id = e.id AND v.version = e.version`+inherited+`
		WHERE a.rule_id IN `+list+" ORDER BY a.rule_id, a.position", args...)
	return err
}

// MissingDatasets returns those of the ids that no dataset of the project has.
func (c *Catalog) MissingDatasets(ctx context.Context, scope domain.ProjectScope, ids []string) ([]string, error) {
	return c.reader().missing(ctx, "SELECT id FROM datasets WHERE project_id = ? AND id IN ", scope, ids)
}

// missing returns those of the values that a query, which ends where its list of values is to follow, does not find.
func (s session) missing(ctx context.Context, query string, scope domain.ProjectScope, values []string) ([]string, error) {
	if len(values) == 0 {
		return nil, nil
	}
	list, args := inList(values)
	known, err := queryAll(ctx, s, scanText, query+list, append([]any{scope.ProjectID()}, args...)...)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(values), func(value string) bool { return slices.Contains(known, value) }), nil
}

func ruleState(rule domain.EvaluationRule) json.RawMessage {
	assignments := make([]map[string]any, len(rule.Assignments))
	for n, a := range rule.Assignments {
		assignments[n] = map[string]any{"evaluatorId": a.EvaluatorID, "variableMapping": a.Mapping}
	}
	return stateOf(map[string]any{
		"name": rule.Name, "target": rule.Target, "enabled": rule.Enabled, "sampling": rule.Sampling, "filter": rule.Filter,
		"evaluatorAssignments": assignments,
	})
}
