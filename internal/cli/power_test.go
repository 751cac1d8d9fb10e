package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"almanac/internal/blob"
	"almanac/internal/catalog"
	"almanac/internal/datadir"
	"almanac/internal/disk"
	"almanac/internal/domain"
	"almanac/internal/store"
	"almanac/internal/store/segment"
	"almanac/test/powerloss"
)

const (
	powerKey  = "the key of the secrets"
	powerBlob = "aaaa1111"
)

var powerMedium = bytes.Repeat([]byte("media "), 500)

// newPowerRoot makes a directory with a complete installation: catalog, key, segments, logs and media.
func newPowerRoot(t *testing.T) (root, data string) {
	t.Helper()
	root = powerloss.TempDir(t)
	data = filepath.Join(root, "data")
	if err := os.CopyFS(data, os.DirFS(newInstallation(t, true))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(datadir.KeyFile(data), []byte(powerKey), 0o600); err != nil {
		t.Fatal(err)
	}
	media, err := blob.OpenDirectory(datadir.MediaDir(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := media.Put(t.Context(), powerBlob, bytes.NewReader(powerMedium), int64(len(powerMedium))); err != nil {
		t.Fatal(err)
	}
	return root, data
}

// runOn runs a command on a disk.
func runOn(t *testing.T, d disk.Disk, command runner) error {
	t.Helper()
	return command.Run(&terminal{ctx: t.Context(), stdout: io.Discard, stderr: io.Discard, disk: d})
}

// unsynced returns a disk that skips syncs.
func unsynced() disk.Disk {
	return disk.Watched(func(c *disk.Change, do func() error) error {
		if c.Kind == disk.Sync || c.Kind == disk.SyncDirectory {
			return nil
		}
		return do()
	})
}

func newRestore(source, data, blobs string) *restoreCommand {
	r := &restoreCommand{Source: source}
	r.Data, r.Blob = data, blobs
	return r
}

// missing returns an error if an installation lacks anything that newPowerRoot made.
func missing(t *testing.T, data, blobs string) error {
	t.Helper()
	if _, err := os.Stat(datadir.CatalogFile(data)); err != nil { // opening would create it
		return err
	}
	c, err := catalog.Open(t.Context(), datadir.CatalogFile(data))
	if err != nil {
		return err
	}
	keys, err := c.Keys(t.Context(), domain.OfOrganization("acme"))
	if err := errors.Join(err, c.Close()); err != nil {
		return err
	}
	if len(keys) != 1 {
		return fmt.Errorf("%d keys in the catalog", len(keys))
	}
	key, err := os.ReadFile(datadir.KeyFile(data))
	if err != nil {
		return err
	}
	if string(key) != powerKey {
		return fmt.Errorf("the encryption key is %q", key)
	}
	file, err := blob.InDirectory(blobs).Open(t.Context(), powerBlob, int64(len(powerMedium)))
	if err != nil {
		return err
	}
	medium, err := io.ReadAll(file)
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	if !bytes.Equal(medium, powerMedium) {
		return errors.New("a medium is another")
	}
	return missingEvents(t, data)
}

func missingEvents(t *testing.T, data string) error {
	t.Helper()
	found, err := segment.Verify(datadir.EventsDir(data), nil)
	if err != nil {
		return err
	}
	if len(found.Faults) > 0 {
		return fmt.Errorf("events: %q", found.Faults)
	}
	s, err := segment.Open(datadir.EventsDir(data), segment.Options{})
	if err != nil {
		return err
	}
	rows := 0
	for _, err := range s.Observations().Scan(t.Context(), domain.OfProject("p"), store.Query[domain.Observation]{}) {
		if err != nil {
			return errors.Join(err, s.Close())
		}
		rows++
	}
	if rows != 3 {
		return errors.Join(fmt.Errorf("%d events", rows), s.Close())
	}
	return s.Close()
}

// TestBackupSurvivesPowerLoss makes a backup and simulates a power loss: a backup that was reported exists, and one
// that looks complete is complete. With any sync left out that does not hold.
func TestBackupSurvivesPowerLoss(t *testing.T) {
	seed := powerloss.Seed(t)
	root, data := newPowerRoot(t)
	r := powerloss.Record(t, root)
	r.NoLinks()
	command := &backupCommand{Target: filepath.Join(root, "backups", "backup")}
	command.Data = data
	if err := runOn(t, r.Disk(), command); err != nil {
		t.Fatal(err)
	}
	scratch := powerloss.TempDir(t)
	check := func(changes int, random *rand.Rand, without disk.Site) error {
		after, restored := filepath.Join(scratch, "after"), filepath.Join(scratch, "restored")
		defer os.RemoveAll(after)
		defer os.RemoveAll(restored)
		r.Crash(t, changes, random, without, after)
		backup := filepath.Join(after, "backups", "backup")
		if _, err := readNote(backup); err != nil {
			if changes < r.Len() {
				return nil // not reported, and not mistaken for a complete backup
			}
			return err
		}
		if err := runOn(t, unsynced(), newRestore(backup, restored, "")); err != nil {
			return err
		}
		return missing(t, restored, datadir.MediaDir(restored))
	}
	sites := []disk.Site{
		disk.EmptyName, disk.BackupSegment, disk.BackupLog, disk.BackupManifest, disk.BackupTable, disk.BackupTables, disk.CatalogCopy,
		disk.KeyCopy,
		disk.BlobCopy, disk.BlobCopyNames, disk.BackupNames, disk.NoteData, disk.NoteName,
	}
	needsEach(t, seed, sites, r, check)
}

// TestRestoreSurvivesPowerLoss restores a backup and simulates a power loss: no server ever starts on a partial
// restore, and everything is there once success was reported. With any sync left out that does not hold.
func TestRestoreSurvivesPowerLoss(t *testing.T) {
	seed := powerloss.Seed(t)
	root, data := newPowerRoot(t)
	backup := &backupCommand{Target: filepath.Join(root, "backup")}
	backup.Data = data
	if err := runOn(t, unsynced(), backup); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(data); err != nil {
		t.Fatal(err)
	}
	r := powerloss.Record(t, root)
	r.NoLinks()
	if err := runOn(t, r.Disk(),
		newRestore(backup.Target, filepath.Join(root, "new", "data"), filepath.Join(root, "blobs", "media"))); err != nil {
		t.Fatal(err)
	}
	scratch := powerloss.TempDir(t)
	check := func(changes int, random *rand.Rand, without disk.Site) error {
		after := filepath.Join(scratch, "after")
		defer os.RemoveAll(after)
		r.Crash(t, changes, random, without, after)
		data := filepath.Join(after, "new", "data")
		if changes < r.Len() && untouched(t, data) {
			return nil
		}
		directory, err := datadir.Open(data)
		if err != nil {
			if changes < r.Len() {
				return nil // no server starts on it
			}
			return err
		}
		defer directory.Close()
		return missing(t, data, filepath.Join(after, "blobs", "media"))
	}
	sites := []disk.Site{
		disk.EmptyName, disk.RestoringName, disk.BackupSegment, disk.BackupLog, disk.BackupManifest, disk.BackupTable, disk.BackupTables,
		disk.CatalogRestored, disk.KeyCopy, disk.MediaCopyName, disk.BlobCopy, disk.BlobCopyNames, disk.RestoredNames, disk.RestoredName,
	}
	needsEach(t, seed, sites, r, check)
}

// untouched reports whether a directory is missing or empty: a server that starts on it starts afresh, as before the
// command.
func untouched(t *testing.T, data string) bool {
	t.Helper()
	entries, err := os.ReadDir(data)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return len(entries) == 0
}

// needsEach simulates a power loss after every change, then leaves out each site in turn, and checks that there are no
// other sites that sync.
func needsEach(t *testing.T, seed uint64, sites []disk.Site, r *powerloss.Recorder, check powerloss.Check) {
	t.Helper()
	for changes := range r.Len() + 1 {
		for round := range powerloss.Rounds(t, 3) {
			if err := check(changes, rand.New(rand.NewPCG(seed+uint64(round), uint64(changes))), ""); err != nil {
				t.Fatalf("behind change %d: %v\n%s", changes, err, r.Last(changes, 40))
			}
		}
	}
	for _, site := range sites {
		t.Run(string(site), func(t *testing.T) {
			powerloss.Needs(t, seed, site, func(uint64) (*powerloss.Recorder, powerloss.Check) { return r, check })
		})
	}
	others := r.Sites()
	for _, site := range sites {
		delete(others, site)
	}
	for site := range others {
		t.Errorf("%s has synced, and nobody asked whether it must", site)
	}
}
