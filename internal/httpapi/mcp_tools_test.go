package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/httpapi/scores"
)

// toolCase calls a tool twice: with valid arguments and with invalid ones.
type toolCase struct {
	tool      string
	arguments string
	want      string // part of the result
	wrong     string // invalid arguments
	refusal   string // part of the result for these
}

// TestEveryTool calls every tool successfully and unsuccessfully, and with the keys of others, who must not reach
// anything.
func TestEveryTool(t *testing.T) {
	sink := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer sink.Close()
	f := apitest.New(t, func(o *httpapi.Options) { o.Feedback = scores.NewFeedbackSink(sink.URL) })
	scoring, settings, pricing := apitest.NewScoringOfA(t, f), apitest.NewSettingsOfA(t, f), apitest.NewPricingOfA(t, f)
	f.Keep(t, "project-a", []domain.Observation{{
		TraceID: "canary-trace", ID: "canary-row", SessionID: "canary-session", StartTime: 1_772_600_000_000_000,
		EndTime: 1_772_600_001_000_000, Name: "canary of the store",
		ExperimentID: "canary-experiment", ExperimentName: "canary of the store", ExperimentItemID: "canary-experiment-item",
		ExperimentItemRootSpanID: "canary-row",
	}}, []domain.Score{
		{
			ID: "canary-score", TraceID: "canary-trace", Timestamp: 1_772_600_000_000_000, Name: "canary of the store", DataType: "NUMERIC",
			Value: domain.FloatOf(1),
		},
	})
	f.Ask(t, apitest.Post("v2/datasets", `{"name":"canary/dataset","description":"canary of the catalog"}`))
	f.Ask(t, apitest.Post("dataset-items", `{"datasetName":"canary/dataset","id":"canary-item","input":"canary of the catalog"}`))
	f.Ask(t, apitest.Post("dataset-run-items", `{"runName":"canary-run","datasetItemId":"canary-item","traceId":"canary-trace"}`))
	f.Ask(t, apitest.Post("v2/prompts", `{"name":"canary/prompt","prompt":"canary of the catalog","labels":["production"]}`).Gives(201, ""))
	f.Ask(t, apitest.Post("v2/prompts", `{"name":"naming","prompt":"@@@langfusePrompt:name=canary/prompt|version=1@@@"}`).Gives(201, ""))
	text, _ := call(t, f, "project", "getDataset", `{"datasetName":"canary/dataset"}`)
	dataset := apitest.DecodeJSON[struct{ ID string }](t, []byte(text))
	ids := strings.NewReplacer("CONFIG", scoring.Config, "QUEUE", scoring.Queue, "QITEM", scoring.Item, "COMMENT", scoring.Comment, "USER",
		scoring.User,
		"WIDGET", settings.Widget, "DASHBOARD", settings.Dashboard, "EVALUATOR", settings.Evaluator, "RULE", settings.Rule,
		"MODEL", pricing.Model, "MEDIUM", f.Upload(t, "canary of the store").MediaID, "DATASET", dataset.ID)

	const (
		canary    = "canary of the "
		noPage    = `{"page":0}`
		noLimit   = `{"limit":"x"}`
		invalid   = "400 Bad Request"
		missing   = "404 Not Found"
		march     = `"fromTimestamp":"2026-03-01T00:00:00Z","toTimestamp":"2026-04-01T00:00:00Z"`
		newWidget = `{"name":"w","view":"observations","dimensions":[],"metrics":[{"measure":"count","agg":"count"}],"filters":[],"chartType":"NUMBER"}`
	)
	cases := []toolCase{
		{"listPrompts", `{"name":"canary/prompt"}`, `"canary/prompt"`, noPage, invalid},
		{"getPrompt", `{"promptName":"naming","label":"latest"}`, `"prompt": "canary of the catalog"`, `{"promptName":"nope"}`, missing},
		{"getPromptUnresolved", `{"promptName":"naming","version":1}`, `"prompt": "@@@langfusePrompt`, `{"promptName":"nope"}`, missing},
		{
			"createTextPrompt", `{"name":"text","prompt":"Hello {{name}}","labels":["new"]}`, `"type": "text"`,
			`{"name":"text","prompt":[]}`, invalid,
		},
		{
			"createChatPrompt", `{"name":"chat","prompt":[{"role":"user","content":"Hello"}]}`, `"type": "chat"`,
			`{"name":"chat","prompt":"Hello"}`, invalid,
		},
		{
			"updatePromptLabels", `{"promptName":"canary/prompt","version":1,"newLabels":["best"]}`, `"best"`,
			`{"promptName":"nope","version":1,"newLabels":[]}`, missing,
		},

		{"listObservations", `{"limit":1,"traceId":"canary-trace"}`, canary, noLimit, invalid},
		{"getObservation", `{"observationId":"canary-row"}`, canary, `{"observationId":"nope"}`, missing},
		{"getObservationFieldSchema", `{}`, `"group": "trace_context"`, `{"x":1}`, "takes no arguments"},
		{"getObservationFilterSchema", `{}`, `"column": "traceName"`, `{"x":1}`, "takes no arguments"},
		{
			"getObservationFilterValues", `{"column":"name",` + march + `}`, canary, `{"column":"nope",` + march + `}`,
			"Invalid dimension nope",
		},
		{"listTraces", `{"limit":1}`, canary, noPage, invalid},
		{"getTrace", `{"traceId":"canary-trace"}`, canary, `{"traceId":"nope"}`, missing},
		{"listSessions", `{}`, `"canary-session"`, noPage, invalid},
		{"getSession", `{"sessionId":"canary-session"}`, `"canary-session"`, `{"sessionId":"nope"}`, missing},

		{"getMetricsSchema", `{}`, `"measure": "timeToFirstToken"`, `{"x":1}`, "takes no arguments"},
		{
			"queryMetrics",
			`{"view":"observations","metrics":[{"measure":"latency","aggregation":"max"}],"dimensions":[{"field":"name"}],` + march + `}`,
			`"max_latency": 1000`, `{"view":"nope"}`, invalid,
		},

		{"listScores", `{"traceId":"canary-trace"}`, canary, noLimit, invalid},
		{"getScore", `{"scoreId":"canary-score"}`, canary, `{"scoreId":"nope"}`, missing},
		{"createScore", `{"name":"quality","value":0.5,"traceId":"canary-trace"}`, `"id": "`, `{"name":"quality","traceId":"t"}`, invalid},
		{"listScoreConfigs", `{}`, canary, noPage, invalid},
		{"getScoreConfig", `{"configId":"CONFIG"}`, canary, `{"configId":"nope"}`, missing},
		{"createScoreConfig", `{"name":"new","dataType":"NUMERIC"}`, `"NUMERIC"`, `{"name":"new"}`, invalid},
		{"updateScoreConfig", `{"configId":"CONFIG","description":"better"}`, `"better"`, `{"configId":"nope","description":"d"}`, missing},

		{"listDatasets", `{}`, canary, noPage, invalid},
		{"getDataset", `{"datasetName":"canary/dataset"}`, canary, `{"datasetName":"nope"}`, missing},
		{"upsertDataset", `{"name":"new","description":"d"}`, `"description": "d"`, `{}`, invalid},
		{"listDatasetItems", `{"datasetName":"canary/dataset"}`, canary, noPage, invalid},
		{"getDatasetItem", `{"id":"canary-item"}`, canary, `{"id":"nope"}`, missing},
		{
			"upsertDatasetItem", `{"datasetName":"canary/dataset","input":{"a":1}}`, `"input": {`, `{"datasetName":"nope","input":1}`,
			missing,
		},
		{"listDatasetRuns", `{"datasetName":"canary/dataset"}`, `"canary-run"`, `{"datasetName":"nope"}`, missing},
		{
			"getDatasetRun", `{"datasetName":"canary/dataset","runName":"canary-run"}`, `"canary-run"`,
			`{"datasetName":"canary/dataset","runName":"nope"}`, missing,
		},
		{"listDatasetRunItems", `{"datasetId":"DATASET","runName":"canary-run"}`, `"canary-item"`, `{}`, invalid},
		{"createDatasetRunItem", `{"runName":"canary-run","datasetItemId":"canary-item","traceId":"another"}`, `"another"`, `{}`, invalid},

		{"listExperiments", `{}`, canary, noLimit, invalid},
		{"listExperimentItems", `{}`, `"canary-experiment-item"`, noLimit, invalid},

		{"listAnnotationQueues", `{}`, canary, noPage, invalid},
		{"getAnnotationQueue", `{"queueId":"QUEUE"}`, canary, `{"queueId":"nope"}`, missing},
		{"createAnnotationQueue", `{"name":"new","scoreConfigIds":["CONFIG"]}`, `"new"`, `{"name":"new"}`, invalid},
		{"listAnnotationQueueItems", `{"queueId":"QUEUE","status":"PENDING"}`, `"PENDING"`, `{"queueId":"QUEUE","status":"nope"}`, invalid},
		{"getAnnotationQueueItem", `{"queueId":"QUEUE","itemId":"QITEM"}`, `"PENDING"`, `{"queueId":"QUEUE","itemId":"nope"}`, missing},
		{
			"createAnnotationQueueItem", `{"queueId":"QUEUE","objectId":"canary-trace","objectType":"TRACE"}`, `"canary-trace"`,
			`{"queueId":"QUEUE"}`, invalid,
		},
		{
			"updateAnnotationQueueItem", `{"queueId":"QUEUE","itemId":"QITEM","status":"COMPLETED"}`, `"COMPLETED"`,
			`{"queueId":"QUEUE","itemId":"nope","status":"COMPLETED"}`, missing,
		},
		{"createAnnotationQueueAssignment", `{"queueId":"QUEUE","userId":"USER"}`, scoring.User, `{"queueId":"QUEUE"}`, invalid},

		{"listComments", `{}`, canary, noPage, invalid},
		{"getComment", `{"commentId":"COMMENT"}`, canary, `{"commentId":"nope"}`, missing},
		{
			"createComment", `{"objectType":"TRACE","objectId":"canary-trace","content":"Look here"}`, `"id": "`,
			`{"objectType":"TRACE","objectId":"nope","content":"c"}`, missing,
		},

		{"listModels", `{"limit":100}`, canary, noPage, invalid},
		{"getModel", `{"modelId":"MODEL"}`, canary, `{"modelId":"nope"}`, missing},
		{"createModel", `{"modelName":"m","matchPattern":"m","unit":"TOKENS","inputPrice":0.1}`, `"modelName": "m"`, `{}`, invalid},

		{"getMedia", `{"mediaId":"MEDIUM"}`, `"http://localhost:3000/api/public/media/`, `{"mediaId":"nope"}`, missing},

		{"listEvaluators", `{}`, canary, noLimit, invalid},
		{"getEvaluator", `{"evaluatorId":"EVALUATOR"}`, canary, `{"evaluatorId":"nope"}`, missing},
		{"createEvaluator", apitest.NewCode, `"code"`, `{}`, invalid},
		{
			"updateEvaluator", `{"evaluatorId":"EVALUATOR","description":"better"}`, `"better"`, `{"evaluatorId":"nope","description":"d"}`,
			missing,
		},
		{"listEvaluationRules", `{}`, canary, noLimit, invalid},
		{"getEvaluationRule", `{"evaluationRuleId":"RULE"}`, canary, `{"evaluationRuleId":"nope"}`, missing},
		{
			"createEvaluationRule", `{"name":"new","enabled":true,"evaluatorAssignments":[{"evaluatorId":"EVALUATOR"}]}`, `"new"`,
			`{}`, invalid,
		},
		{
			"updateEvaluationRule", `{"evaluationRuleId":"RULE","enabled":false}`, `"enabled": false`,
			`{"evaluationRuleId":"nope","enabled":true}`, missing,
		},

		{"listDashboardWidgets", `{}`, canary, noPage, invalid},
		{"getDashboardWidget", `{"widgetId":"WIDGET"}`, canary, `{"widgetId":"nope"}`, missing},
		{"createDashboardWidget", newWidget, `"NUMBER"`, `{}`, invalid},
		{"updateDashboardWidget", `{"widgetId":"WIDGET","description":"better"}`, `"better"`, `{"widgetId":"nope","name":"n"}`, missing},
		{"listDashboards", `{}`, canary, noPage, invalid},
		{"getDashboard", `{"dashboardId":"DASHBOARD"}`, canary, `{"dashboardId":"nope"}`, missing},
		{"createDashboard", `{"name":"new"}`, `"new"`, `{}`, invalid},
		{"updateDashboard", `{"dashboardId":"DASHBOARD","description":"better"}`, `"better"`, `{"dashboardId":"nope","name":"n"}`, missing},
		{
			"addDashboardPlacement", `{"dashboardId":"DASHBOARD","type":"widget","id":"another","widgetId":"WIDGET"}`, `"another"`,
			`{"dashboardId":"nope","type":"widget","widgetId":"WIDGET"}`, missing,
		},
		{
			"updateDashboardPlacement", `{"dashboardId":"DASHBOARD","placementId":"canary-placement","x":5}`, `"x": 5`,
			`{"dashboardId":"DASHBOARD","placementId":"nope","x":5}`, missing,
		},

		{"getHealth", `{}`, `"OK"`, `{"failIfNoRecentEvents":true}`, "503 Service Unavailable"},

		{"submitFeedback", `{"targetType":"mcp-tool","target":"listTraces","feedback":"Fine."}`, `"id": "`, `{}`, invalid},

		// Deletions come last, after the reads of the same objects.
		{
			"deleteDashboardPlacement", `{"dashboardId":"DASHBOARD","placementId":"canary-placement"}`, "deleted",
			`{"dashboardId":"DASHBOARD","placementId":"nope"}`, missing,
		},
		{"deleteDashboard", `{"dashboardId":"DASHBOARD"}`, "deleted", `{"dashboardId":"nope"}`, missing},
		{"deleteDashboardWidget", `{"widgetId":"WIDGET"}`, "deleted", `{"widgetId":"nope"}`, missing},
		{"deleteEvaluationRule", `{"evaluationRuleId":"RULE"}`, settings.Rule, `{"evaluationRuleId":"nope"}`, missing},
		{"deleteEvaluator", `{"evaluatorId":"EVALUATOR"}`, settings.Evaluator, `{"evaluatorId":"nope"}`, missing},
		{"deleteModel", `{"modelId":"MODEL"}`, "deleted", `{"modelId":"nope"}`, missing},
		{"deleteAnnotationQueueAssignment", `{"queueId":"QUEUE","userId":"USER"}`, `"success": true`, `{"queueId":"QUEUE"}`, invalid},
		{"deleteAnnotationQueueItem", `{"queueId":"QUEUE","itemId":"QITEM"}`, "deleted", `{"queueId":"QUEUE","itemId":"nope"}`, missing},
		{"deleteScoreConfig", `{"configId":"CONFIG"}`, `"isArchived": true`, `{"configId":"nope"}`, missing},
		{
			"deleteDatasetRun", `{"datasetName":"canary/dataset","runName":"canary-run"}`, "deleted",
			`{"datasetName":"nope","runName":"r"}`, missing,
		},
		{"deleteDatasetItem", `{"id":"canary-item"}`, "deleted", `{"id":"nope"}`, missing},
	}
	for _, c := range cases {
		t.Run(c.tool, func(t *testing.T) {
			arguments := ids.Replace(c.arguments)
			if text, _ := call(t, f, "foreign", c.tool, arguments); strings.Contains(text, canary) {
				t.Errorf("with the key of somebody else: %s", text)
			}
			if text, failed := call(t, f, "project", c.tool, ids.Replace(c.wrong)); !failed || !strings.Contains(text, c.refusal) {
				t.Errorf("with wrong arguments: failed: %v, %.500s", failed, text)
			}
			if text, failed := call(t, f, "project", c.tool, arguments); failed || !strings.Contains(text, c.want) {
				t.Errorf("failed: %v, %.500s", failed, text)
			}
		})
	}

	var called []string
	for _, c := range cases {
		called = append(called, c.tool)
	}
	w := httptest.NewRecorder()
	f.ServeHTTP(w, apitest.Message("", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, 200, "").Request())
	answer := apitest.DecodeJSON[struct {
		Result struct{ Tools []struct{ Name string } }
	}](t, w.Body.Bytes())
	for _, tool := range answer.Result.Tools {
		if !slices.Contains(called, tool.Name) {
			t.Errorf("no case calls %s", tool.Name)
		}
	}
	if len(called) != len(answer.Result.Tools) {
		t.Errorf("%d tools are called, %d listed", len(called), len(answer.Result.Tools))
	}
}
