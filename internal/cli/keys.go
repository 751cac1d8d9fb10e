package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"almanac/internal/access/auth"
	"almanac/internal/catalog"
	"almanac/internal/catalog/tenants"
	"almanac/internal/config"
	"almanac/internal/datadir"
	"almanac/internal/domain"
)

var operator = domain.Actor{Kind: "cli"}

// openCatalog opens the catalog of an existing installation.
func openCatalog(ctx context.Context, s config.Storage) (*catalog.Catalog, error) {
	address, err := existingCatalog(s)
	if err == nil && s.Catalog == "" {
		err = datadir.RefuseBackup(s.Data)
	}
	if err != nil {
		return nil, err
	}
	return catalog.OpenCurrent(ctx, address)
}

// openCatalogAsIs opens a catalog in order to check or copy it. The catalog may have been written by an earlier
// Almanac. The one of a backup stays as it is, byte for byte.
func openCatalogAsIs(ctx context.Context, s config.Storage) (c *catalog.Catalog, earlier bool, err error) {
	address, err := existingCatalog(s)
	switch {
	case err != nil:
		return nil, false, err
	case s.Catalog == "" && datadir.IsBackup(s.Data):
		return catalog.OpenBackup(ctx, address)
	}
	return catalog.OpenAsIs(ctx, address)
}

func existingCatalog(s config.Storage) (address string, err error) {
	file := datadir.CatalogFile(s.Data)
	if s.Catalog == "" {
		if _, err := os.Stat(file); err != nil {
			return "", fmt.Errorf("there is no catalog in %s: start the server once, or set its data directory with --data", s.Data)
		}
	}
	return s.CatalogAddress(file), nil
}

type createKeyCommand struct {
	config.Storage `embed:""`
	Project        string        `help:"Id of the project that the key is for. Optional if there is only one." placeholder:"ID" xor:"owner"`
	Organization   string        `help:"Id of the organization that the key is for. An organization key manages projects and their keys." placeholder:"ID" xor:"owner"`
	Note           string        `help:"What the key is for." placeholder:"TEXT"`
	Permissions    nameList      `help:"Permissions of a project key. Default: all. Any of: ${permissions}." placeholder:"NAME"`
	Expires        time.Duration `help:"Lifetime of the key, such as 720h. Default: unlimited." placeholder:"DURATION"`
}

// permissionList returns the names shown in the help of --permissions.
func permissionList() string { return strings.Join(domain.PermissionNames(), ", ") }

func (k *createKeyCommand) Run(t *terminal) error {
	c, err := openCatalog(t.ctx, k.Storage)
	if err != nil {
		return err
	}
	defer c.Close() //nolint:errcheck // every write is durable before
	permissions := domain.AllPermissions()
	if len(k.Permissions) > 0 {
		if permissions, err = domain.ParsePermissions(strings.Join(k.Permissions, ",")); err != nil {
			return err
		}
	}
	organization, project, err := k.owner(t.ctx, c)
	if err != nil {
		return err
	}
	pair := domain.NewKeyPair()
	n := tenants.NewKey{
		ProjectID: project, PublicKey: pair.PublicKey, SecretHash: auth.HashSecret(pair.SecretKey), DisplaySecret: pair.DisplaySecret(),
		Permissions: permissions,
	}
	if k.Note != "" {
		n.Note = &k.Note
	}
	if k.Expires != 0 {
		if k.Expires < 0 {
			return fmt.Errorf("--expires %s is in the past", k.Expires)
		}
		n.ExpiresAt = new(time.Now().Add(k.Expires))
	}
	if _, err := c.CreateKey(t.ctx, domain.OfOrganization(organization), n, operator); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(t.stderr, "Created a key for %s. The secret is shown only once.\n", ownerText(organization, project))
	t.printf("LANGFUSE_PUBLIC_KEY=%s\nLANGFUSE_SECRET_KEY=%s\n", pair.PublicKey, pair.SecretKey)
	return nil
}

func ownerText(organization, project string) string {
	if project == "" {
		return "organization " + organization
	}
	return "project " + project
}

// owner returns the owner of the key: the organization or project named, or the only project.
func (k *createKeyCommand) owner(ctx context.Context, c *catalog.Catalog) (organization, project string, err error) {
	if k.Organization != "" {
		o, err := c.Organization(ctx, domain.OfOrganization(k.Organization))
		return o.ID, "", err
	}
	p, err := oneProject(ctx, c, k.Project)
	return p.OrganizationID, p.ID, err
}

// oneProject returns the project with an id or, if that is empty, the only project.
func oneProject(ctx context.Context, c *catalog.Catalog, id string) (p domain.Project, err error) {
	if id != "" {
		return c.Project(ctx, domain.OfProject(id))
	}
	projects, err := allProjects(ctx, c)
	switch {
	case err != nil:
		return p, err
	case len(projects) == 0:
		return p, errors.New("there is no project yet: start the server once")
	case len(projects) == 1:
		return projects[0], nil
	}
	var names []string
	for _, p := range projects {
		names = append(names, fmt.Sprintf("%s (%s)", p.ID, p.Name))
	}
	return p, fmt.Errorf("there is more than one project; choose one with --project: %s", strings.Join(names, ", "))
}

func allProjects(ctx context.Context, c *catalog.Catalog) ([]domain.Project, error) {
	organizations, err := c.Organizations(ctx)
	if err != nil {
		return nil, err
	}
	var all []domain.Project
	for _, o := range organizations {
		projects, err := c.Projects(ctx, domain.OfOrganization(o.ID))
		if err != nil {
			return nil, err
		}
		all = append(all, projects...)
	}
	return all, nil
}

type listKeysCommand struct {
	config.Storage `embed:""`
}

func (k *listKeysCommand) Run(t *terminal) error {
	c, err := openCatalog(t.ctx, k.Storage)
	if err != nil {
		return err
	}
	defer c.Close() //nolint:errcheck // only read
	organizations, err := c.Organizations(t.ctx)
	if err != nil {
		return err
	}
	var rows [][]string
	for _, o := range organizations {
		keys, err := c.Keys(t.ctx, domain.OfOrganization(o.ID))
		if err != nil {
			return err
		}
		for _, key := range keys {
			permissions := key.Permissions.String()
			if permissions == "*" || key.ProjectID == "" {
				permissions = "all"
			}
			note := ""
			if key.Note != nil {
				note = *key.Note
			}
			rows = append(rows, []string{
				key.PublicKey, key.DisplaySecret, ownerText(key.OrganizationID, key.ProjectID), permissions,
				day(&key.CreatedAt), day(key.LastUsedAt), day(key.ExpiresAt), note,
			})
		}
	}
	return t.table("PUBLIC KEY\tSECRET\tOF\tPERMISSIONS\tCREATED\tLAST USED\tEXPIRES\tNOTE", rows)
}

func day(t *time.Time) string {
	if t == nil {
		return "never"
	}
	return t.Format("2006-01-02 15:04")
}

type revokeKeyCommand struct {
	config.Storage `embed:""`
	PublicKey      string `arg:"" help:"Public key of the pair to delete."`
}

func (k *revokeKeyCommand) Run(t *terminal) error {
	c, err := openCatalog(t.ctx, k.Storage)
	if err != nil {
		return err
	}
	defer c.Close() //nolint:errcheck // every write is durable before
	if strings.HasPrefix(k.PublicKey, domain.SecretKeyPrefix) {
		return errors.New("this is a secret key: pass the public key of the pair instead (almanac keys list shows it)")
	}
	key, err := c.RevokeKey(t.ctx, k.PublicKey, operator)
	if err != nil {
		return err
	}
	t.printf("Revoked %s of %s.\n", key.PublicKey, ownerText(key.OrganizationID, key.ProjectID))
	return nil
}
