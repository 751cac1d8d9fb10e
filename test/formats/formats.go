// Package formats holds data of every format ever written, as written by the program of its time. The README beside the
// archives says which commit wrote which, and how to make a new one.
package formats

import (
	"archive/tar"
	"compress/gzip"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

//go:embed archives/*.tar.gz
var archives embed.FS

// noteFile is the file in which an archive describes itself.
const noteFile = "written.json"

// Written says what a program could write, and in which format.
type Written struct {
	Observations bool   `json:"observations"`
	Deleted      bool   `json:"deleted"` // the trace DeletedTrace
	Scores       bool   `json:"scores"`
	Prompt       bool   `json:"prompt"`
	Dataset      bool   `json:"dataset"`
	Media        string `json:"media"` // the id of a medium; may be empty
	Backup       bool   `json:"backup"`
	// Format is the format of the files.
	Format Format `json:"format"`
}

// Archive is an unpacked archive.
type Archive struct {
	Written
	// Data is the data directory of a server that was killed, Backup a backup that its program made shortly before.
	Data, Backup string
}

// Names returns the names of all archives, the oldest format first.
func Names() []string {
	entries, err := fs.ReadDir(archives, "archives")
	if err != nil {
		panic(err) // they are embedded
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".tar.gz"))
	}
	slices.Sort(names)
	return names
}

// Newest returns the name of the archive in the current format.
func Newest() string { names := Names(); return names[len(names)-1] }

// Unpack unpacks an archive into a new directory.
func Unpack(t testing.TB, name string) *Archive {
	t.Helper()
	root := t.TempDir()
	file, err := archives.Open(path.Join("archives", name+".tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close() //nolint:errcheck // only read
	if err := unpack(file, root); err != nil {
		t.Fatalf("cannot unpack %s: %v", name, err)
	}
	a := &Archive{Data: filepath.Join(root, "data"), Backup: filepath.Join(root, "backup")}
	note, err := os.ReadFile(filepath.Join(root, noteFile)) //nolint:gosec // it was just written
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(note, &a.Written); err != nil {
		t.Fatal(err)
	}
	return a
}

func unpack(from io.Reader, root string) error {
	packed, err := gzip.NewReader(from)
	if err != nil {
		return err
	}
	for files := tar.NewReader(packed); ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		to := filepath.Join(root, header.Name) //nolint:gosec // our own archive
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return err
		}
		var content []byte
		if header.Typeflag == tar.TypeLink { // a file of the backup linked to one of the data directory: a copy is as good
			content, err = os.ReadFile(filepath.Join(root, header.Linkname)) //nolint:gosec // our own archive
		} else {
			content, err = io.ReadAll(files)
		}
		if err != nil {
			return err
		}
		if err := os.WriteFile(to, content, 0o600); err != nil { //nolint:gosec // our own archive
			return err
		}
	}
}

// Pack makes an archive of a directory with data, optionally a backup, and a description.
func Pack(root string, w Written, to string) (err error) {
	note, err := json.MarshalIndent(w, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(root, noteFile), append(note, '\n'), 0o600); err != nil {
		return err
	}
	file, err := os.Create(to) //nolint:gosec // whoever makes an archive names it
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	packed, err := gzip.NewWriterLevel(file, gzip.BestCompression)
	if err != nil {
		return err
	}
	files := tar.NewWriter(packed)
	first := make(map[uint64]string) // the name of each file, by its inode
	err = filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		// Files that a server recreates when it starts are left out.
		if err != nil || entry.IsDir() || entry.Name() == "lock" || strings.HasSuffix(name, "-shm") {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		header := &tar.Header{Name: relative, Mode: 0o600, Size: info.Size(), ModTime: time.Unix(0, 0), Typeflag: tar.TypeReg}
		number := info.Sys().(*syscall.Stat_t).Ino
		if before, ok := first[number]; ok {
			header.Typeflag, header.Linkname, header.Size = tar.TypeLink, before, 0
			return files.WriteHeader(header)
		}
		first[number] = relative
		if err := files.WriteHeader(header); err != nil {
			return err
		}
		content, err := os.ReadFile(name) //nolint:gosec // see above
		if err != nil {
			return err
		}
		_, err = files.Write(content)
		return err
	})
	if err = errors.Join(err, files.Close(), packed.Close()); err != nil {
		return fmt.Errorf("cannot pack %s: %w", root, err)
	}
	return nil
}
