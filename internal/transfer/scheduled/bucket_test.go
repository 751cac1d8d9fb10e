package scheduled

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/minio/minio-go/v7"

	"almanac/internal/domain"
	"almanac/internal/netguard"
)

func TestMain(m *testing.M) {
	minio.DefaultRetryUnit, minio.DefaultRetryCap = time.Millisecond, time.Millisecond
	os.Exit(m.Run())
}

// startS3 starts a third-party S3 implementation. Before is called first with each request, and reports whether it has
// responded.
func startS3(t *testing.T, before func(http.ResponseWriter, *http.Request) bool) (gofakes3.Backend, string) {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket("bucket"); err != nil {
		t.Fatal(err)
	}
	s3 := gofakes3.New(backend).Server()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if before == nil || !before(w, r) {
			s3.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return backend, server.URL
}

// onS3 returns a world whose integration uses a bucket at an endpoint, through the real client.
func onS3(t *testing.T, endpoint string, change func(*domain.BlobStorageIntegration)) *world {
	t.Helper()
	w := newWorld(t, func(b *domain.BlobStorageIntegration) {
		b.Type, b.Endpoint, b.ForcePathStyle = domain.BlobS3Compatible, &endpoint, true
		if change != nil {
			change(b)
		}
	})
	w.append(domain.Observation{TraceID: "t", ID: "o", StartTime: start, Name: "n", Input: strings.Repeat("long ", 1000)})
	return w
}

// real runs the integration with real buckets, permitting the private network.
func (w *world) real() domain.BlobStorageIntegration {
	w.Helper()
	r := w.runner()
	r.Open = func(b *domain.BlobStorageIntegration, secret string) (Bucket, error) {
		return OpenBucket(b, secret, Allowed{Guard: netguard.Guard{Private: true}})
	}
	if ran, err := r.Step(w.Context()); err != nil || !ran {
		w.Fatalf("it ran: %t, %v", ran, err)
	}
	return w.state()
}

// fetch copies the objects of a backend for consumed.
func (w *world) fetch(backend gofakes3.Backend) {
	w.Helper()
	list, err := backend.ListBucket("bucket", nil, gofakes3.ListBucketPage{})
	if err != nil {
		w.Fatal(err)
	}
	for _, o := range list.Contents {
		object, err := backend.GetObject("bucket", o.Key, nil)
		if err != nil {
			w.Fatal(err)
		}
		if w.bucket.objects[o.Key], err = io.ReadAll(object.Contents); err != nil {
			w.Fatal(err)
		}
	}
}

func TestS3(t *testing.T) {
	backend, endpoint := startS3(t, nil)
	w := onS3(t, endpoint, nil)
	if b := w.real(); b.LastError != nil || b.LastSyncAt == nil || b.NextSyncAt == nil || b.SyncStatus(time.Now()) != "up_to_date" {
		t.Fatalf("after the run it is %+v", b)
	}
	w.fetch(backend)
	if got := w.consumed(); len(got[observationsFolder]) != 1 {
		t.Errorf("the bucket has %v", got)
	}
}

// answer writes an error as S3 does.
func answer(w http.ResponseWriter, status int, code string) {
	w.WriteHeader(status)
	_ = xml.NewEncoder(w).Encode(struct {
		XMLName struct{} `xml:"Error"`
		Code    string
		Message string
	}{Code: code, Message: "said so"})
}

// TestStorageFails checks that the status says what is wrong and that nothing is lost: once fixed, the same run
// succeeds.
func TestStorageFails(t *testing.T) {
	for _, c := range []struct {
		name     string
		before   func(http.ResponseWriter, *http.Request) bool
		message  string
		disabled bool
	}{
		{"wrong credentials", func(w http.ResponseWriter, _ *http.Request) bool {
			answer(w, http.StatusForbidden, "InvalidAccessKeyId")
			return true
		}, "The storage does not accept the credentials. It answered 403 InvalidAccessKeyId: said so", true},
		{"no permission", func(w http.ResponseWriter, _ *http.Request) bool {
			answer(w, http.StatusForbidden, "AccessDenied")
			return true
		}, "The credentials do not allow writing to the bucket. It answered 403 AccessDenied: said so", true},
		{"missing bucket", func(w http.ResponseWriter, _ *http.Request) bool {
			answer(w, http.StatusNotFound, "NoSuchBucket")
			return true
		}, "The bucket does not exist. Create it, or correct its name. It answered 404 NoSuchBucket: said so", true},
		{"5xx", func(w http.ResponseWriter, _ *http.Request) bool {
			answer(w, http.StatusInternalServerError, "InternalError")
			return true
		}, "The storage failed; it is tried again. It answered 500 InternalError: said so", false},
		{"cut connections", func(_ http.ResponseWriter, r *http.Request) bool {
			_, _ = io.CopyN(io.Discard, r.Body, 100)
			panic(http.ErrAbortHandler)
		}, "The storage cannot be reached: ", false},
		{"cut at the manifest", func(_ http.ResponseWriter, r *http.Request) bool {
			if strings.Contains(r.URL.Path, "manifests") {
				panic(http.ErrAbortHandler)
			}
			return false
		}, "The storage cannot be reached: ", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var mended atomic.Bool
			backend, endpoint := startS3(t, func(w http.ResponseWriter, r *http.Request) bool { return !mended.Load() && c.before(w, r) })
			w := onS3(t, endpoint, nil)
			b := w.real()
			if b.LastError == nil || !strings.HasPrefix(*b.LastError, c.message) || b.LastErrorAt == nil || b.Enabled == c.disabled ||
				b.LastSyncAt != nil {
				t.Fatalf("the error is %v, enabled %t", *b.LastError, b.Enabled)
			}
			if strings.Contains(*b.LastError, "http://") {
				t.Errorf("the error has an address: %s", *b.LastError)
			}
			if !c.disabled && !b.NextSyncAt.After(b.LastErrorAt.Add(50*time.Second)) {
				t.Errorf("it is tried again at %s, after the error at %s", b.NextSyncAt, b.LastErrorAt)
			}
			mended.Store(true)
			w.save(func(b *domain.BlobStorageIntegration) {
				b.Type, b.Endpoint, b.ForcePathStyle = domain.BlobS3Compatible, &endpoint, true
			})
			w.append(domain.Observation{TraceID: "t", ID: "later", StartTime: start, Name: "n"})
			w.due()
			if b = w.real(); b.LastError != nil {
				t.Fatalf("mended, it fails: %s", *b.LastError)
			}
			w.due()
			w.real()
			w.fetch(backend)
			if got := w.consumed(); len(got[observationsFolder]) != 2 {
				t.Errorf("the bucket has %v", got)
			}
		})
	}
}

func TestUnreachable(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	w := onS3(t, server.URL, nil)
	if b := w.real(); b.LastError == nil || !strings.HasPrefix(*b.LastError, "The storage cannot be reached: ") || !b.Enabled {
		t.Errorf("it is %+v", b)
	}
}

// TestPrivateEndpoint checks that connections to addresses that only the server can reach are refused.
func TestPrivateEndpoint(t *testing.T) {
	_, endpoint := startS3(t, func(http.ResponseWriter, *http.Request) bool {
		t.Error("it connected")
		return false
	})
	for _, kind := range []string{domain.BlobS3Compatible, domain.BlobAzure} {
		w := onS3(t, endpoint, func(b *domain.BlobStorageIntegration) {
			b.Type = kind
			b.SealedSecret = nil
		})
		r := w.runner()
		r.Open = func(b *domain.BlobStorageIntegration, _ string) (Bucket, error) {
			return OpenBucket(b, "c2VjcmV0", Allowed{})
		}
		if _, err := r.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
		if b := w.state(); b.LastError == nil || !strings.Contains(*b.LastError, "--allow-private-connections") || b.Enabled {
			t.Errorf("%s: it is %+v", kind, b)
		}
	}
}

// TestServerCredentials checks that integrations without keys sign as the server only if the operator permits it, and
// only for Amazon.
func TestServerCredentials(t *testing.T) {
	asked := false
	_, endpoint := startS3(t, func(http.ResponseWriter, *http.Request) bool {
		asked = true
		return false
	})
	credentials := filepath.Join(t.TempDir(), "credentials")
	if err := os.WriteFile(credentials,
		[]byte("[default]\naws_access_key_id = server\naws_secret_access_key = secret\naws_session_token = token\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", credentials)
	const (
		notAllowed = "use the server's own credentials (--export-with-server-credentials)."
		never      = "the server's own credentials are used for Amazon S3 only, never at an endpoint."
	)
	for _, c := range []struct {
		name    string
		allowed bool
		change  func(*domain.BlobStorageIntegration)
		want    string // in the error; empty for none
	}{
		{"not allowed", false, func(*domain.BlobStorageIntegration) {}, notAllowed},
		{"an empty key", false, func(b *domain.BlobStorageIntegration) { b.AccessKeyID = new("") }, notAllowed},
		{"allowed", true, func(*domain.BlobStorageIntegration) {}, ""},
		{"no region", true, func(b *domain.BlobStorageIntegration) { b.Region = "" }, ""},
		{
			"a host as region", true, func(b *domain.BlobStorageIntegration) { b.Region = "example.org/" },
			"The region is not the name of one",
		},
		{"an endpoint", true, func(b *domain.BlobStorageIntegration) { b.Endpoint = &endpoint }, never},
		{"an endpoint by its type", true, func(b *domain.BlobStorageIntegration) {
			b.Type, b.Endpoint = domain.BlobS3Compatible, &endpoint
		}, never},
		{"an endpoint with a key", false, func(b *domain.BlobStorageIntegration) { b.Endpoint, b.AccessKeyID = &endpoint, new("key") }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := domain.BlobStorageIntegration{Type: domain.BlobS3, BucketName: "bucket", Region: "eu-central-1"}
			c.change(&b)
			secret := ""
			if b.AccessKeyID != nil && *b.AccessKeyID != "" {
				secret = "secret"
			}
			bucket, err := OpenBucket(&b, secret, Allowed{Guard: netguard.Guard{Private: true}, ServerCredentials: c.allowed})
			if err == nil {
				bucket.Close()
			}
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("the error is %v, want %q", err, c.want)
			}
		})
	}
	// A run says what to do, and the integration stays disabled until that is done.
	w := onS3(t, endpoint, func(b *domain.BlobStorageIntegration) {
		b.Type, b.AccessKeyID, b.SealedSecret = domain.BlobS3, nil, nil
	})
	if b := w.real(); b.LastError == nil || !strings.HasSuffix(*b.LastError, never) || b.Enabled || asked {
		t.Errorf("it is %+v, and the endpoint was asked: %t", b, asked)
	}
}

func TestBadSettings(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*domain.BlobStorageIntegration)
		want   string
	}{
		{"name of the bucket", func(b *domain.BlobStorageIntegration) { b.BucketName = "Not A Bucket" }, "The bucket cannot be used: "},
		{
			"key of Azure", func(b *domain.BlobStorageIntegration) { b.Type = domain.BlobAzure },
			"The bucket cannot be used: the account key is not one of Azure",
		},
		{
			"sealed for another", func(b *domain.BlobStorageIntegration) { b.SealedSecret = new("nonsense") },
			"The stored secret cannot be decrypted",
		},
	} {
		w := newWorld(t, c.change)
		if b := w.real(); b.LastError == nil || !strings.HasPrefix(*b.LastError, c.want) || b.Enabled {
			t.Errorf("%s: it is %+v", c.name, b)
		}
	}
}

func TestExplain(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
		mend bool
	}{
		{fmt.Errorf("cannot write x: %w", &configError{"so"}), "so", true},
		{fmt.Errorf("dial: %w", netguard.ErrPrivate), "The storage is in the private network", true},
		{fmt.Errorf("body: %w", netguard.ErrTooMuch), "The storage failed; it is tried again. Its answer is longer", false},
		{context.DeadlineExceeded, "The storage cannot be reached: context deadline exceeded", false},
		{io.ErrUnexpectedEOF, "The storage cannot be reached: unexpected EOF", false},
		{errors.New("anything"), "The export failed: the log of the server says why.", false},
	} {
		if got, mend := explain(c.err); !strings.HasPrefix(got, c.want) || mend != c.mend {
			t.Errorf("%v: %q, %t", c.err, got, mend)
		}
	}
	if got := shortened(strings.Repeat("ä", 2000)); len([]rune(got)) != maxMessage || !strings.HasSuffix(got, "…") {
		t.Errorf("shortened to %d characters", len([]rune(got)))
	}
	if got := bytes.Count([]byte(shortened("ok")), []byte("ok")); got != 1 {
		t.Error("what is short is changed")
	}
}
