package httpapi

import (
	"testing"

	"almanac/internal/catalog"
	"almanac/internal/domain"
)

func TestListOrganizationProjects(t *testing.T) {
	const path = "/api/public/organizations/projects"
	runScenarios(t, []scenario{
		{
			name: "of the key's organization", path: path, key: "organization", status: 200,
			contains: []string{
				`{"projects":[{"id":"project-a`, `{"id":"project-a","name":"Project canary a","metadata":{},"createdAt":"2`, `Z","updatedAt":"2`, `"project-a2"`,
			},
			missing: []string{"project-b", "organization"},
		},
		{name: "a project key", path: path, key: "project", status: 403, want: `{"error":"Invalid API key. Organization-scoped API key required for this operation."}`},
		{name: "no key", path: path, status: 401, want: `{"error":"No authorization header"}`},
		{name: "another method", method: "POST", path: path, key: "organization", status: 405, want: `{"error":"Method not allowed"}`},
	})
	t.Run("none", func(t *testing.T) {
		f := newFixture(t, nil)
		if err := f.Catalog.DeleteProject(t.Context(), domain.OfOrganization("org-b"), "project-b", domain.Actor{}); err != nil {
			t.Fatal(err)
		}
		f.run(t, scenario{path: path, key: "foreignOrg", status: 200, want: `{"projects":[]}`})
	})
}

func TestListOrganizationKeys(t *testing.T) {
	const path = "/api/public/organizations/apiKeys"
	runScenarios(t, []scenario{
		{
			name: "of the organization itself", path: path, key: "organization", status: 200,
			contains: []string{`"expiresAt":null,"lastUsedAt":null,"note":"canary organization","publicKey":"pk-lf-org-a","displaySecretKey":"sk-lf-...0004"}]}`},
			missing:  []string{`"pk-lf-a"`, "pk-lf-org-b", "secret-", "hmac", "permissions"},
		},
		{name: "a project key", path: path, key: "project", status: 403, want: `{"error":"Invalid API key. Organization-scoped API key required for this operation."}`},
	})
}

// newUserOf creates a user who is a member of an organization.
func newUserOf(t *testing.T, f *fixture, organization, name string, role domain.Role) domain.User {
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
		log, err := oldestFirst(t.Context(), c, domain.OfOrganization(organization))
		if err != nil {
			t.Fatal(err)
		}
		total += len(log)
	}
	return total
}
