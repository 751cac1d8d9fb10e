package blackbox

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"almanac/test/harness"
)

// TestServerOptions starts a server with a base path, an allowed origin and limits, and checks each of them.
func TestServerOptions(t *testing.T) {
	const page = "https://app.example.org"
	s := harness.Start(t, "--base-path=/almanac", "--cors-origins="+page, "--limit-key=requests=3/d")
	root, err := url.Parse(s.URL)
	if err != nil || root.Path != "/almanac" {
		t.Fatalf("the server says that it is at %s", s.URL)
	}
	root.Path = ""
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	send := func(method, address, authorization, origin, asks string) (*http.Response, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range map[string]string{"Origin": origin, "Access-Control-Request-Method": asks} {
			if value != "" {
				r.Header.Set(name, value)
			}
		}
		if authorization != "" {
			r.SetBasicAuth(s.PublicKey, authorization)
		}
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer, string(body)
	}

	t.Run("base path", func(t *testing.T) {
		for address, want := range map[string]int{
			s.URL + "/api/public/health":                  http.StatusOK,
			root.String() + "/api/public/health":          http.StatusOK, // for probes, which do not know the base path
			root.String() + "/api/public/models":          http.StatusNotFound,
			root.String() + "/almanacs/api/public/health": http.StatusNotFound,
			s.URL + "/api/public/nothing":                 http.StatusNotFound,
		} {
			if answer, body := send(http.MethodGet, address, "", "", ""); answer.StatusCode != want {
				t.Errorf("%s: %d %s", address, answer.StatusCode, body)
			}
		}
		if _, body := send(http.MethodGet, root.String()+"/api/public/models", "", "", ""); !strings.Contains(body, "/almanac") {
			t.Errorf("who forgets the base path is told %s", body)
		}
		answer, _ := send(http.MethodGet, s.URL+"/api/public/health/", "", "", "")
		if to, err := answer.Location(); err != nil || to.Path != "/almanac/api/public/health" {
			t.Errorf("a trailing slash: %d, %v, %v", answer.StatusCode, to, err)
		}
		if stdout, _ := s.Printed(); !strings.Contains(stdout, s.URL+"/api/docs") {
			t.Errorf("the first start prints %s", stdout)
		}
		if answer, body := send(http.MethodGet, s.URL+"/api/docs", "", "", ""); answer.StatusCode != http.StatusOK ||
			strings.Contains(body, `"/api/`) {
			t.Errorf("the reference refers to what is not below the base path: %d", answer.StatusCode)
		}
	})

	t.Run("pages of browsers", func(t *testing.T) {
		path := s.URL + "/api/public/scores"
		for origin, want := range map[string]string{page: page, "https://elsewhere.example.org": "", "": ""} {
			answer, _ := send(http.MethodOptions, path, "", origin, http.MethodPost)
			if got := answer.Header.Get("Access-Control-Allow-Origin"); got != want {
				t.Errorf("a preflight of %q is answered %d, and allows %q", origin, answer.StatusCode, got)
			}
			if allows := answer.Header.Get("Access-Control-Allow-Methods"); origin != "" &&
				(origin == page) != strings.Contains(allows, http.MethodPost) {
				t.Errorf("a preflight of %q allows the methods %q", origin, allows)
			}
			answer, _ = send(http.MethodGet, s.URL+"/api/public/health", "", origin, "")
			if got := answer.Header.Get("Access-Control-Allow-Origin"); got != want ||
				answer.Header.Get("Access-Control-Allow-Credentials") != "" {
				t.Errorf("a request of %q is answered with %v", origin, answer.Header)
			}
		}
		answer, _ := send(http.MethodOptions, s.URL+"/api/public/organizations/projects", "", page, http.MethodGet)
		if got := answer.Header.Get("Access-Control-Allow-Origin"); got != "" {
			t.Errorf("pages may use keys of organizations: %q", got)
		}
	})

	t.Run("limits", func(t *testing.T) {
		// The day may end meanwhile, which lets three more through.
		for range 7 {
			answer, body := send(http.MethodGet, s.URL+"/api/public/models", s.SecretKey, "", "")
			if answer.StatusCode == http.StatusOK {
				continue
			}
			var refused struct {
				Code    string
				Details struct {
					RetryAfterSeconds int
					Limit, Remaining  int
				}
			}
			if err := json.Unmarshal([]byte(body), &refused); err != nil {
				t.Fatal(body, err)
			}
			seconds, err := strconv.Atoi(answer.Header.Get("Retry-After"))
			if answer.StatusCode != http.StatusTooManyRequests || err != nil || seconds < 1 || seconds > 24*60*60 ||
				refused.Details.RetryAfterSeconds != seconds {
				t.Errorf("%d %v: %s", answer.StatusCode, answer.Header, body)
			}
			if refused.Code != "rate_limited" || refused.Details.Limit != 3 || refused.Details.Remaining != 0 ||
				answer.Header.Get("X-RateLimit-Limit") != "3" {
				t.Errorf("%v: %s", answer.Header, body)
			}
			if status, _ := s.Get(t, "/api/public/projects"); status != http.StatusOK {
				t.Errorf("what does not count is answered %d", status)
			}
			return
		}
		t.Error("no request was refused")
	})
}
