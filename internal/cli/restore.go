package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"almanac/internal/blob"
	"almanac/internal/catalog"
	"almanac/internal/config"
	"almanac/internal/datadir"
	"almanac/internal/disk"
	"almanac/internal/domain"
	"almanac/internal/media"
	"almanac/internal/store/segment"
)

type restoreCommand struct {
	config.Storage `embed:""`
	Source         string `arg:"" help:"Directory written by almanac backup."`

	KeepIntegrations bool `help:"Leave scheduled exports enabled, and keep the id by which their buckets know this installation. Only if the original will never run again."`
}

// Help returns the text shown below the options of the command.
func (*restoreCommand) Help() string {
	return `The data directory must be empty or not exist yet. Everything is copied and then checked as by almanac doctor. A server refuses to start on an incompletely restored directory.

The original may still be running, so everything that acts outwards is disabled in the copy: scheduled exports would write to the same buckets. Use --keep-integrations if the copy replaces the original.`
}

func (r *restoreCommand) Run(t *terminal) (err error) {
	note, err := readNote(r.Source)
	if err != nil {
		return err
	}
	if note.Catalog && catalog.IsPostgres(r.CatalogAddress("")) {
		return errors.New("the backup contains a SQLite catalog: restore it without --catalog (ALMANAC_CATALOG)")
	}
	if note.Events && r.EventsInClickHouse() {
		return errors.New("the backup contains events of a data directory: restore it without --store (ALMANAC_STORE)")
	}
	if err := refuseNewerBackup(t, r.Source, note); err != nil {
		return err
	}
	if err := checkCopiedStore(t, r.Source, note); err != nil {
		return fmt.Errorf("the backup %s cannot be restored: %w", r.Source, err)
	}
	directory, err := datadir.OpenEmpty(t.disk, r.Data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, directory.Close()) }()
	if note.Events {
		t.say("restoring the events")
		id := "" // that of the original, which the catalog knows
		if note.Catalog && !r.KeepIntegrations {
			id = domain.NewID() // or its directories could be mistaken for those of the original
		}
		if err := segment.Restore(t.disk, datadir.EventsDir(r.Source), datadir.EventsDir(r.Data), id,
			t.progress("restoring the events")); err != nil {
			return err
		}
	}
	if note.Catalog {
		t.say("restoring the catalog")
		if err := copyFile(t.disk, disk.CatalogRestored, datadir.CatalogFile(r.Source), datadir.CatalogFile(r.Data)); err != nil {
			return fmt.Errorf("cannot restore the catalog: %w", err)
		}
	} else {
		t.say("the catalog was in PostgreSQL and is not in this backup: restore it from its pg_dump")
	}
	if err := copyKey(t.disk, r.Source, r.Data); err != nil {
		return err
	}
	if note.Media {
		if err := r.restoreMedia(t); err != nil {
			return err
		}
	}
	t.say("checking the restored data")
	if err := r.verify(t, note); err != nil {
		return err
	}
	if note.Catalog && !r.KeepIntegrations {
		if err := becomeCopy(t, datadir.CatalogFile(r.Data), "almanac restore"); err != nil {
			return err
		}
	}
	if err := directory.MarkComplete(); err != nil {
		return err
	}
	t.printf("Restored the backup of %s to %s.\n", note.MadeAt.Format("2006-01-02 15:04:05 MST"), r.Data)
	return nil
}

// becomeCopy disables everything that acts outwards in the catalog of a copy, and says so.
func becomeCopy(t *terminal, address, command string) (err error) {
	c, err := catalog.OpenCurrent(t.ctx, address)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	disabled, err := c.BecomeCopy(t.ctx, "Disabled by "+command+", because the original may still export to the same bucket. "+
		"If it does not, take the bucket over and enable the export; otherwise choose another bucket or prefix first.", operator)
	if err == nil && disabled > 0 {
		t.printf("Disabled the scheduled exports of %d projects, because the original may still be running: see --keep-integrations.\n",
			disabled)
	}
	return err
}

func (r *restoreCommand) restoreMedia(t *terminal) error {
	if r.BlobsInBucket() {
		return errors.New("the backup contains media of a directory: restore it without --blob (ALMANAC_BLOB)")
	}
	t.say("restoring media")
	target := r.BlobDirectory(datadir.MediaDir(r.Data))
	if r.Blob != "" { // outside the data directory, where nothing syncs it later
		if err := t.disk.MakeDirectories(disk.MediaCopyName, target); err != nil {
			return fmt.Errorf("cannot create the media directory: %w", err)
		}
	}
	_, err := blob.CopyDirectory(t.disk, datadir.MediaDir(r.Source), target)
	return err
}

func readNote(source string) (backupNote, error) {
	var note backupNote
	text, err := os.ReadFile(filepath.Join(source, backupFile)) //nolint:gosec // the operator names it
	if errors.Is(err, fs.ErrNotExist) {
		return note, fmt.Errorf("%s is not a complete backup: it does not contain %s, which almanac backup writes last", source, backupFile)
	}
	if err != nil {
		return note, err
	}
	if err := json.Unmarshal(text, &note); err != nil {
		return note, fmt.Errorf("cannot read %s of the backup %s: %w", backupFile, source, err)
	}
	if note.Format < 1 || note.Format > backupFormat {
		return note, fmt.Errorf("the backup %s has format %d, written by a newer version of Almanac (%s); this version supports up to %d",
			source, note.Format, note.Version, backupFormat)
	}
	return note, nil
}

// refuseNewerBackup returns an error if the contents of a backup were written by a newer program.
func refuseNewerBackup(t *terminal, source string, note backupNote) error {
	if note.Events {
		if err := segment.RefuseNewer(datadir.EventsDir(source)); err != nil {
			return fmt.Errorf("cannot restore the events: %w", err)
		}
	}
	if note.Catalog {
		if err := catalog.CheckBackup(t.ctx, datadir.CatalogFile(source)); err != nil {
			return fmt.Errorf("cannot restore the catalog: %w", err)
		}
	}
	return nil
}

// verify checks what was restored.
func (r *restoreCommand) verify(t *terminal, note backupNote) error {
	var faults []string
	if note.Catalog {
		// Nobody else can be using the directory, so an older catalog may be migrated.
		c, err := catalog.Open(t.ctx, datadir.CatalogFile(r.Data))
		if err != nil {
			return err
		}
		found, err := c.Verify(t.ctx)
		var damaged []string
		if err == nil && note.Media {
			library := &media.Library{Catalog: c, Blobs: blob.InDirectory(r.BlobDirectory(datadir.MediaDir(r.Data)))}
			_, damaged, err = mediaFaults(t, c, func(scope domain.ProjectScope, m *domain.Medium) error {
				return checkMedium(t, library, scope, m)
			})
		}
		if err := errors.Join(err, c.Close()); err != nil {
			return err
		}
		faults = append(append(faults, found...), damaged...)
	}
	if note.Events {
		found, err := segment.Verify(datadir.EventsDir(r.Data), t.progress("checking the events"))
		if err != nil {
			return err
		}
		faults = append(faults, found.Faults...)
		if found.Earlier > 0 && len(faults) == 0 {
			t.printf("%-6s %s\n", "info",
				"the events were written by an earlier version of Almanac, their index is rebuilt on the first start")
		}
	}
	for _, f := range faults {
		t.printf("%-6s %s\n", "FAULT", f)
	}
	if len(faults) > 0 {
		return fmt.Errorf("%d faults found: the backup %s is damaged; no server starts on %s until you remove the file named restoring "+
			"from it", len(faults), r.Source, r.Data)
	}
	return nil
}

// copyFile copies a file and syncs it to disk. The file name is durable only after SyncDirectory.
func copyFile(d disk.Disk, site disk.Site, source, target string) error {
	file, err := os.Open(source) //nolint:gosec // the operator names it
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // only read
	return d.WriteFile(site, target, os.O_EXCL, func(to io.Writer) error {
		_, err := io.Copy(to, file)
		return err
	})
}
