package catalog_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/catalog"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

func aJudge(name string) domain.Evaluator {
	definition := domain.EvaluatorDefinition{
		Prompt: []domain.ChatMessage{{Role: "user", Content: "Compare {{input}} with {{ output }} and {{input}}."}},
		Output: &domain.EvaluatorOutput{DataType: domain.ScoreNumeric, Reasoning: "r", Score: "s", MinValue: new(0.0), MaxValue: new(1.0)},
		Model:  &domain.EvaluatorModel{Provider: "openai", Model: "m"},
		Mapping: []domain.VariableMapping{
			{Variable: "input", Source: "input"}, {Variable: "output", Source: "output", JSONPath: new("$.a")},
		},
	}
	return domain.Evaluator{
		Name: name, Type: domain.EvaluatorJudge, Version: domain.EvaluatorVersion{EvaluatorDefinition: definition},
	}
}

func someCode(name string) domain.Evaluator {
	return domain.Evaluator{Name: name, Description: new("d"), Type: domain.EvaluatorCode, Version: domain.EvaluatorVersion{EvaluatorDefinition: domain.EvaluatorDefinition{
		SourceCode: "x = 1", Language: "PYTHON",
	}}}
}

func TestEvaluators(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		ctx := t.Context()
		organization, p := catalogtest.Seed(t, c, "mine")
		_, other := catalogtest.Seed(t, c, "theirs")
		mine, theirs := domain.OfProject(p.ID), domain.OfProject(other.ID)
		set := steady(c)
		start := time.Date(2090, 3, 1, 10, 0, 0, 0, time.UTC)

		judge, err := c.PutEvaluator(ctx, mine, aJudge("judge"), catalogtest.Tester)
		want := aJudge("judge")
		want.ID, want.CreatedAt, want.UpdatedAt = judge.ID, start, start
		want.Version.ID, want.Version.Number, want.Version.CreatedAt = judge.Version.ID, 1, start
		if diff := cmp.Diff(want, judge); diff != "" || err != nil || judge.ID == "" || judge.Version.ID == "" {
			t.Fatalf("created: %v (-want +got):\n%s", err, diff)
		}
		code, err := c.Evaluators.Create(ctx, mine, someCode("code"), catalogtest.Tester)
		if err != nil || *code.Description != "d" || code.Version.SourceCode != "x = 1" {
			t.Fatalf("%+v, %v", code, err)
		}
		_, err = c.PutEvaluator(ctx, mine, someCode("judge"), catalogtest.Tester)
		catalogtest.WantError(t, "another type under a name", err, domain.ErrConflict)

		set(start.Add(time.Second))
		next := aJudge("judge")
		next.Version.Mapping = []domain.VariableMapping{} // not the same as nil
		second, err := c.PutEvaluator(ctx, mine, next, catalogtest.Tester)
		if err != nil || second.ID != judge.ID || second.Version.Number != 2 || second.Version.ID == judge.Version.ID ||
			!second.UpdatedAt.Equal(start.Add(time.Second)) || !second.CreatedAt.Equal(start) || second.Version.Mapping == nil {
			t.Errorf("second version: %+v, %v", second, err)
		}
		renamed, err := c.Evaluators.Change(ctx, mine, code.ID, func(e domain.Evaluator) (domain.Evaluator, error) {
			e.Name, e.Description = "renamed", nil
			return e, nil
		}, catalogtest.Tester)
		if err != nil || renamed.Name != "renamed" || renamed.Description != nil || renamed.Version.Number != 1 {
			t.Errorf("renamed: %+v, %v", renamed, err)
		}
		refusal := errors.New("no")
		_, err = c.Evaluators.Change(ctx, mine, code.ID, func(e domain.Evaluator) (domain.Evaluator, error) { return e, refusal },
			catalogtest.Tester)
		catalogtest.WantError(t, "a refused change", err, refusal)

		versions, err := c.EvaluatorVersions(ctx, mine, judge.ID, 0, 10)
		if diff := cmp.Diff([]domain.EvaluatorVersion{second.Version, judge.Version}, versions); diff != "" || err != nil {
			t.Errorf("versions: %v (-want +got):\n%s", err, diff)
		}
		if versions, err = c.EvaluatorVersions(ctx, mine, judge.ID, 2, 10); len(versions) != 1 || versions[0].Number != 1 || err != nil {
			t.Errorf("versions below 2: %v, %v", versions, err)
		}
		_, err = c.EvaluatorVersions(ctx, theirs, judge.ID, 0, 10)
		catalogtest.WantError(t, "foreign versions", err, domain.ErrNotFound)

		all, total, err := c.Evaluators.Page(ctx, mine, tables.Page{Offset: 0, Limit: 50})
		if diff := cmp.Diff([]domain.Evaluator{renamed, second}, all); diff != "" || total != 2 || err != nil {
			t.Errorf("list: %d, %v (-want +got):\n%s", total, err, diff)
		}
		if first, err := c.Evaluators.List(ctx, mine, 1); err != nil || len(first) != 1 || first[0].ID != code.ID {
			t.Errorf("first: %v, %v", first, err)
		}
		if rest, err := c.Evaluators.List(ctx, mine, 5, tables.SQL("id < ?", code.ID)); err != nil || len(rest) != 1 ||
			rest[0].ID != judge.ID {
			t.Errorf("behind: %v, %v", rest, err)
		}
		if found, err := c.Evaluators.List(ctx, theirs, tables.Unlimited, tables.In("name", []string{"judge"})); err != nil ||
			len(found) != 0 {
			t.Errorf("foreign names: %v, %v", found, err)
		}
		if found, err := c.Evaluators.List(ctx, mine, tables.Unlimited, tables.In("id", []string{judge.ID, "nope", code.ID})); err != nil ||
			len(found) != 2 {
			t.Errorf("by id: %v, %v", found, err)
		}
		catalogtest.WantError(t, "deleting a foreign evaluator", c.Evaluators.Delete(ctx, theirs, judge.ID, catalogtest.Tester),
			domain.ErrNotFound)
		if err := c.Evaluators.Delete(ctx, mine, judge.ID, catalogtest.Tester); err != nil {
			t.Error(err)
		}
		_, err = c.Evaluators.Get(ctx, mine, judge.ID)
		catalogtest.WantError(t, "a deleted evaluator", err, domain.ErrNotFound)
		if err := c.DeleteProject(ctx, organization, p.ID, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		_, err = c.Evaluators.Get(ctx, mine, code.ID)
		catalogtest.WantError(t, "an evaluator of a deleted project", err, domain.ErrNotFound)
	})
}

// TestEvaluatorVersionsAtOnce creates many versions concurrently: each must have its own number.
func TestEvaluatorVersionsAtOnce(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		_, p := catalogtest.Seed(t, c, "mine")
		scope := domain.OfProject(p.ID)
		const writers = 12
		var wg sync.WaitGroup
		for range writers {
			wg.Go(func() {
				if _, err := c.PutEvaluator(t.Context(), scope, aJudge("judge"), catalogtest.Tester); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		all, total, err := c.Evaluators.Page(t.Context(), scope, tables.Page{Offset: 0, Limit: 50})
		if err != nil || total != 1 || all[0].Version.Number != writers {
			t.Errorf("%d evaluators, %+v, %v", total, all, err)
		}
	})
}

func TestEvaluationRules(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		ctx := t.Context()
		_, p := catalogtest.Seed(t, c, "mine")
		_, other := catalogtest.Seed(t, c, "theirs")
		mine, theirs := domain.OfProject(p.ID), domain.OfProject(other.ID)
		judge, judgeErr := c.Evaluators.Create(ctx, mine, aJudge("judge"), catalogtest.Tester)
		code, codeErr := c.Evaluators.Create(ctx, mine, someCode("code"), catalogtest.Tester)
		if err := errors.Join(judgeErr, codeErr); err != nil {
			t.Fatal(err)
		}
		own := []domain.VariableMapping{
			{Variable: "input", Source: "metadata", JSONPath: new("$.x")}, {Variable: "output", Source: "output"},
		}
		n := domain.EvaluationRule{
			Name: "rule", Target: domain.TargetObservation, Enabled: true, Sampling: 0.25,
			Filter: []domain.StoredFilter{
				{Column: "type", Type: "stringOptions", Operator: "any of", Value: json.RawMessage(`["GENERATION"]`)},
			},
			Assignments: []domain.EvaluatorAssignment{{EvaluatorID: judge.ID, Mapping: own}, {EvaluatorID: code.ID}},
		}
		created, err := c.EvaluationRules.Create(ctx, mine, n, catalogtest.Tester, catalog.UniqueRuleName)
		want := n
		want.ID, want.CreatedAt, want.UpdatedAt = created.ID, created.CreatedAt, created.CreatedAt
		want.Assignments = []domain.EvaluatorAssignment{
			{
				EvaluatorID: judge.ID, Name: "judge", Type: domain.EvaluatorJudge, Mapping: own, Variables: []string{"input", "output"},
				Inherited: judge.Version.Mapping,
			},
			{EvaluatorID: code.ID, Name: "code", Type: domain.EvaluatorCode, Variables: code.Version.Variables(domain.EvaluatorCode)},
		}
		if diff := cmp.Diff(want, created); diff != "" || err != nil {
			t.Fatalf("created: %v (-want +got):\n%s", err, diff)
		}
		_, err = c.EvaluationRules.Create(ctx, mine, n, catalogtest.Tester, catalog.UniqueRuleName)
		catalogtest.WantError(t, "a name that is taken", err, catalog.ErrRuleNameTaken)
		catalogtest.WantError(t, "a name that is taken", err, domain.ErrConflict)
		twin, err := c.EvaluationRules.Create(ctx, mine, n, catalogtest.Tester)
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.EvaluationRules.Create(ctx, theirs, n, catalogtest.Tester, catalog.UniqueRuleName)
		catalogtest.WantError(t, "a foreign evaluator", err, domain.ErrNotFound)

		list, total, err := c.EvaluationRules.Page(ctx, mine, tables.Page{Offset: 0, Limit: 50})
		want.Assignments[1].Variables = nil // lists have it only for the first one
		if len(list) != 2 || total != 2 || err != nil || list[0].ID != twin.ID || !cmp.Equal(want, list[1]) {
			t.Errorf("list: %d, %v (-want +got):\n%s", total, err, cmp.Diff(want, list[1]))
		}
		if rest, err := c.EvaluationRules.List(ctx, mine, 5, tables.SQL("id < ?", twin.ID)); err != nil || len(rest) != 1 ||
			rest[0].ID != created.ID {
			t.Errorf("behind: %v, %v", rest, err)
		}
		used, err := c.RulesOf(ctx, mine, []string{judge.ID, code.ID})
		if diff := cmp.Diff(map[string][]domain.RuleAssignment{
			judge.ID: {{RuleID: twin.ID, Mapping: own}, {RuleID: created.ID, Mapping: own}},
			code.ID:  {{RuleID: twin.ID}, {RuleID: created.ID}},
		}, used); diff != "" || err != nil {
			t.Errorf("rules of evaluators: %v (-want +got):\n%s", err, diff)
		}
		if used, err := c.RulesOf(ctx, theirs, []string{judge.ID}); err != nil || len(used) != 0 {
			t.Errorf("foreign rules: %v, %v", used, err)
		}
		if e, err := c.Evaluators.Get(ctx, mine, judge.ID); err != nil || e.RuleCount != 2 {
			t.Errorf("%d rules of the evaluator, %v", e.RuleCount, err)
		}

		after, err := c.EvaluationRules.Change(ctx, mine, created.ID, func(r domain.EvaluationRule) (domain.EvaluationRule, error) {
			r.Sampling, r.Assignments = 1, []domain.EvaluatorAssignment{{EvaluatorID: judge.ID}}
			return r, nil
		}, catalogtest.Tester, catalog.UniqueRuleName)
		if err != nil || after.Sampling != 1 || len(after.Assignments) != 1 || after.Assignments[0].Mapping != nil || after.Name != "rule" {
			t.Errorf("changed: %+v, %v", after, err)
		}
		unchanged := func(r domain.EvaluationRule) (domain.EvaluationRule, error) { return r, nil }
		_, err = c.EvaluationRules.Change(ctx, theirs, created.ID, unchanged, catalogtest.Tester, catalog.UniqueRuleName)
		catalogtest.WantError(t, "changing a foreign rule", err, domain.ErrNotFound)
		_, err = c.EvaluationRules.Get(ctx, theirs, created.ID)
		catalogtest.WantError(t, "a foreign rule", err, domain.ErrNotFound)
		catalogtest.WantError(t, "deleting a foreign rule", c.EvaluationRules.Delete(ctx, theirs, created.ID, catalogtest.Tester),
			domain.ErrNotFound)

		// Deleting an evaluator keeps its rules; those without another evaluator are disabled.
		if err := c.Evaluators.Delete(ctx, mine, judge.ID, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		left, leftErr := c.EvaluationRules.Get(ctx, mine, created.ID)
		still, stillErr := c.EvaluationRules.Get(ctx, mine, twin.ID)
		if err := errors.Join(leftErr, stillErr); err != nil || left.Enabled || len(left.Assignments) != 0 || !still.Enabled ||
			len(still.Assignments) != 1 {
			t.Errorf("after the deletion: %+v, %+v, %v", left, still, err)
		}
		if err := c.EvaluationRules.Delete(ctx, mine, created.ID, catalogtest.Tester); err != nil {
			t.Error(err)
		}
		_, err = c.EvaluationRules.Get(ctx, mine, created.ID)
		catalogtest.WantError(t, "a deleted rule", err, domain.ErrNotFound)
	})
}

func TestEnabledRulesAreLimited(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		_, p := catalogtest.Seed(t, c, "mine")
		scope := domain.OfProject(p.ID)
		if err := c.DB.Update(t.Context(), func(s tables.Session) error {
			for n := range catalog.MaxEnabledRules {
				if _, err := s.Exec(t.Context(),
					`INSERT INTO evaluation_rules (project_id, id, name, target, enabled, sampling, filter, created_at, updated_at)
					VALUES (?, ?, ?, 'observation', ?, 1, '[]', 0, 0)`,
					p.ID, fmt.Sprint("rule-", n), "n", true); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		_, err := c.EvaluationRules.Create(t.Context(), scope, domain.EvaluationRule{Name: "x", Enabled: true}, catalogtest.Tester,
			catalog.UniqueRuleName)
		catalogtest.WantError(t, "one more", err, catalog.ErrTooManyRules)
		disabled, err := c.EvaluationRules.Create(t.Context(), scope, domain.EvaluationRule{Name: "x"}, catalogtest.Tester,
			catalog.UniqueRuleName)
		if err != nil {
			t.Fatal(err)
		}
		enable := func(r domain.EvaluationRule) (domain.EvaluationRule, error) { r.Enabled = true; return r, nil }
		_, err = c.EvaluationRules.Change(t.Context(), scope, disabled.ID, enable, catalogtest.Tester, catalog.UniqueRuleName)
		catalogtest.WantError(t, "enabling one more", err, catalog.ErrTooManyRules)
		if _, err := c.EvaluationRules.Change(t.Context(), scope, "rule-0", enable, catalogtest.Tester,
			catalog.UniqueRuleName); err != nil {
			t.Errorf("one that is enabled stays so: %v", err)
		}
	})
}
