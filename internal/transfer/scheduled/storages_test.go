package scheduled

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"almanac/internal/domain"
	"almanac/internal/netguard"
	"almanac/internal/store"
	"almanac/test/storagetest"
)

// patience is how long tests wait for a storage that works.
const patience = time.Minute

// realStorage is a third-party storage that checks signatures, in a separate process.
type realStorage struct {
	*storagetest.Storage
	create  func(t *testing.T, bucket string)
	objects func(t *testing.T, bucket string) map[string][]byte
	is      func(b *domain.BlobStorageIntegration) // configures where the storage is
	isPart  func(r *http.Request) bool             // whether a request uploads a part of an object
	proxy   func(*http.Request) (*url.URL, error)  // through which it is reached; nil for none
	large   int                                    // MB that need two parts
	retries bool                                   // whether parts are retried
	denied  string                                 // error for a wrong key
	missing string                                 // error for a missing bucket
}

func azure(t *testing.T) *realStorage {
	s := storagetest.Azurite(t)
	credential, err := azblob.NewSharedKeyCredential(s.User, s.Key)
	if err != nil {
		t.Fatal(err)
	}
	client, err := azblob.NewClientWithSharedKeyCredential(s.URL, credential, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &realStorage{
		Storage: s,
		create: func(t *testing.T, bucket string) {
			if _, err := client.CreateContainer(t.Context(), bucket, nil); err != nil {
				t.Fatal(err)
			}
		},
		objects: func(t *testing.T, bucket string) map[string][]byte {
			found := map[string][]byte{}
			for pages := client.NewListBlobsFlatPager(bucket, nil); pages.More(); {
				page, err := pages.NextPage(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				for _, o := range page.Segment.BlobItems {
					content, err := client.DownloadStream(t.Context(), bucket, *o.Name, nil)
					if err != nil {
						t.Fatal(err)
					}
					if found[*o.Name], err = io.ReadAll(content.Body); err != nil {
						t.Fatal(err)
					}
				}
			}
			return found
		},
		is:      func(b *domain.BlobStorageIntegration) { b.Type = domain.BlobAzure },
		isPart:  func(r *http.Request) bool { return r.URL.Query().Get("comp") == "block" },
		large:   9,
		retries: true,
		// Azure says AuthenticationFailed
		denied:  "The credentials do not allow writing to the bucket. It answered 403 AuthorizationFailure",
		missing: "The bucket does not exist. Create it, or correct its name. It answered 404 ContainerNotFound",
	}
}

func versity(t *testing.T) *realStorage { return versityAt(t, "") }

func versityAt(t *testing.T, host string) *realStorage {
	s := storagetest.Versity(t, host)
	address, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	client, err := minio.New(address.Host, &minio.Options{Creds: credentials.NewStaticV4(s.User, s.Key, ""), Region: "us-east-1"})
	if err != nil {
		t.Fatal(err)
	}
	return &realStorage{
		Storage: s,
		create: func(t *testing.T, bucket string) {
			if err := client.MakeBucket(t.Context(), bucket, minio.MakeBucketOptions{}); err != nil {
				t.Fatal(err)
			}
		},
		objects: func(t *testing.T, bucket string) map[string][]byte {
			found := map[string][]byte{}
			for o := range client.ListObjects(t.Context(), bucket, minio.ListObjectsOptions{Recursive: true}) {
				if o.Err != nil {
					t.Fatal(o.Err)
				}
				object, err := client.GetObject(t.Context(), bucket, o.Key, minio.GetObjectOptions{})
				if err != nil {
					t.Fatal(err)
				}
				if found[o.Key], err = io.ReadAll(object); err != nil {
					t.Fatal(err)
				}
			}
			return found
		},
		is: func(b *domain.BlobStorageIntegration) {
			b.Type, b.Region, b.ForcePathStyle = domain.BlobS3Compatible, "us-east-1", true
		},
		isPart:  func(r *http.Request) bool { return r.URL.Query().Has("partNumber") },
		large:   17,
		retries: true,
		denied:  "The storage does not accept the credentials. It answered 403 SignatureDoesNotMatch",
		missing: "The bucket does not exist. Create it, or correct its name. It answered 404 NoSuchBucket",
	}
}

// google is a storage that checks signatures as Google Cloud Storage does, at Google's address. Large objects arrive as
// a single request without a length, which Google accepts and S3 does not: the length is added on the way.
func google(t *testing.T) *realStorage {
	const host = "storage.googleapis.com"
	s := versityAt(t, host)
	s.Between = func(r *http.Request) {
		if r.ContentLength >= 0 || r.Header.Get("X-Amz-Content-Sha256") != "UNSIGNED-PAYLOAD" {
			return
		}
		content, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		r.Body, r.ContentLength, r.TransferEncoding = io.NopCloser(bytes.NewReader(content)), int64(len(content)), nil
	}
	s.is = func(b *domain.BlobStorageIntegration) {
		b.Type, b.Region, b.Endpoint = domain.BlobS3Compatible, "us-east-1", new("http://"+host)
	}
	s.proxy = func(r *http.Request) (*url.URL, error) {
		if !strings.HasSuffix(r.URL.Host, "."+host) { // after the name of the bucket
			return nil, fmt.Errorf("it asks %s", r.URL.Host)
		}
		return url.Parse(s.URL)
	}
	s.isPart = func(r *http.Request) bool {
		return r.Method == http.MethodPut && r.ContentLength < 0
	}
	s.retries = false
	return s
}

// onReal returns a world whose integration uses a bucket of the storage.
func onReal(t *testing.T, s *realStorage, bucket string) *world {
	t.Helper()
	w := newWorld(t, nil)
	s.create(t, bucket)
	w.saveReal(s, bucket, s.Key)
	return w
}

func (w *world) saveReal(s *realStorage, bucket, key string) {
	w.Helper()
	w.save(func(b *domain.BlobStorageIntegration) {
		b.BucketName, b.Endpoint, b.AccessKeyID = bucket, &s.URL, &s.User
		s.is(b)
		b.SealedSecret = new(w.secrets.Seal(key, b.SecretPlace()))
	})
}

// runReal runs the integration with the real clients, with a shorter retry delay than usual.
func (w *world) runReal(s *realStorage, patience time.Duration) domain.BlobStorageIntegration {
	w.Helper()
	r := w.runner()
	r.Open = func(b *domain.BlobStorageIntegration, secret string) (Bucket, error) {
		return openBucket(b, secret, netguard.Guard{Private: true, Proxy: s.proxy, Patience: patience}, time.Millisecond)
	}
	w.due()
	if ran, err := r.Step(w.Context()); err != nil || !ran {
		w.Fatalf("it ran: %t, %v", ran, err)
	}
	return w.state()
}

// wantReal runs the integration, which must succeed, and compares the bucket with the store.
func (w *world) wantReal(s *realStorage, bucket string) {
	w.Helper()
	s.Before(nil)
	w.runReal(s, patience) // finish an interrupted run
	if b := w.runReal(s, patience); b.LastError != nil || b.LastSyncAt == nil || b.SyncStatus(time.Now()) != "up_to_date" {
		w.Fatalf("the run failed: %v, %+v", b.LastError, b)
	}
	w.bucket.objects = s.objects(w.T, bucket)
	w.compare(bucket)
}

// appendLarge adds rows that are sent in parts.
func (w *world) appendLarge(s *realStorage) {
	w.Helper()
	var rows []domain.Observation
	for n := range s.large {
		rows = append(rows, domain.Observation{
			// 1 MB
			TraceID: "large", ID: fmt.Sprint("large", n), StartTime: start, Name: "n",
			Input: strings.Repeat(fmt.Sprintf("%07d ", n), 1<<17),
		})
	}
	w.append(rows...)
}

func TestRealStorages(t *testing.T) {
	for name, open := range map[string]func(*testing.T) *realStorage{"Azurite": azure, "Versity": versity, "as Google": google} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			t.Run("journey", func(t *testing.T) { testRealJourney(t, s) })
			t.Run("writers", func(t *testing.T) { testRealWriters(t, s) })
			t.Run("settings", func(t *testing.T) { testRealSettings(t, s) })
			t.Run("failures", func(t *testing.T) { testRealFailures(t, s) })
			if s.retries {
				t.Run("recoveries", func(t *testing.T) { testRealRecoveries(t, s) })
			}
		})
	}
}

// testRealJourney exports little and much, and repeats a run that was killed, which writes the same objects.
func testRealJourney(t *testing.T, s *realStorage) {
	const bucket = "journey"
	w := onReal(t, s, bucket)
	w.append(domain.Observation{TraceID: "t", ID: "o", StartTime: start, Name: "n", Input: "ä & \"b\""})
	w.score(domain.Score{ID: "s", TraceID: "t", Timestamp: start, Name: "quality", DataType: "NUMERIC", Value: domain.FloatOf(0.5)})
	w.wantReal(s, bucket)

	w.appendLarge(s)
	var parts atomic.Int64
	s.Before(func(_ http.ResponseWriter, r *http.Request) bool {
		if s.isPart(r) {
			parts.Add(1)
			r.Body = slowBody{r.Body}
		}
		return false
	})
	if b := w.runReal(s, patience); b.LastError != nil {
		t.Fatal(*b.LastError)
	}
	if got := parts.Load(); s.retries && got < 2 || !s.retries && got != 1 {
		t.Errorf("the large file was sent in %d parts", got)
	}
	w.wantReal(s, bucket)

	// Killed when all files are written, but not the manifest.
	w.append(domain.Observation{TraceID: "t", ID: "o", StartTime: start, Name: "again"})
	s.Before(func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.Contains(r.URL.Path, manifestsFolder) {
			panic(http.ErrAbortHandler)
		}
		return false
	})
	if b := w.runReal(s, patience); b.LastError == nil || !strings.HasPrefix(*b.LastError, "The storage cannot be reached: ") {
		t.Fatalf("without its manifest a run has succeeded: %+v", b)
	}
	s.Before(nil)
	before := s.objects(t, bucket)
	if b := w.runReal(s, patience); b.LastError != nil {
		t.Fatal(*b.LastError)
	}
	after := s.objects(t, bucket)
	if len(after) != len(before)+1 {
		t.Errorf("there were %d objects, and %d after the repetition", len(before), len(after))
	}
	for name, content := range before {
		if !bytes.Equal(after[name], content) {
			t.Errorf("%s has changed", name)
		}
	}
	if _, err := w.store.Observations().Delete(t.Context(), w.scope, store.Selection{TraceIDs: []string{"t"}}); err != nil {
		t.Fatal(err)
	}
	w.wantReal(s, bucket)
	if len(w.files(deletionsFolder)) != 1 {
		t.Errorf("the deletions are %v", w.files(deletionsFolder))
	}
}

// testRealWriters exports from an installation and from its restored copy, which is refused until it takes over. A test of
// the storage needs nothing to export, and leaves nothing.
func testRealWriters(t *testing.T, s *realStorage) {
	const bucket = "writers"
	w := onReal(t, s, bucket)
	r := w.runner()
	r.Open = func(b *domain.BlobStorageIntegration, secret string) (Bucket, error) {
		return openBucket(b, secret, netguard.Guard{Private: true, Proxy: s.proxy}, time.Millisecond)
	}
	b := w.state()
	if err := r.Test(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if found := s.objects(t, bucket); len(found) > 0 {
		t.Errorf("a test left %v", found)
	}
	w.append(domain.Observation{TraceID: "t", ID: "o", StartTime: start, Name: "n"})
	w.wantReal(s, bucket)
	before := s.objects(t, bucket)
	if len(before["pre/p/"+writerObject]) == 0 {
		t.Fatal("nothing says who writes")
	}

	if disabled, err := w.catalog.BecomeCopy(t.Context(), "a copy", operator); err != nil || disabled != 1 {
		t.Fatalf("%d were disabled, %v", disabled, err)
	}
	if b = w.state(); b.Enabled || b.LastError == nil || *b.LastError != "a copy" {
		t.Fatalf("the copy exports: %+v", b)
	}
	w.append(domain.Observation{TraceID: "t", ID: "later", StartTime: start, Name: "n"})
	w.saveReal(s, bucket, s.Key)
	if b = w.runReal(s, patience); b.Enabled || b.LastError == nil ||
		!strings.HasPrefix(*b.LastError, "Another installation of Almanac has exported this project") {
		t.Fatalf("the copy exported: %+v", b)
	}
	if after := s.objects(t, bucket); len(after) != len(before) {
		t.Errorf("the copy wrote %d objects", len(after)-len(before))
	}
	if err := r.Test(t.Context(), &b); err == nil || !strings.HasPrefix(err.Error(), "Another installation") {
		t.Errorf("a test of the copy: %v", err)
	}
	if err := r.TakeOver(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	w.saveReal(s, bucket, s.Key)
	w.wantReal(s, bucket)
}

// testRealSettings checks errors that only users can fix.
func testRealSettings(t *testing.T, s *realStorage) {
	const bucket = "settings"
	w := onReal(t, s, bucket)
	w.append(domain.Observation{TraceID: "t", ID: "o", StartTime: start, Name: "n"})
	for _, c := range []struct{ bucket, key, want string }{
		{bucket, "d3Jvbmc=", s.denied},
		{"not-there", s.Key, s.missing},
	} {
		w.saveReal(s, c.bucket, c.key)
		b := w.runReal(s, patience)
		if b.LastError == nil || !strings.HasPrefix(*b.LastError, c.want) || b.Enabled || b.SyncStatus(time.Now()) != "disabled" {
			t.Errorf("of %s the error is %q, enabled %t", c.bucket, *b.LastError, b.Enabled)
		}
	}
	w.saveReal(s, bucket, s.Key)
	w.wantReal(s, bucket)
}

// testRealFailures checks runs that fail, and succeed once the storage has recovered.
func testRealFailures(t *testing.T, s *realStorage) {
	ended := make(chan struct{})
	defer close(ended)
	for n, c := range []struct {
		name     string
		large    bool
		patience time.Duration
		before   func(http.ResponseWriter, *http.Request) bool
		want     string
	}{
		{"5xx", false, patience, func(w http.ResponseWriter, _ *http.Request) bool {
			w.WriteHeader(http.StatusServiceUnavailable)
			return true
		}, "The storage failed; it is tried again. It answered 503"},
		{"cut within a part", true, patience, func(_ http.ResponseWriter, r *http.Request) bool {
			if s.isPart(r) {
				_, _ = io.CopyN(io.Discard, r.Body, 1<<20)
				panic(http.ErrAbortHandler)
			}
			return false
		}, "The storage cannot be reached: "},
		{"takes nothing", true, 50 * time.Millisecond, func(_ http.ResponseWriter, r *http.Request) bool {
			if s.isPart(r) {
				<-ended
			}
			return false
		}, "The storage cannot be reached: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			bucket := fmt.Sprint("failures", n)
			w := onReal(t, s, bucket)
			w.append(domain.Observation{TraceID: "t", ID: "first", StartTime: start, Name: "n"})
			if c.large {
				w.appendLarge(s)
			}
			s.Before(c.before)
			b := w.runReal(s, c.patience)
			if b.LastError == nil || !strings.HasPrefix(*b.LastError, c.want) || !b.Enabled || b.SyncStatus(time.Now()) != "error" {
				t.Fatalf("the error is %v: %+v", b.LastError, b)
			}
			if strings.Contains(*b.LastError, "http://") {
				t.Errorf("the error has an address: %s", *b.LastError)
			}
			s.Before(nil)
			for name := range s.objects(t, bucket) {
				if !strings.HasSuffix(name, "/"+writerObject) {
					t.Errorf("there is %s, of which not all was sent", name)
				}
			}
			w.append(domain.Observation{TraceID: "t", ID: "later", StartTime: start, Name: "n"})
			w.wantReal(s, bucket)
		})
	}
}

// testRealRecoveries makes a storage fail intermittently, which must not fail a run: of every three requests, one gets
// an error before its body is read, and one is cut off.
func testRealRecoveries(t *testing.T, s *realStorage) {
	const bucket = "recoveries"
	w := onReal(t, s, bucket)
	w.appendLarge(s)
	var requests atomic.Int64
	s.Before(func(w http.ResponseWriter, r *http.Request) bool {
		switch requests.Add(1) % 3 {
		case 0:
			return false
		case 1:
			w.WriteHeader(http.StatusInternalServerError)
			return true
		}
		_, _ = io.CopyN(io.Discard, r.Body, 1<<20)
		panic(http.ErrAbortHandler)
	})
	if b := w.runReal(s, patience); b.LastError != nil {
		t.Fatal(*b.LastError)
	}
	w.wantReal(s, bucket)
}

// slowBody yields 32 kB every millisecond.
type slowBody struct{ io.ReadCloser }

func (b slowBody) Read(into []byte) (int, error) {
	time.Sleep(time.Millisecond)
	return b.ReadCloser.Read(into[:min(len(into), 32<<10)])
}
