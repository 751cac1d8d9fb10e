package datadir

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/disk"
)

func TestOneServerPerDirectory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "data")
	if busy, err := InUse(path); err != nil || busy {
		t.Errorf("InUse of nothing = %v, %v", busy, err)
	}
	first, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the directory is readable by others: %v, %v", info.Mode(), err)
	}
	if busy, err := InUse(path); err != nil || !busy {
		t.Errorf("InUse while open = %v, %v", busy, err)
	}
	_, err = Open(path)
	if want := fmt.Sprintf("in use by another Almanac (process %d)", os.Getpid()); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("a second Open gives %v, want %q", err, want)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if busy, err := InUse(path); err != nil || busy {
		t.Errorf("InUse after Close = %v, %v", busy, err)
	}
	again, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}

func TestOpenBelowAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(filepath.Join(file, "data")); err == nil || !strings.Contains(err.Error(), "cannot create the data directory") {
		t.Errorf("Open = %v", err)
	}
}

func TestOpenEmpty(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data")
	d, err := OpenEmpty(disk.Disk{}, path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("Open meanwhile = %v", err)
	}
	if err := d.Close(); err != nil { // as if the program had ended here
		t.Fatal(err)
	}
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "partly restored") {
		t.Errorf("Open of a half-filled directory = %v", err)
	}
	if _, err := OpenEmpty(disk.Disk{}, path); err == nil || !strings.Contains(err.Error(), "is not empty: it contains restoring") {
		t.Errorf("OpenEmpty of a half-filled directory = %v", err)
	}
	if err := os.Remove(filepath.Join(path, "restoring")); err != nil {
		t.Fatal(err)
	}
	if d, err = OpenEmpty(disk.Disk{}, path); err != nil { // only the lock file is left
		t.Fatal(err)
	}
	if err := d.MarkComplete(); err != nil {
		t.Error(err)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if d, err = Open(path); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}
