package mcp

const (
	public   = "/api/public/"
	unstable = public + "unstable/"
)

// table holds all tools in the order in which clients see them. It must not be modified.
var table = [...]Tool{
	{Name: "listPrompts", Method: "GET", Path: public + "v2/prompts"},
	{Name: "getPrompt", Method: "GET", Path: public + "v2/prompts/{promptName}", Without: []string{"resolve"}},
	{Name: "getPromptUnresolved", Method: "GET", Path: public + "v2/prompts/{promptName}", Fixed: []Fixed{{"resolve", "false"}}},
	{Name: "createTextPrompt", Method: "POST", Path: public + "v2/prompts", Fixed: []Fixed{{"type", `"text"`}}},
	{Name: "createChatPrompt", Method: "POST", Path: public + "v2/prompts", Fixed: []Fixed{{"type", `"chat"`}}},
	{Name: "updatePromptLabels", Method: "PATCH", Path: public + "v2/prompts/{promptName}/versions/{version}"},

	{Name: "listObservations", Method: "GET", Path: public + "v2/observations"},
	{Name: "getObservation", Method: "GET", Path: public + "observations/{observationId}"},
	{Name: "getObservationFieldSchema"},
	{Name: "getObservationFilterSchema"},
	{
		Name: "getObservationFilterValues", Method: "GET", Path: public + "v2/metrics", Packed: "query", Dimension: "column",
		Fixed: []Fixed{
			{"view", `"observations"`},
			{"metrics", `[{"measure":"count","aggregation":"count"}]`},
			{"orderBy", `[{"field":"count_count","direction":"desc"}]`},
		},
		Without: []string{"dimensions", "timeDimension"},
	},
	{Name: "listTraces", Method: "GET", Path: public + "traces"},
	{Name: "getTrace", Method: "GET", Path: public + "traces/{traceId}"},
	{Name: "listSessions", Method: "GET", Path: public + "sessions"},
	{Name: "getSession", Method: "GET", Path: public + "sessions/{sessionId}"},

	{Name: "getMetricsSchema"},
	{Name: "queryMetrics", Method: "GET", Path: public + "v2/metrics", Packed: "query"},

	{Name: "listScores", Method: "GET", Path: public + "v3/scores"},
	{Name: "getScore", Method: "GET", Path: public + "v2/scores/{scoreId}"},
	{Name: "createScore", Method: "POST", Path: public + "scores"},
	{Name: "listScoreConfigs", Method: "GET", Path: public + "score-configs"},
	{Name: "getScoreConfig", Method: "GET", Path: public + "score-configs/{configId}"},
	{Name: "createScoreConfig", Method: "POST", Path: public + "score-configs"},
	{Name: "updateScoreConfig", Method: "PATCH", Path: public + "score-configs/{configId}"},
	{
		Name: "deleteScoreConfig", Method: "PATCH", Path: public + "score-configs/{configId}", Fixed: []Fixed{{"isArchived", "true"}},
		Without: []string{"name", "minValue", "maxValue", "categories", "description"},
	},

	{Name: "listDatasets", Method: "GET", Path: public + "v2/datasets"},
	{Name: "getDataset", Method: "GET", Path: public + "v2/datasets/{datasetName}"},
	{Name: "upsertDataset", Method: "POST", Path: public + "v2/datasets"},
	{Name: "listDatasetItems", Method: "GET", Path: public + "dataset-items"},
	{Name: "getDatasetItem", Method: "GET", Path: public + "dataset-items/{id}"},
	{Name: "upsertDatasetItem", Method: "POST", Path: public + "dataset-items"},
	{Name: "deleteDatasetItem", Method: "DELETE", Path: public + "dataset-items/{id}"},
	{Name: "listDatasetRuns", Method: "GET", Path: public + "datasets/{datasetName}/runs"},
	{Name: "getDatasetRun", Method: "GET", Path: public + "datasets/{datasetName}/runs/{runName}"},
	{Name: "deleteDatasetRun", Method: "DELETE", Path: public + "datasets/{datasetName}/runs/{runName}"},
	{Name: "listDatasetRunItems", Method: "GET", Path: public + "dataset-run-items"},
	{Name: "createDatasetRunItem", Method: "POST", Path: public + "dataset-run-items"},

	{Name: "listExperiments", Method: "GET", Path: public + "experiments"},
	{Name: "listExperimentItems", Method: "GET", Path: public + "experiment-items"},

	{Name: "listAnnotationQueues", Method: "GET", Path: public + "annotation-queues"},
	{Name: "getAnnotationQueue", Method: "GET", Path: public + "annotation-queues/{queueId}"},
	{Name: "createAnnotationQueue", Method: "POST", Path: public + "annotation-queues"},
	{Name: "listAnnotationQueueItems", Method: "GET", Path: public + "annotation-queues/{queueId}/items"},
	{Name: "getAnnotationQueueItem", Method: "GET", Path: public + "annotation-queues/{queueId}/items/{itemId}"},
	{Name: "createAnnotationQueueItem", Method: "POST", Path: public + "annotation-queues/{queueId}/items"},
	{Name: "updateAnnotationQueueItem", Method: "PATCH", Path: public + "annotation-queues/{queueId}/items/{itemId}"},
	{Name: "deleteAnnotationQueueItem", Method: "DELETE", Path: public + "annotation-queues/{queueId}/items/{itemId}"},
	{Name: "createAnnotationQueueAssignment", Method: "POST", Path: public + "annotation-queues/{queueId}/assignments"},
	{Name: "deleteAnnotationQueueAssignment", Method: "DELETE", Path: public + "annotation-queues/{queueId}/assignments", InBody: true},

	{Name: "listComments", Method: "GET", Path: public + "comments"},
	{Name: "getComment", Method: "GET", Path: public + "comments/{commentId}"},
	{Name: "createComment", Method: "POST", Path: public + "comments", Project: "projectId"},

	{Name: "listModels", Method: "GET", Path: public + "models"},
	{Name: "getModel", Method: "GET", Path: public + "models/{modelId}"},
	{Name: "createModel", Method: "POST", Path: public + "models"},
	{Name: "deleteModel", Method: "DELETE", Path: public + "models/{modelId}"},

	{Name: "getMedia", Method: "GET", Path: public + "media/{mediaId}"},

	{Name: "listEvaluators", Method: "GET", Path: public + "v2/evaluators"},
	{Name: "getEvaluator", Method: "GET", Path: public + "v2/evaluators/{evaluatorId}"},
	{Name: "createEvaluator", Method: "POST", Path: public + "v2/evaluators"},
	{Name: "updateEvaluator", Method: "PATCH", Path: public + "v2/evaluators/{evaluatorId}"},
	{Name: "deleteEvaluator", Method: "DELETE", Path: public + "v2/evaluators/{evaluatorId}"},
	{Name: "listEvaluationRules", Method: "GET", Path: public + "v2/evaluation-rules"},
	{Name: "getEvaluationRule", Method: "GET", Path: public + "v2/evaluation-rules/{evaluationRuleId}"},
	{Name: "createEvaluationRule", Method: "POST", Path: public + "v2/evaluation-rules"},
	{Name: "updateEvaluationRule", Method: "PATCH", Path: public + "v2/evaluation-rules/{evaluationRuleId}"},
	{Name: "deleteEvaluationRule", Method: "DELETE", Path: public + "v2/evaluation-rules/{evaluationRuleId}"},

	{Name: "listDashboardWidgets", Method: "GET", Path: unstable + "dashboard-widgets"},
	{Name: "getDashboardWidget", Method: "GET", Path: unstable + "dashboard-widgets/{widgetId}"},
	{Name: "createDashboardWidget", Method: "POST", Path: unstable + "dashboard-widgets"},
	{Name: "updateDashboardWidget", Method: "PATCH", Path: unstable + "dashboard-widgets/{widgetId}"},
	{Name: "deleteDashboardWidget", Method: "DELETE", Path: unstable + "dashboard-widgets/{widgetId}"},
	{Name: "listDashboards", Method: "GET", Path: unstable + "dashboards"},
	{Name: "getDashboard", Method: "GET", Path: unstable + "dashboards/{dashboardId}"},
	{Name: "createDashboard", Method: "POST", Path: unstable + "dashboards"},
	{Name: "updateDashboard", Method: "PATCH", Path: unstable + "dashboards/{dashboardId}"},
	{Name: "deleteDashboard", Method: "DELETE", Path: unstable + "dashboards/{dashboardId}"},
	{Name: "addDashboardPlacement", Method: "POST", Path: unstable + "dashboards/{dashboardId}/placements"},
	{Name: "updateDashboardPlacement", Method: "PATCH", Path: unstable + "dashboards/{dashboardId}/placements/{placementId}"},
	{Name: "deleteDashboardPlacement", Method: "DELETE", Path: unstable + "dashboards/{dashboardId}/placements/{placementId}"},

	{Name: "getHealth", Method: "GET", Path: public + "health"},
	{Name: "submitFeedback", Method: "POST", Path: public + "feedback"},
}
