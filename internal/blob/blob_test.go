package blob

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/johannesboyne/gofakes3"

	"almanac/internal/disk"
)

// onAll runs a test on a directory, on a bucket of our own fake server and on one of a third-party server. Kept returns
// the stored keys, including those of incomplete blobs.
func onAll(t *testing.T, test func(t *testing.T, s Store, kept func() []string)) {
	t.Run("directory", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "media")
		d, err := OpenDirectory(path)
		if err != nil {
			t.Fatal(err)
		}
		test(t, d, func() (keys []string) {
			if err := filepath.WalkDir(path, func(path string, e fs.DirEntry, err error) error {
				if err == nil && !e.IsDir() {
					keys = append(keys, filepath.Base(path))
				}
				return err
			}); err != nil {
				t.Fatal(err)
			}
			return keys
		})
	})
	t.Run("bucket", func(t *testing.T) {
		fake := &fakeS3{objects: map[string][]byte{}}
		server := httptest.NewServer(fake)
		t.Cleanup(server.Close)
		b, err := OpenBucket(BucketOptions{
			Client: TrustedClient(), Address: "s3://bucket/a/b?endpoint=" + server.URL, AccessKey: "key", SecretKey: "secret",
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(b.Close)
		test(t, b, func() (keys []string) {
			fake.mu.Lock()
			defer fake.mu.Unlock()
			for path := range fake.objects {
				keys = append(keys, strings.TrimPrefix(path[strings.LastIndex(path, "/")+1:], "/"))
			}
			return keys
		})
	})
	t.Run("gofakes3", func(t *testing.T) {
		backend, endpoint := startS3(t)
		b := openTestBucket(t, "s3://bucket/a/b?endpoint="+endpoint, "secret")
		test(t, b, func() (keys []string) {
			list, err := backend.ListBucket("bucket", nil, gofakes3.ListBucketPage{})
			if err != nil {
				t.Fatal(err)
			}
			for _, object := range list.Contents {
				keys = append(keys, object.Key[strings.LastIndex(object.Key, "/")+1:])
			}
			return keys
		})
	})
}

// fakeS3 is a bucket in memory. It verifies signatures by recomputing them.
type fakeS3 struct {
	mu      sync.Mutex
	objects map[string][]byte
}

func (f *fakeS3) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if problem := checkSignature(r); problem != "" {
		http.Error(w, problem, http.StatusForbidden)
		return
	}
	if !strings.HasPrefix(r.URL.Path, "/bucket/a/b/") {
		http.Error(w, "no such bucket", http.StatusNotFound)
		return
	}
	f.serve(w, r)
}

func (f *fakeS3) serve(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodPut:
		body, err := io.ReadAll(r.Body)
		if err != nil || int64(len(body)) != r.ContentLength {
			http.Error(w, "incomplete", http.StatusBadRequest)
			return
		}
		f.mu.Lock()
		f.objects[r.URL.Path] = body
		f.mu.Unlock()
	case http.MethodGet:
		f.mu.Lock()
		body, ok := f.objects[r.URL.Path]
		f.mu.Unlock()
		if !ok {
			http.Error(w, "no such key", http.StatusNotFound)
			return
		}
		http.ServeContent(w, r, "", time.Unix(1, 0), bytes.NewReader(body))
	case http.MethodDelete:
		f.mu.Lock()
		delete(f.objects, r.URL.Path)
		f.mu.Unlock()
		w.WriteHeader(http.StatusNoContent)
	}
}

const someKey = "abcdefghijklmnopqrstuvwxyz"

func read(t *testing.T, s Store, key string, size int) string {
	t.Helper()
	r, err := s.Open(t.Context(), key, int64(size))
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(r)
	if err := errors.Join(err, r.Close()); err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestStore(t *testing.T) {
	onAll(t, func(t *testing.T, s Store, kept func() []string) {
		for n, content := range []string{"", "x", strings.Repeat("almanac ", 100_000)} {
			key := "key" + strconv.Itoa(n) + "rest"
			if err := s.Put(t.Context(), key, strings.NewReader(content), int64(len(content))); err != nil {
				t.Fatal(err)
			}
			if got := read(t, s, key, len(content)); got != content {
				t.Errorf("%d bytes came back as %d", len(content), len(got))
			}
		}
		if got := kept(); len(got) != 3 {
			t.Errorf("kept %v", got)
		}
		if err := s.Remove(t.Context(), "key1rest"); err != nil {
			t.Fatal(err)
		}
		if err := s.Remove(t.Context(), "key1rest"); err != nil {
			t.Errorf("removed again: %v", err)
		}
		if _, err := s.Open(t.Context(), "key1rest", 1); !errors.Is(err, ErrNotFound) {
			t.Errorf("after its removal: %v", err)
		}
		if got := kept(); len(got) != 2 {
			t.Errorf("kept %v", got)
		}
	})
}

func TestNothingIsKeptOfWhatIsNotWhole(t *testing.T) {
	broken := errors.New("broken")
	onAll(t, func(t *testing.T, s Store, kept func() []string) {
		for name, c := range map[string]struct {
			r    io.Reader
			size int64
		}{
			"too short":      {strings.NewReader("1234"), 5},
			"too long":       {strings.NewReader("123456"), 5},
			"not empty":      {strings.NewReader("1"), 0},
			"breaks":         {io.MultiReader(strings.NewReader("123"), iotest.ErrReader(broken)), 5},
			"breaks at once": {iotest.ErrReader(broken), 5},
			"breaks behind":  {io.MultiReader(strings.NewReader("12345"), iotest.ErrReader(broken)), 5},
			"byte by byte":   {iotest.OneByteReader(strings.NewReader(strings.Repeat("x", 2000))), 1999},
		} {
			want := ErrLength
			if strings.HasPrefix(name, "breaks") {
				want = broken
			}
			if err := s.Put(t.Context(), someKey, c.r, c.size); !errors.Is(err, want) {
				t.Errorf("%s: error %v", name, err)
			}
			if _, err := s.Open(t.Context(), someKey, max(1, c.size)); !errors.Is(err, ErrNotFound) {
				t.Errorf("%s: open: %v", name, err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := s.Put(ctx, someKey, strings.NewReader("x"), 1); !errors.Is(err, context.Canceled) {
			t.Errorf("of a client that left: %v", err)
		}
		if got := kept(); len(got) != 0 {
			t.Errorf("kept %v", got)
		}
	})
}

func TestSeek(t *testing.T) {
	onAll(t, func(t *testing.T, s Store, _ func() []string) {
		if err := s.Put(t.Context(), someKey, strings.NewReader("0123456789"), 10); err != nil {
			t.Fatal(err)
		}
		r, err := s.Open(t.Context(), someKey, 10)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		for _, step := range []struct {
			offset int64
			whence int
			want   string
		}{
			{0, io.SeekEnd, ""},
			{4, io.SeekStart, "45"},
			{1, io.SeekCurrent, "78"},
			{-2, io.SeekEnd, "89"},
			{0, io.SeekStart, "01"},
			{0, io.SeekCurrent, "23"},
			{12, io.SeekStart, ""},
		} {
			if _, err := r.Seek(step.offset, step.whence); err != nil {
				t.Fatal(err)
			}
			got := make([]byte, 2)
			n, err := io.ReadFull(r, got)
			if string(got[:n]) != step.want || step.want != "" && err != nil {
				t.Errorf("at %d of %d: %q, %v", step.offset, step.whence, got[:n], err)
			}
		}
		if _, err := r.Seek(-1, io.SeekStart); err == nil {
			t.Error("went before the beginning")
		}
	})
}

func TestAnotherLengthIsNoticed(t *testing.T) {
	onAll(t, func(t *testing.T, s Store, _ func() []string) {
		if err := s.Put(t.Context(), someKey, strings.NewReader("0123456789"), 10); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Open(t.Context(), someKey, 11); err == nil || errors.Is(err, ErrNotFound) {
			t.Errorf("error %v", err)
		}
	})
}

func TestKeys(t *testing.T) {
	onAll(t, func(t *testing.T, s Store, kept func() []string) {
		for _, key := range []string{
			"", "abc", "../../../etc/passwd", "abcd/../../x", "abcd.efgh", "ABCDEFGH", "abcd\x00efg", "abcdé",
			strings.Repeat("a", maxKey+1),
		} {
			if err := s.Put(t.Context(), key, strings.NewReader("x"), 1); err == nil {
				t.Errorf("put under %q", key)
			}
			if _, err := s.Open(t.Context(), key, 1); err == nil || errors.Is(err, ErrNotFound) {
				t.Errorf("opened %q: %v", key, err)
			}
			if err := s.Remove(t.Context(), key); err == nil {
				t.Errorf("removed %q", key)
			}
		}
		if got := kept(); len(got) != 0 {
			t.Errorf("kept %v", got)
		}
	})
}

func TestDirectoryForgetsWhatWasNotFinished(t *testing.T) {
	path := t.TempDir()
	d, err := OpenDirectory(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Put(t.Context(), someKey, strings.NewReader("x"), 1); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(path, incoming, "half"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if d, err = OpenDirectory(path); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(filepath.Join(path, incoming)); err != nil || len(left) != 0 {
		t.Errorf("left %v, %v", left, err)
	}
	if got := read(t, d, someKey, 1); got != "x" {
		t.Errorf("got %q", got)
	}
	if err := d.Put(t.Context(), "zzzz", strings.NewReader(""), 1<<60); !errors.Is(err, ErrNoSpace) {
		t.Errorf("a file larger than the disk: %v", err)
	}
}

func TestCopyDirectory(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	d, err := OpenDirectory(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{someKey, "abxxyy", "zzzz"} {
		if err := d.Put(t.Context(), key, strings.NewReader(key), int64(len(key))); err != nil {
			t.Fatal(err)
		}
	}
	for _, other := range []string{"note.txt", "incoming/half", "ab/cd/elsewhere"} {
		if err := os.WriteFile(filepath.Join(from, other), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the second time everything exists already
		if count, err := CopyDirectory(disk.Disk{}, from, to); err != nil || count != 3 {
			t.Fatalf("%d copied, %v", count, err)
		}
	}
	copied, err := OpenDirectory(to)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{someKey, "abxxyy", "zzzz"} {
		if got := read(t, copied, key, len(key)); got != key {
			t.Errorf("%s became %s", key, got)
		}
	}
	for _, other := range []string{"note.txt", "ab/cd/elsewhere"} {
		if _, err := os.Stat(filepath.Join(to, other)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s was copied: %v", other, err)
		}
	}
	if _, err := CopyDirectory(disk.Disk{}, filepath.Join(from, "nowhere"), to); err == nil {
		t.Error("copied from nowhere")
	}
}
