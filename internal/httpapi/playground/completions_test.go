package playground_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/ingest"
	"almanac/internal/llm"
	"almanac/internal/llm/llmtest"
	"almanac/internal/store"
)

// bench is an API whose project has a connection to a fake provider.
type bench struct {
	*apitest.Fixture
	provider *llmtest.Provider
	user     domain.User
	person   *apitest.Browser
}

const completions = apitest.UIProject + "/completions"

func newBench(t *testing.T, change ...func(*httpapi.Options)) *bench {
	t.Helper()
	b := &bench{provider: llmtest.Start(t, llmtest.Compatible)}
	b.Fixture = apitest.New(t, func(o *httpapi.Options) {
		o.Guard, o.LLM = llmtest.Guard(), llm.New(llm.Options{Guard: llmtest.Guard(), Retries: -1})
		o.Memory = apitest.NewMemory(64 << 20)
		o.Ingest = ingest.New(ingest.Options{
			Table: o.Store.Observations(), Prices: o.Prices, Usage: o.Usage, Memory: 64 << 20, Log: o.Log, Prompts: o.Prompts,
		})
		for _, each := range change {
			each(o)
		}
	})
	b.user = b.NewMember(t, "member@a.test", domain.RoleMember)
	b.person = b.As(t, b.user.ID)
	b.Ask(t, apitest.Scenario{
		Method: "PUT", Path: "/api/public/llm-connections", Key: "project", Status: 201,
		Body: strings.Replace(apitest.Connection("openai", fmt.Sprintf(`,"baseURL":%q`, b.provider.Connection().BaseURL)),
			"sk-0123456789abcd", llmtest.Secret, 1),
	})
	return b
}

// rows returns the observations of the project.
func (b *bench) rows(t *testing.T) (rows []*domain.Observation) {
	t.Helper()
	for row, err := range b.Store.Observations().Scan(t.Context(), domain.OfProject("project-a"),
		store.Query[domain.Observation]{Want: store.WantAll}) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, new(row.Clone()))
	}
	return rows
}

const question = `{"connection":"p","model":"gpt-4.1-mini","messages":[{"role":"system","content":"Be brief."},` +
	`{"role":"user","content":"Hi Ada"}],"params":{"temperature":0.5},"prompt":{"name":"greeting","version":1},` +
	`"variables":{"name":"Ada"},"source":"an observation"}`

func TestComplete(t *testing.T) {
	b := newBench(t)
	b.Ask(t, apitest.Scenario{
		Method: "POST", Path: "/api/public/v2/prompts", Key: "project", Status: 201,
		Body: `{"name":"greeting","prompt":"Hi {{name}}"}`,
	})
	answer := b.person.Ask(t, "POST", completions, question, 200)
	contains(t, answer, "event: delta\ndata: {\"text\":\"Hello, \"}\n", "event: delta\ndata: {\"text\":\"world.\"}\n", "event: trace\n",
		"event: usage\n", "event: cost\n", "event: done\n", `"firstTokenMs":`)
	rows := b.rows(t)
	if len(rows) != 1 {
		t.Fatalf("%d rows", len(rows))
	}
	o := rows[0]
	if o.Type != "GENERATION" || o.Environment != domain.PlaygroundEnvironment || o.UserID != "member@a.test" || o.Level != "DEFAULT" ||
		o.Output != "Hello, world." || o.Model != "gpt-4.1-mini" || o.ModelParameters != `{"temperature":0.5}` ||
		o.PromptName != "greeting" || o.PromptVersion.Value != 1 || o.PromptID == "" || o.ParentID != "" {
		t.Errorf("recorded as %+v", o)
	}
	if o.CompletionStartTime <= o.StartTime || o.EndTime < o.CompletionStartTime {
		t.Errorf("times %d, %d, %d", o.StartTime, o.CompletionStartTime, o.EndTime)
	}
	if o.InputTokens == 0 || o.OutputTokens == 0 || !o.TotalCost.Set || o.TotalCost.Value <= 0 {
		t.Errorf("usage %d, %d, cost %v", o.InputTokens, o.OutputTokens, o.TotalCost)
	}
	if want := `[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi Ada"}]`; o.Input != want {
		t.Errorf("input %s, want %s", o.Input, want)
	}
	contains(t, o.Metadata, `"variables.name":"Ada"`, `"connection":"p"`, `"source":"an observation"`)
	contains(t, answer, o.TraceID)
	entries, err := apitest.OldestFirst(t.Context(), b.Catalog, domain.OfOrganization("org-a"))
	if err != nil {
		t.Fatal(err)
	}
	last := entries[len(entries)-1]
	if last.ResourceKind != "playgroundRun" || last.ResourceID != o.TraceID || last.Actor.ID != b.user.ID ||
		string(last.After) != `{"connection":"p","model":"gpt-4.1-mini","prompt":"greeting","promptVersion":1}` {
		t.Errorf("audited as %+v: %s", last, last.After)
	}
}

func TestCompleteWithTools(t *testing.T) {
	b := newBench(t)
	b.provider.Answer(llmtest.Answer{Calls: []llmtest.Call{{ID: "c1", Name: "weather", Arguments: `{"city":"Rome"}`}}})
	answer := b.person.Ask(t, "POST", completions, `{"connection":"p","model":"m","messages":[{"role":"user","content":"?"},
		{"role":"assistant","toolCalls":[{"id":"c0","name":"weather","arguments":"{}"}]},
		{"role":"tool","content":"rain","toolCallId":"c0"},{"role":"user","content":"And Rome?"}],
		"tools":[{"name":"weather","description":"d","parameters":{"type":"object"}}],"toolChoice":{"mode":"required"}}`, 200)
	contains(t, answer, "event: toolCall\n", `"name":"weather"`, "event: done\n")
	o := b.rows(t)[0]
	if len(o.ToolNames) != 1 || len(o.ToolCallNames) != 1 || o.ToolCallNames[0] != "weather" {
		t.Errorf("tools %v, calls %v in %s", o.ToolNames, o.ToolCallNames, o.Output)
	}
	contains(t, o.Input, `"tool_call_id":"c0"`, `"tools":[`)
}

func TestCompleteWithFile(t *testing.T) {
	b := newBench(t)
	const content = "not really a picture"
	medium := b.Upload(t, content)
	answer := b.person.Ask(t, "POST", completions, `{"connection":"p","model":"m","messages":[{"role":"user","content":[
		{"type":"text","text":"What is this?"},{"type":"image","mediaId":"`+medium.MediaID+`"}]}]}`, 200)
	contains(t, answer, "event: done\n")
	if sent := fmt.Sprint(b.provider.Requests()[0].Body); !strings.Contains(sent, base64.StdEncoding.EncodeToString([]byte(content))) {
		t.Errorf("the provider was sent %s", sent)
	}
	o := b.rows(t)[0]
	contains(t, o.Input, domain.MediaReferenceStart, medium.MediaID)
	traces, err := b.Catalog.TracesOfMedium(t.Context(), domain.OfProject("project-a"), medium.MediaID, 10)
	if err != nil || !slices.Contains(traces, o.TraceID) {
		t.Errorf("the file belongs to %v (%v), want %s", traces, err, o.TraceID)
	}
	contains(t, b.person.Ask(t, "POST", completions, `{"connection":"p","model":"m","messages":[{"role":"user","content":[
		{"type":"image","mediaId":"nothing"}]}]}`, 400), "no file with the id")
}

func TestCompleteFails(t *testing.T) {
	b := newBench(t)
	b.provider.Answer(llmtest.Answer{Status: 401})
	answer := b.person.Ask(t, "POST", completions, question, 200)
	contains(t, answer, "event: error\n", `"error":"unauthorized"`)
	if strings.Contains(answer, "event: done") || strings.Contains(answer, llmtest.Secret) {
		t.Errorf("answered %s", answer)
	}
	o := b.rows(t)[0]
	if o.Level != "ERROR" || o.StatusMessage == "" || o.Output != "" {
		t.Errorf("recorded as %+v", o)
	}
	b.provider.Answer(llmtest.Answer{Text: []string{"Half ", "of it"}, Fault: llmtest.Cut})
	contains(t, b.person.Ask(t, "POST", completions, question, 200), "event: delta\n", `"error":"interrupted"`)
}

// page is a browser page that goes away once it has seen a text.
type page struct {
	*httptest.ResponseRecorder
	mu    sync.Mutex
	until string
	leave context.CancelFunc
}

func (p *page) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n, err := p.ResponseRecorder.Write(b)
	if strings.Contains(p.Body.String(), p.until) {
		p.leave()
	}
	return n, err
}

func TestLeavingEndsTheCall(t *testing.T) {
	b := newBench(t)
	goOn := make(chan struct{}, 1)
	goOn <- struct{}{} // to the first words; the rest never comes
	b.provider.Answer(llmtest.Answer{Text: []string{"Once ", "upon"}, Wait: goOn})
	ctx, leave := context.WithCancel(t.Context())
	b.ServeHTTP(&page{ResponseRecorder: httptest.NewRecorder(), until: "Once", leave: leave},
		b.person.Request("POST", completions, question).WithContext(ctx))
	<-b.provider.Closed()
	o := b.rows(t)[0]
	if o.Level != "WARNING" || o.Output != "Once " || !strings.Contains(o.StatusMessage, "Stopped") {
		t.Errorf("recorded as %s, %q, %q", o.Level, o.Output, o.StatusMessage)
	}
}

// TestLosingTheRightEndsTheCall: somebody who is removed reads nothing more of an answer that is on its way.
func TestLosingTheRightEndsTheCall(t *testing.T) {
	b := newBench(t, func(o *httpapi.Options) { o.Limits.Tails.Recheck = time.Nanosecond })
	goOn := make(chan struct{}, 1)
	goOn <- struct{}{}
	b.provider.Answer(llmtest.Answer{Text: []string{"Once ", "upon"}, Wait: goOn})
	var removed sync.Once
	answer := httptest.NewRecorder()
	b.ServeHTTP(&page{ResponseRecorder: answer, until: "Once", leave: func() {
		removed.Do(func() {
			if _, err := b.Catalog.RemoveMember(t.Context(), domain.OfOrganization("org-a"), b.user.ID, domain.Actor{}); err != nil {
				t.Error(err)
			}
			goOn <- struct{}{}
		})
	}}, b.person.Request("POST", completions, question))
	<-b.provider.Closed()
	if text := answer.Body.String(); strings.Contains(text, "upon") || !strings.Contains(text, "no longer") {
		t.Errorf("somebody who was removed reads %s", text)
	}
	if o := b.rows(t)[0]; o.Level != "ERROR" || !strings.Contains(o.StatusMessage, "no longer") {
		t.Errorf("recorded as %s, %q, %q", o.Level, o.Output, o.StatusMessage)
	}
}

func TestCompleteIsRefused(t *testing.T) {
	b := newBench(t)
	for _, role := range []domain.Role{domain.RoleViewer, domain.RoleAnnotator} {
		b.As(t, b.NewMember(t, strings.ToLower(string(role))+"@a.test", role).ID).Ask(t, "POST", completions, question, 403)
	}
	contains(t, b.person.Ask(t, "POST", completions, strings.Replace(question, `"p"`, `"q"`, 1), 404), "no LLM connection")
	for body, part := range map[string]string{
		`{}`: `"path":["connection"]`,
		`{"connection":"p","model":"m","messages":[]}`:                                                                               `"path":["messages"]`,
		`{"connection":"p","model":"m","messages":[{"role":"robot"}]}`:                                                               `"path":["messages",0,"role"]`,
		`{"connection":"p","model":"m","messages":[{"role":"user","content":[{"type":"image"}]}]}`:                                   "by its mediaId or by its url",
		`{"connection":"p","model":"m","messages":[{"role":"user"}],"params":{"temperature":3}}`:                                     `"path":["params","temperature"]`,
		`{"connection":"p","model":"m","messages":[{"role":"user"}],"tools":[{"name":"a"},{"name":"a"}]}`:                            "another tool with this name",
		`{"connection":"p","model":"m","messages":[{"role":"user"}],"toolChoice":{"mode":"tool"}}`:                                   "Name the tool",
		`{"connection":"p","model":"m","messages":[{"role":"user"}],"variables":{"1":"x"}}`:                                          "begins with a letter",
		`{"connection":"p","model":"m","messages":[{"role":"user"}],"responseSchema":{"schema":[]}}`:                                 `"path":["responseSchema","schema"]`,
		`{"connection":"p","model":"m","messages":[` + strings.Repeat(`{"role":"user"},`, 500) + `{"role":"user"}]}`:                 "500",
		`{"connection":"p","model":"m","messages":[{"role":"user"}],"params":{"extra":{"stream":false}}}`:                            `extra parameter \"stream\"`,
		`{"connection":"p","model":"m","messages":[{"role":"user"}],"params":{"extra":{"a":"` + strings.Repeat("x", 65<<10) + `"}}}`: "extra",
	} {
		contains(t, b.person.Ask(t, "POST", completions, body, 400), part)
	}
	if rows := b.rows(t); len(rows) != 0 {
		t.Errorf("%d rows of refused runs", len(rows))
	}
}
