package httpapi_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"

	"almanac/internal/domain"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/httpapi/scores"
	"almanac/internal/netguard"
	"almanac/internal/transfer/scheduled"
	"almanac/test/dnstest"
)

// outward is a way in which users make the server connect to a place that they choose: a URL, or a name that becomes
// part of a host.
type outward struct {
	name string
	// caller returns a function that makes the server connect.
	caller func(t *testing.T, guard netguard.Guard) func(place string) error
	url    bool // whether a place is a URL
}

// outwards lists them for each kind of requests. A new kind needs an entry.
func outwards(t *testing.T) map[netguard.Kind][]outward {
	return map[netguard.Kind][]outward{
		netguard.Bucket: {
			bucketCall("S3 endpoint", true, func(b *domain.BlobStorageIntegration, place string) {
				b.Type, b.Endpoint, b.ForcePathStyle = domain.BlobS3Compatible, &place, true
			}),
			bucketCall("S3 endpoint with the bucket in its host", true, func(b *domain.BlobStorageIntegration, place string) {
				b.Type, b.Endpoint = domain.BlobS3Compatible, &place
			}),
			bucketCall("Amazon's endpoint", true, func(b *domain.BlobStorageIntegration, place string) { b.Endpoint = &place }),
			bucketCall("region", false, func(b *domain.BlobStorageIntegration, place string) { b.Region = place }),
			bucketCall("bucket", false, func(b *domain.BlobStorageIntegration, place string) { b.BucketName = place }),
			bucketCall("Azure's endpoint", true, func(b *domain.BlobStorageIntegration, place string) {
				b.Type, b.AccessKeyID, b.Endpoint = domain.BlobAzure, new("account1"), &place
			}),
			bucketCall("Azure's account", false, func(b *domain.BlobStorageIntegration, place string) {
				b.Type, b.AccessKeyID = domain.BlobAzure, &place
			}),
			bucketCall("Azure's container", false, func(b *domain.BlobStorageIntegration, place string) {
				b.Type, b.AccessKeyID, b.BucketName = domain.BlobAzure, new("account1"), place
			}),
		},
		netguard.Model: {
			modelCall("openai", true, func(c map[string]any, place string) { c["adapter"], c["baseURL"] = "openai", place }),
			modelCall("azure", true, func(c map[string]any, place string) { c["adapter"], c["baseURL"] = "azure", place }),
			modelCall("anthropic", true, func(c map[string]any, place string) { c["adapter"], c["baseURL"] = "anthropic", place }),
			modelCall("google-ai-studio", true, func(c map[string]any, place string) {
				c["adapter"], c["baseURL"] = "google-ai-studio", place
			}),
			modelCall("bedrock", true, func(c map[string]any, place string) {
				c["adapter"], c["baseURL"], c["config"] = "bedrock", place, map[string]any{"region": "us-east-1"}
				c["secretKey"] = `{"accessKeyId":"a","secretAccessKey":"b"}`
			}),
			modelCall("bedrock region", false, func(c map[string]any, place string) {
				c["adapter"], c["config"], c["secretKey"] = "bedrock", map[string]any{"region": place}, `{"apiKey":"k"}`
			}),
			modelCall("google-vertex-ai location", false, func(c map[string]any, place string) {
				c["adapter"], c["config"], c["secretKey"] = "google-vertex-ai", map[string]any{"location": place},
					serviceAccount(t, "https://oauth2.googleapis.com/token")
			}),
			modelCall("google-vertex-ai", true, func(c map[string]any, place string) {
				c["adapter"], c["baseURL"], c["secretKey"] = "google-vertex-ai", place, serviceAccount(t, place)
			}),
			modelCall("token endpoint", true, func(c map[string]any, place string) {
				c["adapter"], c["secretKey"] = "google-vertex-ai", serviceAccount(t, place)
			}),
		},
	}
}

// bucketCall writes an object as a scheduled export does.
func bucketCall(name string, isURL bool, place func(*domain.BlobStorageIntegration, string)) outward {
	call := func(t *testing.T, guard netguard.Guard, at string) error {
		b := domain.BlobStorageIntegration{Type: domain.BlobS3, BucketName: "bucket", Region: "eu-central-1", AccessKeyID: new("key")}
		place(&b, at)
		bucket, err := scheduled.OpenBucket(&b, "c2VjcmV0", scheduled.Allowed{Guard: guard})
		if err != nil {
			return err
		}
		defer bucket.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond) // Azure's client repeats what failed
		defer cancel()
		return bucket.Upload(ctx, "object", "text/plain", strings.NewReader("rows"))
	}
	return outward{name: name, url: isURL, caller: func(t *testing.T, guard netguard.Guard) func(string) error {
		return func(at string) error { return call(t, guard, at) }
	}}
}

// modelCall tests an LLM connection through the API.
func modelCall(name string, isURL bool, place func(map[string]any, string)) outward {
	return outward{name: name, url: isURL, caller: func(t *testing.T, guard netguard.Guard) func(string) error {
		f := apitest.New(t, func(o *httpapi.Options) { o.Guard = guard })
		admin := f.As(t, f.NewMember(t, "admin@a.test", domain.RoleAdmin).ID)
		return func(at string) error {
			connection := map[string]any{"provider": "p", "secretKey": "k", "model": "m"}
			place(connection, at)
			body, err := json.Marshal(connection)
			if err != nil {
				t.Fatal(err)
			}
			status, answer := admin.Try(t, "POST", apitest.UIProject+"/llm-connections/test", string(body))
			if status == http.StatusOK && strings.Contains(answer, `"ok":true`) {
				return nil
			}
			return errors.New(answer)
		}
	}}
}

var robotKey = sync.OnceValues(func() ([]byte, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, err
	}
	return x509.MarshalPKCS8PrivateKey(key)
})

// serviceAccount returns the secret of a Vertex connection.
func serviceAccount(t *testing.T, tokens string) string {
	t.Helper()
	der, err := robotKey()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(map[string]string{
		"project_id": "p", "client_email": "robot@p.test", "token_uri": tokens,
		"private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})),
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var (
	// hostileHosts lead, or may lead, to this machine or its private network.
	hostileHosts = []string{
		"127.0.0.1", "127.0.0.1:9000", "127.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "0", "0.0.0.0", "localhost",
		"LOCALHOST.", "a.localhost",
		"１２７.０.０.１", "127。0。0。1", "10.0.0.5", "172.16.0.1", "192.168.0.1", "192.0.0.8", "198.18.0.1", "100.64.0.1", "100.100.100.200",
		"169.254.169.254", "168.63.129.16", "metadata.google.internal", "240.0.0.1", "255.255.255.255", "224.0.0.1",
		"[::]", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:0:127.0.0.1]", "[::127.0.0.1]", "[fe80::1]", "[fe80::1%25eth0]", "[fec0::1]",
		"[fc00::1]", "[fd00:ec2::254]",
		"[ff02::1]", "[64:ff9b::7f00:1]", "[64:ff9b:1::a00:1]", "[2002:7f00:1::1]", "[2001:0:7f00:1::1]", "[2001:db8::1]", "[3fff::1]",
		"[100::1]",
		"router", "nas.lan",
		// Names that the resolver of the test answers with private addresses.
		"private.example.org", "mapped.example.org", "mixed.example.org", "changing.example.org",
	}
	// hostileNames try to become another host or path where a name is expected.
	hostileNames = []string{
		"127.0.0.1/", "127.0.0.1:9000/?", "private.example.org/?", "private.example.org#", "private.example.org/x",
		"a@private.example.org/",
		"private.example.org", "a:80", "a.b", "..", "../..", "a/../b", "a%2f", "a\\b", "a b", "a\r\nHost: b", "Ａ", "", "-",
	}
)

// hostileResolver answers with private addresses. One name has a public address at first and a private one later, and
// one has both.
func hostileResolver() func(string) []netip.Addr {
	var asked atomic.Int64
	return func(name string) []netip.Addr {
		switch {
		case strings.HasSuffix(name, "mapped.example.org"):
			return []netip.Addr{netip.MustParseAddr("::ffff:10.0.0.1")}
		case strings.HasSuffix(name, "mixed.example.org"):
			return []netip.Addr{netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("fd00::1")}
		case strings.HasSuffix(name, "changing.example.org") && asked.Add(1) == 1:
			return []netip.Addr{netip.MustParseAddr("8.8.8.8")}
		}
		return []netip.Addr{netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("::1")}
	}
}

// TestHostileDestinations checks that no way of making the server connect reaches this machine or its private network,
// whatever is entered where.
func TestHostileDestinations(t *testing.T) {
	all := outwards(t)
	for _, kind := range netguard.Kinds() {
		if len(all[kind]) == 0 {
			t.Errorf("kind %d of requests is not tested: add it to outwards", kind)
		}
		for _, o := range all[kind] {
			t.Run(o.name, func(t *testing.T) {
				t.Parallel()
				places := hostileNames
				if o.url {
					places = nil
					for _, host := range hostileHosts {
						places = append(places, "http://"+host, "https://"+host+"/a")
					}
					places = append(places, "http://user:password@example.org", "file:///etc/passwd", "gopher://127.0.0.1:1/", "http://",
						"//127.0.0.1", "http:127.0.0.1")
				}
				var current atomic.Value // the place
				call := o.caller(t, netguard.Guard{
					Resolver: dnstest.Resolver(hostileResolver()),
					Connecting: func(to netip.AddrPort) error {
						if !netguard.IsPublicAddress(to.Addr()) {
							t.Errorf("%q: it connects to %s", current.Load(), to)
						}
						return errors.New("the test does not connect to " + to.String())
					},
				})
				for _, place := range places {
					current.Store(place)
					if call(place) == nil {
						t.Errorf("%q: it succeeded", place)
					}
				}
			})
		}
	}
}

// TestHostileNames checks that a name in place of another stays within its provider: the host that is resolved is the
// provider's.
func TestHostileNames(t *testing.T) {
	for _, some := range outwards(t) {
		for _, o := range some {
			if o.url {
				continue
			}
			t.Run(o.name, func(t *testing.T) {
				t.Parallel()
				var current atomic.Value // the place
				call := o.caller(t, netguard.Guard{Resolver: dnstest.Resolver(func(name string) []netip.Addr {
					provider := false
					for _, end := range []string{".amazonaws.com", ".blob.core.windows.net", ".googleapis.com"} {
						provider = provider || strings.HasSuffix(name, end)
					}
					if !provider {
						t.Errorf("%q: it looks for %q", current.Load(), name)
					}
					return nil
				})})
				for _, place := range hostileNames {
					current.Store(place)
					_ = call(place)
				}
			})
		}
	}
}

// TestHostileRedirects checks that no redirect is followed, even if the private network is allowed.
func TestHostileRedirects(t *testing.T) {
	var reached atomic.Int64
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer elsewhere.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		redirecting := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", elsewhere.URL+r.URL.Path)
			w.WriteHeader(status)
		}))
		defer redirecting.Close()
		first := netip.MustParseAddrPort(strings.TrimPrefix(redirecting.URL, "http://"))
		for _, some := range outwards(t) {
			for _, o := range some {
				if !o.url {
					continue
				}
				guard := netguard.Guard{
					Private:  true,
					Resolver: dnstest.Resolver(func(string) []netip.Addr { return []netip.Addr{first.Addr()} }),
					Connecting: func(to netip.AddrPort) error {
						if to != first {
							t.Errorf("%s after %d: it connects to %s", o.name, status, to)
						}
						return nil
					},
				}
				if err := o.caller(t, guard)("http://redirecting.example.org:" + strconv.Itoa(int(first.Port()))); err == nil {
					t.Errorf("%s after %d: it succeeded", o.name, status)
				}
			}
		}
	}
	if reached.Load() > 0 {
		t.Errorf("%d redirects were followed", reached.Load())
	}
}

// TestEndlessAnswers checks that an answer without an end, or with a huge header, takes no more than a little memory.
func TestEndlessAnswers(t *testing.T) {
	const (
		most = 16 << 20 // what may be on its way, in the buffers of both sides
		far  = 256 << 20
	)
	piece := bytes.Repeat([]byte("x"), 64<<10)
	for name, status := range map[string]int{
		"an answer": http.StatusOK, "a refusal": http.StatusForbidden, "a failure": http.StatusInternalServerError, "a header": 0,
	} {
		for _, some := range outwards(t) {
			for _, o := range some {
				if !o.url {
					continue
				}
				t.Run(o.name+" with "+name, func(t *testing.T) {
					var longest atomic.Int64
					server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
						_, _ = io.Copy(io.Discard, r.Body)
						if status == 0 {
							w.Header().Set("X-Long", strings.Repeat("x", 1<<20))
							return
						}
						w.WriteHeader(status)
						_, err := io.WriteString(w, "<Result><Value>")
						for sent := 0; sent < far && err == nil; sent += len(piece) {
							longest.Store(max(longest.Load(), int64(sent)))
							_, err = w.Write(piece)
						}
					}))
					defer server.Close()
					address := netip.MustParseAddrPort(strings.TrimPrefix(server.URL, "http://"))
					guard := netguard.Guard{
						Private: true, Resolver: dnstest.Resolver(func(string) []netip.Addr { return []netip.Addr{address.Addr()} }),
					}
					if err := o.caller(t, guard)("http://endless.example.org:" + strconv.Itoa(int(address.Port()))); err == nil &&
						status == 0 {
						t.Error("a header of any length is accepted")
					}
					if longest.Load() > most {
						t.Errorf("%d MB were taken", longest.Load()>>20)
					}
				})
			}
		}
	}
}

// TestSlowDestinationsHoldNoTurns checks that requests which wait for a server that does not answer leave the turns to
// others, and that one organization cannot make all the calls.
func TestSlowDestinationsHoldNoTurns(t *testing.T) {
	asked, release := make(chan struct{}, 100), make(chan struct{})
	tarpit := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		asked <- struct{}{}
		<-release
	}))
	defer tarpit.Close()
	let := sync.OnceFunc(func() { close(release) })
	defer let()
	guard := netguard.Guard{Private: true}
	f := apitest.New(t, func(o *httpapi.Options) {
		o.Guard, o.Feedback, o.Limits.Wait = guard, scores.NewFeedbackSink(tarpit.URL), 50*time.Millisecond
		o.Exports = scheduled.New(o.Catalog, o.Store, o.Secrets, o.Prices, scheduled.Allowed{Guard: guard}, o.Log)
	})
	admin := f.As(t, f.NewMember(t, "admin@a.test", domain.RoleAdmin).ID)
	storage := fmt.Sprintf(`{"projectId":"project-a","type":"S3_COMPATIBLE","bucketName":"bucket","endpoint":%q,"region":"auto","accessKeyId":"a",`+
		`"secretAccessKey":"b","exportFrequency":"daily","enabled":false,"forcePathStyle":true,"fileType":"JSONL","exportMode":"FULL_HISTORY"}`, tarpit.URL)
	if status, answer := admin.Try(t, "PUT", apitest.UIProject+"/blob-storage", storage); status != http.StatusOK {
		t.Fatalf("status %d: %s", status, answer)
	}
	connection := fmt.Sprintf(`{"provider":"p","adapter":"openai","secretKey":"k","model":"m","baseURL":%q}`, tarpit.URL)
	calls := []apitest.Scenario{
		{Method: "POST", Path: apitest.UIProject + "/llm-connections/test", Body: connection},
		{Method: "POST", Path: apitest.UIProject + "/blob-storage/test", Body: "{}"},
		{Method: "POST", Path: apitest.UIProject + "/blob-storage/take-over", Body: "{}"},
		{Method: "POST", Path: "/api/public/feedback", Key: "project", Body: `{"targetType":"docs","target":"t","feedback":"f"}`},
	}
	var waiting sync.WaitGroup
	for _, s := range calls {
		answered := make(chan struct{})
		waiting.Go(func() {
			defer close(answered)
			if s.Key != "" {
				f.Send(s)
				return
			}
			admin.Try(t, s.Method, s.Path, s.Body)
		})
		select {
		case <-asked:
		case <-answered:
			t.Errorf("%s: it is refused", s.Path)
		}
		if held := held(f); held != [2]int64{} {
			t.Errorf("%s: %d turns and reads are held", s.Path, held)
		}
	}
	// These are as many as an organization may have.
	if status, answer := admin.Try(t, "POST", apitest.UIProject+"/llm-connections/test", connection); status != http.StatusServiceUnavailable {
		t.Errorf("status %d: %s", status, answer)
	}
	let()
	waiting.Wait()
	if status, answer := admin.Try(t, "POST", apitest.UIProject+"/llm-connections/test", connection); status != http.StatusOK {
		t.Errorf("status %d: %s", status, answer)
	}
}

// TestEnvironmentProxy checks that the proxy of the environment is not used unless the operator wants it.
func TestEnvironmentProxy(t *testing.T) {
	var asked bytes.Buffer
	var mu sync.Mutex
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked.WriteString(r.URL.Host + "\n")
		w.WriteHeader(http.StatusTeapot)
	}))
	defer proxy.Close()
	through := func(*http.Request) (*url.URL, error) { return url.Parse(proxy.URL) }
	for _, o := range outwards(t)[netguard.Model] {
		if !o.url {
			continue
		}
		asked.Reset()
		call := o.caller(t, netguard.Guard{Proxy: through})
		_ = call("http://provider.example.org")
		if !strings.HasPrefix(asked.String(), "provider.example.org\n") {
			t.Errorf("%s: the proxy was asked for %q", o.name, asked.String())
		}
		asked.Reset()
		if err := call("http://127.0.0.1:1"); err == nil || asked.Len() > 0 {
			t.Errorf("%s: the proxy was asked for %q", o.name, asked.String())
		}
	}
}

func init() { minio.DefaultRetryUnit, minio.DefaultRetryCap = time.Millisecond, time.Millisecond }
