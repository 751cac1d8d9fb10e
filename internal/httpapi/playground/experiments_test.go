package playground_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/internal/catalog/leases"
	"almanac/internal/domain"
	"almanac/internal/experimenting"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/ingest/scores"
	"almanac/internal/jobs"
	"almanac/internal/limits/memory"
	"almanac/internal/llm"
	"almanac/internal/llm/llmtest"
	"almanac/internal/store"
)

const experimentRuns = apitest.UIProject + "/experiment-runs"

// lab is a bench with a dataset, a prompt, and a server that runs experiments.
type lab struct {
	*bench
	experiments *experimenting.Experiments
	runner      *jobs.Runner
	dataset     string
}

func newLab(t *testing.T, items ...string) *lab {
	t.Helper()
	var options *httpapi.Options
	l := &lab{bench: newBench(t, func(o *httpapi.Options) { options = o })}
	l.experiments = &experimenting.Experiments{
		Catalog: l.Catalog, Secrets: options.Secrets, Models: options.LLM, Records: options.Ingest, Log: options.Log,
		Scores: scores.NewWriter(scores.Options{Table: store.NewLocked(l.Store, nil).LockedScores(), Config: l.Catalog.ScoreConfigs.Get}),
	}
	l.runner = l.newRunner()
	l.Ask(t, apitest.Scenario{
		Method: "POST", Path: "/api/public/v2/prompts", Key: "project", Status: 201, Body: `{"name":"greeting","prompt":"Hi {{name}}"}`,
	})
	l.dataset = apitest.Made(t, l.Fixture, "/api/public/v2/datasets", `{"name":"qa"}`)
	for _, item := range items {
		l.Ask(t, apitest.Scenario{Method: "POST", Path: "/api/public/dataset-items", Key: "project", Status: 200, Body: item})
	}
	return l
}

func (l *lab) newRunner() *jobs.Runner {
	return jobs.New(jobs.Options{Log: l.experiments.Log}, l.experiments.Kind())
}

func item(id, name, expected string) string {
	return fmt.Sprintf(`{"datasetName":"qa","id":%q,"input":{"name":%q},"expectedOutput":%s,"metadata":{"n":{"k":1}}}`, id, name, expected)
}

type serverRun struct {
	ID, ExperimentID, Name, State, Error string
	Total, Done, Failed, Unpriced        int
	Cost                                 float64
}

func (l *lab) body(more string) string {
	return fmt.Sprintf(`{"datasetId":%q,"prompts":[{"name":"greeting","version":1}],"models":[{"connection":"p","model":"gpt-4.1-mini"}]%s}`,
		l.dataset, more)
}

func (l *lab) start(t *testing.T, body string) []serverRun {
	t.Helper()
	var made struct{ Experiments []serverRun }
	if err := json.Unmarshal([]byte(l.person.Ask(t, "POST", experimentRuns, body, 201)), &made); err != nil {
		t.Fatal(err)
	}
	return made.Experiments
}

func (l *lab) get(t *testing.T, id string) (r serverRun) {
	t.Helper()
	if err := json.Unmarshal([]byte(l.person.Ask(t, "GET", experimentRuns+"/"+id, "", 200)), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// step runs one experiment.
func (l *lab) step(t *testing.T) {
	t.Helper()
	if found, err := l.runner.Step(t.Context()); err != nil || !found {
		t.Fatalf("there was something to run: %v, %v", found, err)
	}
}

// outcomes returns the output of each item, or its error, with its scores, in the order of the items.
func (l *lab) outcomes(t *testing.T) (list []string) {
	t.Helper()
	for _, o := range l.rows(t) {
		if !o.IsExperimentItem() {
			continue
		}
		texts := []string{o.ExperimentItemID + ": " + o.Output + o.StatusMessage}
		for s, err := range l.Store.Scores().Scan(t.Context(), domain.OfProject("project-a"), store.Query[domain.Score]{Want: store.WantAll}) {
			if err != nil {
				t.Fatal(err)
			}
			if s.ObservationID == o.ID && s.TraceID == o.TraceID {
				texts = append(texts, fmt.Sprintf("[%s %g]", s.Name, s.Value.Value))
			}
		}
		list = append(list, strings.Join(texts, " "))
	}
	slices.Sort(list)
	return list
}

func TestExperiment(t *testing.T) {
	l := newLab(t, item("i1", "Ada", `"Hello, world."`), item("i2", "Bob", `"Hello, Bob."`))
	estimate := l.person.Ask(t, "POST", experimentRuns+"/estimate", l.body(`,"repetitions":3`), 200)
	contains(t, estimate, `"items":2`, `"calls":6`, `"problems":[]`, `"cost":0.000`)
	if got := len(l.provider.Requests()); got != 0 {
		t.Errorf("an estimate calls a model %d times", got)
	}
	run := l.start(t, l.body(`,"name":"night","checks":{"equal":true,"json":true},"params":{"temperature":0.5}`))[0]
	if run.State != "queued" || run.Total != 2 || run.Name != "night" ||
		run.ExperimentID != domain.ExperimentID("project-a", l.dataset, "night") {
		t.Fatalf("started as %+v", run)
	}
	l.step(t)
	if got := l.get(t, run.ID); got.State != "done" || got.Done != 2 || got.Failed != 0 || got.Cost <= 0 || got.Unpriced != 0 {
		t.Errorf("at the end it is %+v", got)
	}
	want := []string{
		"i1: Hello, world. [equals_expected 1] [valid_json 0]", "i2: Hello, world. [equals_expected 0] [valid_json 0]",
	}
	if got := l.outcomes(t); !slices.Equal(sortedScores(got), want) {
		t.Errorf("the results are %q, want %q", got, want)
	}
	rows := l.rows(t)
	if len(rows) != 4 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, o := range rows {
		if o.ExperimentID != run.ExperimentID || o.ExperimentName != "night" || o.ExperimentDatasetID != l.dataset ||
			o.Environment != domain.ExperimentEnvironment || o.ExperimentItemMetadata != `{"n.k":"1"}` || o.ExperimentItemVersion == "" ||
			!strings.Contains(o.ExperimentMetadata, `"promptVersion":"1"`) {
			t.Errorf("recorded as %+v", o)
		}
		if o.Type == "GENERATION" && (o.ParentID != o.ExperimentItemRootSpanID || o.PromptName != "greeting" || o.PromptID == "" ||
			!o.TotalCost.Set || o.ModelParameters != `{"temperature":0.5}` || !strings.Contains(o.Input, `"content":"Hi `)) {
			t.Errorf("the generation is %+v", o)
		}
	}
	// It is an experiment like others.
	contains(t, l.person.Ask(t, "POST", apitest.UIProject+"/experiments/compare/items", fmt.Sprintf(`{"baseline":%q}`, run.ExperimentID), 200),
		"Hello, world.", `"i1"`, `"i2"`)
	contains(t, l.person.Ask(t, "GET", experimentRuns+"?datasetId="+l.dataset, "", 200), `"name":"night"`, `"startedBy":"`)
	contains(t, l.person.Ask(t, "POST", experimentRuns, l.body(`,"name":"night"`), 409), "this name already")
}

// sortedScores sorts the scores within each outcome.
func sortedScores(outcomes []string) []string {
	for n, text := range outcomes {
		head, rest, ok := strings.Cut(text, " [")
		if !ok {
			continue
		}
		all := strings.Split("["+rest, " [")
		for m := range all {
			all[m] = "[" + strings.TrimPrefix(all[m], "[")
		}
		slices.Sort(all)
		outcomes[n] = head + " " + strings.Join(all, " ")
	}
	return outcomes
}

func TestExperimentsForPromptsAndModels(t *testing.T) {
	l := newLab(t, item("i1", "Ada", `"x"`))
	l.Ask(t, apitest.Scenario{
		Method: "POST", Path: "/api/public/v2/prompts", Key: "project", Status: 201, Body: `{"name":"greeting","prompt":"Bye {{name}}"}`,
	})
	runs := l.start(t, fmt.Sprintf(`{"datasetId":%q,"name":"both","prompts":[{"name":"greeting","version":1},{"name":"greeting","version":2}],
		"models":[{"connection":"p","model":"a"},{"connection":"p","model":"b"}],"repetitions":2}`, l.dataset))
	var names []string
	for _, run := range runs {
		names = append(names, run.Name)
		l.step(t)
		if got := l.get(t, run.ID); got.State != "done" || got.Done != 2 || got.Unpriced != 2 {
			t.Errorf("it is %+v", got)
		}
	}
	want := []string{"both: greeting v1, a", "both: greeting v1, b", "both: greeting v2, a", "both: greeting v2, b"}
	if !slices.Equal(names, want) {
		t.Errorf("the names are %q", names)
	}
	if got := len(l.provider.Requests()); got != 8 {
		t.Errorf("%d calls", got)
	}
	if got := len(l.outcomes(t)); got != 8 {
		t.Errorf("%d results", got)
	}
}

// TestItemsThatFail are part of the experiment, and are called again without the others.
func TestItemsThatFail(t *testing.T) {
	l := newLab(t, item("i1", "Ada", `"x"`), `{"datasetName":"qa","id":"i2","input":{"other":1}}`)
	contains(t, l.person.Ask(t, "POST", experimentRuns+"/estimate", l.body(""), 200), `has no \"name\"`, `"itemId":"i2"`)
	l.provider.Answer(llmtest.Answer{Status: 400, Message: "no"})
	run := l.start(t, l.body(`,"checks":{"equal":true}`))[0]
	l.step(t)
	got := l.outcomes(t)
	if len(got) != 2 || !strings.HasPrefix(got[0], "i1: ") || strings.Contains(got[0], "[") || !strings.Contains(got[1], `has no "name"`) {
		t.Errorf("the results are %q", got)
	}
	if r := l.get(t, run.ID); r.State != "done" || r.Failed != 2 || r.Done != 0 {
		t.Errorf("it is %+v", r)
	}
	asked := len(l.provider.Requests())
	l.provider.Answer(llmtest.Answer{Text: []string{"x"}})
	contains(t, l.person.Ask(t, "POST", experimentRuns+"/"+run.ID+"/retry", "", 200), `"state":"queued"`, `"failed":0`)
	l.step(t)
	if r := l.get(t, run.ID); r.State != "done" || r.Failed != 1 || r.Done != 1 {
		t.Errorf("after retrying it is %+v", r)
	}
	got = l.outcomes(t)
	if len(got) != 2 || got[0] != "i1: x [equals_expected 1]" || len(l.provider.Requests()) != asked+1 {
		t.Errorf("the results are %q after %d calls", got, len(l.provider.Requests())-asked)
	}
}

// TestWhatEndsAnExperiment: an error of all calls pauses it, and says why; the items are called once somebody resumes it.
func TestWhatEndsAnExperiment(t *testing.T) {
	l := newLab(t, item("i1", "Ada", `"x"`), item("i2", "Bob", `"x"`), item("i3", "Eve", `"x"`))
	l.provider.Answer(llmtest.Answer{Status: 401})
	run := l.start(t, l.body(`,"concurrency":1`))[0]
	l.step(t)
	if got := l.get(t, run.ID); got.State != "paused" || got.Error == "" || got.Failed != 0 || len(l.provider.Requests()) != 1 {
		t.Errorf("it is %+v after %d calls", got, len(l.provider.Requests()))
	}
	l.provider.Answer(llmtest.Answer{Text: []string{"x"}})
	l.person.Ask(t, "POST", experimentRuns+"/"+run.ID+"/resume", "", 200)
	l.step(t)
	if got := l.get(t, run.ID); got.State != "done" || got.Done != 3 || got.Error != "" {
		t.Errorf("resumed it is %+v", got)
	}
	l.person.Ask(t, "POST", experimentRuns+"/"+run.ID+"/pause", "", 409)
	l.person.Ask(t, "POST", experimentRuns+"/"+run.ID+"/resume", "", 409)
	l.person.Ask(t, "POST", experimentRuns+"/"+run.ID+"/cancel", "", 409)
	l.person.Ask(t, "POST", experimentRuns+"/"+run.ID+"/retry", "", 409)
	l.person.Ask(t, "POST", experimentRuns+"/none/cancel", "", 404)
}

// TestProvidersThatDoNotWork: an experiment does not spend all its calls on a provider that is down, and survives what stops
// a call in an unforeseen way.
func TestProvidersThatDoNotWork(t *testing.T) {
	var items []string
	for n := range 30 {
		items = append(items, item(fmt.Sprintf("i%02d", n), "Ada", `"x"`))
	}
	l := newLab(t, items...)
	var asked int
	l.experiments.Models = broken{func() error {
		asked++
		return &llm.Error{Kind: llm.Unreachable, Message: "The provider cannot be reached."}
	}}
	run := l.start(t, l.body(`,"concurrency":1`))[0]
	l.step(t)
	if got := l.get(t, run.ID); got.State != "paused" || got.Failed != 20 || asked != 20 ||
		!strings.Contains(got.Error, "20 calls failed one after the other. The last one: The provider cannot be reached.") {
		t.Errorf("it is %+v after %d calls", got, asked)
	}
	l.experiments.Models = broken{func() error { panic("unforeseen") }}
	run = l.start(t, l.body(`,"name":"unforeseen"`))[0]
	l.step(t)
	if got := l.get(t, run.ID); got.State != "paused" || got.Error == "" {
		t.Errorf("it is %+v", got)
	}
}

// broken are models that do not answer.
type broken struct{ fail func() error }

func (b broken) Complete(context.Context, llm.Connection, llm.Request) (*llm.Result, error) {
	return nil, b.fail()
}

// models counts calls by what is asked, and can hold them.
type models struct {
	experimenting.Models
	mu    sync.Mutex
	calls map[string]int
	hold  func(n int) <-chan struct{} // nil for a call that goes on
}

func (m *models) Complete(ctx context.Context, _ llm.Connection, r llm.Request) (*llm.Result, error) {
	m.mu.Lock()
	m.calls[r.Messages[0].Parts[0].Text]++
	n := 0
	for _, count := range m.calls {
		n += count
	}
	held := m.hold(n)
	m.mu.Unlock()
	if held != nil {
		select {
		case <-held:
		case <-ctx.Done():
			return new(llm.Result), ctx.Err()
		}
	}
	return &llm.Result{Text: "answer to " + r.Messages[0].Parts[0].Text, Usage: map[string]int64{"input": 1, "output": 1}}, nil
}

// TestKilledInTheMiddle: after a server was killed, the next one makes the calls that have not ended. Each item has one result.
func TestKilledInTheMiddle(t *testing.T) {
	const items, concurrency = 60, 4
	var all []string
	for n := range items {
		all = append(all, item(fmt.Sprintf("i%02d", n), fmt.Sprintf("name %02d", n), `"x"`))
	}
	l := newLab(t, all...)
	reached := make(chan struct{})
	var once sync.Once
	held := make(chan struct{})
	m := &models{calls: make(map[string]int), hold: func(n int) <-chan struct{} {
		if n <= 20 {
			return nil
		}
		if n == 20+concurrency {
			once.Do(func() { close(reached) })
		}
		return held
	}}
	l.experiments.Models = m
	run := l.start(t, l.body(fmt.Sprintf(`,"concurrency":%d`, concurrency)))[0]
	killed, err := l.experiments.Kind().Claim(t.Context(), leases.Server{Name: "killed", Life: time.Minute})
	if err != nil || killed == nil {
		t.Fatal(killed, err)
	}
	ctx, kill := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- killed.Work(ctx) }()
	<-reached
	kill() // nothing more of it reaches the catalog
	<-ended
	if got := l.get(t, run.ID); got.State != "running" || got.Done != 20 {
		t.Fatalf("it is %+v", got)
	}
	m.mu.Lock()
	m.hold = func(int) <-chan struct{} { return nil }
	m.mu.Unlock()
	l.runner = l.newRunner()
	l.step(t)
	if got := l.get(t, run.ID); got.State != "done" || got.Done != items || got.Failed != 0 {
		t.Errorf("at the end it is %+v", got)
	}
	again := 0
	for question, count := range m.calls {
		again += count - 1
		if count > 2 {
			t.Errorf("%q was asked %d times", question, count)
		}
	}
	if len(m.calls) != items || again != concurrency {
		t.Errorf("%d questions, of which %d were asked again; %d were being asked", len(m.calls), again, concurrency)
	}
	if got := l.outcomes(t); len(got) != items || got[7] != "i07: answer to Hi name 07" {
		t.Errorf("%d results, such as %q", len(got), got[7])
	}
	if rows := l.rows(t); len(rows) != 2*items {
		t.Errorf("%d rows", len(rows))
	}
}

// TestPause: calls in progress end as they would, and no other begins.
func TestPause(t *testing.T) {
	l := newLab(t, item("i1", "Ada", `"x"`), item("i2", "Bob", `"x"`), item("i3", "Eve", `"x"`))
	held := make(chan struct{})
	asked := make(chan struct{}, 3)
	m := &models{calls: make(map[string]int), hold: func(int) <-chan struct{} {
		asked <- struct{}{}
		return held
	}}
	l.experiments.Models = m
	run := l.start(t, l.body(`,"concurrency":1`))[0]
	ended := make(chan error)
	go func() {
		_, err := l.runner.Step(t.Context())
		ended <- err
	}()
	<-asked
	l.person.Ask(t, "POST", experimentRuns+"/"+run.ID+"/pause", "", 200)
	l.person.Ask(t, "POST", experimentRuns+"/"+run.ID+"/resume", "", 409)
	close(held)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if got := l.get(t, run.ID); got.State != "paused" || got.Error != "" || got.Done != 1 {
		t.Errorf("it is %+v", got)
	}
	l.person.Ask(t, "POST", experimentRuns+"/"+run.ID+"/cancel", "", 200)
	if found, err := l.runner.Step(t.Context()); found || err != nil {
		t.Errorf("a cancelled experiment goes on: %v", err)
	}
}

func TestExperimentsAreRefused(t *testing.T) {
	l := newLab(t, item("i1", "Ada", `"x"`))
	for _, role := range []domain.Role{domain.RoleViewer, domain.RoleAnnotator} {
		other := l.As(t, l.NewMember(t, strings.ToLower(string(role))+"@a.test", role).ID)
		other.Ask(t, "POST", experimentRuns, l.body(""), 403)
		other.Ask(t, "GET", experimentRuns, "", 403)
	}
	model := `"models":[{"connection":"p","model":"m"}]`
	for body, part := range map[string]string{
		`{}`: `"path":["datasetId"]`,
		`{"datasetId":"none","messages":[{"role":"user","content":"x"}],` + model + `}`: "no such dataset",
		fmt.Sprintf(`{"datasetId":%q,%s}`, l.dataset, model):                            "Choose prompts, or write messages",
		strings.Replace(l.body(""), `"version":1`, `"version":7`, 1):                    "no such version",
		strings.Replace(l.body(""), `"connection":"p"`, `"connection":"q"`, 1):          "no LLM connection",
		l.body(`,"repetitions":21`):                                                     `"path":["repetitions"]`,
		l.body(`,"concurrency":17`):                                                     `"path":["concurrency"]`,
		l.body(`,"asOf":"2999-01-01T00:00:00Z"`):                                        "in the future",
		l.body(`,"asOf":"2001-01-01T00:00:00Z"`):                                        "no active items",
		l.body(`,"checks":{"schema":{"type":1}}`):                                       "not a JSON Schema",
		l.body(`,"name":""`):                                                            `"path":["name"]`,
		l.body(`,"more":1`):                                                             "more",
		strings.Replace(l.body(""), `"models":[`, `"models":[{"connection":"p","model":"gpt-4.1-mini"},`, 1): "chosen twice",
	} {
		contains(t, l.person.Ask(t, "POST", experimentRuns, body, 400), part)
		contains(t, l.person.Ask(t, "POST", experimentRuns+"/estimate", body, 400), part)
	}
	if list := l.person.Ask(t, "GET", experimentRuns, "", 200); list != `{"experiments":[]}` {
		t.Errorf("refused experiments are kept: %s", list)
	}
	owner := l.As(t, l.NewMember(t, "owner@a.test", domain.RoleOwner).ID)
	run := l.start(t, l.body(""))[0]
	const neighbour = "/api/ui/projects/project-a2/experiment-runs"
	if list := owner.Ask(t, "GET", neighbour+"?datasetId="+l.dataset, "", 200); list != `{"experiments":[]}` {
		t.Errorf("another project lists %s", list)
	}
	owner.Ask(t, "GET", neighbour+"/"+run.ID, "", 404)
	for _, change := range []string{"pause", "resume", "cancel", "retry"} {
		owner.Ask(t, "POST", neighbour+"/"+run.ID+"/"+change, "", 404)
	}
	contains(t, owner.Ask(t, "POST", neighbour, l.body(""), 400), "no such dataset")
}

// TestExperimentsTakeMemoryFromTheBudget: an experiment whose item does not fit is paused and says so; nothing stays held.
func TestExperimentsTakeMemoryFromTheBudget(t *testing.T) {
	l := newLab(t, item("i1", "Ada", `"x"`))
	budget := memory.NewBudget(memory.SizesOf(8<<20), time.Minute)
	l.runner = jobs.New(jobs.Options{Log: l.experiments.Log, Memory: budget}, l.experiments.Kind())
	var most int64
	l.experiments.Models = &models{calls: make(map[string]int), hold: func(int) <-chan struct{} {
		most = budget.Held()
		return nil
	}}
	run := l.start(t, l.body(""))[0]
	l.step(t)
	if got := l.get(t, run.ID); got.State != "done" || most < 512<<10 || budget.Held() != 0 {
		t.Errorf("it is %+v; %d bytes were held, and %d are", got, most, budget.Held())
	}
	add := func(id string, size int) {
		l.Ask(t, apitest.Scenario{
			Method: "POST", Path: "/api/public/dataset-items", Key: "project", Status: 200, Body: item(id, strings.Repeat("x", size), `"x"`),
		})
	}
	for n := range 12 {
		add(fmt.Sprint("some", n), 100<<10)
	}
	l.experiments.Models = &models{calls: make(map[string]int), hold: func(int) <-chan struct{} {
		held := make(chan struct{})
		time.AfterFunc(20*time.Millisecond, func() { close(held) })
		return held
	}}
	run = l.start(t, l.body(`,"name":"more than fit at once","concurrency":12`))[0]
	l.step(t)
	if got := l.get(t, run.ID); got.State != "done" || got.Done != 13 || budget.Held() != 0 {
		t.Errorf("it is %+v; %d bytes are held", got, budget.Held())
	}
	add("large", 2<<20)
	run = l.start(t, l.body(`,"name":"large"`))[0]
	l.step(t)
	if got := l.get(t, run.ID); got.State != "paused" || !strings.Contains(got.Error, "more memory") || budget.Held() != 0 {
		t.Errorf("it is %+v; %d bytes are held", got, budget.Held())
	}
}
