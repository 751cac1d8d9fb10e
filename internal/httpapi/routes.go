package httpapi

import (
	"almanac/internal/domain"
	"almanac/internal/httpapi/datasets"
	"almanac/internal/httpapi/events"
	"almanac/internal/httpapi/media"
	"almanac/internal/httpapi/prompts"
	"almanac/internal/httpapi/respond"
	"almanac/internal/httpapi/scores"
	"almanac/internal/httpapi/traces"
	"almanac/internal/transfer/export"
)

// anyMethod matches every method.
const anyMethod = "*"

// routes returns the table of everything the server serves: method, path, required access and special rules.
// api/openapi.yaml describes the same routes; a test checks that neither has a route the other lacks.
func (a *API) routes() []route {
	const (
		needsProjectKey      = "Invalid API key. Are you using an organization key?"
		needsOrganizationKey = "Invalid API key. Organization-scoped API key required for this operation."
	)
	// Load balancers and other probes need not know the base path.
	check := rules{noAdmission: true, alsoAtRoot: true}
	people := rules{pages: noPages} // opened by people, not fetched by pages of other origins
	document := rules{pages: everyPage}
	projects := func(forbidden string) rules { return rules{errors: respond.MessageOnly, forbidden: forbidden} }
	spans := rules{receive: a.ingestion.ReceiveExport, noAdmission: true} // the pipeline admits exports itself, over HTTP and gRPC
	batch := rules{errors: respond.Batch, maxBody: events.MaxBatchBytes}
	events := rules{}.reading()
	replaced := replacedBy(traces.ObservationsSuccessor).reading()
	replacedByScores := replacedBy(scoresSuccessor).reading()
	replacedByMetrics := replacedBy(traces.MetricsSuccessor).reading()
	organization := rules{errors: respond.ErrorOnly, forbidden: needsOrganizationKey}
	scim := rules{errors: respond.SCIM, forbidden: needsOrganizationKey}
	instance := rules{errors: respond.ErrorOnly}
	unstable := rules{errors: respond.Coded, maxBody: maxSettingsBody}
	evaluations := rules{errors: respond.CodedGeneric, maxBody: maxSettingsBody}
	// Each tool call takes its own turn; if the message held one as well, messages could deadlock.
	messages := rules{errors: respond.RPC, maxBody: maxMessage, noAdmission: true}.notLimited()

	return []route{
		{anyMethod, "/api/public/health", anyone(a.health), check},
		{anyMethod, "/api/public/ready", anyone(a.ready), check},

		{"GET", "/api/public/projects", projectKey(0, a.admin.GetProject), projects(needsProjectKey).notLimited()},
		{"POST", "/api/public/projects", organizationKey(a.admin.CreateProject), projects(needsOrganizationKey)},
		{"PUT", "/api/public/projects/{projectId}", organizationKey(a.admin.UpdateProject), projects(needsOrganizationKey)},
		{"DELETE", "/api/public/projects/{projectId}", organizationKey(a.admin.DeleteProject), projects(needsOrganizationKey)},
		{"GET", "/api/public/projects/{projectId}/apiKeys", organizationKey(a.admin.ListKeys), projects(needsOrganizationKey)},
		{"POST", "/api/public/projects/{projectId}/apiKeys", organizationKey(a.admin.CreateKey), projects(needsOrganizationKey)},
		{
			"DELETE", "/api/public/projects/{projectId}/apiKeys/{apiKeyId}", organizationKey(a.admin.DeleteKey),
			projects(needsOrganizationKey),
		},

		{"GET", "/api/public/projects/{projectId}/limits", organizationKey(a.admin.GetLimits), projects(needsOrganizationKey).notLimited()},
		{"PUT", "/api/public/projects/{projectId}/limits", organizationKey(a.admin.PutLimits), projects(needsOrganizationKey).notLimited()},
		{
			"GET", "/api/public/projects/{projectId}/apiKeys/{apiKeyId}/limits", organizationKey(a.admin.GetLimits),
			projects(needsOrganizationKey).notLimited(),
		},
		{
			"PUT", "/api/public/projects/{projectId}/apiKeys/{apiKeyId}/limits", organizationKey(a.admin.PutLimits),
			projects(needsOrganizationKey).notLimited(),
		},

		{"GET", "/api/public/organizations/limits", organizationKey(a.admin.GetLimits), organization.notLimited()},
		{"GET", "/api/public/organizations/audit-log", organizationKey(a.admin.ListAudit), organization},
		{"GET", "/api/public/organizations/projects", organizationKey(a.admin.ListOrganizationProjects), organization},
		{"GET", "/api/public/organizations/apiKeys", organizationKey(a.admin.ListOrganizationKeys), organization},
		{"GET", "/api/public/organizations/memberships", organizationKey(a.admin.ListMemberships), organization},
		{"PUT", "/api/public/organizations/memberships", organizationKey(a.admin.PutMembership), organization},
		{"DELETE", "/api/public/organizations/memberships", organizationKey(a.admin.DeleteMembership), organization},
		{"GET", "/api/public/projects/{projectId}/memberships", organizationKey(a.admin.ListProjectMemberships), organization},
		{"PUT", "/api/public/projects/{projectId}/memberships", organizationKey(a.admin.PutProjectMembership), organization},
		{"DELETE", "/api/public/projects/{projectId}/memberships", organizationKey(a.admin.DeleteProjectMembership), organization},

		{"GET", "/api/public/scim/ServiceProviderConfig", organizationKey(a.admin.SCIMServiceProviderConfig), scim},
		{"GET", "/api/public/scim/ResourceTypes", organizationKey(a.admin.SCIMResourceTypes), scim},
		{"GET", "/api/public/scim/Schemas", organizationKey(a.admin.SCIMSchemas), scim},
		{"GET", "/api/public/scim/Users", organizationKey(a.admin.ListSCIMUsers), scim},
		{"POST", "/api/public/scim/Users", organizationKey(a.admin.CreateSCIMUser), scim},
		{"GET", "/api/public/scim/Users/{userId}", organizationKey(a.admin.GetSCIMUser), scim},
		{"PUT", "/api/public/scim/Users/{userId}", organizationKey(a.admin.PutSCIMUser), scim},
		{"PATCH", "/api/public/scim/Users/{userId}", organizationKey(a.admin.PatchSCIMUser), scim},
		{"DELETE", "/api/public/scim/Users/{userId}", organizationKey(a.admin.DeleteSCIMUser), scim},

		{"GET", "/api/admin/organizations", adminKey(a.admin.ListOrganizations), instance},
		{"POST", "/api/admin/organizations", adminKey(a.admin.CreateOrganization), instance},
		{"GET", "/api/admin/organizations/{organizationId}", adminOf(a.admin.GetOrganization), instance},
		{"PUT", "/api/admin/organizations/{organizationId}", adminOf(a.admin.UpdateOrganization), instance},
		{"DELETE", "/api/admin/organizations/{organizationId}", adminOf(a.admin.DeleteOrganization), instance},
		{"GET", "/api/admin/organizations/{organizationId}/apiKeys", adminOf(a.admin.AdminListKeys), instance},
		{"POST", "/api/admin/organizations/{organizationId}/apiKeys", adminOf(a.admin.AdminCreateKey), instance},
		{"DELETE", "/api/admin/organizations/{organizationId}/apiKeys/{apiKeyId}", adminOf(a.admin.AdminDeleteKey), instance},
		{"GET", "/api/admin/organizations/{organizationId}/limits", adminOf(a.admin.GetLimits), instance},
		{"PUT", "/api/admin/organizations/{organizationId}/limits", adminOf(a.admin.PutLimits), instance},
		{"GET", "/api/admin/audit-log", adminKey(a.admin.ListAuditOfInstance), instance},
		{"POST", "/api/admin/api-keys", adminKey(a.admin.ManageKeys), instance},

		{"POST", "/api/public/otel/v1/traces", projectKey(domain.TracesWrite, a.ingestion.ExportTraces), spans},
		{"POST", "/api/public/otel", projectKey(domain.TracesWrite, a.ingestion.ExportTraces), spans},
		{"POST", "/v1/traces", projectKey(domain.TracesWrite, a.ingestion.ExportTraces), spans},
		{
			"POST", "/api/public/otel/v1/metrics", projectKey(domain.TracesWrite, a.ingestion.ExportMetrics),
			rules{receive: a.ingestion.IgnoreBody},
		},

		{
			"GET", "/api/public/v2/observations",
			orQueued(projectKey, domain.TracesRead, traces.ReadObservations, traces.ObservationsQueued, a.tracing.ListObservations),
			events.withLists("environment", "fields"),
		},
		{"GET", "/api/public/tail", projectKey(domain.TracesRead, a.explore.Tail), events.withLists("environment", "metadataKey")},
		{"GET", "/api/public/v2/metrics", projectKey(domain.TracesRead, a.tracing.GetMetrics), events},

		{"POST", "/api/public/query/observations", projectKey(domain.TracesRead, a.explore.QueryObservations), events},
		{"POST", "/api/public/query/traces", projectKey(domain.TracesRead, a.explore.QueryTraces), events},
		{"POST", "/api/public/query/sessions", projectKey(domain.TracesRead, a.explore.QuerySessions), events},
		{"POST", "/api/public/query/users", projectKey(domain.TracesRead, a.explore.QueryUsers), events},
		{"POST", "/api/public/query/count", projectKey(domain.TracesRead, a.explore.QueryCount), events},
		{"POST", "/api/public/query/facets", projectKey(domain.TracesRead, a.explore.QueryFacets), events},
		{"POST", "/api/public/query/histogram", projectKey(domain.TracesRead, a.explore.QueryHistogram), events},
		{"POST", "/api/public/query/groups", projectKey(domain.TracesRead, a.explore.QueryGroups), events},
		{"POST", "/api/public/query/differences", projectKey(domain.TracesRead, a.explore.QueryDifferences), events},
		{"GET", "/api/public/suggest", projectKey(domain.TracesRead, a.explore.Suggest), events},
		{"POST", "/api/public/deletions", projectKey(domain.TracesDelete, a.explore.Delete), rules{}},

		{"GET", "/api/public/experiments", projectKey(domain.TracesRead, a.datasets.ListExperiments), events.withLists("fields")},
		{"GET", "/api/public/experiment-items", projectKey(domain.TracesRead, a.datasets.ListExperimentItems), events.withLists("fields")},

		{"GET", "/api/public/traces", projectKey(domain.TracesRead, a.tracing.ListTraces), replaced.withLists("tags", "environment")},
		{"GET", "/api/public/traces/{traceId}", projectKey(domain.TracesRead, a.tracing.GetTrace), replaced},
		{"DELETE", "/api/public/traces/{traceId}", projectKey(domain.TracesDelete, a.tracing.DeleteTrace), rules{}},
		{"DELETE", "/api/public/traces", projectKey(domain.TracesDelete, a.tracing.DeleteTraces), rules{}},
		{"GET", "/api/public/observations", projectKey(domain.TracesRead, a.tracing.ListObservationsV1), replaced.withLists("environment")},
		{"GET", "/api/public/observations/{observationId}", projectKey(domain.TracesRead, a.tracing.GetObservation), replaced},
		{"GET", "/api/public/sessions", projectKey(domain.TracesRead, a.tracing.ListSessions), replaced.withLists("environment")},
		{"GET", "/api/public/sessions/{sessionId}", projectKey(domain.TracesRead, a.tracing.GetSession), replaced},
		{"GET", "/api/public/metrics", projectKey(domain.TracesRead, a.tracing.GetMetricsV1), replacedByMetrics},
		{
			"GET", "/api/public/metrics/daily", projectKey(domain.TracesRead, a.tracing.GetDailyMetrics),
			replacedByMetrics.withLists("tags", "environment"),
		},

		{"POST", "/api/public/ingestion", projectKeyOrPublic(domain.ScoresWrite|domain.TracesWrite, a.ingestion.IngestBatch), batch},
		{
			"GET", "/api/public/v3/scores", orQueued(projectKey, domain.ScoresRead, scores.ReadScores, scores.Queued, a.scoring.ListScores),
			events.withLists("fields"),
		},
		{
			"POST", "/api/public/scores",
			orQueued(projectKeyOrPublic, domain.ScoresWrite, a.scoring.ReadNewScores, a.scoring.NewScoresQueued, a.scoring.CreateScores),
			rules{},
		},
		{"DELETE", "/api/public/scores/{scoreId}", projectKey(domain.ScoresDelete, a.scoring.DeleteScore), rules{}},
		{
			"GET", "/api/public/scores", projectKey(domain.ScoresRead, a.scoring.ListScoresV1),
			replacedByScores.withLists("environment", "traceTags"),
		},
		{"GET", "/api/public/scores/{scoreId}", projectKey(domain.ScoresRead, a.scoring.GetScoreV1), replacedByScores},
		{
			"GET", "/api/public/v2/scores", projectKey(domain.ScoresRead, a.scoring.ListScoresV2),
			replacedByScores.withLists("environment", "traceTags"),
		},
		{"GET", "/api/public/v2/scores/{scoreId}", projectKey(domain.ScoresRead, a.scoring.GetScoreV2), replacedByScores},

		{
			"POST", "/api/public/score-configs",
			projectKey(domain.ScoresWrite, a.scoring.CreateScoreConfig).forPeople(domain.EvaluationWrite),
			rules{},
		},
		{
			"GET", "/api/public/score-configs",
			projectKey(domain.ScoresRead, a.scoring.ListScoreConfigs).forPeople(domain.ScoresRead | domain.QueuesAnnotate),
			rules{},
		},
		{
			"GET", "/api/public/score-configs/{configId}",
			projectKey(domain.ScoresRead, a.scoring.GetScoreConfig).forPeople(domain.ScoresRead | domain.QueuesAnnotate),
			rules{},
		},
		{
			"PATCH", "/api/public/score-configs/{configId}",
			projectKey(domain.ScoresWrite, a.scoring.UpdateScoreConfig).forPeople(domain.EvaluationWrite),
			rules{},
		},

		{
			"GET", "/api/public/annotation-queues",
			projectKey(domain.ScoresRead, a.scoring.ListAnnotationQueues).forPeople(domain.ScoresRead | domain.QueuesAnnotate),
			rules{},
		},
		{
			"POST", "/api/public/annotation-queues",
			projectKey(domain.ScoresWrite, a.scoring.CreateAnnotationQueue).forPeople(domain.EvaluationWrite),
			rules{},
		},
		{
			"GET", "/api/public/annotation-queues/{queueId}",
			orQueued(projectKey, domain.ScoresRead, scores.ReadQueue, scores.QueueAssigned, a.scoring.GetAnnotationQueue),
			rules{},
		},
		{
			"GET", "/api/public/annotation-queues/{queueId}/items",
			orQueued(projectKey, domain.ScoresRead, scores.ReadItems, scores.QueueAssigned, a.scoring.ListAnnotationItems),
			rules{},
		},
		{
			"POST", "/api/public/annotation-queues/{queueId}/items",
			projectKey(domain.ScoresWrite, a.scoring.CreateAnnotationItem).forPeople(domain.EvaluationWrite),
			rules{},
		},
		{
			"GET", "/api/public/annotation-queues/{queueId}/items/{itemId}",
			orQueued(projectKey, domain.ScoresRead, scores.ReadItem, scores.QueueAssigned, a.scoring.GetAnnotationItem),
			rules{},
		},
		{
			"PATCH", "/api/public/annotation-queues/{queueId}/items/{itemId}",
			orQueued(projectKey, domain.ScoresWrite, scores.ReadChangedItem, scores.QueueAssigned, a.scoring.UpdateAnnotationItem),
			rules{},
		},
		{
			"DELETE", "/api/public/annotation-queues/{queueId}/items/{itemId}",
			projectKey(domain.ScoresDelete, a.scoring.DeleteAnnotationItem).forPeople(domain.EvaluationWrite),
			rules{},
		},
		{
			"POST", "/api/public/annotation-queues/{queueId}/assignments",
			projectKey(domain.ScoresWrite, a.scoring.AssignAnnotationQueue).forPeople(domain.MembersWrite),
			rules{},
		},
		{
			"DELETE", "/api/public/annotation-queues/{queueId}/assignments",
			projectKey(domain.ScoresDelete, a.scoring.UnassignAnnotationQueue).forPeople(domain.MembersWrite),
			rules{},
		},

		{
			"POST", "/api/public/comments",
			orQueued(projectKey, domain.CommentsWrite, scores.ReadNewComment, scores.NewCommentQueued, a.scoring.CreateComment),
			rules{},
		},
		{
			"GET", "/api/public/comments",
			orQueued(projectKey, domain.CommentsRead, scores.ReadComments, scores.CommentsQueued, a.scoring.ListComments),
			rules{},
		},
		{
			"GET", "/api/public/comments/{commentId}",
			orQueued(projectKey, domain.CommentsRead, scores.ReadComment, a.scoring.CommentQueued, a.scoring.GetComment),
			rules{},
		},

		{
			"POST", "/api/public/feedback", projectKey(domain.FeedbackWrite, a.scoring.SubmitFeedback),
			rules{maxBody: scores.MaxFeedbackBody},
		},

		{"GET", "/api/public/v2/datasets", projectKey(domain.DatasetsRead, a.datasets.ListDatasets), rules{}},
		{"POST", "/api/public/v2/datasets", projectKey(domain.DatasetsWrite, a.datasets.PutDataset), rules{}},
		{"GET", "/api/public/v2/datasets/{datasetName}", projectKey(domain.DatasetsRead, a.datasets.GetDataset), rules{}},
		{"GET", "/api/public/dataset-items", projectKey(domain.DatasetsRead, a.datasets.ListItems), rules{}},
		{"POST", "/api/public/dataset-items", projectKey(domain.DatasetsWrite, a.datasets.PutItem), rules{maxBody: datasets.MaxItemBody}},
		{"GET", "/api/public/dataset-items/{id}", projectKey(domain.DatasetsRead, a.datasets.GetItem), rules{}},
		{"DELETE", "/api/public/dataset-items/{id}", projectKey(domain.DatasetsDelete, a.datasets.DeleteItem), rules{}},

		{"GET", "/api/public/datasets", projectKey(domain.DatasetsRead, a.datasets.ListDatasetsV1), replacedBy(datasets.DatasetsSuccessor)},
		{"POST", "/api/public/datasets", projectKey(domain.DatasetsWrite, a.datasets.PutDatasetV1), replacedBy(datasets.DatasetsSuccessor)},
		{
			"GET", "/api/public/datasets/{datasetName}", projectKey(domain.DatasetsRead, a.datasets.GetDatasetV1),
			replacedBy(datasets.DatasetsSuccessor),
		},
		{
			"GET", "/api/public/datasets/{datasetName}/runs", projectKey(domain.DatasetsRead, a.datasets.ListRuns),
			replacedBy(datasets.RunsSuccessor).reading(),
		},
		{
			"GET", "/api/public/datasets/{datasetName}/runs/{runName}", projectKey(domain.DatasetsRead, a.datasets.GetRun),
			replacedBy(datasets.RunsSuccessor).reading(),
		},
		{
			"DELETE", "/api/public/datasets/{datasetName}/runs/{runName}", projectKey(domain.DatasetsDelete, a.datasets.DeleteRun),
			replacedBy(datasets.RunsSuccessor),
		},
		{
			"GET", "/api/public/dataset-run-items", projectKey(domain.DatasetsRead, a.datasets.ListRunItems),
			replacedBy(datasets.RunItemsSuccessor).reading(),
		},
		{
			"POST", "/api/public/dataset-run-items", projectKey(domain.DatasetsWrite, a.datasets.LinkRunItem),
			replacedBy(datasets.LinkSuccessor),
		},

		{"POST", "/api/public/media", projectKey(domain.TracesWrite|domain.DatasetsWrite, a.files.AnnounceMedium), rules{}},
		{
			"GET", "/api/public/media/{mediaId}",
			orQueued(projectKey, domain.TracesRead|domain.DatasetsRead, media.ReadMedium, a.files.MediumQueued, a.files.GetMedium),
			rules{},
		},
		{"PATCH", "/api/public/media/{mediaId}", projectKey(domain.TracesWrite|domain.DatasetsWrite, a.files.ReportUpload), rules{}},
		{"GET", "/api/public/media/{mediaId}/content", anyone(a.files.DownloadMedium), rules{}},
		{"PUT", "/api/public/media/{mediaId}/content", anyone(a.files.UploadMedium), rules{receive: media.LeaveBody, ownPace: true}},

		{"POST", "/api/public/exports", projectKey(export.Readable, a.explore.CreateExport).forPeople(domain.ExportsWrite), rules{}},
		{"GET", "/api/public/exports", projectKey(export.Readable, a.explore.ListExports).forPeople(domain.ExportsWrite), rules{}},
		{"GET", "/api/public/exports/{exportId}", projectKey(export.Readable, a.explore.GetExport).forPeople(domain.ExportsWrite), rules{}},
		{
			"POST", "/api/public/exports/{exportId}/cancel",
			projectKey(export.Readable, a.explore.CancelExport).forPeople(domain.ExportsWrite),
			rules{},
		},
		{
			"DELETE", "/api/public/exports/{exportId}", projectKey(export.Readable, a.explore.DeleteExport).forPeople(domain.ExportsWrite),
			rules{},
		},
		{"GET", "/api/public/exports/{exportId}/content", anyone(a.files.DownloadExport), rules{changes: true}},

		{"GET", "/api/public/models", projectKeyOrAdmin(domain.TracesRead, a.settings.ListModels), rules{}},
		{"POST", "/api/public/models", projectKeyOrAdmin(domain.ProjectAdmin, a.settings.CreateModel), rules{}},
		{"GET", "/api/public/models/{modelId}", projectKeyOrAdmin(domain.TracesRead, a.settings.GetModel), rules{}},
		{"PUT", "/api/public/models/{modelId}", projectKeyOrAdmin(domain.ProjectAdmin, a.settings.ReplaceModel), rules{}},
		{"DELETE", "/api/public/models/{modelId}", projectKeyOrAdmin(domain.ProjectAdmin, a.settings.DeleteModel), rules{}},
		{
			"GET", "/api/public/llm-connections",
			projectKeyOrAdmin(domain.ProjectAdmin, a.settings.ListLLMConnections).forPeople(domain.ConnectionsRead),
			rules{},
		},
		{"PUT", "/api/public/llm-connections", projectKeyOrAdmin(domain.ProjectAdmin, a.settings.PutLLMConnection), rules{}},
		{
			"DELETE", "/api/public/llm-connections/{connectionId}", projectKeyOrAdmin(domain.ProjectAdmin, a.settings.DeleteLLMConnection),
			rules{},
		},
		{"GET", "/api/public/integrations/blob-storage", organizationKey(a.settings.ListBlobStorage), rules{}},
		{"PUT", "/api/public/integrations/blob-storage", organizationKey(a.settings.PutBlobStorage), rules{}},
		{"GET", "/api/public/integrations/blob-storage/{projectId}", organizationKey(a.settings.GetBlobStorageStatus), rules{}},
		{"POST", "/api/public/integrations/blob-storage/{projectId}/run", organizationKey(a.settings.StartBlobStorage), rules{}},
		{"POST", "/api/public/integrations/blob-storage/{projectId}/test", organizationKey(a.settings.TestBlobStorage), rules{}},
		{"POST", "/api/public/integrations/blob-storage/{projectId}/take-over", organizationKey(a.settings.TakeOverBlobStorage), rules{}},
		{"DELETE", "/api/public/integrations/blob-storage/{projectId}", organizationKey(a.settings.DeleteBlobStorage), rules{}},
		{"GET", "/api/public/v2/prompts", projectKey(domain.PromptsRead, a.prompting.ListPrompts), promptRules("GET")},
		{"POST", "/api/public/v2/prompts", projectKey(domain.PromptsWrite, a.prompting.CreatePrompt), newPromptRules()},
		{"GET", "/api/public/v2/prompts/{promptName}", projectKey(domain.PromptsRead, a.prompting.GetPrompt), promptRules("GET")},
		{
			"DELETE", "/api/public/v2/prompts/{promptName}", projectKey(domain.PromptsDelete, a.prompting.DeletePrompt),
			promptRules("DELETE"),
		},
		{
			"PATCH", "/api/public/v2/prompts/{promptName}/versions/{version}", projectKey(domain.PromptsWrite, a.prompting.LabelPrompt),
			promptRules("PATCH"),
		},
		{"GET", "/api/public/prompts", projectKey(domain.PromptsRead, a.prompting.GetPromptV1), promptRulesV1("GET")},
		{"POST", "/api/public/prompts", projectKey(domain.PromptsWrite, a.prompting.CreatePromptV1), promptRulesV1("POST")},
		{"GET", "/api/public/unstable/skills", projectKey(domain.PromptsRead, a.prompting.ListSkills), rules{}},
		{
			"POST", "/api/public/unstable/skills", projectKey(domain.PromptsWrite, a.prompting.CreateSkill),
			rules{maxBody: prompts.MaxSkillBody},
		},
		{"GET", "/api/public/unstable/skills/files/content", projectKey(domain.PromptsRead, a.prompting.GetSkillContents), rules{}},
		{"GET", "/api/public/unstable/skills/{skillName}", projectKey(domain.PromptsRead, a.prompting.GetSkill), rules{}},
		{"PATCH", "/api/public/unstable/skills/{skillName}", projectKey(domain.PromptsWrite, a.prompting.TagSkill), rules{}},
		{
			"PATCH", "/api/public/unstable/skills/{skillName}/versions/{skillVersion}",
			projectKey(domain.PromptsWrite, a.prompting.LabelSkill),
			rules{},
		},
		{
			"DELETE", "/api/public/unstable/skills/{skillName}/versions/{skillVersion}",
			projectKey(domain.PromptsDelete, a.prompting.DeleteSkill),
			rules{},
		},
		{"GET", "/api/public/unstable/dashboard-widgets", projectKey(domain.TracesRead, a.dashboards.ListWidgets), unstable},
		{
			"POST", "/api/public/unstable/dashboard-widgets",
			projectKey(domain.ProjectAdmin, a.dashboards.CreateWidget).forPeople(domain.DashboardsWrite), unstable,
		},
		{"GET", "/api/public/unstable/dashboard-widgets/{widgetId}", projectKey(domain.TracesRead, a.dashboards.GetWidget), unstable},
		{
			"PATCH", "/api/public/unstable/dashboard-widgets/{widgetId}",
			projectKey(domain.ProjectAdmin, a.dashboards.UpdateWidget).forPeople(domain.DashboardsWrite), unstable,
		},
		{
			"DELETE", "/api/public/unstable/dashboard-widgets/{widgetId}",
			projectKey(domain.ProjectAdmin, a.dashboards.DeleteWidget).forPeople(domain.DashboardsWrite), unstable,
		},
		{"GET", "/api/public/unstable/dashboards", projectKey(domain.TracesRead, a.dashboards.ListDashboards), unstable},
		{
			"POST", "/api/public/unstable/dashboards",
			projectKey(domain.ProjectAdmin, a.dashboards.CreateDashboard).forPeople(domain.DashboardsWrite), unstable,
		},
		{"GET", "/api/public/unstable/dashboards/{dashboardId}", projectKey(domain.TracesRead, a.dashboards.GetDashboard), unstable},
		{
			"PATCH", "/api/public/unstable/dashboards/{dashboardId}",
			projectKey(domain.ProjectAdmin, a.dashboards.UpdateDashboard).forPeople(domain.DashboardsWrite), unstable,
		},
		{
			"DELETE", "/api/public/unstable/dashboards/{dashboardId}",
			projectKey(domain.ProjectAdmin, a.dashboards.DeleteDashboard).forPeople(domain.DashboardsWrite), unstable,
		},
		{
			"POST", "/api/public/unstable/dashboards/{dashboardId}/placements",
			projectKey(domain.ProjectAdmin, a.dashboards.AddPlacement).forPeople(domain.DashboardsWrite), unstable,
		},
		{
			"PATCH", "/api/public/unstable/dashboards/{dashboardId}/placements/{placementId}",
			projectKey(domain.ProjectAdmin, a.dashboards.UpdatePlacement).forPeople(domain.DashboardsWrite), unstable,
		},
		{
			"DELETE", "/api/public/unstable/dashboards/{dashboardId}/placements/{placementId}",
			projectKey(domain.ProjectAdmin, a.dashboards.DeletePlacement).forPeople(domain.DashboardsWrite), unstable,
		},
		{"GET", "/api/public/unstable/evaluators", projectKey(domain.ScoresRead, a.evaluation.ListUnstableEvaluators), unstable},
		{
			"POST", "/api/public/unstable/evaluators",
			projectKey(domain.ScoresWrite, a.evaluation.PutUnstableEvaluator).forPeople(domain.EvaluationWrite), unstable,
		},
		{
			"GET", "/api/public/unstable/evaluators/{evaluatorId}", projectKey(domain.ScoresRead, a.evaluation.GetUnstableEvaluator),
			unstable,
		},
		{
			"DELETE", "/api/public/unstable/evaluators/{evaluatorId}",
			projectKey(domain.ScoresDelete, a.evaluation.DeleteUnstableEvaluator).forPeople(domain.EvaluationWrite), unstable,
		},
		{"GET", "/api/public/unstable/evaluation-rules", projectKey(domain.ScoresRead, a.evaluation.ListUnstableRules), unstable},
		{
			"POST", "/api/public/unstable/evaluation-rules",
			projectKey(domain.ScoresWrite, a.evaluation.CreateUnstableRule).forPeople(domain.EvaluationWrite), unstable,
		},
		{
			"GET", "/api/public/unstable/evaluation-rules/{evaluationRuleId}", projectKey(domain.ScoresRead, a.evaluation.GetUnstableRule),
			unstable,
		},
		{
			"PATCH", "/api/public/unstable/evaluation-rules/{evaluationRuleId}",
			projectKey(domain.ScoresWrite, a.evaluation.UpdateUnstableRule).forPeople(domain.EvaluationWrite), unstable,
		},
		{
			"DELETE", "/api/public/unstable/evaluation-rules/{evaluationRuleId}",
			projectKey(domain.ScoresDelete, a.evaluation.DeleteUnstableRule).forPeople(domain.EvaluationWrite), unstable,
		},
		{"GET", "/api/public/v2/evaluators", projectKey(domain.ScoresRead, a.evaluation.ListEvaluators), evaluations},
		{
			"POST", "/api/public/v2/evaluators",
			projectKey(domain.ScoresWrite, a.evaluation.CreateEvaluator).forPeople(domain.EvaluationWrite), evaluations,
		},
		{"GET", "/api/public/v2/evaluators/{evaluatorId}", projectKey(domain.ScoresRead, a.evaluation.GetEvaluator), evaluations},
		{
			"PATCH", "/api/public/v2/evaluators/{evaluatorId}",
			projectKey(domain.ScoresWrite, a.evaluation.UpdateEvaluator).forPeople(domain.EvaluationWrite), evaluations,
		},
		{
			"DELETE", "/api/public/v2/evaluators/{evaluatorId}",
			projectKey(domain.ScoresDelete, a.evaluation.DeleteEvaluator).forPeople(domain.EvaluationWrite), evaluations,
		},
		{
			"GET", "/api/public/v2/evaluators/{evaluatorId}/versions", projectKey(domain.ScoresRead, a.evaluation.ListEvaluatorVersions),
			evaluations,
		},
		{"GET", "/api/public/v2/evaluation-rules", projectKey(domain.ScoresRead, a.evaluation.ListRules), evaluations},
		{
			"POST", "/api/public/v2/evaluation-rules",
			projectKey(domain.ScoresWrite, a.evaluation.CreateRule).forPeople(domain.EvaluationWrite), evaluations,
		},
		{"GET", "/api/public/v2/evaluation-rules/{evaluationRuleId}", projectKey(domain.ScoresRead, a.evaluation.GetRule), evaluations},
		{
			"PATCH", "/api/public/v2/evaluation-rules/{evaluationRuleId}",
			projectKey(domain.ScoresWrite, a.evaluation.UpdateRule).forPeople(domain.EvaluationWrite), evaluations,
		},
		{
			"DELETE", "/api/public/v2/evaluation-rules/{evaluationRuleId}",
			projectKey(domain.ScoresDelete, a.evaluation.DeleteRule).forPeople(domain.EvaluationWrite), evaluations,
		},

		{"POST", "/api/public/mcp", projectKey(0, a.answerMCP), messages},
		{"GET", "/.well-known/mcp.json", anyone(a.announceMCP), rules{alsoAtRoot: true}},

		{"GET", "/api/docs", anyone(a.reference), people},
		{"GET", "/api/docs/{file}", anyone(a.referenceFile), people},
		{"GET", "/api/openapi.yaml", anyone(a.description), document},
		{"GET", "/generated/api/openapi.yml", anyone(a.description), document},
		{"GET", "/generated/organizations-api/openapi.yml", anyone(a.description), document},
		{"GET", "/generated/api-client/openapi.yml", anyone(a.description), document},
		{"GET", "/metrics", anyone(a.metrics), rules{noAdmission: true, pages: noPages}},
	}
}
