package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"almanac/internal/catalog"
	"almanac/internal/catalog/tenants"
	"almanac/internal/config"
	"almanac/internal/domain"
)

type listOrganizationsCommand struct {
	config.Storage `embed:""`
}

func (l *listOrganizationsCommand) Run(t *terminal) error {
	c, err := openCatalog(t.ctx, l.Storage)
	if err != nil {
		return err
	}
	defer c.Close() //nolint:errcheck // only read
	organizations, err := c.Organizations(t.ctx)
	if err != nil {
		return err
	}
	rows := make([][]string, len(organizations))
	for n, o := range organizations {
		rows[n] = []string{o.ID, o.Name, day(&o.CreatedAt)}
	}
	return t.table("ID\tNAME\tCREATED", rows)
}

type createOrganizationCommand struct {
	config.Storage `embed:""`
	Name           string `arg:"" help:"Name of the organization."`
	ID             string `name:"id" help:"Its id. Default: random." placeholder:"ID"`
}

func (o *createOrganizationCommand) Run(t *terminal) error {
	c, err := openCatalog(t.ctx, o.Storage)
	if err != nil {
		return err
	}
	defer c.Close() //nolint:errcheck // every write is durable before
	id := cmp.Or(o.ID, domain.NewID())
	created, err := c.CreateOrganization(t.ctx, id, o.Name, operator)
	if err != nil {
		return conflictError(err, "organization", id)
	}
	t.printf("%s\n", created.ID)
	return nil
}

type listProjectsCommand struct {
	config.Storage `embed:""`
}

func (l *listProjectsCommand) Run(t *terminal) error {
	c, err := openCatalog(t.ctx, l.Storage)
	if err != nil {
		return err
	}
	defer c.Close() //nolint:errcheck // only read
	projects, err := allProjects(t.ctx, c)
	if err != nil {
		return err
	}
	rows := make([][]string, len(projects))
	for n, p := range projects {
		kept := "forever"
		if p.RetentionDays > 0 {
			kept = fmt.Sprintf("%d days", p.RetentionDays)
		}
		if p.MaxBytes > 0 {
			kept += fmt.Sprintf(", up to %.3g GB", float64(p.MaxBytes)/1e9)
		}
		rows[n] = []string{p.ID, p.Name, p.OrganizationID, kept, day(&p.CreatedAt)}
	}
	return t.table("ID\tNAME\tORGANIZATION\tKEEPS DATA\tCREATED", rows)
}

type createProjectCommand struct {
	config.Storage `embed:""`
	Name           string       `arg:"" help:"Name of the project."`
	ID             string       `name:"id" help:"Its id. Default: random." placeholder:"ID"`
	Organization   string       `help:"Id of the organization to create the project in. Optional if there is only one." placeholder:"ID"`
	Retention      int          `help:"Retention in days, at least 3; 0 keeps data forever." default:"0" placeholder:"DAYS"`
	MaxData        config.Bytes `help:"Maximum size of observations and scores, such as 20GB; above it, the oldest days are deleted. 0 means no limit." default:"0" placeholder:"SIZE"`
}

// Help returns the text shown below the options of the command.
func (*createProjectCommand) Help() string {
	return `Create its first key with: almanac keys create --project ID`
}

func (p *createProjectCommand) Run(t *terminal) error {
	if p.Retention < 0 || p.Retention > 0 && p.Retention < domain.MinRetentionDays {
		return fmt.Errorf("--retention %d: must be at least %d days, or 0 to keep data forever", p.Retention, domain.MinRetentionDays)
	}
	if p.MaxData != 0 && p.MaxData < domain.MinMaxBytes {
		return fmt.Errorf("--max-data %d: must be at least %d bytes, or 0 for no limit", p.MaxData, domain.MinMaxBytes)
	}
	c, err := openCatalog(t.ctx, p.Storage)
	if err != nil {
		return err
	}
	defer c.Close() //nolint:errcheck // every write is durable before
	organization, err := oneOrganization(t.ctx, c, p.Organization)
	if err != nil {
		return err
	}
	created, err := c.CreateProject(t.ctx, domain.OfOrganization(organization), tenants.NewProject{
		ID: p.ID, Name: p.Name, RetentionDays: p.Retention, MaxBytes: int64(p.MaxData),
	}, operator)
	if err != nil {
		return conflictError(err, "project", p.ID)
	}
	t.printf("%s\n", created.ID)
	return nil
}

// oneOrganization returns the id of the organization named or, if the name is empty, of the only one.
func oneOrganization(ctx context.Context, c *catalog.Catalog, name string) (id string, err error) {
	if name != "" {
		o, err := c.Organization(ctx, domain.OfOrganization(name))
		return o.ID, err
	}
	organizations, err := c.Organizations(ctx)
	switch {
	case err != nil:
		return "", err
	case len(organizations) == 0:
		return "", errors.New("there is no organization yet: create one with almanac organizations create NAME")
	case len(organizations) > 1:
		return "", errors.New("there is more than one organization; choose one with --organization: almanac organizations list shows them")
	}
	return organizations[0].ID, nil
}

// conflictError turns a conflict into an error that names what already exists. Other errors are returned unchanged.
func conflictError(err error, kind, id string) error {
	if errors.Is(err, domain.ErrConflict) {
		return fmt.Errorf("there is already a %s with the id %q or with this name", kind, id)
	}
	return err
}

// table prints rows in columns below a heading.
func (t *terminal) table(heading string, rows [][]string) error {
	table := tabwriter.NewWriter(t.stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, heading)
	for _, row := range rows {
		_, _ = fmt.Fprintln(table, strings.Join(row, "\t"))
	}
	return table.Flush()
}
