// Package provision sets up an installation: what the operator describes in the init options or, on an empty catalog, a
// first organization with a project and its keys.
package provision

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"almanac/internal/access/auth"
	"almanac/internal/catalog"
	"almanac/internal/catalog/tenants"
	"almanac/internal/config"
	"almanac/internal/domain"
)

// First is what was created on an empty catalog. The secret is shown once and cannot be recovered.
type First struct {
	Project domain.Project
	Keys    domain.KeyPair
}

var actor = domain.Actor{Kind: "init"}

// Apply creates whatever is missing. It returns what it created without being told to, or nil.
func Apply(ctx context.Context, c *catalog.Catalog, options config.Init, log *slog.Logger) (*First, error) {
	if options.OrgID != "" {
		return nil, applyInit(ctx, c, options, log)
	}
	if options.ProjectID != "" || options.ProjectPublicKey != "" || options.ProjectSecretKey != "" || options.UserEmail != "" {
		log.Warn("ignoring the init options: --init-org-id is required")
	}
	organizations, err := c.Organizations(ctx)
	if err != nil || len(organizations) > 0 {
		return nil, err
	}
	return createFirst(ctx, c)
}

func createFirst(ctx context.Context, c *catalog.Catalog) (*First, error) {
	organization, err := c.CreateOrganization(ctx, domain.NewID(), "My organization", actor)
	if err != nil {
		return nil, fmt.Errorf("cannot create the first organization: %w", err)
	}
	scope := domain.OfOrganization(organization.ID)
	project, err := c.CreateProject(ctx, scope, tenants.NewProject{Name: "My project"}, actor)
	if err != nil {
		return nil, fmt.Errorf("cannot create the first project: %w", err)
	}
	pair := domain.NewKeyPair()
	if err := createKey(ctx, c, scope, project.ID, pair, "created at the first start"); err != nil {
		return nil, fmt.Errorf("cannot create the keys of the first project: %w", err)
	}
	return &First{project, pair}, nil
}

func createKey(
	ctx context.Context, c *catalog.Catalog, scope domain.OrganizationScope, projectID string, pair domain.KeyPair, note string,
) error {
	_, err := c.CreateKey(ctx, scope, tenants.NewKey{
		ProjectID: projectID, PublicKey: pair.PublicKey, SecretHash: auth.HashSecret(pair.SecretKey), DisplaySecret: pair.DisplaySecret(),
		Note: &note, Permissions: domain.AllPermissions(),
	}, actor)
	return err
}

func applyInit(ctx context.Context, c *catalog.Catalog, o config.Init, log *slog.Logger) error {
	scope := domain.OfOrganization(o.OrgID)
	if _, err := c.Organization(ctx, scope); errors.Is(err, domain.ErrNotFound) {
		if _, err := c.CreateOrganization(ctx, o.OrgID, o.OrgName, actor); err != nil {
			return fmt.Errorf("cannot create the organization %q of --init-org-id: %w", o.OrgID, err)
		}
		log.Info("created the organization of --init-org-id", "organization", o.OrgID)
	} else if err != nil {
		return err
	}
	if err := applyProject(ctx, c, scope, o, log); err != nil {
		return err
	}
	return applyUser(ctx, c, scope, o, log)
}

func applyProject(ctx context.Context, c *catalog.Catalog, scope domain.OrganizationScope, o config.Init, log *slog.Logger) error {
	if o.ProjectID == "" {
		if o.ProjectPublicKey != "" || o.ProjectSecretKey != "" {
			log.Warn("ignoring the init keys: --init-project-id is required")
		}
		return nil
	}
	project, err := c.Project(ctx, domain.OfProject(o.ProjectID))
	switch {
	case errors.Is(err, domain.ErrNotFound):
		n := tenants.NewProject{ID: o.ProjectID, Name: o.ProjectName, RetentionDays: o.ProjectRetention}
		if _, err := c.CreateProject(ctx, scope, n, actor); err != nil {
			return fmt.Errorf("cannot create the project %q of --init-project-id: %w", o.ProjectID, err)
		}
		log.Info("created the project of --init-project-id", "project", o.ProjectID)
	case err != nil:
		return err
	case project.OrganizationID != o.OrgID:
		return fmt.Errorf("the project %q of --init-project-id belongs to another organization, %q", o.ProjectID, project.OrganizationID)
	}
	return applyKey(ctx, c, scope, o, log)
}

func applyKey(ctx context.Context, c *catalog.Catalog, scope domain.OrganizationScope, o config.Init, log *slog.Logger) error {
	pair := domain.KeyPair{PublicKey: o.ProjectPublicKey, SecretKey: o.ProjectSecretKey.Reveal()}
	if pair.PublicKey == "" || pair.SecretKey == "" {
		if pair != (domain.KeyPair{}) {
			log.Warn("ignoring the init key: --init-project-public-key and --init-project-secret-key must be set together")
		}
		return nil
	}
	if strings.ContainsAny(pair.PublicKey+pair.SecretKey, ": \t\r\n") {
		return errors.New("the keys of --init-project-public-key and --init-project-secret-key must not contain colons or whitespace: no " +
			"client could send them")
	}
	if max(len(pair.PublicKey), len(pair.SecretKey)) > domain.MaxKeyBytes {
		return fmt.Errorf("the keys of --init-project-public-key and --init-project-secret-key must not be longer than %d characters",
			domain.MaxKeyLength)
	}
	existing, err := c.KeyByPublic(ctx, pair.PublicKey)
	switch {
	case err == nil && existing.ProjectID == o.ProjectID:
		// The secret of an imported key can only be compared when the key is used.
		if !auth.IsImported(existing.SecretHash) && !auth.SecretMatches(existing.SecretHash, pair.SecretKey) {
			log.Warn("the key of --init-project-public-key already exists with a different secret, which remains valid; revoke the key "+
				"to replace it",
				"key", pair.PublicKey)
		}
		return nil
	case err == nil:
		if _, err := c.RevokeKey(ctx, pair.PublicKey, actor); err != nil {
			return fmt.Errorf("cannot move the key %q to the project of --init-project-id: %w", pair.PublicKey, err)
		}
		log.Warn("moved the key of --init-project-public-key from another project", "key", pair.PublicKey, "from", existing.ProjectID)
	case !errors.Is(err, domain.ErrNotFound):
		return err
	}
	if err := createKey(ctx, c, scope, o.ProjectID, pair, "created by the init options"); err != nil {
		return fmt.Errorf("cannot create the key of --init-project-public-key: %w", err)
	}
	log.Info("created the key of --init-project-public-key", "key", pair.PublicKey)
	return nil
}

func applyUser(ctx context.Context, c *catalog.Catalog, scope domain.OrganizationScope, o config.Init, log *slog.Logger) error {
	email := domain.NormalEmail(o.UserEmail)
	if email == "" || o.UserPassword == "" {
		if email != "" || o.UserPassword != "" {
			log.Warn("ignoring the init user: --init-user-email and --init-user-password must be set together")
		}
		return nil
	}
	// Hashing a password is slow on purpose; a start that changes nothing should not have to do it.
	account, err := c.Account(ctx, email)
	if err != nil && !errors.Is(err, domain.ErrNotFound) {
		return err
	}
	hash := ""
	if err != nil || !account.EmailVerified {
		hash = auth.HashPassword(o.UserPassword.Reveal())
	}
	created, err := c.EnsureOwner(ctx, scope, email, o.UserName, hash, actor)
	if err != nil {
		return fmt.Errorf("cannot create the user of --init-user-email: %w", err)
	}
	if created {
		log.Info("created the user of --init-user-email", "organization", o.OrgID)
	}
	return nil
}
