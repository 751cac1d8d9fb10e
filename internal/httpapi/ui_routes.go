package httpapi

import (
	"net/http"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// invitationPath is what the path of an invitation begins with; its token follows.
const invitationPath = "/api/ui/invitations/"

// uiRoutes is the table of what the web application asks for. api/ui.yaml describes the same routes, but for those of the public
// API that are served here, too; a test compares the two in both directions.
func (a *API) uiRoutes() []route {
	page := rules{errors: respond.ForPeople, pages: noPages, private: true}
	// Passwords take turns of their own.
	password := page
	password.alwaysAdmitted = true
	// Somebody who comes back from an identity provider may get an account, and while they wait for it others get turns.
	provider := page
	provider.alwaysAdmitted, provider.changes = true, true
	p := a.people
	// At the addresses of mirrored routes errors are those of the public API.
	mirror := rules{pages: noPages, private: true}
	ofComment := func(h func(*endpoint.Call, domain.ProjectScope) (any, error)) access {
		return mirrored(projectKey(domain.CommentsWrite, h).orQueued(a.scoring.CommentQueued))
	}

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
		{"POST", "/api/ui/organizations", signedIn(p.CreateOrganization), page},

		{"PATCH", "/api/ui/organizations/{organizationId}", organizationMember(domain.OrganizationUpdate, p.UpdateOrganization), page},
		{"DELETE", "/api/ui/organizations/{organizationId}", organizationMember(domain.OrganizationDelete, p.DeleteOrganization), page},
		{"GET", "/api/ui/organizations/{organizationId}/projects", organizationMember(0, p.ListProjects), page},
		{"POST", "/api/ui/organizations/{organizationId}/projects", organizationMember(domain.ProjectsCreate, p.CreateProject), page},
		{"GET", "/api/ui/organizations/{organizationId}/members", organizationMember(domain.MembersRead, p.ListMembers), page},
		{"PUT", "/api/ui/organizations/{organizationId}/members/{userId}", organizationMember(domain.MembersWrite, p.SetMember), page},
		{"DELETE", "/api/ui/organizations/{organizationId}/members/{userId}", organizationMember(domain.MembersWrite, p.RemoveMember), page},
		{"POST", "/api/ui/organizations/{organizationId}/members/{userId}/reset-link", organizationMember(domain.MembersWrite, p.CreateResetLink), page},
		{"GET", "/api/ui/organizations/{organizationId}/invitations", organizationMember(domain.MembersWrite, p.ListInvitations), page},
		{"POST", "/api/ui/organizations/{organizationId}/invitations", organizationMember(domain.MembersWrite, p.CreateInvitation), page},
		{"DELETE", "/api/ui/organizations/{organizationId}/invitations/{invitationId}", organizationMember(domain.MembersWrite, p.RevokeInvitation), page},
		{"GET", "/api/ui/organizations/{organizationId}/apiKeys", organizationMember(domain.KeysRead, a.admin.ListOrganizationKeys), page},
		{"POST", "/api/ui/organizations/{organizationId}/apiKeys", organizationMember(domain.KeysWrite, a.admin.AdminCreateKey), page},
		{"DELETE", "/api/ui/organizations/{organizationId}/apiKeys/{apiKeyId}", organizationMember(domain.KeysWrite, a.admin.AdminDeleteKey), page},
		{"GET", "/api/ui/organizations/{organizationId}/audit-log", organizationMember(domain.AuditRead, a.admin.ListAudit), page},

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
		{"GET", "/api/ui/projects/{projectId}/blob-storage", projectManager(domain.IntegrationsRead, a.settings.GetBlobStorage), page},
		{"PUT", "/api/ui/projects/{projectId}/blob-storage", projectManager(domain.IntegrationsWrite, a.settings.SetBlobStorage), page},
		{"POST", "/api/ui/projects/{projectId}/blob-storage/run", projectManager(domain.IntegrationsWrite, a.settings.RunBlobStorage), page},
		{"DELETE", "/api/ui/projects/{projectId}/blob-storage", projectManager(domain.IntegrationsWrite, a.settings.RemoveBlobStorage), page},
		{"POST", "/api/ui/projects/{projectId}/models/match", projectMember(domain.TracesRead, a.settings.MatchModel), page},
		{"GET", "/api/ui/projects/{projectId}/models/unpriced", projectMember(domain.TracesRead, a.settings.ListUnpricedModels), page.reading()},
		{"PATCH", "/api/ui/projects/{projectId}/traces/{traceId}/marks", projectMember(domain.TracesWrite, a.tracing.MarkTrace), page},
		{"PATCH", "/api/ui/projects/{projectId}/comments/{commentId}", ofComment(a.scoring.UpdateComment), mirror},
		{"DELETE", "/api/ui/projects/{projectId}/comments/{commentId}", ofComment(a.scoring.DeleteComment), mirror},
		{"POST", "/api/ui/projects/{projectId}/llm-connections/test", projectMember(domain.ProjectAdmin, a.settings.TestLLMConnection), page},
	}
	return slices.Concat(table, a.exploreRoutes(), a.viewRoutes(), a.mirroredRoutes())
}

// exploreRoutes are what the page of a trace and completions are made of.
func (a *API) exploreRoutes() []route {
	h := a.explore
	events := rules{errors: respond.ForPeople, pages: noPages, private: true}.reading()
	const trace, observation = "/api/ui/projects/{projectId}/traces/{traceId}/", "/api/ui/projects/{projectId}/observations/{observationId}/"
	inPath := func(r *http.Request) string { return r.PathValue("traceId") }
	inQuery := func(r *http.Request) string { return r.URL.Query().Get("traceId") }
	ofTrace := func(h func(*endpoint.Call, domain.ProjectScope) (any, error)) access {
		return orPublished(a.opener(domain.ObjectTrace, "traceId", h), inPath, h)
	}
	ofObservation := func(h func(*endpoint.Call, domain.ProjectScope) (any, error)) access {
		return orPublished(a.opener(domain.ObjectObservation, "observationId", h), inQuery, h)
	}
	return []route{
		{"GET", trace + "tree", ofTrace(h.GetTree), events},
		{"GET", trace + "find", ofTrace(h.FindInTrace), events},
		{"GET", observation + "io/{field}", ofObservation(h.GetText), events},
		{"GET", observation + "detail", ofObservation(h.GetDetail), events},
	}
}

// viewRoutes are for the views of tables that people keep. Whoever reads may keep their own; the handlers ask for more if a view is the
// whole project's.
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

// mirroredRoutes are the routes of the public API that take a project's key, for people: the same handlers with the same answers,
// below /api/ui/projects/{projectId}. Left out is what is deprecated, and what programs send traces and messages to. Queries and
// deletions of what they select are what the pages are made of: people can read what is wrong with them.
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

// forPrograms reports whether a path of the public API is of no use to people.
func forPrograms(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	switch first {
	case "otel", "ingestion", "mcp", "feedback":
		return true
	}
	return false
}
