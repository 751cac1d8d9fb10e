package cli

import (
	"errors"
	"fmt"
	"io"

	"almanac/internal/blob"
	"almanac/internal/catalog"
	"almanac/internal/datadir"
	"almanac/internal/domain"
	"almanac/internal/media"
)

// checkMedia reads every media file and compares it with its record in the catalog. Media in a bucket are not checked.
func (d *doctorCommand) checkMedia(t *terminal, c *checkup, database *catalog.Catalog) {
	if d.BlobsInBucket() {
		c.ok("media are in a bucket and not checked")
		return
	}
	library := &media.Library{Catalog: database, Blobs: blob.InDirectory(d.BlobDirectory(datadir.MediaDir(d.Data)))}
	files, faults, err := mediaFaults(t, database, func(scope domain.ProjectScope, m *domain.Medium) error {
		return checkMedium(t, library, scope, m)
	})
	for _, f := range faults {
		c.fault("media: %s", f)
	}
	if err != nil {
		c.fault("media: %v", err)
	} else if len(faults) == 0 {
		c.ok("media are intact (files: %d)", files)
	}
}

// mediaFaults checks every medium of a catalog. It returns their number and what is wrong.
func mediaFaults(
	t *terminal, database *catalog.Catalog, check func(domain.ProjectScope, *domain.Medium) error,
) (files int, faults []string, err error) {
	err = eachProject(t, database, func(scope domain.ProjectScope) error {
		for after := ""; ; {
			list, err := database.MediaAfter(t.ctx, scope, after)
			if err != nil || len(list) == 0 {
				return err
			}
			for n := range list {
				files++
				if fault := check(scope, &list[n]); fault != nil {
					faults = append(faults, fault.Error())
				}
			}
			after = list[len(list)-1].ID
		}
	})
	return files, faults, err
}

// eachProject calls f for every project.
func eachProject(t *terminal, database *catalog.Catalog, f func(domain.ProjectScope) error) error {
	organizations, err := database.Organizations(t.ctx)
	if err != nil {
		return err
	}
	for _, o := range organizations {
		projects, err := database.Projects(t.ctx, domain.OfOrganization(o.ID))
		if err != nil {
			return err
		}
		for _, p := range projects {
			if err := f(domain.OfProject(p.ID)); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkMedium reads a medium to its end. A medium that was deleted or uploaded again meanwhile is not a fault.
func checkMedium(t *terminal, library *media.Library, scope domain.ProjectScope, m *domain.Medium) error {
	content, err := library.Open(t.ctx, m)
	if err == nil {
		_, err = io.Copy(io.Discard, content)
		err = errors.Join(err, content.Close())
	}
	if err == nil {
		return nil
	}
	now, again := library.Catalog.Medium(t.ctx, scope, m.ID)
	if errors.Is(again, domain.ErrNotFound) || again == nil && now.BlobKey != m.BlobKey {
		return nil
	}
	return fmt.Errorf("medium %s of project %s: %w", m.ID, scope.ProjectID(), err)
}
