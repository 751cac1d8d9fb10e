package evaluators

import (
	"errors"
	"fmt"
	"testing"

	"almanac/internal/catalog"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

func TestTooManyRules(t *testing.T) {
	var answer *respond.Error
	if !errors.As(ruleError(fmt.Errorf("creating: %w", catalog.ErrTooManyRules), "n"), &answer) {
		t.Fatal("the error is not one for clients")
	}
	const want = `{"message":"A project may have 500 enabled evaluation rules. Disable or delete one first.","code":"conflict"}`
	if body, err := respond.Marshal(answer.Body(respond.Coded)); err != nil || answer.Status != 409 || string(body) != want {
		t.Errorf("%d %s, %v", answer.Status, body, err)
	}
}

// FuzzEvaluations reads arbitrary JSON as each of the evaluation bodies: accepted input can be encoded again.
func FuzzEvaluations(f *testing.F) {
	for _, seed := range []string{
		`{"name":"a","prompt":"{{input}}","outputDefinition":{"dataType":"NUMERIC","reasoning":{"description":""},"score":{"description":""}}}`,
		`{"name":"a","type":"code","sourceCode":"x","sourceCodeLanguage":"PYTHON"}`,
		`{"prompt":[{"role":"user","content":"{{input}}"}],"outputDefinition":{"dataType":"CATEGORICAL","categories":["a","b"],"shouldAllowMultipleMatches":false}}`,
		`[{"variable":"input","source":"output","jsonPath":"$.a[0]"}]`, `[{"evaluatorId":"e"}]`, "[]", "{}", `""`,
		`[{"column":"type","type":"stringOptions","operator":"any of","value":["SPAN"]}]`,
		`{"evaluators":[{"evaluator":{"name":"a"},"mapping":[]}],"mapping":1}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if decode.CheckJSON([]byte(text)) != nil {
			return
		}
		show := func(body any) {
			if _, err := respond.Marshal(body); err != nil {
				t.Errorf("%s is accepted and cannot be shown: %v", text, err)
			}
		}
		if e, err := readUnstableEvaluator(decode.NewBody([]byte(text))); err == nil {
			show(newUnstableEvaluatorBody(e))
			show(newEvaluatorBody(e, nil, nil))
		}
		object := decode.NewBody([]byte(text)).Object()
		for _, kind := range []string{domain.EvaluatorJudge, domain.EvaluatorCode} {
			if d := readDefinitionOf(object, kind, stable); object.Err() == nil {
				show(newEvaluatorBody(domain.Evaluator{Type: kind, Version: domain.EvaluatorVersion{EvaluatorDefinition: d}}, nil, nil))
			}
		}
		v := decode.NewBody([]byte(text))
		if filters := endpoint.ReadStoredFilters(v); v.Err() == nil {
			show(filters)
			_ = checkRuleFilter(filters, "")
		}
		v = v.WithOwnIssues()
		if mapping := readMapping(v); v.Err() == nil {
			_ = checkMapping("e", []string{"input"}, mapping, domain.TargetObservation)
		}
		v = v.WithOwnIssues()
		drafts := readAssignmentDrafts(v, v.Object(), true)
		if references := readAssignmentReferences(v); v.Err() == nil && drafts.given() {
			t.Errorf("%s is both forms of evaluators: %v", text, references)
		}
	})
}
