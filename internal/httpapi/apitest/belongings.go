package apitest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/internal/httpapi/respond"
)

// NewAppointed creates an owner of project a's organization and returns the user's id.
func NewAppointed(t *testing.T, f *Fixture, organization string) string {
	t.Helper()
	scope := domain.OfOrganization(organization)
	if _, err := f.Catalog.EnsureOwner(t.Context(), scope, "member@"+organization+".test", "Member", "", domain.Actor{}); err != nil {
		t.Fatal(err)
	}
	log, err := OldestFirst(t.Context(), f.Catalog, scope)
	if err != nil {
		t.Fatal(err)
	}
	return log[len(log)-1].ResourceID
}

// BelongingsOfA is one of everything that project a and its organization can have, for tests that check that none of it
// leaks.
type BelongingsOfA struct {
	key      string            // the id of the project's key
	IDs      *strings.Replacer // substitutes the ids in the path of a route
	Scoring  ScoringOfA
	Settings SettingsOfA
	pricing  PricingOfA
}

// NewBelongingsOfA creates one of everything.
func NewBelongingsOfA(t *testing.T, f *Fixture) BelongingsOfA {
	t.Helper()
	own, err := f.Catalog.KeyByPublic(t.Context(), "pk-lf-a")
	if err != nil {
		t.Fatal(err)
	}
	scoring, settings, pricing := NewScoringOfA(t, f), NewSettingsOfA(t, f), NewPricingOfA(t, f)
	ids := strings.NewReplacer("{modelId}", pricing.Model, "{connectionId}", pricing.connection, "{projectId}", "project-a",
		"{apiKeyId}", own.ID,
		"{traceId}", "canary-trace", "{observationId}", "canary-row", "{sessionId}", "canary-session", "{scoreId}", "canary-score",
		"{configId}", scoring.Config, "{queueId}", scoring.Queue, "{itemId}", scoring.Item, "{commentId}", scoring.Comment,
		"{exportId}", f.Export(t, `{"table":"observations","format":"csv","search":"canary of the catalog"}`).ID, "{mediaId}",
		f.Upload(t, "canary of the store").MediaID,
		"{organizationId}", "org-a", "{userId}", scoring.User,
		"{datasetName}", "canary-dataset", "{runName}", "canary-run", "{id}", "canary-item",
		"{promptName}", "canary-prompt", "{version}", "1", "{skillName}", "canary-skill", "{skillVersion}", "1",
		"{widgetId}", settings.Widget, "{dashboardId}", settings.Dashboard, "{placementId}", "canary-placement",
		"{evaluatorId}", settings.Evaluator, "{evaluationRuleId}", settings.Rule)
	f.Keep(t, "project-a", []domain.Observation{{
		TraceID: "canary-trace", ID: "canary-row", SessionID: "canary-session", StartTime: 1, Name: "canary of the store",
		ExperimentID: "canary-experiment", ExperimentName: "canary of the store", ExperimentItemID: "canary of the store",
		ExperimentItemRootSpanID: "canary-row",
	}}, []domain.Score{
		{
			ID: "canary-score", TraceID: "canary-trace", Timestamp: 1, Name: "canary of the store", DataType: "NUMERIC",
			Value: domain.FloatOf(1),
		},
	})
	f.Ask(t, Post("v2/datasets", `{"name":"canary-dataset","description":"canary of the catalog"}`))
	f.Ask(t, Post("dataset-items", `{"datasetName":"canary-dataset","id":"canary-item","input":"canary of the catalog"}`))
	f.Ask(t, Post("dataset-run-items", `{"runName":"canary-run","datasetItemId":"canary-item","traceId":"canary of the catalog"}`))
	f.Ask(t, Post("v2/prompts", `{"name":"canary-prompt","prompt":"canary of the catalog","labels":["production"]}`).Gives(201, ""))
	f.Ask(t, Post("unstable/skills", SkillWith("canary-skill", "canary of the catalog")))
	f.Ask(t, Patch("unstable/skills/canary-skill/versions/1", `{"labels":["production"]}`))
	return BelongingsOfA{own.ID, ids, scoring, settings, pricing}
}

// State returns everything of a, to detect changes.
func (a BelongingsOfA) State(t *testing.T, f *Fixture) string {
	t.Helper()
	organization := domain.OfOrganization("org-a")
	projects, projectsErr := f.Catalog.Projects(t.Context(), organization)
	keys, keysErr := f.Catalog.Keys(t.Context(), organization)
	log, logErr := OldestFirst(t.Context(), f.Catalog, organization)
	log = slices.DeleteFunc(log, func(e domain.AuditEntry) bool { return e.ProjectID == "project-a2" }) // of the neighbouring project
	members, membersErr := f.Catalog.Members(t.Context(), organization)
	limits, limitsErr := f.Catalog.Limits(t.Context())
	exports, exportsErr := f.Catalog.Exports(t.Context(), domain.OfProject("project-a"))
	stats := f.Store.Stats()
	return fmt.Sprint(projects, projectsErr, len(keys), keysErr, len(log), logErr, members, membersErr, limits, limitsErr, exports,
		exportsErr,
		stats.Observations.Rows, stats.Scores.Rows, a.Scoring.state(t, f), a.pricing.state(t, f), a.Settings.state(t, f))
}

// CheckHidden checks that a response reveals nothing of a.
func (a BelongingsOfA) CheckHidden(t *testing.T, body string) {
	t.Helper()
	for _, part := range []string{
		"Project canary a\"", "canary project", "canary limited", "pk-lf-a\"", "pk-lf-limited", "canary of the store",
		"canary of the catalog", a.key,
	} {
		if strings.Contains(body, part) {
			t.Errorf("the answer holds %s of a: %s", part, body)
		}
	}
}

const widgets = "/api/public/unstable/dashboard-widgets"

const dashboardsPath = "/api/public/unstable/dashboards"

const rulesPath = "/api/public/v2/evaluation-rules"

const evaluatorsPath = "/api/public/v2/evaluators"

// PricingOfA holds the ids of the model and the connection of project a, which also has a blob storage integration.
type PricingOfA struct{ Model, connection string }

// NewPricingOfA creates a model, a connection and a blob storage integration.
func NewPricingOfA(t *testing.T, f *Fixture) PricingOfA {
	t.Helper()
	const canary = "canary of the catalog"
	scope, by := domain.OfProject("project-a"), domain.Actor{}
	model, modelErr := f.Catalog.ModelDefinitions.Create(t.Context(), scope, domain.Model{Name: canary, MatchPattern: "x"}, by)
	connection, _, connectionErr := f.Catalog.PutLLMConnection(t.Context(), scope, domain.LLMConnection{Provider: canary}, by)
	_, blobErr := f.Catalog.PutBlobStorageIntegration(t.Context(), domain.OfOrganization("org-a"),
		domain.BlobStorageIntegration{ProjectID: "project-a", BucketName: canary}, func(domain.BlobStorageIntegration) error { return nil },
		by)
	if err := errors.Join(modelErr, connectionErr, blobErr); err != nil {
		t.Fatal(err)
	}
	return PricingOfA{model.ID, connection.ID}
}

func (PricingOfA) state(t *testing.T, f *Fixture) string {
	t.Helper()
	scope := domain.OfProject("project-a")
	models, modelsErr := f.Catalog.Models(t.Context(), scope)
	connections, _, connectionsErr := f.Catalog.LLMConnections.Page(t.Context(), scope, tables.Page{Limit: 100})
	blobs, blobsErr := f.Catalog.BlobStorageIntegrations(t.Context(), domain.OfOrganization("org-a"))
	if err := errors.Join(modelsErr, connectionsErr, blobsErr); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(models, connections, blobs)
}

// SettingsOfA holds the ids of the dashboards and evaluations of project a.
type SettingsOfA struct{ Widget, Dashboard, Evaluator, Rule string }

// NewSettingsOfA creates the settings of project A that other projects must not see.
func NewSettingsOfA(t *testing.T, f *Fixture) SettingsOfA {
	t.Helper()
	const canary = `"name":"canary of the catalog"`
	var s SettingsOfA
	s.Widget = Made(t, f, widgets, strings.Replace(PlainWidget, `"name":"w"`, canary, 1))
	s.Dashboard = Made(t, f, dashboardsPath, `{`+canary+`,"definition":{"widgets":[{"type":"widget","id":"canary-placement","widgetId":"`+
		s.Widget+`","x":0,"y":0,"width":1,"height":1}]}}`)
	s.Evaluator = Made(t, f, evaluatorsPath,
		strings.Replace(NewCode, `"name":"code"`, `"name":"evaluator-of-a","description":"canary of the catalog"`, 1))
	s.Rule = Made(t, f, rulesPath, `{`+canary+`,"enabled":true,"evaluatorAssignments":[{"evaluatorId":"`+s.Evaluator+`"}]}`)
	return s
}

func (s SettingsOfA) state(t *testing.T, f *Fixture) string {
	t.Helper()
	scope := domain.OfProject("project-a")
	widget, widgetErr := f.Catalog.Widgets.Get(t.Context(), scope, s.Widget)
	dashboard, dashboardErr := f.Catalog.Dashboards.Get(t.Context(), scope, s.Dashboard)
	evaluator, evaluatorErr := f.Catalog.Evaluators.Get(t.Context(), scope, s.Evaluator)
	rule, ruleErr := f.Catalog.EvaluationRules.Get(t.Context(), scope, s.Rule)
	if err := errors.Join(widgetErr, dashboardErr, evaluatorErr, ruleErr); err != nil {
		t.Error(err)
	}
	state, err := respond.Marshal([]any{widget, dashboard, evaluator, rule})
	if err != nil {
		t.Error(err)
	}
	return string(state)
}

// ScoringOfA holds the ids of the scoring objects of project a.
type ScoringOfA struct{ Config, Queue, Item, Comment, User string }

// NewScoringOfA creates the scoring objects.
func NewScoringOfA(t *testing.T, f *Fixture) ScoringOfA {
	t.Helper()
	const canary = "canary of the store"
	scope, by := domain.OfProject("project-a"), domain.Actor{}
	config, configErr := f.Catalog.ScoreConfigs.Create(t.Context(), scope, domain.ScoreConfig{Name: canary, DataType: domain.ScoreText}, by)
	queue, queueErr := f.Catalog.AnnotationQueues.Create(t.Context(), scope, domain.AnnotationQueue{
		Name: canary, ScoreConfigIDs: []string{config.ID},
	}, by)
	item, itemErr := f.Catalog.CreateAnnotationItem(t.Context(), scope, domain.AnnotationItem{
		QueueID: queue.ID, ObjectType: domain.ObjectTrace, ObjectID: canary, Status: domain.AnnotationPending,
	}, by)
	comment, commentErr := f.Catalog.Comments.Create(t.Context(), scope, domain.Comment{
		ObjectType: domain.ObjectTrace, ObjectID: "canary-trace", Content: canary,
	}, by)
	user := NewAppointed(t, f, "org-a")
	assignErr := f.Catalog.AssignToQueue(t.Context(), scope, queue.ID, user, by)
	if err := errors.Join(configErr, queueErr, itemErr, commentErr, assignErr); err != nil {
		t.Fatal(err)
	}
	return ScoringOfA{config.ID, queue.ID, item.ID, comment.ID, user}
}

func (s ScoringOfA) state(t *testing.T, f *Fixture) string {
	t.Helper()
	scope, all := domain.OfProject("project-a"), tables.Page{Limit: 100}
	configs, _, configsErr := f.Catalog.ScoreConfigs.Page(t.Context(), scope, all)
	queues, _, queuesErr := f.Catalog.AnnotationQueues.Page(t.Context(), scope, all)
	items, _, itemsErr := f.Catalog.AnnotationItems(t.Context(), scope, s.Queue, "", all)
	comments, _, commentsErr := f.Catalog.Comments.Page(t.Context(), scope, all)
	if err := errors.Join(configsErr, queuesErr, itemsErr, commentsErr); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(configs, queues, items, comments)
}
