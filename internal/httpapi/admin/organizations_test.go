package admin_test

import (
	"testing"

	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

func TestListOrganizationProjects(t *testing.T) {
	const path = "/api/public/organizations/projects"
	apitest.Run(t, []apitest.Scenario{
		{
			Name: "of the key's organization", Path: path, Key: "organization", Status: 200,
			Contains: []string{
				`{"projects":[{"id":"project-a`, `{"id":"project-a","name":"Project canary a","metadata":{},"createdAt":"2`,
				`Z","updatedAt":"2`, `"project-a2"`,
			},
			Missing: []string{"project-b", "organization"},
		},
		{
			Name: "a project key", Path: path, Key: "project", Status: 403,
			Want: `{"error":"Invalid API key. Organization-scoped API key required for this operation."}`,
		},
		{Name: "no key", Path: path, Status: 401, Want: `{"error":"No authorization header"}`},
		{Name: "another method", Method: "POST", Path: path, Key: "organization", Status: 405, Want: `{"error":"Method not allowed"}`},
	})
	t.Run("none", func(t *testing.T) {
		f := apitest.New(t, nil)
		if err := f.Catalog.DeleteProject(t.Context(), domain.OfOrganization("org-b"), "project-b", domain.Actor{}); err != nil {
			t.Fatal(err)
		}
		f.Run(t, apitest.Scenario{Path: path, Key: "foreignOrg", Status: 200, Want: `{"projects":[]}`})
	})
}

func TestListOrganizationKeys(t *testing.T) {
	const path = "/api/public/organizations/apiKeys"
	apitest.Run(t, []apitest.Scenario{
		{
			Name: "of the organization itself", Path: path, Key: "organization", Status: 200,
			Contains: []string{
				`"expiresAt":null,"lastUsedAt":null,"note":"canary organization","publicKey":"pk-lf-org-a","displaySecretKey":"sk-lf-...0004"}]}`,
			},
			Missing: []string{`"pk-lf-a"`, "pk-lf-org-b", "secret-", "hmac", "permissions"},
		},
		{
			Name: "a project key", Path: path, Key: "project", Status: 403,
			Want: `{"error":"Invalid API key. Organization-scoped API key required for this operation."}`,
		},
	})
}

// newUserOf creates a user who is a member of an organization.
func newUserOf(t *testing.T, f *apitest.Fixture, organization, name string, role domain.Role) domain.User {
	t.Helper()
	u, err := f.Catalog.ProvisionUser(t.Context(), domain.OfOrganization(organization), name+"@example.org", name, &role, domain.Actor{})
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// changesIn returns the number of entries in the audit logs of both organizations.
func changesIn(t *testing.T, c *catalog.Catalog) int {
	t.Helper()
	total := 0
	for _, organization := range []string{"org-a", "org-b"} {
		log, err := apitest.OldestFirst(t.Context(), c, domain.OfOrganization(organization))
		if err != nil {
			t.Fatal(err)
		}
		total += len(log)
	}
	return total
}
