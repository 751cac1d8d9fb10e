package ui_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
)

func TestUIModels(t *testing.T) {
	f := apitest.New(t, nil)
	viewer := f.As(t, f.NewMember(t, "viewer@a.test", domain.RoleViewer).ID)
	owner := f.As(t, f.NewMember(t, "owner@a.test", domain.RoleOwner).ID)
	match := apitest.UIProject + "/models/match"
	viewer.Ask(t, "POST", match, `{}`, 400)
	viewer.Ask(t, "POST", match, `{"modelName":"x","usage":{"input":-1}}`, 400)
	if got := viewer.Ask(t, "POST", match, `{"modelName":"in-house-7"}`, 200); got != `{"model":null,"tier":null,"cost":null}` {
		t.Errorf("no definition: %s", got)
	}
	if got := viewer.Ask(t, "POST", match, `{"modelName":"gpt-4o"}`, 200); !strings.Contains(got, `"tier":"`) ||
		!strings.HasSuffix(got, `"cost":null}`) {
		t.Errorf("a built-in definition: %s", got)
	}
	now := domain.MicrosOf(time.Now())
	row := func(id, model string) domain.Observation {
		return domain.Observation{TraceID: "t", ID: id, Type: "GENERATION", StartTime: now, Model: model}
	}
	priced := row("4", "paid-elsewhere")
	priced.TotalCost = domain.FloatOf(1)
	old := row("5", "long-gone")
	old.StartTime -= domain.Micros((8 * 24 * time.Hour).Microseconds())
	f.Keep(t, "project-a", []domain.Observation{
		row("1", "in-house-7"), row("2", "in-house-7"), row("3", "other"), priced, old, row("6", ""),
	}, nil)
	if got := viewer.Ask(t, "GET", apitest.UIProject+"/models/unpriced", "", 200); !strings.HasSuffix(got,
		`"models":[{"name":"in-house-7","observations":2},{"name":"other","observations":1}]}`) {
		t.Errorf("without a price: %s", got)
	}
	owner.Ask(t, "POST", apitest.UIProject+"/models", `{"modelName":"In-house","matchPattern":"^in-house-\\d$","unit":"TOKENS","inputPrice":0.5}`,
		200)
	if got := viewer.Ask(t, "POST", match, `{"modelName":"in-house-7","usage":{"input":3}}`, 200); !strings.Contains(got,
		`"modelName":"In-house"`) || !strings.HasSuffix(got, `"cost":1.5}`) {
		t.Errorf("a definition of the project: %s", got)
	}
	if got := viewer.Ask(t, "GET", apitest.UIProject+"/models/unpriced", "", 200); strings.Contains(got, "in-house-7") {
		t.Errorf("it has a price by now: %s", got)
	}
}

// TestUIConnectionTest calls a fake provider through connections of every kind.
func TestUIConnectionTest(t *testing.T) {
	asked := make(chan string, 1)
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked <- r.URL.String() + " " + r.Header.Get("Authorization") + r.Header.Get("Api-Key") + r.Header.Get("X-Api-Key") +
			r.Header.Get("X-Goog-Api-Key") + " " + r.Header.Get("X-Team") + " " + string(body)
		switch {
		case strings.Contains(string(body), "moved"):
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusTemporaryRedirect)
		case strings.Contains(string(body), "across"): // the key is across the end of what is shown
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, strings.Repeat("x", 493)+"top-secret-key "+url.QueryEscape("header secret/1"))
		case strings.Contains(string(body), "missing"):
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, `no such model for the key top-secret-key`)
		case strings.HasPrefix(r.URL.Path, "/v1/messages"):
			_, _ = io.WriteString(w, `{"content":[{"type":"text","text":"OK"}]}`)
		case strings.HasPrefix(r.URL.Path, "/v1beta"):
			_, _ = io.WriteString(w, `{"candidates":[{"content":{"parts":[{"text":"OK"}]}}]}`)
		default:
			_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"OK"}}]}`)
		}
	}))
	defer provider.Close()
	f := apitest.New(t, func(o *httpapi.Options) { o.Guard.Private = true })
	admin := f.As(t, f.NewMember(t, "admin@a.test", domain.RoleAdmin).ID)
	path := apitest.UIProject + "/llm-connections/test"
	connection := func(adapter, more string) string {
		return `{"provider":"p","adapter":"` + adapter + `","secretKey":"top-secret-key","baseURL":"` + provider.URL + `"` + more + `}`
	}
	try := func(body, ok, message, want string) {
		t.Helper()
		got := admin.Ask(t, "POST", path, body, 200)
		if !strings.Contains(got, `"ok":`+ok) || !strings.Contains(got, message) || strings.Contains(got, "top-secret") {
			t.Errorf("%s: %s", body, got)
		}
		select {
		case request := <-asked:
			if want == "" || !strings.HasPrefix(request, want) {
				t.Errorf("asked for %s, want %s", request, want)
			}
		default:
			if want != "" {
				t.Errorf("nothing was asked, want %s", want)
			}
		}
	}
	try(connection("openai", `,"model":"m"`), "true", "The model answered: OK", "/chat/completions Bearer top-secret-key  {")
	try(connection("azure", `,"model":"m 1"`), "true", "OK", "/deployments/m%201/chat/completions?api-version=2025-02-01-preview top-secret-key  {")
	try(connection("azure", `,"model":"m/1"`), "false", "it has no slashes", "")
	try(connection("anthropic", `,"model":"m","extraHeaders":{"X-Team":"a"}`), "true", "OK", "/v1/messages top-secret-key a {")
	try(connection("google-ai-studio", `,"model":"m"`), "true", "OK", "/v1beta/models/m:generateContent top-secret-key  {")
	try(connection("openai", `,"model":"missing"`), "false", "does not know the model missing, or the base URL of the connection is wrong. It says (404): no such model for the key •••", "/chat")
	try(connection("openai", `,"model":"across","extraHeaders":{"X-Team":"header secret/1"}`), "false", "xxx•", "/chat")
	if got := admin.Ask(t, "POST", path, connection("openai", `,"model":"across"`), 200); strings.Contains(got, "top-") {
		t.Errorf("a part of the key is shown: %s", got)
	}
	<-asked
	try(connection("openai", `,"model":"moved"`), "false", "redirects to another address, which is not followed", "/chat")
	try(`{"provider":"p","adapter":"google-vertex-ai","secretKey":"{}","model":"m"}`, "false",
		"the JSON file with the key of a service account", "")
	admin.Ask(t, "POST", path, connection("openai", ""), 400)
	admin.Ask(t, "POST", path, `{"provider":"stored","model":"m"}`, 404)
	admin.Ask(t, "PUT", apitest.UIProject+"/llm-connections",
		strings.Replace(connection("openai", `,"customModels":["mine"],"extraHeaders":{"X-Team":"a"}`), `"p"`, `"stored"`, 1), 201)
	// The secret of a stored connection is not sent to an address from the request.
	try(`{"provider":"stored","baseURL":"http://127.0.0.1:1"}`, "true", "OK", `/chat/completions Bearer top-secret-key a {"messages":[{"content":"Answer with the one word OK.","role":"user"}],"model":"mine"}`)

	closed := apitest.New(t, nil)
	b := closed.As(t, closed.NewMember(t, "admin@a.test", domain.RoleAdmin).ID)
	b.Ask(t, "POST", path, connection("openai", `,"model":"m"`), 400)
}
