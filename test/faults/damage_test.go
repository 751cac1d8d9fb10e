package faults

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"almanac/test/harness"
)

// kindOfFile is a kind of file in the data directory.
type kindOfFile struct {
	name, pattern string
	// unchecked: the file has no checksums, so that damage may go unnoticed and its content may come out wrong.
	unchecked bool
}

func kindsOfFiles() []kindOfFile {
	return []kindOfFile{
		{name: "log", pattern: "events/*/log-*.wal"},
		{name: "segment", pattern: "events/*/*.parquet"},
		{name: "index", pattern: "events/*/*.idx"},
		{name: "manifest", pattern: "events/*/MANIFEST"},
		{name: "medium", pattern: "media/*/*/*"},
		{name: "catalog", pattern: "catalog.db", unchecked: true},
	}
}

// harm is damage to one file.
type harm struct {
	kind   kindOfFile
	path   string // in the data directory
	how    string
	offset int64
}

func (h harm) String() string { return fmt.Sprintf("%s %s at offset %d", h.path, h.how, h.offset) }

// names reports whether a message names the file. Segments and their indexes share a name with different extensions,
// and messages call the manifest by that word.
func (h harm) names(message string) bool {
	name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(h.path), ".idx"), ".parquet")
	return strings.Contains(strings.ToLower(message), strings.ToLower(name))
}

// damageRound damages one file of each kind, each in a copy of the data.
func damageRound(w *world) tally {
	w.fillSegments()
	w.server.Stop(w.t)
	var found tally
	for _, kind := range kindsOfFiles() {
		files, err := filepath.Glob(filepath.Join(w.data, kind.pattern))
		if err != nil || len(files) == 0 {
			w.t.Fatalf("there is no file %s, %v", kind.pattern, err)
		}
		path := files[w.rng.IntN(len(files))]
		info, err := os.Stat(path)
		if err != nil {
			w.t.Fatal(err)
		}
		relative, _ := filepath.Rel(w.data, path)
		h := harm{kind: kind, path: relative, how: []string{"flipped", "cut", "missing"}[w.rng.IntN(3)], offset: w.rng.Int64N(info.Size())}
		t := w.tryHarm(h)
		for n := range t.problems {
			t.problems[n] = h.String() + ": " + t.problems[n]
		}
		found.add(t)
	}
	w.start()
	found.add(w.check(true))
	return found
}

// fillSegments writes until both tables have segments and rows in the log.
func (w *world) fillSegments() {
	deadline := time.Now().Add(30 * time.Second)
	l := w.startLoad()
	for _, table := range []string{"observations", "scores"} {
		for {
			files, _ := filepath.Glob(filepath.Join(w.data, "events", table, "*.idx"))
			if len(files) > 0 {
				break
			}
			if time.Now().After(deadline) {
				w.t.Fatalf("there is no segment of %s after 30 s", table)
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	l.end()
	w.writeEach(10*time.Second, "before the damage")
}

// tryHarm damages a copy and checks the consequences.
func (w *world) tryHarm(h harm) (t tally) {
	healthy := w.data
	defer func() { w.data = healthy }()
	w.data = w.harmed(healthy, h)
	stdout, stderr, code := harness.Run(w.t, "doctor", "--data", w.data)
	diagnosed := code != 0
	if diagnosed && !h.names(stdout+stderr) && !h.kind.unchecked {
		t.complain("the doctor does not name the file: %s%s", stdout, stderr)
	}
	if h.how == "missing" && !diagnosed {
		t.complain("the doctor does not miss it: %s", stdout)
	}
	if h.kind.name == "index" && diagnosed {
		w.data = w.harmed(healthy, h)
		if stdout, stderr, code := harness.Run(w.t, "doctor", "--repair", "--data", w.data); code != 0 {
			t.complain("it is not repaired: %s%s", stdout, stderr)
		}
		t.add(w.readHarmed(h, false))
		w.data = w.harmed(healthy, h)
	}
	t.add(w.readHarmed(h, diagnosed))
	return t
}

// readHarmed starts a server on the data and reads everything. Errors are fine if the doctor found the damage too;
// anything read without an error must be right.
func (w *world) readHarmed(h harm, diagnosed bool) (t tally) {
	if err := w.tryStart(); err != nil {
		switch {
		case strings.Contains(err.Error(), "panic") || strings.Contains(err.Error(), "goroutine"):
			t.complain("the server panics: %v", err)
		case h.kind.unchecked:
		case !diagnosed:
			t.complain("the doctor finds nothing, and the server does not start: %v", err)
		case !h.names(err.Error()):
			t.complain("the server does not start and does not name the file: %v", err)
		}
		return t
	}
	defer w.server.Signal(w.t, syscall.SIGKILL)
	found := make(reading)
	failed := make(map[string]bool)
	for kind, read := range readers() {
		if err := read(w, found); err != nil {
			failed[kind] = true
			switch {
			case h.kind.unchecked:
			case !diagnosed:
				t.complain("the doctor finds nothing, and a read fails: %v", err)
			case !w.logged(h):
				t.complain("a read fails, and the log does not name the file: %v", err)
			}
		}
	}
	w.calm()
	if h.kind.unchecked {
		if h.how == "missing" {
			t.complain("the server starts without it")
		}
		return t
	}
	t.add(w.ledger.compareHarmed(found, failed))
	return t
}

// logged waits briefly until the server has logged the name of the file.
func (w *world) logged(h harm) bool {
	for range 100 {
		if _, log := w.server.Printed(); h.names(log) {
			return true
		}
		time.Sleep(20 * time.Millisecond)
	}
	return false
}

// harmed copies the data and damages a file of the copy. Files that never change are linked.
func (w *world) harmed(data string, h harm) string {
	target := w.t.TempDir()
	err := filepath.WalkDir(data, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, _ := filepath.Rel(data, path)
		to := filepath.Join(target, relative)
		switch {
		case entry.IsDir():
			return os.MkdirAll(to, 0o700)
		case relative != h.path && (strings.HasSuffix(path, ".parquet") || strings.HasSuffix(path, ".idx") ||
			strings.HasPrefix(relative, "media")):
			return os.Link(path, to)
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if relative == h.path {
			switch h.how {
			case "missing":
				return nil
			case "cut":
				content = content[:h.offset]
			case "flipped":
				content[h.offset] ^= 0x10
			}
		}
		return os.WriteFile(to, content, 0o600)
	})
	if err != nil {
		w.t.Fatal(errors.Join(fmt.Errorf("cannot copy %s", data), err))
	}
	return target
}
