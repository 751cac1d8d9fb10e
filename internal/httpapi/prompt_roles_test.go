package httpapi_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

// promptRoles is who may do what with prompts, skills, the playground and experiments that the server runs: the weakest role of
// each operation of people. Viewers read, members write, and annotators have their queues only.
var promptRoles = map[string]domain.Role{
	"POST query/prompts":                                         domain.RoleViewer,
	"POST query/prompt-uses":                                     domain.RoleViewer,
	"POST prompts":                                               domain.RoleMember,
	"POST prompts/check-name":                                    domain.RoleViewer,
	"POST prompts/copy":                                          domain.RoleMember,
	"POST prompts/metrics":                                       domain.RoleViewer,
	"GET prompts/export":                                         domain.RoleViewer,
	"POST prompts/import":                                        domain.RoleMember,
	"DELETE prompts/{promptName}":                                domain.RoleMember,
	"GET prompts/{promptName}/versions":                          domain.RoleViewer,
	"GET prompts/{promptName}/versions/{version}":                domain.RoleViewer,
	"PUT prompts/{promptName}/versions/{version}/labels":         domain.RoleMember,
	"PUT prompts/{promptName}/tags":                              domain.RoleMember,
	"GET prompts/{promptName}/dependents":                        domain.RoleViewer,
	"GET prompts/{promptName}/label-moves":                       domain.RoleViewer,
	"GET prompt-labels":                                          domain.RoleViewer,
	"PUT prompt-labels":                                          domain.RoleAdmin,
	"GET deleted-prompts":                                        domain.RoleViewer,
	"POST deleted-prompts/{deletionId}/restore":                  domain.RoleMember,
	"GET skills/{skillName}/versions":                            domain.RoleViewer,
	"POST completions":                                           domain.RoleMember,
	"GET llm-models":                                             domain.RoleViewer,
	"PUT default-model":                                          domain.RoleAdmin,
	"GET llm-tools":                                              domain.RoleMember,
	"POST llm-tools":                                             domain.RoleMember,
	"PUT llm-tools/{toolId}":                                     domain.RoleMember,
	"DELETE llm-tools/{toolId}":                                  domain.RoleMember,
	"GET llm-schemas":                                            domain.RoleMember,
	"POST llm-schemas":                                           domain.RoleMember,
	"PUT llm-schemas/{schemaId}":                                 domain.RoleMember,
	"DELETE llm-schemas/{schemaId}":                              domain.RoleMember,
	"GET playgrounds":                                            domain.RoleMember,
	"POST playgrounds":                                           domain.RoleMember,
	"GET playgrounds/{playgroundId}":                             domain.RoleMember,
	"PUT playgrounds/{playgroundId}":                             domain.RoleMember,
	"DELETE playgrounds/{playgroundId}":                          domain.RoleMember,
	"GET experiment-runs":                                        domain.RoleMember,
	"POST experiment-runs":                                       domain.RoleMember,
	"POST experiment-runs/estimate":                              domain.RoleMember,
	"GET experiment-runs/{runId}":                                domain.RoleMember,
	"POST experiment-runs/{runId}/pause":                         domain.RoleMember,
	"POST experiment-runs/{runId}/resume":                        domain.RoleMember,
	"POST experiment-runs/{runId}/cancel":                        domain.RoleMember,
	"POST experiment-runs/{runId}/retry":                         domain.RoleMember,
	"GET v2/prompts":                                             domain.RoleViewer,
	"POST v2/prompts":                                            domain.RoleMember,
	"GET v2/prompts/{promptName}":                                domain.RoleViewer,
	"DELETE v2/prompts/{promptName}":                             domain.RoleMember,
	"PATCH v2/prompts/{promptName}/versions/{version}":           domain.RoleMember,
	"GET unstable/skills":                                        domain.RoleViewer,
	"POST unstable/skills":                                       domain.RoleMember,
	"GET unstable/skills/files/content":                          domain.RoleViewer,
	"GET unstable/skills/{skillName}":                            domain.RoleViewer,
	"PATCH unstable/skills/{skillName}":                          domain.RoleMember,
	"PATCH unstable/skills/{skillName}/versions/{skillVersion}":  domain.RoleMember,
	"DELETE unstable/skills/{skillName}/versions/{skillVersion}": domain.RoleMember,
}

// TestRolesOfPrompts tries each operation as everyone from annotator to owner. TestUIAccessMatrix checks that routes do what
// their rules say; this says what the rules have to be.
func TestRolesOfPrompts(t *testing.T) {
	f := apitest.New(t, nil)
	browsers := make(map[domain.Role]*apitest.Browser)
	everyone := []domain.Role{domain.RoleAnnotator, domain.RoleViewer, domain.RoleMember, domain.RoleAdmin, domain.RoleOwner}
	for _, role := range everyone {
		browsers[role] = f.As(t, f.NewMember(t, strings.ToLower(string(role))+"@a.test", role).ID)
	}
	seen := make(map[string]bool)
	for _, rt := range f.UIRoutes() {
		path, ok := strings.CutPrefix(rt.Path(), "/api/ui/projects/{projectId}/")
		if !ok || !slices.ContainsFunc([]string{"prompt", "skill", "playground", "completions", "llm-models", "llm-tools", "llm-schemas", "default-model", "experiment-runs"}, func(part string) bool { return strings.Contains(path, part) }) {
			continue
		}
		operation := rt.Method() + " " + path
		seen[operation] = true
		least, ok := promptRoles[operation]
		if !ok {
			t.Errorf("nobody says who may %s", operation)
			continue
		}
		for _, role := range everyone {
			at := strings.NewReplacer("{projectId}", "project-a", "{promptName}", "none", "{version}", "1").Replace(rt.Path())
			for strings.Contains(at, "{") { // ids of what is not there
				begin, end := strings.Index(at, "{"), strings.Index(at, "}")
				at = at[:begin] + "none" + at[end+1:]
			}
			body := ""
			if rt.Method() != http.MethodGet {
				body = `{"nonsense":1}`
			}
			status, _ := browsers[role].Try(t, rt.Method(), at, body)
			if refused := status == http.StatusForbidden; refused != role.Weaker(least) {
				t.Errorf("%s as %s: status %d, and the weakest role is %s", operation, role, status, least)
			}
		}
	}
	for operation := range promptRoles {
		if !seen[operation] {
			t.Errorf("there is no %s", operation)
		}
	}
}
