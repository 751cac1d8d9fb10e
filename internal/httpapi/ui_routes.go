package httpapi

import (
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/playground"
	"almanac/internal/httpapi/respond"
	"almanac/internal/httpapi/scores"
	"almanac/internal/httpapi/ui"
)

// invitationPath is the prefix of invitation paths, followed by the token.
const invitationPath = "/api/ui/invitations/"

// uiRoutes returns the table of routes for the web application. api/ui.yaml describes the same routes except for the
// mirrored ones of the public API; a test checks that neither has a route the other lacks.
func (a *API) uiRoutes() []route {
	page := rules{errors: respond.ForPeople, pages: noPages, private: true}
	// Password hashing has its own concurrency limit.
	password := page
	password.noAdmission = true
	// A sign-in through an identity provider may create an account, and must not hold a turn while it waits for the
	// provider.
	provider := page
	provider.noAdmission, provider.changes = true, true
	p := a.people
	// Errors of mirrored routes are those of the public API.
	mirror := rules{pages: noPages, private: true}

	table := []route{
		{"GET", "/api/ui/auth/session", visitor(p.GetSession), page},
		{"POST", "/api/ui/auth/setup", visitor(p.SetUp), password},
		{"POST", "/api/ui/auth/sign-in", visitor(p.SignIn), password},
		{"POST", "/api/ui/auth/sign-out", visitor(p.SignOut), page},
		{"POST", "/api/ui/auth/forgot-password", visitor(p.ForgotPassword), page},
		{"POST", "/api/ui/auth/reset-password", visitor(p.ResetPassword), password},
		{"GET", "/api/ui/auth/oidc/{providerId}/start", visitor(p.StartSingleSignOn), provider},
		{"GET", "/api/ui/auth/oidc/{providerId}/callback", visitor(p.FinishSingleSignOn), provider},
		{"GET", "/api/ui/invitations/{token}", visitor(p.GetInvitation), page},
		{"POST", "/api/ui/invitations/{token}/accept", visitor(p.AcceptInvitation), password},

		{"GET", "/api/ui/auth/sessions", signedIn(p.ListSessions), page},
		{"DELETE", "/api/ui/auth/sessions", signedIn(p.EndOtherSessions), page},
		{"DELETE", "/api/ui/auth/sessions/{sessionId}", signedIn(p.EndSession), page},
		{"PATCH", "/api/ui/account", signedIn(p.UpdateAccount), page},
		{"PUT", "/api/ui/account/password", signedIn(p.ChangePassword), password},
		{"POST", "/api/ui/account/memberships/{organizationId}/accept", signedIn(p.AcceptMembership), page},
		{"DELETE", "/api/ui/account/memberships/{organizationId}", signedIn(p.Leave), page},
		{"GET", "/api/ui/inbox", signedIn(p.GetInbox), page},
		{"POST", "/api/ui/inbox/read", signedIn(p.ReadInbox), page},
		{"POST", "/api/ui/organizations", signedIn(p.CreateOrganization), page},

		{"PATCH", "/api/ui/organizations/{organizationId}", organizationMember(domain.OrganizationUpdate, p.UpdateOrganization), page},
		{"DELETE", "/api/ui/organizations/{organizationId}", organizationMember(domain.OrganizationDelete, p.DeleteOrganization), page},
		{"GET", "/api/ui/organizations/{organizationId}/projects", organizationMember(0, p.ListProjects), page},
		{"POST", "/api/ui/organizations/{organizationId}/projects", organizationMember(domain.ProjectsCreate, p.CreateProject), page},
		{"GET", "/api/ui/organizations/{organizationId}/members", organizationMember(domain.MembersRead, p.ListMembers), page},
		{"PUT", "/api/ui/organizations/{organizationId}/members/{userId}", organizationMember(domain.MembersWrite, p.SetMember), page},
		{
			"DELETE", "/api/ui/organizations/{organizationId}/members/{userId}", organizationMember(domain.MembersWrite, p.RemoveMember),
			page,
		},
		{
			"POST", "/api/ui/organizations/{organizationId}/members/{userId}/reset-link",
			organizationMember(domain.MembersWrite, p.CreateResetLink), page,
		},
		{"GET", "/api/ui/organizations/{organizationId}/invitations", organizationMember(domain.MembersWrite, p.ListInvitations), page},
		{"POST", "/api/ui/organizations/{organizationId}/invitations", organizationMember(domain.MembersWrite, p.CreateInvitation), page},
		{
			"DELETE", "/api/ui/organizations/{organizationId}/invitations/{invitationId}",
			organizationMember(domain.MembersWrite, p.RevokeInvitation), page,
		},
		{"GET", "/api/ui/organizations/{organizationId}/apiKeys", organizationMember(domain.KeysRead, a.admin.ListOrganizationKeys), page},
		{"POST", "/api/ui/organizations/{organizationId}/apiKeys", organizationMember(domain.KeysWrite, a.admin.AdminCreateKey), page},
		{
			"DELETE", "/api/ui/organizations/{organizationId}/apiKeys/{apiKeyId}",
			organizationMember(domain.KeysWrite, a.admin.AdminDeleteKey), page,
		},
		{"GET", "/api/ui/organizations/{organizationId}/audit-log", organizationMember(domain.AuditRead, a.admin.ListAudit), page},
		{"GET", "/api/ui/organizations/{organizationId}/usage", organizationMember(0, a.admin.GetOrganizationUsage), page.reading()},
		{
			"PUT", "/api/ui/organizations/{organizationId}/projects/{projectId}/limits",
			organizationMember(domain.OrganizationUpdate, a.admin.PutProjectLimits), page,
		},

		{"GET", "/api/ui/projects/{projectId}", projectManager(0, p.GetProject), page},
		{"PATCH", "/api/ui/projects/{projectId}", projectManager(domain.ProjectUpdate, p.UpdateProject), page},
		{"DELETE", "/api/ui/projects/{projectId}", projectManager(domain.ProjectDelete, p.DeleteProject), page},
		{"GET", "/api/ui/projects/{projectId}/members", projectManager(domain.MembersRead, p.ListProjectMembers), page},
		{"PUT", "/api/ui/projects/{projectId}/members/{userId}", projectManager(domain.MembersWrite, p.SetProjectMember), page},
		{"DELETE", "/api/ui/projects/{projectId}/members/{userId}", projectManager(domain.MembersWrite, p.RemoveProjectMember), page},
		{"GET", "/api/ui/projects/{projectId}/apiKeys", projectManager(domain.KeysRead, a.admin.ListKeys), page},
		{"POST", "/api/ui/projects/{projectId}/apiKeys", projectManager(domain.KeysWrite, a.admin.CreateKey), page},
		{"DELETE", "/api/ui/projects/{projectId}/apiKeys/{apiKeyId}", projectManager(domain.KeysWrite, a.admin.DeleteKey), page},
		{"GET", "/api/ui/projects/{projectId}/audit-log", projectManager(domain.AuditRead, a.admin.ListProjectAudit), page},
		{"GET", "/api/ui/projects/{projectId}/usage", projectManager(domain.TracesRead, a.admin.GetProjectUsage), page.reading()},
		{"GET", "/api/ui/projects/{projectId}/blob-storage", projectManager(domain.IntegrationsRead, a.settings.GetBlobStorage), page},
		{"PUT", "/api/ui/projects/{projectId}/blob-storage", projectManager(domain.IntegrationsWrite, a.settings.SetBlobStorage), page},
		{
			"POST", "/api/ui/projects/{projectId}/blob-storage/run", projectManager(domain.IntegrationsWrite, a.settings.RunBlobStorage),
			page,
		},
		{
			"POST", "/api/ui/projects/{projectId}/blob-storage/test", projectManager(domain.IntegrationsWrite, a.settings.TestBlobStorage),
			page,
		},
		{
			"POST", "/api/ui/projects/{projectId}/blob-storage/take-over",
			projectManager(domain.IntegrationsWrite, a.settings.TakeOverBlobStorage), page,
		},
		{
			"DELETE", "/api/ui/projects/{projectId}/blob-storage", projectManager(domain.IntegrationsWrite, a.settings.RemoveBlobStorage),
			page,
		},
		{"GET", "/api/ui/projects/{projectId}/jobs", projectMember(domain.ExportsWrite, a.explore.ListJobs), page},
		{"POST", "/api/ui/projects/{projectId}/jobs/{kind}/{jobId}/cancel", projectMember(domain.ExportsWrite, a.explore.CancelJob), page},
		{"POST", "/api/ui/projects/{projectId}/jobs/{kind}/{jobId}/retry", projectMember(domain.ExportsWrite, a.explore.RetryJob), page},
		{"POST", "/api/ui/projects/{projectId}/models/match", projectMember(domain.TracesRead, a.settings.MatchModel), page},
		{
			"GET", "/api/ui/projects/{projectId}/models/unpriced", projectMember(domain.TracesRead, a.settings.ListUnpricedModels),
			page.reading(),
		},
		{
			"POST", "/api/ui/projects/{projectId}/query/scores", projectMember(domain.ScoresRead, a.scoring.QueryScores),
			page.reading(),
		},
		{"POST", "/api/ui/projects/{projectId}/traces/marks", projectMember(domain.TracesWrite, a.tracing.MarkTraces), page},
		{"PATCH", "/api/ui/projects/{projectId}/traces/{traceId}/marks", projectMember(domain.TracesWrite, a.tracing.MarkTrace), page},
		{
			"PATCH", "/api/ui/projects/{projectId}/comments/{commentId}",
			mirrored(orQueued(projectKey, domain.CommentsWrite, scores.ReadChangedComment, a.scoring.CommentQueued,
				a.scoring.UpdateComment)), mirror,
		},
		{
			"DELETE", "/api/ui/projects/{projectId}/comments/{commentId}",
			mirrored(orQueued(projectKey, domain.CommentsWrite, scores.ReadCommentID, a.scoring.CommentQueued, a.scoring.DeleteComment)),
			mirror,
		},
		{
			"POST", "/api/ui/projects/{projectId}/llm-connections/test", projectMember(domain.ProjectAdmin, a.settings.TestLLMConnection),
			page,
		},
	}
	return slices.Concat(table, a.exploreRoutes(), a.viewRoutes(), a.experimentRoutes(), a.promptRoutes(), a.datasetRoutes(),
		a.annotationRoutes(), a.playgroundRoutes(), a.mirroredRoutes())
}

// exploreRoutes returns the routes behind the trace page.
func (a *API) exploreRoutes() []route {
	h := a.explore
	events := rules{errors: respond.ForPeople, pages: noPages, private: true}.reading()
	const trace, observation = "/api/ui/projects/{projectId}/traces/{traceId}/",
		"/api/ui/projects/{projectId}/observations/{observationId}/"
	return []route{
		{"GET", trace + "tree", opened(a, ui.ReadTree, h.GetTree), events},
		{"GET", trace + "find", opened(a, ui.ReadFind, h.FindInTrace), events},
		{"GET", observation + "io/{field}", opened(a, ui.ReadText, h.GetText), events},
		{"GET", observation + "detail", opened(a, ui.ReadDetail, h.GetDetail), events},
	}
}

// viewRoutes returns the routes of saved table views. Everybody who can read traces may save their own; the handlers
// require more for views shared with the project.
func (a *API) viewRoutes() []route {
	h := a.explore
	page := rules{errors: respond.ForPeople, pages: noPages, private: true}
	const views = "/api/ui/projects/{projectId}/views"
	return []route{
		{"GET", views, projectMember(domain.TracesRead, h.ListViews), page},
		{"POST", views, projectMember(domain.TracesRead, h.CreateView), page},
		{"PUT", views + "/default", projectMember(domain.TracesRead, h.SetDefaultView), page},
		{"GET", views + "/{viewId}", projectMember(domain.TracesRead, h.GetView), page},
		{"PATCH", views + "/{viewId}", projectMember(domain.TracesRead, h.UpdateView), page},
		{"DELETE", views + "/{viewId}", projectMember(domain.TracesRead, h.DeleteView), page},
	}
}

// experimentRoutes returns the routes behind the pages of experiments.
func (a *API) experimentRoutes() []route {
	h := a.datasets
	page := rules{errors: respond.ForPeople, pages: noPages, private: true}.reading()
	const project = "/api/ui/projects/{projectId}/"
	return []route{
		{"POST", project + "query/experiments", projectMember(domain.TracesRead, h.QueryExperiments), page},
		{"POST", project + "experiments/compare", projectMember(domain.TracesRead, h.CompareExperiments), page},
		{"POST", project + "experiments/compare/items", projectMember(domain.TracesRead, h.CompareExperimentItems), page},
	}
}

// playgroundRoutes returns the routes of the playground and of what projects keep for it.
func (a *API) playgroundRoutes() []route {
	h := a.playing
	page := rules{errors: respond.ForPeople, pages: noPages, private: true}
	run, saved, experiment := page, page, page
	run.maxBody, saved.maxBody, experiment.maxBody = playground.MaxRunBody, playground.MaxPlaygroundBody, playground.MaxExperimentBody
	const project = "/api/ui/projects/{projectId}/"
	mayRun := func(h func(*endpoint.Call, domain.ProjectScope) (any, error)) access {
		return projectMember(domain.PlaygroundRun, h)
	}
	return []route{
		{"POST", project + "completions", mayRun(h.Complete), run},
		{"GET", project + "llm-models", projectMember(domain.ConnectionsRead, h.ListModels), page},
		{"PUT", project + "default-model", projectMember(domain.ProjectAdmin, h.SetDefaultModel), page},
		{"GET", project + "llm-tools", mayRun(h.ListTools), page},
		{"POST", project + "llm-tools", mayRun(h.CreateTool), page},
		{"PUT", project + "llm-tools/{toolId}", mayRun(h.ReplaceTool), page},
		{"DELETE", project + "llm-tools/{toolId}", mayRun(h.DeleteTool), page},
		{"GET", project + "llm-schemas", mayRun(h.ListSchemas), page},
		{"POST", project + "llm-schemas", mayRun(h.CreateSchema), page},
		{"PUT", project + "llm-schemas/{schemaId}", mayRun(h.ReplaceSchema), page},
		{"DELETE", project + "llm-schemas/{schemaId}", mayRun(h.DeleteSchema), page},
		{"GET", project + "playgrounds", mayRun(h.ListPlaygrounds), page},
		{"POST", project + "playgrounds", mayRun(h.CreatePlayground), saved},
		{"GET", project + "playgrounds/{playgroundId}", mayRun(h.GetPlayground), page},
		{"PUT", project + "playgrounds/{playgroundId}", mayRun(h.ReplacePlayground), saved},
		{"DELETE", project + "playgrounds/{playgroundId}", mayRun(h.DeletePlayground), page},
		{"GET", project + "experiment-runs", mayRun(h.ListExperiments), page},
		{"POST", project + "experiment-runs", mayRun(h.StartExperiments), experiment},
		{"POST", project + "experiment-runs/estimate", mayRun(h.EstimateExperiments), experiment},
		{"GET", project + "experiment-runs/{runId}", mayRun(h.GetExperiment), page},
		{"POST", project + "experiment-runs/{runId}/pause", mayRun(h.PauseExperiment), page},
		{"POST", project + "experiment-runs/{runId}/resume", mayRun(h.ResumeExperiment), page},
		{"POST", project + "experiment-runs/{runId}/cancel", mayRun(h.CancelExperiment), page},
		{"POST", project + "experiment-runs/{runId}/retry", mayRun(h.RetryExperiment), page},
	}
}

// mirroredRoutes returns the public API routes for project keys, made available to people below
// /api/ui/projects/{projectId} with the same handlers and responses. Deprecated routes and those only for programs are
// left out. Queries and deletions, which the web application itself relies on, use the error format for people.
func (a *API) mirroredRoutes() []route {
	var table []route
	for _, rt := range a.routes() {
		path, public := strings.CutPrefix(rt.path, "/api/public/")
		if !public || rt.access.project == nil || rt.rules.successor != "" || forPrograms(path) {
			continue
		}
		rt.path = "/api/ui/projects/{projectId}/" + path
		rt.access = mirrored(rt.access)
		rt.rules.pages, rt.rules.private = noPages, true
		if strings.HasPrefix(path, "query/") || path == "suggest" || path == "deletions" {
			rt.rules.errors = respond.ForPeople
		}
		table = append(table, rt)
	}
	return table
}

// forPrograms reports whether a path of the public API is only for programs.
func forPrograms(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	switch first {
	case "otel", "ingestion", "mcp", "feedback":
		return true
	}
	return false
}
