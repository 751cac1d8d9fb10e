package httpapi

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"almanac/internal/domain"
)

// belongingsOfA is one of everything that project a and its organization can have, for tests that check that none of it
// leaks.
type belongingsOfA struct {
	key      string            // the id of the project's key
	ids      *strings.Replacer // substitutes the ids in the path of a route
	scoring  scoringOfA
	settings settingsOfA
	pricing  pricingOfA
}

func newBelongingsOfA(t *testing.T, f *fixture) belongingsOfA {
	t.Helper()
	own, err := f.Catalog.KeyByPublic(t.Context(), "pk-lf-a")
	if err != nil {
		t.Fatal(err)
	}
	scoring, settings, pricing := newScoringOfA(t, f), newSettingsOfA(t, f), newPricingOfA(t, f)
	ids := strings.NewReplacer("{modelId}", pricing.model, "{connectionId}", pricing.connection, "{projectId}", "project-a", "{apiKeyId}", own.ID,
		"{traceId}", "canary-trace", "{observationId}", "canary-row", "{sessionId}", "canary-session", "{scoreId}", "canary-score",
		"{configId}", scoring.config, "{queueId}", scoring.queue, "{itemId}", scoring.item, "{commentId}", scoring.comment,
		"{exportId}", f.export(t, `{"table":"observations","format":"csv","search":"canary of the catalog"}`).ID, "{mediaId}", f.upload(t, "canary of the store").MediaID,
		"{organizationId}", "org-a", "{userId}", scoring.user,
		"{datasetName}", "canary-dataset", "{runName}", "canary-run", "{id}", "canary-item",
		"{promptName}", "canary-prompt", "{version}", "1", "{skillName}", "canary-skill", "{skillVersion}", "1",
		"{widgetId}", settings.widget, "{dashboardId}", settings.dashboard, "{placementId}", "canary-placement",
		"{evaluatorId}", settings.evaluator, "{evaluationRuleId}", settings.rule)
	f.keep(t, "project-a", []domain.Observation{{
		TraceID: "canary-trace", ID: "canary-row", SessionID: "canary-session", StartTime: 1, Name: "canary of the store",
		ExperimentID: "canary-experiment", ExperimentName: "canary of the store", ExperimentItemID: "canary of the store",
		ExperimentItemRootSpanID: "canary-row",
	}}, []domain.Score{{ID: "canary-score", TraceID: "canary-trace", Timestamp: 1, Name: "canary of the store", DataType: "NUMERIC", Value: domain.FloatOf(1)}})
	f.ask(t, post("v2/datasets", `{"name":"canary-dataset","description":"canary of the catalog"}`))
	f.ask(t, post("dataset-items", `{"datasetName":"canary-dataset","id":"canary-item","input":"canary of the catalog"}`))
	f.ask(t, post("dataset-run-items", `{"runName":"canary-run","datasetItemId":"canary-item","traceId":"canary of the catalog"}`))
	f.ask(t, post("v2/prompts", `{"name":"canary-prompt","prompt":"canary of the catalog","labels":["production"]}`).gives(201, ""))
	f.ask(t, post("unstable/skills", skillWith("canary-skill", "canary of the catalog")))
	f.ask(t, patch("unstable/skills/canary-skill/versions/1", `{"labels":["production"]}`))
	return belongingsOfA{own.ID, ids, scoring, settings, pricing}
}

// state returns everything of a, to detect changes.
func (a belongingsOfA) state(t *testing.T, f *fixture) string {
	t.Helper()
	organization := domain.OfOrganization("org-a")
	projects, projectsErr := f.Catalog.Projects(t.Context(), organization)
	keys, keysErr := f.Catalog.Keys(t.Context(), organization)
	log, logErr := oldestFirst(t.Context(), f.Catalog, organization)
	log = slices.DeleteFunc(log, func(e domain.AuditEntry) bool { return e.ProjectID == "project-a2" }) // of the neighbouring project
	members, membersErr := f.Catalog.Members(t.Context(), organization)
	limits, limitsErr := f.Catalog.Limits(t.Context())
	exports, exportsErr := f.Catalog.Exports(t.Context(), domain.OfProject("project-a"))
	stats := f.Store.Stats()
	return fmt.Sprint(projects, projectsErr, len(keys), keysErr, len(log), logErr, members, membersErr, limits, limitsErr, exports, exportsErr,
		stats.Observations.Rows, stats.Scores.Rows, a.scoring.state(t, f), a.pricing.state(t, f), a.settings.state(t, f))
}

// checkHidden checks that a response reveals nothing of a.
func (a belongingsOfA) checkHidden(t *testing.T, body string) {
	t.Helper()
	for _, part := range []string{
		"Project canary a\"", "canary project", "canary limited", "pk-lf-a\"", "pk-lf-limited", "canary of the store", "canary of the catalog", a.key,
	} {
		if strings.Contains(body, part) {
			t.Errorf("the answer holds %s of a: %s", part, body)
		}
	}
}
