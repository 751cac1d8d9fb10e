package cli

import (
	"context"
	"errors"
	"fmt"
	"os/signal"
	"syscall"

	"almanac/internal/config"
	"almanac/internal/domain"
	"almanac/internal/store"
	"almanac/internal/transfer/importing"
	"almanac/internal/transfer/importing/almanac"
)

type importExportCommand struct {
	Paths   []string `arg:"" name:"files" help:"Files to import, or directories that contain them."`
	Project string   `help:"Id of the project to import into. Default: for scheduled exports, the project with the original id, which is created if it does not exist; otherwise the only project." placeholder:"ID"`
	Restart bool     `help:"Start over, even if an earlier import was interrupted."`

	config.Storage `embed:""`
}

// Help returns the text shown below the options of the command.
func (*importExportCommand) Help() string {
	return `Imports files exported by Almanac: from almanac export, from the web application, and objects written by scheduled exports, once copied from their bucket. CSV, JSON, JSONL and Parquet are supported, compressed with gzip or not; the table is detected from the columns. Ids, times and costs are preserved. The server of --data may be running.

  almanac import export observations.jsonl traces.jsonl scores.jsonl --project my-project
  almanac import export ./bucket

Files of scheduled exports that come with their manifests are verified before they are read, and deleted rows are left out. An interrupted import is resumed by running the same command again. An import can be repeated: nothing is imported twice.`
}

func (e *importExportCommand) Run(t *terminal) (err error) {
	ctx, stop := signal.NotifyContext(t.ctx, syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	into, err := t.openInstallation(ctx, e.Storage)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, into.close()) }()
	return e.run(ctx, t, into, 0)
}

// run imports the files, without rows from before a time.
func (e *importExportCommand) run(ctx context.Context, t *terminal, into *installation, since domain.Micros) error {
	source, err := almanac.Open(ctx, e.Paths)
	if err != nil {
		return err
	}
	source.Since = since
	projects, err := e.projects(ctx, t, into, source.Projects())
	if err != nil {
		return err
	}
	source.Here = into.here(projects)
	return t.runImport(ctx, &importing.Import{
		Source: source, Into: e.Project, Restart: e.Restart,
		Target: into.target(func(id string) (domain.ProjectScope, error) { return domain.OfProject(projects[id].ID), nil }),
	})
}

// projects maps the projects of the files to those to import into, creating them if they do not exist.
func (e *importExportCommand) projects(
	ctx context.Context, t *terminal, into *installation, ids []string,
) (map[string]domain.Project, error) {
	if e.Project != "" && len(ids) > 1 {
		return nil,
			fmt.Errorf("the files belong to %d projects, but --project names only one to import them into: import the directory of a "+
				"single project", len(ids))
	}
	projects := make(map[string]domain.Project, len(ids))
	for _, id := range ids {
		name := e.Project
		if name == "" && id != almanac.Unnamed {
			if err := into.makeProject(ctx, t, wantedProject{id: id, name: id}); err != nil {
				return nil, err
			}
			name = id
		}
		found, err := into.projectFor(ctx, t, name)
		if err != nil {
			return nil, err
		}
		if projects[id], err = into.catalog.Project(ctx, domain.OfProject(found)); err != nil {
			return nil, err
		}
	}
	return projects, nil
}

// here returns the lookups in this installation that a source of files needs.
func (i *installation) here(projects map[string]domain.Project) almanac.TargetLookup {
	return almanac.TargetLookup{
		Project: func(id string) (projectID, organizationID string) {
			return projects[id].ID, projects[id].OrganizationID
		},
		Dataset: func(ctx context.Context, projectID, name string) (string, error) {
			d, err := i.catalog.Dataset(ctx, domain.OfProject(projectID), name)
			if errors.Is(err, domain.ErrNotFound) {
				return "", nil
			}
			return d.ID, err
		},
		HasRun: func(ctx context.Context, projectID, id string) (bool, error) {
			_, err := i.catalog.DatasetRun(ctx, domain.OfProject(projectID), id)
			if errors.Is(err, domain.ErrNotFound) {
				return false, nil
			}
			return err == nil, err
		},
		HasItem: func(ctx context.Context, projectID, traceID, id, itemID string) (bool, error) {
			for o, err := range i.events.Observations.Lookup(ctx, domain.OfProject(projectID), store.Lookup{IDs: []string{id}}) {
				if err != nil {
					return false, err
				}
				if o.TraceID == traceID && o.IsExperimentItem() && o.ExperimentItemID == itemID {
					return true, nil
				}
			}
			return false, nil
		},
		Author: func(ctx context.Context, email string) (*string, error) {
			account, err := i.catalog.Account(ctx, email)
			if errors.Is(err, domain.ErrNotFound) {
				return nil, nil //nolint:nilnil // nobody
			}
			return &account.ID, err
		},
	}
}
