package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"almanac/internal/blob"
	"almanac/internal/buildinfo"
	"almanac/internal/catalog"
	"almanac/internal/config"
	"almanac/internal/datadir"
	"almanac/internal/disk"
	"almanac/internal/domain"
	"almanac/internal/media"
	"almanac/internal/store/eventdir"
	"almanac/internal/store/segment"
)

type backupCommand struct {
	config.Storage `embed:""`
	Target         string `arg:"" help:"Directory to write the backup to. It must be empty or not exist."`
}

// Help returns the text shown below the options of the command.
func (*backupCommand) Help() string {
	return `Everything that was acknowledged before the command started is in the backup. If the backup is on the same file system as the data directory, immutable event files are hard-linked instead of copied, which takes almost no time or space; to survive a disk failure, a backup must be copied to or made on another disk.

The backup contains the key that encrypts the secrets in the catalog, unless the key is set with --encryption-key: protect the backup as well as the server.

A catalog in PostgreSQL is not copied: run pg_dump after this command. Events in ClickHouse are not copied either: run BACKUP there before this command. Media in a bucket are not copied.`
}

// backupFile is the file that describes the contents of a backup. It is written last: a backup without it is
// incomplete.
const backupFile = datadir.BackupNote

// backupFormat is the version of the layout of a backup. Newer ones are refused.
const backupFormat = 1

// backupNote is the content of backupFile.
type backupNote struct {
	Format  int       `json:"format"`
	Version string    `json:"version"` // of the program that wrote the backup
	MadeAt  time.Time `json:"madeAt"`
	// Catalog reports whether the backup includes the catalog. It does not if the catalog is in PostgreSQL.
	Catalog bool `json:"catalog"`
	// Events reports whether the backup includes events. It does not if there were none.
	Events bool `json:"events"`
	// Media reports whether the backup includes media. It does not if they are in a bucket or there were none.
	Media bool `json:"media"`
}

func (b *backupCommand) Run(t *terminal) error {
	note := backupNote{Format: backupFormat, Version: buildinfo.Version(), MadeAt: time.Now().UTC().Truncate(time.Second)}
	if b.Stateless() {
		return errors.New("nothing to back up: the catalog is in PostgreSQL (pg_dump), events are in ClickHouse (BACKUP DATABASE), media " +
			"in a bucket")
	}
	if _, err := os.Stat(b.Data); err != nil {
		return fmt.Errorf("cannot find the data directory; set it with --data: %w", err)
	}
	if err := datadir.RefuseBackup(b.Data); err != nil {
		return err
	}
	if inside, err := isInside(b.Target, b.Data); err != nil || inside {
		return errors.Join(err, fmt.Errorf("the backup %s is inside the data directory %s: choose another location", b.Target, b.Data))
	}
	address := b.CatalogAddress(datadir.CatalogFile(b.Data))
	note.Catalog = !catalog.IsPostgres(address)
	if err := refuseNewerEvents(b.Storage); err != nil {
		return err
	}
	var source *catalog.Catalog
	earlier := false
	if note.Catalog {
		var err error
		if source, earlier, err = openCatalogAsIs(t.ctx, b.Storage); err != nil {
			return err
		}
		defer source.Close() //nolint:errcheck // only read
	}
	if note.Catalog && !earlier && !b.EventsInClickHouse() {
		if err := eventdir.Check(t.ctx, source, b.Storage); err != nil {
			return err
		}
	}
	if err := datadir.MakeEmpty(t.disk, b.Target); err != nil {
		return err
	}
	var err error
	if b.EventsInClickHouse() {
		t.say("the events are in ClickHouse and not in this backup: they must be backed up with BACKUP DATABASE there first")
	} else if note.Events, err = hasEvents(b.Data); err != nil {
		return err
	}
	// Events first: the catalog, copied later, then has every project that the events refer to.
	if note.Events {
		t.say("copying the events")
		if err := segment.Backup(t.disk, datadir.EventsDir(b.Data), datadir.EventsDir(b.Target),
			t.progress("copying the events")); err != nil {
			return err
		}
	}
	if note.Catalog {
		t.say("copying the catalog")
		if err := source.Backup(t.ctx, t.disk, datadir.CatalogFile(b.Target)); err != nil {
			return err
		}
		if err := checkCopiedStore(t, b.Target, note); err != nil { // a newer server may have been started meanwhile
			return fmt.Errorf("the backup cannot be used, empty its directory and make it again: %w", err)
		}
	} else {
		t.say("the catalog is in PostgreSQL and not in this backup: back it up with pg_dump now")
	}
	if err := copyKey(t.disk, b.Data, b.Target); err != nil {
		return err
	}
	if note.Media, err = b.copyMedia(t); err != nil {
		return err
	}
	if err := t.disk.SyncDirectory(disk.BackupNames, b.Target); err != nil { // before the note says it is complete
		return fmt.Errorf("cannot finish the backup: %w", err)
	}
	if err := writeNote(t.disk, b.Target, note); err != nil {
		return err
	}
	t.printf("The backup is in %s.\n", b.Target)
	var damaged []string
	if note.Media && source != nil && !earlier {
		t.say("checking media")
		if damaged, err = b.checkCopiedMedia(t, source); err != nil {
			return err
		}
	}
	if err := datadir.NoteBackup(b.Data, time.Now()); err != nil {
		t.say(fmt.Sprintf("the backup is complete, but its time could not be recorded, so the metrics do not show it: %v", err))
	}
	for _, f := range damaged {
		t.printf("%-6s %s\n", "FAULT", f)
	}
	if len(damaged) > 0 {
		return fmt.Errorf("%d faults found: these media are damaged in %s, and so in the backup; everything else is in it",
			len(damaged), b.Data)
	}
	return nil
}

// checkCopiedStore returns an error if the events in a backup do not belong to its catalog.
func checkCopiedStore(t *terminal, target string, note backupNote) error {
	if !note.Catalog || !note.Events {
		return nil
	}
	c, earlier, err := catalog.OpenBackup(t.ctx, datadir.CatalogFile(target))
	if err != nil {
		return err
	}
	defer c.Close() //nolint:errcheck // only read
	if earlier {
		return nil
	}
	if err := eventdir.Check(t.ctx, c, config.Storage{Data: target}); errors.Is(err, eventdir.ErrOther) {
		return err
	}
	return nil // what cannot be read is reported when it is copied
}

// checkCopiedMedia compares the media in the backup with the catalog. Media that were uploaded after they were copied
// are intact in the data directory, and no fault.
func (b *backupCommand) checkCopiedMedia(t *terminal, source *catalog.Catalog) ([]string, error) {
	here := &media.Library{Catalog: source, Blobs: blob.InDirectory(b.BlobDirectory(datadir.MediaDir(b.Data)))}
	copied := &media.Library{Catalog: source, Blobs: blob.InDirectory(datadir.MediaDir(b.Target))}
	_, faults, err := mediaFaults(t, source, func(scope domain.ProjectScope, m *domain.Medium) error {
		if err := checkMedium(t, copied, scope, m); err == nil {
			return nil
		}
		return checkMedium(t, here, scope, m)
	})
	return faults, err
}

// isInside reports whether path, which need not exist, is the directory or below it.
func isInside(path, directory string) (bool, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return false, err
	}
	outer, err := filepath.Abs(directory)
	if err != nil {
		return false, err
	}
	relative, err := filepath.Rel(outer, absolute)
	return err == nil && relative != ".." && !strings.HasPrefix(relative, ".."+string(filepath.Separator)), nil
}

// copyMedia copies media. It runs after the catalog is copied, so that all media known to that copy are included.
func (b *backupCommand) copyMedia(t *terminal) (copied bool, err error) {
	if b.BlobsInBucket() {
		t.say("media are in a bucket and not in this backup")
		return false, nil
	}
	directory := b.BlobDirectory(datadir.MediaDir(b.Data))
	if _, err := os.Stat(directory); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	t.say("copying media")
	_, err = blob.CopyDirectory(t.disk, directory, datadir.MediaDir(b.Target))
	return err == nil, err
}

// copyKey copies the encryption key of a data directory, if it has one. Without it the secrets in the catalog are lost.
func copyKey(d disk.Disk, source, target string) error {
	err := copyFile(d, disk.KeyCopy, datadir.KeyFile(source), datadir.KeyFile(target))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot copy the encryption key: %w", err)
	}
	return nil
}

func writeNote(d disk.Disk, directory string, note backupNote) error {
	text, err := json.MarshalIndent(note, "", "  ")
	if err != nil {
		return err
	}
	err = d.WriteFile(disk.NoteData, filepath.Join(directory, backupFile), os.O_EXCL, func(file io.Writer) error {
		_, err := file.Write(append(text, '\n'))
		return err
	})
	if err == nil {
		err = d.SyncDirectory(disk.NoteName, directory)
	}
	if err != nil {
		return fmt.Errorf("cannot finish the backup: %w", err)
	}
	return nil
}
