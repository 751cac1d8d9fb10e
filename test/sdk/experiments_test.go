package sdk

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/test/harness"
)

// experimentClient is a client that runs experiments.
type experimentClient struct {
	program, script string
	// scoresLocal: it stores evaluations of a run on local data.
	scoresLocal bool
	// ownTexts: it sends each metadata value as its own string, instead of all as JSON.
	ownTexts bool
}

// TestExperiments runs experiments with the official clients and compares what the clients report with what the server
// returns, in all the ways in which it can be queried.
func TestExperiments(t *testing.T) {
	t.Parallel()
	for name, client := range map[string]experimentClient{
		"Python":                 {program: python, script: "experiments_run.py", scoresLocal: true},
		"Python, previous major": {program: previousPython, script: "experiments_run.py", ownTexts: true},
		"JavaScript":             {program: "node", script: "experiments_run.mjs"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, environment := startForTraces(t)
			s.PublicKey, s.SecretKey = tracingKey, tracingSecret
			output := run(t, environment, client.program, client.script)
			lines := strings.Split(strings.TrimSpace(output), "\n")
			e := &experimentCheck{server: s, client: client}
			if err := json.Unmarshal([]byte(lines[len(lines)-1]), &e.said); err != nil {
				t.Fatalf("the client printed nothing of use: %v\n%s", err, output)
			}
			t.Run("experiments", e.checkExperiments)
			t.Run("items", e.checkItems)
			t.Run("scores", e.checkScores)
			t.Run("runs", e.checkRuns)
			t.Run("page", e.checkPage)
		})
	}
}

// saidRun is what a client reports about an experiment.
type saidRun struct {
	ExperimentID, RunName string
	URL                   string
	Items                 []struct {
		ID, TraceID string
		Output      any
		Evaluations map[string]any
	}
	RunEvaluations []float64
}

// experimentCheck compares what a client reports with what the server returns.
type experimentCheck struct {
	server *harness.Server
	client experimentClient
	said   struct {
		Dataset    struct{ ID, Name string }
		Run, Local saidRun
	}
}

// readScore is a score as returned in lists.
type readScore struct {
	ID, Name, DataType string
	Value              any
	Subject            struct{ Kind, ID, TraceID string }
}

// get reads a list.
func get[T any](t *testing.T, s *harness.Server, path string, pairs ...string) T {
	t.Helper()
	query := make(url.Values)
	for n := 0; n < len(pairs); n += 2 {
		query.Set(pairs[n], pairs[n+1])
	}
	status, body := s.Get(t, path+"?"+query.Encode())
	var answer T
	if err := json.Unmarshal([]byte(body), &answer); err != nil || status != http.StatusOK {
		t.Fatalf("GET %s: %d %v %s", path, status, err, body)
	}
	return answer
}

type list[T any] struct{ Data []T }

// capitalsMetadata returns the metadata of the experiments. Some clients format lists themselves.
func (c experimentClient) capitalsMetadata() map[string]string {
	list := "[1,2]"
	if c.ownTexts {
		list = "[1, 2]"
	}
	return map[string]string{"model": "gpt-4o", "temperature": "0.5", "nested.list": list}
}

func (e *experimentCheck) checkExperiments(t *testing.T) {
	type experiment struct {
		ID, Name, Description string
		ItemCount             int
		DatasetID             *string
		Metadata              map[string]string
		Scores                []readScore
	}
	found := get[list[experiment]](t, e.server, "/api/public/experiments", "fields", "metadata,scores").Data
	if len(found) != 2 {
		t.Fatalf("%d experiments: %+v", len(found), found)
	}
	local, run := found[0], found[1]
	if diff := cmp.Diff([]any{e.said.Local.ExperimentID, "local run", 2, (*string)(nil), e.client.capitalsMetadata()},
		[]any{local.ID, local.Name, local.ItemCount, local.DatasetID, local.Metadata}); diff != "" {
		t.Errorf("the experiment on local data (- client, + server):\n%s", diff)
	}
	if diff := cmp.Diff([]any{
		e.said.Run.ExperimentID, "run 1/a", "Do models know capitals?", 4, &e.said.Dataset.ID, e.client.capitalsMetadata(),
	},
		[]any{run.ID, run.Name, run.Description, run.ItemCount, run.DatasetID, run.Metadata}); diff != "" {
		t.Errorf("the experiment on the dataset (- client, + server):\n%s", diff)
	}
	checkRunScores(t, e.said.Run, run.Scores)
	if e.client.scoresLocal {
		checkRunScores(t, e.said.Local, local.Scores)
	} else if len(local.Scores) != 0 {
		t.Errorf("the client stores no scores of local runs, but there are %+v", local.Scores)
	}
}

// checkRunScores compares the scores of an experiment as a whole, the newest first.
func checkRunScores(t *testing.T, said saidRun, scores []readScore) {
	t.Helper()
	var values []float64
	for _, s := range scores {
		value, _ := s.Value.(float64)
		values = append(values, value)
		if s.Name != "accuracy" || s.Subject.Kind != "experiment" || s.Subject.ID != said.ExperimentID {
			t.Errorf("a score of %s is %+v", said.ExperimentID, s)
		}
	}
	slices.Reverse(values)
	if diff := cmp.Diff(said.RunEvaluations, values); diff != "" {
		t.Errorf("scores of %s (- client, + server):\n%s", said.ExperimentID, diff)
	}
}

type readItem struct {
	ID, TraceID, Level, Environment                string
	ExperimentID, ExperimentName, ExperimentItemID string
	ExperimentDatasetID                            *string
	Input, Output, ExpectedOutput                  string
	Metadata                                       map[string]any
	ExperimentItemMetadata, ExperimentMetadata     map[string]string
	ExperimentDescription                          string
	Scores                                         []readScore
}

func (e *experimentCheck) items(t *testing.T, experiment string) []readItem {
	t.Helper()
	return get[list[readItem]](t, e.server, "/api/public/experiment-items", "experimentId", experiment,
		"fields", "core,dataset,io,metadata,itemMetadata,experimentMetadata,scores").Data
}

func (e *experimentCheck) checkItems(t *testing.T) {
	inputs := map[string]string{"item-1": "France", "item-2": "Spain", "item-3": "Italy"}
	expected := map[string]string{"item-1": "Paris", "item-2": "Madrid", "item-3": `{"city":"Rome"}`}
	items := e.items(t, e.said.Run.ExperimentID)
	if len(items) != 4 {
		t.Fatalf("%d items: %+v", len(items), items)
	}
	for _, said := range e.said.Run.Items {
		n := slices.IndexFunc(items, func(i readItem) bool { return i.TraceID == said.TraceID })
		if n < 0 {
			t.Errorf("there is no item of the trace %s", said.TraceID)
			continue
		}
		i := items[n]
		if i.ExperimentItemID != said.ID || i.ExperimentDatasetID == nil || *i.ExperimentDatasetID != e.said.Dataset.ID ||
			i.Environment != "sdk-experiment" || i.Level != "DEFAULT" || i.ExperimentName != "run 1/a" {
			t.Errorf("%s: %+v", said.ID, i)
		}
		sameJSON(t, said.ID+" input", i.Input, map[string]any{"country": inputs[said.ID]})
		sameJSON(t, said.ID+" output", i.Output, said.Output)
		if got := strings.ReplaceAll(i.ExpectedOutput, " ", ""); got != expected[said.ID] {
			t.Errorf("%s: the expected output is %s", said.ID, i.ExpectedOutput)
		}
		ownMetadata := map[string]string{}
		if said.ID == "item-1" {
			ownMetadata = map[string]string{"lang": "fr", "hard": "false"}
		}
		if diff := cmp.Diff([]any{ownMetadata, e.client.capitalsMetadata(), "Do models know capitals?"},
			[]any{i.ExperimentItemMetadata, i.ExperimentMetadata, i.ExperimentDescription}); diff != "" {
			t.Errorf("%s (- client, + server):\n%s", said.ID, diff)
		}
		if i.Metadata["experiment_name"] != "capitals" || i.Metadata["dataset_item_id"] != said.ID {
			t.Errorf("%s: metadata %v", said.ID, i.Metadata)
		}
		checkItemScores(t, i, said.Evaluations)
	}
	e.checkLocalItems(t)
}

func (e *experimentCheck) checkLocalItems(t *testing.T) {
	t.Helper()
	items := e.items(t, e.said.Local.ExperimentID)
	if len(items) != 2 {
		t.Fatalf("%d local items: %+v", len(items), items)
	}
	worked := slices.IndexFunc(items, func(i readItem) bool { return i.TraceID == e.said.Local.Items[0].TraceID })
	if worked < 0 {
		t.Fatalf("there is no item of the trace %s", e.said.Local.Items[0].TraceID)
	}
	if i := items[worked]; i.ExperimentDatasetID != nil || len(i.ExperimentItemID) != 16 || i.ExperimentItemMetadata["local"] != "yes" ||
		i.Output != "Paris" {
		t.Errorf("the local item is %+v", i)
	}
	checkItemScores(t, items[worked], e.said.Local.Items[0].Evaluations)
	if failed := items[1-worked]; failed.Level != "ERROR" || len(failed.Scores) != 0 {
		t.Errorf("the item whose task failed is %+v", failed)
	}
}

// sameJSON compares a string, parsed as JSON if possible, with a value.
func sameJSON(t *testing.T, what, text string, want any) {
	t.Helper()
	var got any
	if json.Unmarshal([]byte(text), &got) != nil {
		got = text
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (- client, + server):\n%s", what, diff)
	}
}

// checkItemScores compares the scores of an item with the evaluations.
func checkItemScores(t *testing.T, i readItem, evaluations map[string]any) {
	t.Helper()
	got := map[string]string{}
	for _, s := range i.Scores {
		got[s.Name] = fmt.Sprint(s.Value)
		if s.Subject.Kind != "observation" || s.Subject.ID != i.ID || s.Subject.TraceID != i.TraceID {
			t.Errorf("a score of %s is about %+v", i.ID, s.Subject)
		}
	}
	want := map[string]string{}
	for name, value := range evaluations {
		want[name] = fmt.Sprint(value)
		if number, isNumber := value.(float64); name == "right" && isNumber { // JavaScript sends booleans as numbers
			want[name] = strconv.FormatBool(number == 1)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("scores of %s (- client, + server):\n%s", i.ID, diff)
	}
}

// checkScores checks that the list of scores agrees with the lists of experiments and items.
func (e *experimentCheck) checkScores(t *testing.T) {
	ids := func(scores []readScore) []string {
		var all []string
		for _, s := range scores {
			all = append(all, s.ID)
		}
		slices.Sort(all)
		return all
	}
	type experiment struct {
		ID     string
		Scores []readScore
	}
	for _, x := range get[list[experiment]](t, e.server, "/api/public/experiments", "fields", "scores").Data {
		listed := get[list[readScore]](t, e.server, "/api/public/v3/scores", "experimentId", x.ID, "fields", "subject").Data
		if diff := cmp.Diff(ids(listed), ids(x.Scores)); diff != "" {
			t.Errorf("scores of the experiment %s (- list, + experiment):\n%s", x.ID, diff)
		}
		for _, i := range e.items(t, x.ID) {
			listed := get[list[readScore]](t, e.server, "/api/public/v3/scores", "traceId", i.TraceID, "fields", "subject").Data
			if diff := cmp.Diff(ids(listed), ids(i.Scores)); diff != "" {
				t.Errorf("scores of the item %s (- list, + item):\n%s", i.ID, diff)
			}
		}
	}
}

// checkRuns checks that the deprecated dataset runs are the experiments. An item is in a run once: with the trace it
// was last linked with, or the newest if only spans refer to it.
func (e *experimentCheck) checkRuns(t *testing.T) {
	type run struct {
		ID, Name, DatasetID, Description string
		Metadata                         map[string]any
		DatasetRunItems                  []struct{ DatasetItemID, TraceID, DatasetRunName string }
	}
	path := "/api/public/datasets/" + url.PathEscape(e.said.Dataset.Name) + "/runs"
	if runs := get[list[run]](t, e.server, path).Data; len(runs) != 1 || runs[0].ID != e.said.Run.ExperimentID {
		t.Errorf("runs of the dataset: %+v", runs)
	}
	r := get[run](t, e.server, path+"/"+url.PathEscape("run 1/a"))
	if r.ID != e.said.Run.ExperimentID || r.Name != "run 1/a" || r.DatasetID != e.said.Dataset.ID ||
		r.Description != "Do models know capitals?" ||
		r.Metadata["model"] != "gpt-4o" {
		t.Errorf("the run is %+v", r)
	}
	want, got := map[string]string{}, map[string]string{}
	for _, i := range e.said.Run.Items {
		want[i.ID] = i.TraceID
	}
	for _, i := range r.DatasetRunItems {
		got[i.DatasetItemID] = i.TraceID
	}
	if diff := cmp.Diff(want, got); diff != "" || len(r.DatasetRunItems) != len(got) {
		t.Errorf("items of the run (- client, + server):\n%s", diff)
	}
}

// checkPage requests the URL that the client prints: it names the run, and the web application is served there.
func (e *experimentCheck) checkPage(t *testing.T) {
	path, ours := strings.CutPrefix(e.said.Run.URL, e.server.URL)
	if !ours {
		t.Fatalf("the client prints %q", e.said.Run.URL)
	}
	if status, page := e.server.Do(t, http.MethodGet, path, "", "", ""); status != http.StatusOK ||
		!strings.Contains(page, `<div id="root">`) || !strings.Contains(path, e.said.Run.ExperimentID) {
		t.Errorf("GET %s: %d %s", path, status, page)
	}
}
