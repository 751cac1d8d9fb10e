package segment

import (
	"bytes"
	"path/filepath"
	"testing"

	"almanac/internal/datadir"
	"almanac/internal/disk"
	"almanac/test/formats"
)

// TestNewestIndex rebuilds the indexes of the newest archive. If they differ, the contents of an index have changed:
// versions with the same indexMagic would misread each other's. test/formats/README.md describes what to do.
func TestNewestIndex(t *testing.T) {
	events := datadir.EventsDir(formats.Unpack(t, formats.Newest()).Data)
	for _, path := range indexFiles(t, events) {
		want := readAll(t, path)
		if err := RebuildIndex(disk.Disk{}, filepath.Dir(path), numberOf(t, path)); err != nil {
			t.Fatal(err)
		}
		if got := readAll(t, path); !bytes.Equal(got, want) {
			t.Errorf("%s is another index than the program wrote that made the archive", path)
		}
	}
}

// TestEveryFormatIsSound verifies the events of every archive and repairs them: indexes of earlier versions are not
// faults, and are gone after a repair.
func TestEveryFormatIsSound(t *testing.T) {
	for _, name := range formats.Names() {
		a := formats.Unpack(t, name)
		for _, directory := range []string{datadir.EventsDir(a.Data), datadir.EventsDir(a.Backup)} {
			found, err := Verify(directory, nil)
			if err != nil || len(found.Faults) > 0 {
				t.Errorf("%s: Verify = %+v, %v", name, found, err)
			}
			if made, err := Repair(disk.Disk{}, directory, nil); err != nil || len(made) != found.Earlier {
				t.Errorf("%s: made %q again, %v, want %d", name, made, err, found.Earlier)
			}
			if found, err := Verify(directory, nil); err != nil || len(found.Faults) > 0 || found.Earlier > 0 {
				t.Errorf("%s: Verify = %+v, %v after the repair", name, found, err)
			}
		}
	}
}
