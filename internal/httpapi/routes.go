package httpapi

import (
	"almanac/internal/domain"
	"almanac/internal/httpapi/respond"
)

// anyMethod in the table stands for all methods.
const anyMethod = "*"

// routes is the table of everything we serve: method, path, who may call it, and what is special about it.
// api/openapi.yaml describes the same routes; a test compares the two in both directions.
func (a *API) routes() []route {
	const (
		needsProjectKey      = "Invalid API key. Are you using an organization key?"
		needsOrganizationKey = "Invalid API key. Organization-scoped API key required for this operation."
	)
	// Load balancers and the like need not know the base path.
	check := rules{alwaysAdmitted: true, rootToo: true}
	people := rules{pages: noPages} // they look at it; their pages do not
	document := rules{pages: everyPage}
	projects := func(forbidden string) rules { return rules{errors: respond.MessageOnly, forbidden: forbidden} }
	export := rules{receive: a.receiveExport, alwaysAdmitted: true} // the pipeline gives turns to exports, however they come
	batch := rules{errors: respond.Batch, maxBody: maxBatchBytes}
	events := rules{}.reading()
	replaced := replacedBy(observationsSuccessor).reading()
	replacedByScores := replacedBy(scoresSuccessor).reading()
	replacedByMetrics := replacedBy(metricsSuccessor).reading()
	organization := rules{errors: respond.ErrorOnly, forbidden: needsOrganizationKey}
	scim := rules{errors: respond.SCIM, forbidden: needsOrganizationKey}
	instance := rules{errors: respond.ErrorOnly}
	unstable := rules{errors: respond.Coded, maxBody: maxSettingsBody}
	evaluations := rules{errors: respond.CodedPlainly, maxBody: maxSettingsBody}
	// Tools take turns of their own; if a message had one, too, messages could wait for each other.
	messages := rules{errors: respond.RPC, maxBody: maxMessage, alwaysAdmitted: true}.notLimited()

	return []route{
		{anyMethod, "/api/public/health", anyone(a.health), check},
		{anyMethod, "/api/public/ready", anyone(a.ready), check},

		{"GET", "/api/public/projects", projectKey(0, a.getProject), projects(needsProjectKey).notLimited()},
		{"POST", "/api/public/projects", organizationKey(a.createProject), projects(needsOrganizationKey)},
		{"PUT", "/api/public/projects/{projectId}", organizationKey(a.updateProject), projects(needsOrganizationKey)},
		{"DELETE", "/api/public/projects/{projectId}", organizationKey(a.deleteProject), projects(needsOrganizationKey)},
		{"GET", "/api/public/projects/{projectId}/apiKeys", organizationKey(a.listKeys), projects(needsOrganizationKey)},
		{"POST", "/api/public/projects/{projectId}/apiKeys", organizationKey(a.createKey), projects(needsOrganizationKey)},
		{"DELETE", "/api/public/projects/{projectId}/apiKeys/{apiKeyId}", organizationKey(a.deleteKey), projects(needsOrganizationKey)},

		{"GET", "/api/public/projects/{projectId}/limits", organizationKey(a.getLimits), projects(needsOrganizationKey).notLimited()},
		{"PUT", "/api/public/projects/{projectId}/limits", organizationKey(a.putLimits), projects(needsOrganizationKey).notLimited()},
		{"GET", "/api/public/projects/{projectId}/apiKeys/{apiKeyId}/limits", organizationKey(a.getLimits), projects(needsOrganizationKey).notLimited()},
		{"PUT", "/api/public/projects/{projectId}/apiKeys/{apiKeyId}/limits", organizationKey(a.putLimits), projects(needsOrganizationKey).notLimited()},

		{"GET", "/api/public/organizations/limits", organizationKey(a.getLimits), organization.notLimited()},
		{"GET", "/api/public/organizations/audit-log", organizationKey(a.listAudit), organization},
		{"GET", "/api/public/organizations/projects", organizationKey(a.listOrganizationProjects), organization},
		{"GET", "/api/public/organizations/apiKeys", organizationKey(a.listOrganizationKeys), organization},
		{"GET", "/api/public/organizations/memberships", organizationKey(a.listMemberships), organization},
		{"PUT", "/api/public/organizations/memberships", organizationKey(a.putMembership), organization},
		{"DELETE", "/api/public/organizations/memberships", organizationKey(a.deleteMembership), organization},
		{"GET", "/api/public/projects/{projectId}/memberships", organizationKey(a.listProjectMemberships), organization},
		{"PUT", "/api/public/projects/{projectId}/memberships", organizationKey(a.putProjectMembership), organization},
		{"DELETE", "/api/public/projects/{projectId}/memberships", organizationKey(a.deleteProjectMembership), organization},

		{"GET", "/api/public/scim/ServiceProviderConfig", organizationKey(a.scimServiceProviderConfig), scim},
		{"GET", "/api/public/scim/ResourceTypes", organizationKey(a.scimResourceTypes), scim},
		{"GET", "/api/public/scim/Schemas", organizationKey(a.scimSchemas), scim},
		{"GET", "/api/public/scim/Users", organizationKey(a.listSCIMUsers), scim},
		{"POST", "/api/public/scim/Users", organizationKey(a.createSCIMUser), scim},
		{"GET", "/api/public/scim/Users/{userId}", organizationKey(a.getSCIMUser), scim},
		{"PUT", "/api/public/scim/Users/{userId}", organizationKey(a.putSCIMUser), scim},
		{"PATCH", "/api/public/scim/Users/{userId}", organizationKey(a.patchSCIMUser), scim},
		{"DELETE", "/api/public/scim/Users/{userId}", organizationKey(a.deleteSCIMUser), scim},

		{"GET", "/api/admin/organizations", adminKey(a.listOrganizations), instance},
		{"POST", "/api/admin/organizations", adminKey(a.createOrganization), instance},
		{"GET", "/api/admin/organizations/{organizationId}", adminOf(a.getOrganization), instance},
		{"PUT", "/api/admin/organizations/{organizationId}", adminOf(a.updateOrganization), instance},
		{"DELETE", "/api/admin/organizations/{organizationId}", adminOf(a.deleteOrganization), instance},
		{"GET", "/api/admin/organizations/{organizationId}/apiKeys", adminOf(a.adminListKeys), instance},
		{"POST", "/api/admin/organizations/{organizationId}/apiKeys", adminOf(a.adminCreateKey), instance},
		{"DELETE", "/api/admin/organizations/{organizationId}/apiKeys/{apiKeyId}", adminOf(a.adminDeleteKey), instance},
		{"GET", "/api/admin/organizations/{organizationId}/limits", adminOf(a.getLimits), instance},
		{"PUT", "/api/admin/organizations/{organizationId}/limits", adminOf(a.putLimits), instance},
		{"GET", "/api/admin/audit-log", adminKey(a.listAuditOfInstance), instance},
		{"POST", "/api/admin/api-keys", adminKey(a.manageKeys), instance},

		{"POST", "/api/public/otel/v1/traces", projectKey(domain.TracesWrite, a.exportTraces), export},
		{"POST", "/api/public/otel", projectKey(domain.TracesWrite, a.exportTraces), export},
		{"POST", "/v1/traces", projectKey(domain.TracesWrite, a.exportTraces), export},
		{"POST", "/api/public/otel/v1/metrics", projectKey(domain.TracesWrite, a.exportMetrics), rules{receive: a.ignoreBody}},

		{"GET", "/api/public/v2/observations", projectKey(domain.TracesRead, a.listObservations), events},
		{"GET", "/api/public/v2/metrics", projectKey(domain.TracesRead, a.getMetrics), events},

		{"GET", "/api/public/experiments", projectKey(domain.TracesRead, a.listExperiments), events},
		{"GET", "/api/public/experiment-items", projectKey(domain.TracesRead, a.listExperimentItems), events},

		{"GET", "/api/public/traces", projectKey(domain.TracesRead, a.listTraces), replaced},
		{"GET", "/api/public/traces/{traceId}", projectKey(domain.TracesRead, a.getTrace), replaced},
		{"DELETE", "/api/public/traces/{traceId}", projectKey(domain.TracesDelete, a.deleteTrace), rules{}},
		{"DELETE", "/api/public/traces", projectKey(domain.TracesDelete, a.deleteTraces), rules{}},
		{"GET", "/api/public/observations", projectKey(domain.TracesRead, a.listObservationsV1), replaced},
		{"GET", "/api/public/observations/{observationId}", projectKey(domain.TracesRead, a.getObservation), replaced},
		{"GET", "/api/public/sessions", projectKey(domain.TracesRead, a.listSessions), replaced},
		{"GET", "/api/public/sessions/{sessionId}", projectKey(domain.TracesRead, a.getSession), replaced},
		{"GET", "/api/public/metrics", projectKey(domain.TracesRead, a.getMetricsV1), replacedByMetrics},
		{"GET", "/api/public/metrics/daily", projectKey(domain.TracesRead, a.getDailyMetrics), replacedByMetrics},

		{"POST", "/api/public/ingestion", projectKeyOrPublic(domain.ScoresWrite|domain.TracesWrite, a.ingestBatch), batch},
		{"GET", "/api/public/v3/scores", projectKey(domain.ScoresRead, a.listScores), events},
		{"POST", "/api/public/scores", projectKeyOrPublic(domain.ScoresWrite, a.createScores), rules{}},
		{"DELETE", "/api/public/scores/{scoreId}", projectKey(domain.ScoresDelete, a.deleteScore), rules{}},
		{"GET", "/api/public/scores", projectKey(domain.ScoresRead, a.listScoresV1), replacedByScores},
		{"GET", "/api/public/scores/{scoreId}", projectKey(domain.ScoresRead, a.getScoreV1), replacedByScores},
		{"GET", "/api/public/v2/scores", projectKey(domain.ScoresRead, a.listScoresV2), replacedByScores},
		{"GET", "/api/public/v2/scores/{scoreId}", projectKey(domain.ScoresRead, a.getScoreV2), replacedByScores},

		{"POST", "/api/public/score-configs", projectKey(domain.ScoresWrite, a.createScoreConfig), rules{}},
		{"GET", "/api/public/score-configs", projectKey(domain.ScoresRead, a.listScoreConfigs), rules{}},
		{"GET", "/api/public/score-configs/{configId}", projectKey(domain.ScoresRead, a.getScoreConfig), rules{}},
		{"PATCH", "/api/public/score-configs/{configId}", projectKey(domain.ScoresWrite, a.updateScoreConfig), rules{}},

		{"GET", "/api/public/annotation-queues", projectKey(domain.ScoresRead, a.listAnnotationQueues), rules{}},
		{"POST", "/api/public/annotation-queues", projectKey(domain.ScoresWrite, a.createAnnotationQueue), rules{}},
		{"GET", "/api/public/annotation-queues/{queueId}", projectKey(domain.ScoresRead, a.getAnnotationQueue), rules{}},
		{"GET", "/api/public/annotation-queues/{queueId}/items", projectKey(domain.ScoresRead, a.listAnnotationItems), rules{}},
		{"POST", "/api/public/annotation-queues/{queueId}/items", projectKey(domain.ScoresWrite, a.createAnnotationItem), rules{}},
		{"GET", "/api/public/annotation-queues/{queueId}/items/{itemId}", projectKey(domain.ScoresRead, a.getAnnotationItem), rules{}},
		{"PATCH", "/api/public/annotation-queues/{queueId}/items/{itemId}", projectKey(domain.ScoresWrite, a.updateAnnotationItem), rules{}},
		{"DELETE", "/api/public/annotation-queues/{queueId}/items/{itemId}", projectKey(domain.ScoresDelete, a.deleteAnnotationItem), rules{}},
		{"POST", "/api/public/annotation-queues/{queueId}/assignments", projectKey(domain.ScoresWrite, a.assignAnnotationQueue), rules{}},
		{"DELETE", "/api/public/annotation-queues/{queueId}/assignments", projectKey(domain.ScoresDelete, a.unassignAnnotationQueue), rules{}},

		{"POST", "/api/public/comments", projectKey(domain.CommentsWrite, a.createComment), rules{}},
		{"GET", "/api/public/comments", projectKey(domain.CommentsRead, a.listComments), rules{}},
		{"GET", "/api/public/comments/{commentId}", projectKey(domain.CommentsRead, a.getComment), rules{}},

		{"POST", "/api/public/feedback", projectKey(domain.FeedbackWrite, a.submitFeedback), rules{maxBody: maxFeedbackBody}},
		{"GET", "/project/{projectId}/experiments/results", anyone(a.experimentPage), people},
		{"GET", "/project/{projectId}/datasets/{datasetId}/runs/{datasetRunId}", anyone(a.datasetRunPage), people},

		{"GET", "/api/public/v2/datasets", projectKey(domain.DatasetsRead, a.listDatasets), rules{}},
		{"POST", "/api/public/v2/datasets", projectKey(domain.DatasetsWrite, a.putDataset), rules{}},
		{"GET", "/api/public/v2/datasets/{datasetName}", projectKey(domain.DatasetsRead, a.getDataset), rules{}},
		{"GET", "/api/public/dataset-items", projectKey(domain.DatasetsRead, a.listItems), rules{}},
		{"POST", "/api/public/dataset-items", projectKey(domain.DatasetsWrite, a.putItem), rules{maxBody: maxItemBody}},
		{"GET", "/api/public/dataset-items/{id}", projectKey(domain.DatasetsRead, a.getItem), rules{}},
		{"DELETE", "/api/public/dataset-items/{id}", projectKey(domain.DatasetsDelete, a.deleteItem), rules{}},

		{"GET", "/api/public/datasets", projectKey(domain.DatasetsRead, a.listDatasetsV1), replacedBy(datasetsSuccessor)},
		{"POST", "/api/public/datasets", projectKey(domain.DatasetsWrite, a.putDatasetV1), replacedBy(datasetsSuccessor)},
		{"GET", "/api/public/datasets/{datasetName}", projectKey(domain.DatasetsRead, a.getDatasetV1), replacedBy(datasetsSuccessor)},
		{"GET", "/api/public/datasets/{datasetName}/runs", projectKey(domain.DatasetsRead, a.listRuns), replacedBy(runsSuccessor).reading()},
		{"GET", "/api/public/datasets/{datasetName}/runs/{runName}", projectKey(domain.DatasetsRead, a.getRun), replacedBy(runsSuccessor).reading()},
		{"DELETE", "/api/public/datasets/{datasetName}/runs/{runName}", projectKey(domain.DatasetsDelete, a.deleteRun), replacedBy(runsSuccessor)},
		{"GET", "/api/public/dataset-run-items", projectKey(domain.DatasetsRead, a.listRunItems), replacedBy(runItemsSuccessor).reading()},
		{"POST", "/api/public/dataset-run-items", projectKey(domain.DatasetsWrite, a.linkRunItem), replacedBy(linkSuccessor)},

		{"POST", "/api/public/media", projectKey(domain.TracesWrite|domain.DatasetsWrite, a.announceMedium), rules{}},
		{"GET", "/api/public/media/{mediaId}", projectKey(domain.TracesRead|domain.DatasetsRead, a.getMedium), rules{}},
		{"PATCH", "/api/public/media/{mediaId}", projectKey(domain.TracesWrite|domain.DatasetsWrite, a.reportUpload), rules{}},
		{"GET", "/api/public/media/{mediaId}/content", anyone(a.downloadMedium), rules{}},
		{"PUT", "/api/public/media/{mediaId}/content", anyone(a.uploadMedium), rules{receive: leaveBody}},
		{"GET", "/api/public/models", projectKeyOrAdmin(domain.TracesRead, a.listModels), rules{}},
		{"POST", "/api/public/models", projectKeyOrAdmin(domain.ProjectAdmin, a.createModel), rules{}},
		{"GET", "/api/public/models/{modelId}", projectKeyOrAdmin(domain.TracesRead, a.getModel), rules{}},
		{"PUT", "/api/public/models/{modelId}", projectKeyOrAdmin(domain.ProjectAdmin, a.replaceModel), rules{}},
		{"DELETE", "/api/public/models/{modelId}", projectKeyOrAdmin(domain.ProjectAdmin, a.deleteModel), rules{}},
		{"GET", "/api/public/llm-connections", projectKeyOrAdmin(domain.ProjectAdmin, a.listLLMConnections), rules{}},
		{"PUT", "/api/public/llm-connections", projectKeyOrAdmin(domain.ProjectAdmin, a.putLLMConnection), rules{}},
		{"DELETE", "/api/public/llm-connections/{connectionId}", projectKeyOrAdmin(domain.ProjectAdmin, a.deleteLLMConnection), rules{}},
		{"GET", "/api/public/integrations/blob-storage", organizationKey(a.listBlobStorage), rules{}},
		{"PUT", "/api/public/integrations/blob-storage", organizationKey(a.putBlobStorage), rules{}},
		{"GET", "/api/public/integrations/blob-storage/{projectId}", organizationKey(a.getBlobStorageStatus), rules{}},
		{"DELETE", "/api/public/integrations/blob-storage/{projectId}", organizationKey(a.deleteBlobStorage), rules{}},
		{"GET", "/api/public/v2/prompts", projectKey(domain.PromptsRead, a.listPrompts), promptRules("GET")},
		{"POST", "/api/public/v2/prompts", projectKey(domain.PromptsWrite, a.createPrompt), promptRules("POST")},
		{"GET", "/api/public/v2/prompts/{promptName}", projectKey(domain.PromptsRead, a.getPrompt), promptRules("GET")},
		{"DELETE", "/api/public/v2/prompts/{promptName}", projectKey(domain.PromptsDelete, a.deletePrompt), promptRules("DELETE")},
		{"PATCH", "/api/public/v2/prompts/{promptName}/versions/{version}", projectKey(domain.PromptsWrite, a.labelPrompt), promptRules("PATCH")},
		{"GET", "/api/public/prompts", projectKey(domain.PromptsRead, a.getPromptV1), promptRulesV1("GET")},
		{"POST", "/api/public/prompts", projectKey(domain.PromptsWrite, a.createPromptV1), promptRulesV1("POST")},
		{"GET", "/api/public/unstable/skills", projectKey(domain.PromptsRead, a.listSkills), rules{}},
		{"POST", "/api/public/unstable/skills", projectKey(domain.PromptsWrite, a.createSkill), rules{maxBody: maxSkillBody}},
		{"GET", "/api/public/unstable/skills/files/content", projectKey(domain.PromptsRead, a.getSkillContents), rules{}},
		{"GET", "/api/public/unstable/skills/{skillName}", projectKey(domain.PromptsRead, a.getSkill), rules{}},
		{"PATCH", "/api/public/unstable/skills/{skillName}", projectKey(domain.PromptsWrite, a.tagSkill), rules{}},
		{"PATCH", "/api/public/unstable/skills/{skillName}/versions/{skillVersion}", projectKey(domain.PromptsWrite, a.labelSkill), rules{}},
		{"DELETE", "/api/public/unstable/skills/{skillName}/versions/{skillVersion}", projectKey(domain.PromptsDelete, a.deleteSkill), rules{}},
		{"GET", "/api/public/unstable/dashboard-widgets", projectKey(domain.TracesRead, a.listWidgets), unstable},
		{"POST", "/api/public/unstable/dashboard-widgets", projectKey(domain.ProjectAdmin, a.createWidget), unstable},
		{"GET", "/api/public/unstable/dashboard-widgets/{widgetId}", projectKey(domain.TracesRead, a.getWidget), unstable},
		{"PATCH", "/api/public/unstable/dashboard-widgets/{widgetId}", projectKey(domain.ProjectAdmin, a.updateWidget), unstable},
		{"DELETE", "/api/public/unstable/dashboard-widgets/{widgetId}", projectKey(domain.ProjectAdmin, a.deleteWidget), unstable},
		{"GET", "/api/public/unstable/dashboards", projectKey(domain.TracesRead, a.listDashboards), unstable},
		{"POST", "/api/public/unstable/dashboards", projectKey(domain.ProjectAdmin, a.createDashboard), unstable},
		{"GET", "/api/public/unstable/dashboards/{dashboardId}", projectKey(domain.TracesRead, a.getDashboard), unstable},
		{"PATCH", "/api/public/unstable/dashboards/{dashboardId}", projectKey(domain.ProjectAdmin, a.updateDashboard), unstable},
		{"DELETE", "/api/public/unstable/dashboards/{dashboardId}", projectKey(domain.ProjectAdmin, a.deleteDashboard), unstable},
		{"POST", "/api/public/unstable/dashboards/{dashboardId}/placements", projectKey(domain.ProjectAdmin, a.addPlacement), unstable},
		{"PATCH", "/api/public/unstable/dashboards/{dashboardId}/placements/{placementId}", projectKey(domain.ProjectAdmin, a.updatePlacement), unstable},
		{"DELETE", "/api/public/unstable/dashboards/{dashboardId}/placements/{placementId}", projectKey(domain.ProjectAdmin, a.deletePlacement), unstable},
		{"GET", "/api/public/unstable/evaluators", projectKey(domain.ScoresRead, a.listUnstableEvaluators), unstable},
		{"POST", "/api/public/unstable/evaluators", projectKey(domain.ScoresWrite, a.putUnstableEvaluator), unstable},
		{"GET", "/api/public/unstable/evaluators/{evaluatorId}", projectKey(domain.ScoresRead, a.getUnstableEvaluator), unstable},
		{"DELETE", "/api/public/unstable/evaluators/{evaluatorId}", projectKey(domain.ScoresDelete, a.deleteUnstableEvaluator), unstable},
		{"GET", "/api/public/unstable/evaluation-rules", projectKey(domain.ScoresRead, a.listUnstableRules), unstable},
		{"POST", "/api/public/unstable/evaluation-rules", projectKey(domain.ScoresWrite, a.createUnstableRule), unstable},
		{"GET", "/api/public/unstable/evaluation-rules/{evaluationRuleId}", projectKey(domain.ScoresRead, a.getUnstableRule), unstable},
		{"PATCH", "/api/public/unstable/evaluation-rules/{evaluationRuleId}", projectKey(domain.ScoresWrite, a.updateUnstableRule), unstable},
		{"DELETE", "/api/public/unstable/evaluation-rules/{evaluationRuleId}", projectKey(domain.ScoresDelete, a.deleteUnstableRule), unstable},
		{"GET", "/api/public/v2/evaluators", projectKey(domain.ScoresRead, a.listEvaluators), evaluations},
		{"POST", "/api/public/v2/evaluators", projectKey(domain.ScoresWrite, a.createEvaluator), evaluations},
		{"GET", "/api/public/v2/evaluators/{evaluatorId}", projectKey(domain.ScoresRead, a.getEvaluator), evaluations},
		{"PATCH", "/api/public/v2/evaluators/{evaluatorId}", projectKey(domain.ScoresWrite, a.updateEvaluator), evaluations},
		{"DELETE", "/api/public/v2/evaluators/{evaluatorId}", projectKey(domain.ScoresDelete, a.deleteEvaluator), evaluations},
		{"GET", "/api/public/v2/evaluators/{evaluatorId}/versions", projectKey(domain.ScoresRead, a.listEvaluatorVersions), evaluations},
		{"GET", "/api/public/v2/evaluation-rules", projectKey(domain.ScoresRead, a.listRules), evaluations},
		{"POST", "/api/public/v2/evaluation-rules", projectKey(domain.ScoresWrite, a.createRule), evaluations},
		{"GET", "/api/public/v2/evaluation-rules/{evaluationRuleId}", projectKey(domain.ScoresRead, a.getRule), evaluations},
		{"PATCH", "/api/public/v2/evaluation-rules/{evaluationRuleId}", projectKey(domain.ScoresWrite, a.updateRule), evaluations},
		{"DELETE", "/api/public/v2/evaluation-rules/{evaluationRuleId}", projectKey(domain.ScoresDelete, a.deleteRule), evaluations},

		{"POST", "/api/public/mcp", projectKey(0, a.answerMCP), messages},
		{"GET", "/.well-known/mcp.json", anyone(a.announceMCP), rules{rootToo: true}},

		{"GET", "/", anyone(a.welcome), people},
		{"GET", "/api/docs", anyone(a.reference), people},
		{"GET", "/api/docs/{file}", anyone(a.referenceFile), people},
		{"GET", "/api/openapi.yaml", anyone(a.description), document},
		{"GET", "/generated/api/openapi.yml", anyone(a.description), document},
		{"GET", "/generated/organizations-api/openapi.yml", anyone(a.description), document},
		{"GET", "/generated/api-client/openapi.yml", anyone(a.description), document},
		{"GET", "/metrics", anyone(a.metrics), rules{alwaysAdmitted: true, pages: noPages}},
	}
}
