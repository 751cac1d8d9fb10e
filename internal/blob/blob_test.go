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
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/johannesboyne/gofakes3"

	"almanac/internal/disk"
)

// onAll runs a test on a directory, on a bucket of ours and on one that others have written. Kept returns the keys that there are, whole ones and others.
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
		b, err := OpenBucket(BucketOptions{Address: "s3://bucket/a/b?endpoint=" + server.URL, AccessKey: "key", SecretKey: "secret"})
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

// fakeS3 is a bucket in memory. It checks signatures by making them again.
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
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
	case http.MethodDelete:
		f.mu.Lock()
		delete(f.objects, r.URL.Path)
		f.mu.Unlock()
		w.WriteHeader(http.StatusNoContent)
	}
}

func checkSignature(r *http.Request) string {
	at, err := time.Parse(amzDate, r.Header.Get("X-Amz-Date"))
	if err != nil {
		return "no date"
	}
	again := r.Clone(context.Background())
	_, signed, _ := strings.Cut(r.Header.Get("Authorization"), "SignedHeaders=")
	signed, _, _ = strings.Cut(signed, ",")
	for name := range again.Header {
		if !slices.Contains(strings.Split(signed, ";"), strings.ToLower(name)) {
			again.Header.Del(name)
		}
	}
	credentials{"key", "secret", "", "us-east-1", "s3"}.sign(again, r.Header.Get("X-Amz-Content-Sha256"), at)
	if got := r.Header.Get("Authorization"); got != again.Header.Get("Authorization") {
		return "the signature is wrong: " + got
	}
	return ""
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
		}{{0, io.SeekEnd, ""}, {4, io.SeekStart, "45"}, {1, io.SeekCurrent, "78"}, {-2, io.SeekEnd, "89"}, {0, io.SeekStart, "01"}, {0, io.SeekCurrent, "23"}, {12, io.SeekStart, ""}} {
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
		for _, key := range []string{"", "abc", "../../../etc/passwd", "abcd/../../x", "abcd.efgh", "ABCDEFGH", "abcd\x00efg", "abcdé", strings.Repeat("a", maxKey+1)} {
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

func TestBucketAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"s3://b":                                          "https://b.s3.us-east-1.amazonaws.com/",
		"s3://b/p/q/?region=eu-central-1":                 "https://b.s3.eu-central-1.amazonaws.com/p/q",
		"s3://b/p?endpoint=http://minio:9000":             "http://minio:9000/b/p",
		"s3://b/p?endpoint=https://x.test/s3":             "https://x.test/s3/b/p",
		"s3://b?endpoint=https://x.test&path-style=false": "https://b.x.test",
		"s3://":                 "",
		"s3://b?endpoint=minio": "",
		"s3://b?colour=red":     "",
		"s3://key:secret@b":     "",
		"http://b":              "",
	} {
		b, err := OpenBucket(BucketOptions{Address: address, AccessKey: "k", SecretKey: "s"})
		got := ""
		if err == nil {
			got = b.base.String()
		}
		if got != want {
			t.Errorf("%s is at %q, want %q (%v)", address, got, want, err)
		}
	}
	if _, err := OpenBucket(BucketOptions{Address: "s3://b"}); err == nil {
		t.Error("a bucket without keys")
	}
}

func TestBucketFailures(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "<Error>SlowDown</Error>", http.StatusServiceUnavailable)
	}))
	b, err := OpenBucket(BucketOptions{Address: "s3://bucket?endpoint=" + server.URL, AccessKey: "k", SecretKey: "s"})
	if err != nil {
		t.Fatal(err)
	}
	failures := func(want string) {
		t.Helper()
		_, openErr := b.Open(t.Context(), someKey, 1)
		for _, err := range []error{openErr, b.Put(t.Context(), someKey, strings.NewReader("x"), 1), b.Remove(t.Context(), someKey)} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want one with %q", err, want)
			}
		}
	}
	failures("SlowDown")
	server.Close()
	failures("cannot reach the bucket")
}

// TestSignatures holds the examples of the documentation of AWS.
func TestSignatures(t *testing.T) {
	s3 := credentials{"AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "", "us-east-1", "s3"}
	other := credentials{"AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "", "us-east-1", "service"}
	may := time.Date(2013, 5, 24, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		credentials credentials
		at          time.Time
		method, url string
		header      map[string]string
		payload     string
		want        string
	}{
		{
			s3, may, "GET", "https://examplebucket.s3.amazonaws.com/test.txt",
			map[string]string{"Range": "bytes=0-9"},
			emptyPayload,
			"f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
		},
		{
			s3, may, "PUT", "https://examplebucket.s3.amazonaws.com/test$file.text",
			map[string]string{"Date": "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY"},
			"44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
			"98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
		},
		{
			s3, may, "GET", "https://examplebucket.s3.amazonaws.com/?lifecycle", nil, emptyPayload,
			"fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
		},
		{
			s3, may, "GET", "https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J", nil, emptyPayload,
			"34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
		},
		{
			other, time.Date(2015, 8, 30, 12, 36, 0, 0, time.UTC), "GET", "https://example.amazonaws.com/", nil, emptyPayload,
			"5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
		},
	} {
		r, err := http.NewRequestWithContext(t.Context(), c.method, c.url, nil)
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range c.header {
			r.Header.Set(name, value)
		}
		c.credentials.sign(r, c.payload, c.at)
		if _, got, _ := strings.Cut(r.Header.Get("Authorization"), "Signature="); got != c.want {
			t.Errorf("%s %s is signed %s, want %s", c.method, c.url, got, c.want)
		}
	}
	r := httptest.NewRequest("GET", "https://x.test/a%20b/%C3%BC", nil)
	r.Header.Set("X-Twice", "  a   b ")
	r.Header.Add("X-Twice", "c")
	if names, headers := canonicalHeaders(r); names != "host;x-twice" || headers != "host:x.test\nx-twice:a b,c\n" {
		t.Errorf("headers %q of %q", headers, names)
	}
	if got := canonicalPath(r.URL); got != "/a%20b/%C3%BC" {
		t.Errorf("path %q", got)
	}
	withToken := s3
	withToken.sessionToken = "token"
	withToken.sign(r, emptyPayload, may)
	if got := r.Header.Get("Authorization"); !strings.Contains(got, ";x-amz-security-token;") {
		t.Errorf("the session token is not signed: %s", got)
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
	for range 2 { // the second time everything is there already
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
