package media

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"almanac/internal/blob"
	"almanac/internal/catalog"
	"almanac/internal/domain"
)

// libraryTest is a library with a project.
type libraryTest struct {
	*testing.T
	*Library
	scope domain.ProjectScope
	path  string
}

func newLibrary(t *testing.T) libraryTest {
	t.Helper()
	path := t.TempDir()
	c, err := catalog.Open(t.Context(), filepath.Join(path, "catalog.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	path = filepath.Join(path, "media")
	blobs, err := blob.OpenDirectory(path)
	if err != nil {
		t.Fatal(err)
	}
	return libraryTest{t, &Library{Catalog: c, Blobs: blobs}, domain.OfProject("p"), path}
}

// files returns the number of files.
func (l libraryTest) files() (count int) {
	l.Helper()
	if err := filepath.WalkDir(l.path, func(_ string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			count++
		}
		return err
	}); err != nil {
		l.Fatal(err)
	}
	return count
}

func (l libraryTest) content(id string) string {
	l.Helper()
	m, err := l.Catalog.Medium(l.Context(), l.scope, id)
	if err != nil {
		l.Fatal(err)
	}
	r, err := l.Open(l.Context(), &m)
	if err != nil {
		l.Fatal(err)
	}
	content, err := io.ReadAll(r)
	if err := errors.Join(err, r.Close()); err != nil {
		l.Fatal(err)
	}
	return string(content)
}

func found(trace, content string) Extracted {
	return Extracted{
		ContentType: "text/plain", SHA256: hashOf([]byte(content)), Data: []byte(content),
		Link: domain.MediumLink{TraceID: trace, Field: "input"},
	}
}

func idOf(content string) string { return domain.MediaID(hashOf([]byte(content))) }

func TestKeep(t *testing.T) {
	l := newLibrary(t)
	if err := l.Keep(t.Context(), l.scope, []Extracted{found("t1", "a"), found("t2", "a"), found("t1", "b")}); err != nil {
		t.Fatal(err)
	}
	if err := l.Keep(t.Context(), l.scope, []Extracted{found("t3", "b"), found("t3", "c")}); err != nil {
		t.Fatal(err)
	}
	for _, content := range []string{"a", "b", "c"} {
		if got := l.content(idOf(content)); got != content {
			t.Errorf("%s became %s", content, got)
		}
	}
	if got := l.files(); got != 3 {
		t.Errorf("%d files", got)
	}
	if err := l.ForgetTraces(t.Context(), l.scope, []string{"t1", "t3"}); err != nil {
		t.Fatal(err)
	}
	if got := l.files(); got != 1 {
		t.Errorf("%d files", got)
	}
	if got := l.content(idOf("a")); got != "a" {
		t.Errorf("a became %s", got)
	}
}

// failingBlobs fails to write content that contains a word, and to remove anything if told so.
type failingBlobs struct {
	blob.Store
	word     string
	noRemove bool
	stay     map[string]bool // keys that cannot be removed
}

var errBroken = errors.New("broken")

func (f *failingBlobs) Put(ctx context.Context, key string, r io.Reader, size int64) error {
	content, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if strings.Contains(string(content), f.word) {
		return errBroken
	}
	return f.Store.Put(ctx, key, strings.NewReader(string(content)), size)
}

func (f *failingBlobs) Remove(ctx context.Context, key string) error {
	if f.noRemove || f.stay[key] {
		return errBroken
	}
	return f.Store.Remove(ctx, key)
}

func TestKeepAllOrNone(t *testing.T) {
	l := newLibrary(t)
	failing := &failingBlobs{Store: l.Blobs, word: "bad"}
	l.Blobs = failing
	files := []Extracted{found("t1", "good"), found("t1", "bad"), found("t1", "fine")}
	if err := l.Keep(t.Context(), l.scope, files); !errors.Is(err, errBroken) {
		t.Errorf("error %v", err)
	}
	if got := l.files(); got != 0 {
		t.Errorf("%d files", got)
	}
	if _, err := l.Catalog.Medium(t.Context(), l.scope, idOf("good")); !errors.Is(err, domain.ErrNotFound) {
		t.Errorf("error %v", err)
	}
	// Blobs that cannot be removed immediately are removed later.
	failing.word, failing.noRemove = "never", true
	if err := l.Keep(t.Context(), l.scope, files); err != nil {
		t.Fatal(err)
	}
	if err := l.ForgetTraces(t.Context(), l.scope, []string{"t1"}); !errors.Is(err, errBroken) {
		t.Errorf("error %v", err)
	}
	if got := l.files(); got != 3 {
		t.Errorf("%d files", got)
	}
	failing.noRemove = false
	if err := l.Sweep(t.Context()); err != nil || l.files() != 0 {
		t.Errorf("%d files, %v", l.files(), err)
	}
}

// TestBlobsThatStay has more blobs that cannot be removed than are removed in one step. Others are removed nevertheless,
// those that were given up as well as later ones, and nobody who deletes other traces is told of a failure.
func TestBlobsThatStay(t *testing.T) {
	l := newLibrary(t)
	failing := &failingBlobs{Store: l.Blobs, word: "never", noRemove: true, stay: make(map[string]bool)}
	l.Blobs = failing
	begin := func(prefix string, count int) (keys []string) {
		for n := range count {
			keys = append(keys, fmt.Sprintf("%s%021d", prefix, n))
			if err := failing.Put(t.Context(), keys[n], strings.NewReader("x"), 1); err != nil {
				t.Fatal(err)
			}
		}
		if err := l.Catalog.BeginBlobs(t.Context(), keys...); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Catalog.GiveUpBlobs(t.Context(), keys); err != nil {
			t.Fatal(err)
		}
		return keys
	}
	for _, key := range begin("a", sweepSize) {
		failing.stay[key] = true
	}
	begin("b", 3)
	failing.noRemove = false
	if err := l.Keep(t.Context(), l.scope, []Extracted{found("t1", "later")}); err != nil {
		t.Fatal(err)
	}
	if err := l.ForgetTraces(t.Context(), l.scope, []string{"t1"}); err != nil {
		t.Errorf("another trace is deleted: %v", err)
	}
	if got := l.files(); got != sweepSize+3 {
		t.Errorf("%d files", got)
	}
	for n := range 2 {
		if err := l.Sweep(t.Context()); n == 0 && !errors.Is(err, errBroken) {
			t.Errorf("the first time: %v", err)
		}
	}
	if got := l.files(); got != sweepSize {
		t.Errorf("%d files are left, and %d cannot be removed", got, sweepSize)
	}
}

func TestReceive(t *testing.T) {
	l := newLibrary(t)
	m := domain.Medium{ID: idOf("content"), SHA256: hashOf([]byte("content")), ContentType: "text/plain", ContentLength: 7}
	receive := func(content string) error { return l.Receive(t.Context(), l.scope, m, strings.NewReader(content)) }
	if err := receive("content"); !errors.Is(err, domain.ErrNotFound) {
		t.Errorf("nobody announced it: %v", err)
	}
	if _, err := l.Catalog.AnnounceMedium(t.Context(), l.scope, m, domain.MediumLink{TraceID: "t", Field: "input"}); err != nil {
		t.Fatal(err)
	}
	for _, content := range []string{"", "conten", "content!", "CONTENT"} {
		if err := receive(content); !errors.Is(err, ErrContent) {
			t.Errorf("%q: %v", content, err)
		}
	}
	if got := l.files(); got != 0 {
		t.Errorf("%d files", got)
	}
	if err := receive("content"); err != nil || l.content(m.ID) != "content" {
		t.Errorf("%v, %s", err, l.content(m.ID))
	}
}

// TestAtOnce stores, sends and deletes the same files concurrently. Whatever the catalog lists must exist.
func TestAtOnce(t *testing.T) {
	l := newLibrary(t)
	const workers, rounds, contents = 4, 15, 3
	var wg sync.WaitGroup
	for worker := range workers {
		wg.Go(func() {
			for round := range rounds {
				trace, content := fmt.Sprint("t", worker), fmt.Sprint("content", (worker+round)%contents)
				m := domain.Medium{
					ID: idOf(content), SHA256: hashOf([]byte(content)), ContentType: "text/plain", ContentLength: int64(len(content)),
				}
				_, err := l.Catalog.AnnounceMedium(t.Context(), l.scope, m, domain.MediumLink{TraceID: trace, Field: "output"})
				if err == nil && round%2 == 0 {
					err = l.Receive(t.Context(), l.scope, m, strings.NewReader(content))
				} else if err == nil {
					err = l.Keep(t.Context(), l.scope, []Extracted{found(trace, content)})
				}
				if err == nil {
					if got := l.content(m.ID); got != content {
						t.Errorf("%s became %s", content, got)
					}
					err = l.ForgetTraces(t.Context(), l.scope, []string{trace})
				}
				if err != nil {
					t.Errorf("worker %d, round %d: %v", worker, round, err)
				}
			}
		})
	}
	wg.Wait()
	if err := l.Sweep(t.Context()); err != nil || l.files() != 0 {
		t.Errorf("%d files are left, %v", l.files(), err)
	}
}
