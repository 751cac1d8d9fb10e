package provision

import (
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/access/auth"
	"almanac/internal/catalog"
	"almanac/internal/config"
	"almanac/internal/domain"
)

func newCatalog(t *testing.T) *catalog.Catalog {
	t.Helper()
	c, err := catalog.Open(t.Context(), filepath.Join(t.TempDir(), "catalog.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// apply returns what was created and what was logged.
func apply(t *testing.T, c *catalog.Catalog, o config.Init) (*First, string, error) {
	t.Helper()
	var log strings.Builder
	first, err := Apply(t.Context(), c, o, slog.New(slog.NewTextHandler(&log, nil)))
	return first, log.String(), err
}

func TestFirstStart(t *testing.T) {
	c := newCatalog(t)
	first, _, err := apply(t, c, config.Init{})
	if err != nil || first == nil {
		t.Fatalf("Apply = %v, %v", first, err)
	}
	key, err := c.KeyByPublic(t.Context(), first.Keys.PublicKey)
	if err != nil || key.ProjectID != first.Project.ID || !auth.SecretMatches(key.SecretHash, first.Keys.SecretKey) {
		t.Errorf("the printed key is stored as %+v, %v", key, err)
	}
	if again, _, err := apply(t, c, config.Init{}); err != nil || again != nil {
		t.Errorf("a second start created %v, %v", again, err)
	}
}

func TestHeadlessStart(t *testing.T) {
	everything := config.Init{
		OrgID: "org", OrgName: "Acme", ProjectID: "prj", ProjectName: "Bot", ProjectRetention: 30,
		ProjectPublicKey: "pk-lf-1", ProjectSecretKey: "sk-lf-1", UserEmail: " Ada@Example.org ", UserName: "Ada", UserPassword: "hunter2",
	}
	c := newCatalog(t)
	for start := range 3 {
		first, log, err := apply(t, c, everything)
		if err != nil || first != nil {
			t.Fatalf("start %d: %v, %v", start, first, err)
		}
		if created := strings.Count(log, "created the"); (start == 0) != (created == 4) || start > 0 && created > 0 {
			t.Errorf("start %d logged %s", start, log)
		}
		if strings.Contains(log, "sk-lf-1") || strings.Contains(log, "hunter2") {
			t.Errorf("the log holds a secret: %s", log)
		}
	}
	project, err := c.Project(t.Context(), domain.OfProject("prj"))
	if err != nil || project.Name != "Bot" || project.OrganizationName != "Acme" || project.RetentionDays != 30 {
		t.Errorf("project = %+v, %v", project, err)
	}
	if exists, err := c.UserExists(t.Context(), "ada@example.org"); err != nil || !exists {
		t.Errorf("the user does not exist: %v", err)
	}

	// Existing objects are left alone.
	renamed := everything
	renamed.OrgName, renamed.ProjectName, renamed.ProjectRetention = "Other", "Other", 0
	renamed.ProjectSecretKey = "sk-lf-2"
	if _, log, err := apply(t, c, renamed); err != nil || !strings.Contains(log, "already exists with a different secret") {
		t.Errorf("%s, %v", log, err)
	}
	if again, err := c.Project(t.Context(), domain.OfProject("prj")); err != nil || again.Name != "Bot" || again.RetentionDays != 30 {
		t.Errorf("project = %+v, %v", again, err)
	}
	if key, err := c.KeyByPublic(t.Context(), "pk-lf-1"); err != nil || !auth.SecretMatches(key.SecretHash, "sk-lf-1") {
		t.Errorf("the secret was changed: %v", err)
	}

	// A key of another project is moved.
	moved := everything
	moved.ProjectID, moved.ProjectName = "prj2", "Second"
	if _, log, err := apply(t, c, moved); err != nil || !strings.Contains(log, "moved the key") {
		t.Errorf("%s, %v", log, err)
	}
	if key, err := c.KeyByPublic(t.Context(), "pk-lf-1"); err != nil || key.ProjectID != "prj2" {
		t.Errorf("key = %+v, %v", key, err)
	}

	// An organization cannot take over another's project.
	foreign := everything
	foreign.OrgID = "org2"
	if _, _, err := apply(t, c, foreign); err == nil || !strings.Contains(err.Error(), "belongs to another organization") {
		t.Errorf("error %v", err)
	}
}

func TestIncompleteInit(t *testing.T) {
	cases := []struct {
		name string
		init config.Init
		want string // in the log or in the error
	}{
		{"no organization", config.Init{ProjectID: "p"}, "--init-org-id is required"},
		{"keys without a project", config.Init{OrgID: "o", OrgName: "O", ProjectPublicKey: "pk"}, "--init-project-id is required"},
		{
			"half a key",
			config.Init{OrgID: "o", OrgName: "O", ProjectID: "p", ProjectName: "P", ProjectPublicKey: "pk"},
			"must be set together",
		},
		{"half a user", config.Init{OrgID: "o", OrgName: "O", UserEmail: "a@b"}, "must be set together"},
		{
			"keys that cannot be sent", config.Init{
				OrgID: "o", OrgName: "O", ProjectID: "p", ProjectName: "P", ProjectPublicKey: "p:k", ProjectSecretKey: "s",
			}, "must not contain colons",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, log, err := apply(t, newCatalog(t), c.init)
			if err != nil {
				log += err.Error()
			}
			if !strings.Contains(log, c.want) {
				t.Errorf("got %q, want %q", log, c.want)
			}
		})
	}
}
