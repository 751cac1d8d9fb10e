package blob

import (
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
)

// startKeyedS3 starts a bucket that records the credentials that requests are signed with.
func startKeyedS3(t *testing.T) (endpoint string, used *atomic.Value) {
	t.Helper()
	used = new(atomic.Value)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, key, _ := strings.Cut(r.Header.Get("Authorization"), "Credential=")
		key, _, _ = strings.Cut(key, "/")
		used.Store(key + " " + r.Header.Get("X-Amz-Security-Token"))
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(server.Close)
	return server.URL, used
}

// noKeys hides all credentials of the machine that runs the test.
func noKeys(t *testing.T) {
	t.Helper()
	for _, name := range []string{
		"AWS_PROFILE", "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_ROLE_ARN", "AWS_ROLE_SESSION_NAME", "AWS_ENDPOINT_URL_STS", "AWS_REGION",
		"AWS_CONFIG_FILE",
		"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI", "AWS_CONTAINER_AUTHORIZATION_TOKEN",
		"AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
	} {
		t.Setenv(name, "")
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", filepath.Join(t.TempDir(), "none"))
	nobody := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(nobody.Close)
	t.Setenv("AWS_EC2_METADATA_SERVICE_ENDPOINT", nobody.URL)
}

// startService starts a service that issues credentials, and counts the requests for them.
func startService(t *testing.T, path string, answer func(r *http.Request) string) (address string, asked *atomic.Int64) {
	t.Helper()
	asked = new(atomic.Int64)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/latest/api/token":
			_, _ = io.WriteString(w, "metadata-token")
		case "/latest/meta-data/iam/security-credentials/":
			_, _ = io.WriteString(w, "almanac-role")
		case path:
			asked.Add(1)
			_, _ = io.WriteString(w, answer(r))
		default:
			t.Errorf("asked for %s", r.URL)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, asked
}

func roleKeys(lives time.Duration) string {
	return fmt.Sprintf(`{"Code":"Success","AccessKeyId":"roleid","SecretAccessKey":"s","Token":"roletoken","Expiration":"%s"}`,
		time.Now().Add(lives).UTC().Format(time.RFC3339))
}

func TestSourcesOfKeys(t *testing.T) {
	write := func(t *testing.T, text string) string {
		t.Helper()
		file := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	const ofMachine = "/latest/meta-data/iam/security-credentials/almanac-role"
	for name, c := range map[string]struct {
		prepare func(t *testing.T) (asked *atomic.Int64)
		asked   int64 // for two requests
		want    string
	}{
		"a shared file": {func(t *testing.T) *atomic.Int64 {
			t.Setenv("AWS_SHARED_CREDENTIALS_FILE", write(t, "[default]\naws_access_key_id=fileid\naws_secret_access_key=s\n"))
			return new(atomic.Int64)
		}, 0, "fileid "},
		"a profile": {func(t *testing.T) *atomic.Int64 {
			t.Setenv("AWS_PROFILE", "media")
			t.Setenv("AWS_SHARED_CREDENTIALS_FILE",
				write(t, "[media]\naws_access_key_id=mediaid\naws_secret_access_key=s\naws_session_token=t\n"))
			return new(atomic.Int64)
		}, 0, "mediaid t"},
		"the role of a machine": {func(t *testing.T) *atomic.Int64 {
			service, asked := startService(t, ofMachine, func(r *http.Request) string {
				if r.Header.Get("X-aws-ec2-metadata-token") != "metadata-token" {
					t.Error("asked without a token")
				}
				return roleKeys(time.Hour)
			})
			t.Setenv("AWS_EC2_METADATA_SERVICE_ENDPOINT", service)
			return asked
		}, 1, "roleid roletoken"},
		"keys that are over": {func(t *testing.T) *atomic.Int64 {
			service, asked := startService(t, ofMachine, func(*http.Request) string { return roleKeys(-time.Second) })
			t.Setenv("AWS_EC2_METADATA_SERVICE_ENDPOINT", service)
			return asked
		}, 2, "roleid roletoken"},
		"the role of a container": {func(t *testing.T) *atomic.Int64 {
			service, asked := startService(t, "/container", func(r *http.Request) string {
				if r.Header.Get("Authorization") != "container-token" {
					t.Error("asked without a token")
				}
				return roleKeys(time.Hour)
			})
			t.Setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", service+"/container")
			t.Setenv("AWS_CONTAINER_AUTHORIZATION_TOKEN", "container-token")
			return asked
		}, 1, "roleid roletoken"},
		"a web identity": {func(t *testing.T) *atomic.Int64 {
			service, asked := startService(t, "/", func(r *http.Request) string {
				if got := r.FormValue("Action") + " " + r.FormValue("RoleArn") + " " +
					r.FormValue("WebIdentityToken"); got != "AssumeRoleWithWebIdentity arn:role jwt" {
					t.Errorf("asked for %s", got)
				}
				return `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>webid</AccessKeyId>` +
					`<SecretAccessKey>s</SecretAccessKey><SessionToken>webtoken</SessionToken><Expiration>` +
					time.Now().Add(time.Hour).UTC().Format(time.RFC3339) +
					`</Expiration></Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`
			})
			t.Setenv("AWS_WEB_IDENTITY_TOKEN_FILE", write(t, "jwt"))
			t.Setenv("AWS_ROLE_ARN", "arn:role")
			t.Setenv("AWS_ENDPOINT_URL_STS", service)
			return asked
		}, 1, "webid webtoken"},
	} {
		t.Run(name, func(t *testing.T) {
			noKeys(t)
			asked := c.prepare(t)
			endpoint, used := startKeyedS3(t)
			b, err := OpenBucket(BucketOptions{Client: TrustedClient(), Address: "s3://bucket?endpoint=" + endpoint})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(b.Close)
			for range 2 {
				if err := b.Remove(t.Context(), someKey); err != nil {
					t.Fatal(err)
				}
			}
			if got := used.Load(); got != c.want || asked.Load() != c.asked {
				t.Errorf("signed with %q, asked for %d times; want %q, %d", got, asked.Load(), c.want, c.asked)
			}
		})
	}
}

func TestNoKeys(t *testing.T) {
	noKeys(t)
	endpoint, used := startKeyedS3(t)
	b, err := OpenBucket(BucketOptions{Client: TrustedClient(), Address: "s3://bucket?endpoint=" + endpoint})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	failures(t, b, "cannot use the media bucket", "there are no keys: set --blob-access-key and --blob-secret-key")
	t.Setenv("AWS_WEB_IDENTITY_TOKEN_FILE", filepath.Join(t.TempDir(), "missing"))
	failures(t, b, "no such file")
	if used.Load() != nil {
		t.Error("the bucket was asked all the same")
	}
}

// TestBucketBelowAPath checks that the path is sent and signed.
func TestBucketBelowAPath(t *testing.T) {
	fake := &fakeS3{objects: map[string][]byte{}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if problem := checkSignature(r); problem != "" || !strings.HasPrefix(r.URL.Path, "/storage/v1/s3/bucket/a/b/") {
			t.Errorf("%s %s", r.URL.Path, problem)
		}
		fake.serve(w, r)
	}))
	t.Cleanup(server.Close)
	b := openTestBucket(t, "s3://bucket/a/b?endpoint="+server.URL+"/storage/v1/s3", "secret")
	if err := b.Put(t.Context(), someKey, strings.NewReader("0123456789"), 10); err != nil {
		t.Fatal(err)
	}
	if got := read(t, b, someKey, 10); got != "0123456789" {
		t.Errorf("got %q", got)
	}
	if err := b.Remove(t.Context(), someKey); err != nil {
		t.Fatal(err)
	}
}
