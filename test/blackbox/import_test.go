package blackbox

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"almanac/internal/datadir"
	"almanac/test/harness"
)

const importPublic, importSecret = "pk-lf-old", "sk-lf-of-the-old-server"

// oldServer starts a server to import from, with data for every part of the API.
func oldServer(t *testing.T) *harness.Server {
	t.Helper()
	s := harness.Start(t, append([]string{"--legacy-ingestion", "accept"}, importProject...)...)
	s.PublicKey, s.SecretKey = importPublic, importSecret
	if _, stderr, code := harness.Run(t, "demo", "--url", s.URL, "--public-key", importPublic, "--secret-key", importSecret,
		"--traces", "60", "--seed", "7"); code != 0 {
		t.Fatalf("%d %s", code, stderr)
	}
	post := func(path, body string) map[string]any {
		t.Helper()
		status, answer := s.Do(t, "POST", "/api/public/"+path, importPublic, importSecret, body)
		if status/100 != 2 {
			t.Fatalf("POST %s: %d %s", path, status, answer)
		}
		var object map[string]any
		if err := json.Unmarshal([]byte(answer), &object); err != nil {
			t.Fatal(err)
		}
		return object
	}
	// Events as older clients send them, with ids that are not hexadecimal, and metadata values that lists truncate.
	post("ingestion", `{"batch":[
		{"id":"e1","timestamp":"2026-11-01T10:00:00.000Z","type":"trace-create","body":{"id":"t/ä#1?","timestamp":"2026-11-01T10:00:00.000Z","name":"odd ids","userId":"u 1","sessionId":"s/1","tags":["b","a"],"release":"r1","input":{"q":"x"},"metadata":{"deep":{"er":1}}}},
		{"id":"e2","timestamp":"2026-11-01T10:00:01.000Z","type":"generation-create","body":{"id":"o:% &1","traceId":"t/ä#1?","name":"g","startTime":"2026-11-01T10:00:01.000Z","endTime":"2026-11-01T10:00:02.500Z","model":"my-own-model","input":"`+strings.Repeat("long ", 2000)+`","output":{"a":[1,2]},"usage":{"input":10,"output":5},"costDetails":{"input":0.25,"output":0.5,"total":0.75},"metadata":{"long":"`+strings.Repeat("m", 777)+`"},"level":"WARNING","statusMessage":"careful"}},
		{"id":"e3","timestamp":"2026-11-01T10:00:03.000Z","type":"score-create","body":{"id":"sc/ö 1","traceId":"t/ä#1?","observationId":"o:% &1","name":"quality","value":0.5,"comment":"half"}}]}`)
	for n := range 3 {
		post("v2/prompts",
			fmt.Sprintf(`{"name":"folder/greet","type":"text","prompt":"Hello {{name}} %d","labels":%s,"tags":["x","y"],"config":{"t":%d},"commitMessage":"c%d"}`,
				n, []string{`["production"]`, `["staging","production"]`, `[]`}[n], n, n))
	}
	post("v2/prompts",
		`{"name":"chat","type":"chat","prompt":[{"role":"system","content":"@@@langfusePrompt:name=folder/greet|label=production@@@"},{"type":"placeholder","name":"history"}]}`)
	config := post("score-configs",
		`{"name":"mood","dataType":"CATEGORICAL","categories":[{"label":"good","value":2},{"label":"bad","value":1}]}`)
	post("scores", fmt.Sprintf(`{"id":"mood-1","traceId":"t/ä#1?","name":"mood","value":"good","configId":%q,"metadata":{"by":"me"}}`,
		config["id"]))
	post("models",
		`{"modelName":"my-own-model","matchPattern":"(?i)^my-own-model$","unit":"TOKENS","inputPrice":0.001,"outputPrice":0.002}`)
	post("v2/datasets", `{"name":"set one","description":"d","metadata":{"k":1}}`)
	for n := range 3 {
		post("dataset-items",
			fmt.Sprintf(`{"id":"item/%d","datasetName":"set one","input":{"n":%d},"expectedOutput":"%d","sourceTraceId":"t/ä#1?"}`, n, n,
				n))
		post("dataset-run-items",
			fmt.Sprintf(`{"runName":"run 1","runDescription":"first","metadata":{"m":1},"datasetItemId":"item/%d","traceId":"t/ä#1?"}`, n))
	}
	runs := askOld(t, s, "GET", "/api/public/datasets/set%20one/runs", "")["data"].([]any)
	post("scores", fmt.Sprintf(`{"id":"of-run","datasetRunId":%q,"name":"whole","value":1}`, runs[0].(map[string]any)["id"]))
	queue := post("annotation-queues", fmt.Sprintf(`{"name":"to do","description":"q","scoreConfigIds":[%q]}`, config["id"]))
	post(fmt.Sprintf("annotation-queues/%s/items", queue["id"]), `{"objectId":"t/ä#1?","objectType":"TRACE","status":"COMPLETED"}`)
	post("comments", `{"projectId":"shop","objectType":"TRACE","objectId":"t/ä#1?","content":"look at this"}`)
	widget := post("unstable/dashboard-widgets",
		`{"name":"w","description":"","view":"observations","dimensions":[{"field":"name"}],"metrics":[{"measure":"count","agg":"count"}],"filters":[],"chartType":"BAR_TIME_SERIES","chartConfig":{"type":"BAR_TIME_SERIES"}}`)
	post("unstable/dashboards",
		fmt.Sprintf(`{"name":"board","description":"b","definition":{"widgets":[{"type":"widget","id":"p1","widgetId":%q,"x":0,"y":0,"width":6,"height":4}]}}`, widget["id"]))
	evaluator := post("v2/evaluators",
		`{"name":"short","type":"code","sourceCode":"export function evaluate() { return { scores: [] } }","sourceCodeLanguage":"TYPESCRIPT"}`)
	post("v2/evaluation-rules",
		fmt.Sprintf(`{"name":"all","enabled":true,"sampling":0.5,"filter":[],"evaluatorAssignments":[{"evaluatorId":%q}]}`,
			evaluator["id"]))
	post("otel/v1/traces", experimentSpans())
	medium := uploadMedium(t, s)
	post("ingestion",
		`{"batch":[{"id":"e4","timestamp":"2026-11-01T11:00:00.000Z","type":"trace-create","body":{"id":"with-file","timestamp":"2026-11-01T11:00:00.000Z","name":"file","input":"@@@langfuseMedia:type=text/plain|id=`+medium+`|source=bytes@@@"}}]}`)
	return s
}

// experimentSpans returns an item of an experiment: its span and a child.
func experimentSpans() string {
	span := func(id, parent, name string) string {
		var attributes []string
		for _, a := range [][2]string{
			{"id", "exp-1"},
			{"name", "first try"},
			{"description", "d"},
			{"dataset.id", "no-such-set"},
			{"metadata", `{"m":"1"}`},
			{"item.id", "i1"},
			{"item.version", "2026-11-01T00:00:00.000Z"},
			{"item.root_observation_id", "00f067aa0ba902b7"},
			{"item.expected_output", "4"},
			{"item.metadata", `{"k":"v"}`},
		} {
			attributes = append(attributes, fmt.Sprintf(`{"key":"langfuse.experiment.%s","value":{"stringValue":%q}}`, a[0], a[1]))
		}
		return fmt.Sprintf(`{"traceId":"4bf92f3577b34da6a3ce929d0e0e4736","spanId":%q,"parentSpanId":%q,"name":%q,"startTimeUnixNano":"1793527200000000000",`+
			`"endTimeUnixNano":"1793527201000000000","attributes":[%s]}`, id, parent, name, strings.Join(attributes, ","))
	}
	return `{"resourceSpans":[{"resource":{},"scopeSpans":[{"scope":{"name":"langfuse-sdk"},"spans":[` +
		span("00f067aa0ba902b7", "", "item") + `,` +
		span("00f067aa0ba902b8", "00f067aa0ba902b7", "step") + `]}]}]}`
}

func askOld(t *testing.T, s *harness.Server, method, path, body string) map[string]any {
	t.Helper()
	status, answer := s.Do(t, method, path, importPublic, importSecret, body)
	var object map[string]any
	if err := json.Unmarshal([]byte(answer), &object); err != nil || status/100 != 2 {
		t.Fatalf("%s %s: %d %s %v", method, path, status, answer, err)
	}
	return object
}

// uploadMedium uploads a file as SDKs do and returns its id.
func uploadMedium(t *testing.T, s *harness.Server) string {
	t.Helper()
	const content = "the text of a file"
	sum := sha256.Sum256([]byte(content))
	hash := base64.StdEncoding.EncodeToString(sum[:])
	made := askOld(t, s, "POST", "/api/public/media", fmt.Sprintf(
		`{"traceId":"with-file","contentType":"text/plain","contentLength":%d,"sha256Hash":%q,"field":"input"}`, len(content), hash))
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, made["uploadUrl"].(string), strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "text/plain")
	r.Header.Set("x-amz-checksum-sha256", hash)
	answer, err := http.DefaultClient.Do(r)
	if err != nil || answer.StatusCode/100 != 2 {
		t.Fatal(answer, err)
	}
	_ = answer.Body.Close()
	return made["mediaId"].(string)
}

// importPaths returns paths for which both servers must respond the same.
func importPaths(t *testing.T, old *harness.Server) []string {
	t.Helper()
	paths := []string{
		"v2/observations?limit=1000&fields=core,basic,time,io,metadata,model,usage,prompt,metrics,trace_context&expandMetadata=long",
		"v3/scores?limit=100&fields=core,details,subject,annotation", "v2/scores?limit=100",
		"score-configs?limit=100", "v2/prompts?limit=100", "v2/prompts/folder%2Fgreet?version=1", "v2/prompts/folder%2Fgreet",
		"v2/prompts/chat?label=latest",
		"v2/prompts/folder%2Fgreet?label=staging", "v2/prompts/folder%2Fgreet?label=latest",
		"models?limit=100&page=1", "v2/datasets", "dataset-items?limit=100", "datasets/set%20one/runs", "datasets/set%20one/runs/run%201",
		"annotation-queues", "comments", "unstable/dashboard-widgets", "unstable/dashboards", "v2/evaluators", "v2/evaluation-rules",
		"experiments?fromStartTime=2020-01-01T00:00:00Z",
		"experiment-items?fromStartTime=2020-01-01T00:00:00Z&fields=core,dataset,io,metadata,itemMetadata,experimentMetadata",
		"traces?limit=100", "sessions?limit=100", "observations?limit=100", "traces/" + url.PathEscape("t/ä#1?"),
	}
	for _, evaluator := range askOld(t, old, "GET", "/api/public/v2/evaluators", "")["data"].([]any) {
		paths = append(paths, fmt.Sprintf("v2/evaluators/%s/versions", evaluator.(map[string]any)["id"]))
	}
	for _, queue := range askOld(t, old, "GET", "/api/public/annotation-queues", "")["data"].([]any) {
		paths = append(paths, fmt.Sprintf("annotation-queues/%s/items", queue.(map[string]any)["id"]))
	}
	return paths
}

// changing matches parts of responses that differ between moments or servers.
var changing = regexp.MustCompile(`"(htmlPath|url|urlExpiry)":"[^"]*"`)

// answersAlike compares the responses of both servers, with the keys of the old one.
func answersAlike(t *testing.T, old, now *harness.Server, paths []string) {
	t.Helper()
	public, secret := cmp.Or(old.PublicKey, importPublic), cmp.Or(old.SecretKey, importSecret)
	for _, path := range paths {
		wantStatus, want := old.Do(t, "GET", "/api/public/"+path, public, secret, "")
		status, got := now.Do(t, "GET", "/api/public/"+path, public, secret, "")
		want, got = changing.ReplaceAllString(want, ""), changing.ReplaceAllString(got, "")
		if status != wantStatus || wantStatus != http.StatusOK || got != want {
			n := 0
			for n < min(len(got), len(want)) && got[n] == want[n] {
				n++
			}
			from := max(0, n-200)
			t.Errorf("%s: status %d, want %d, and from byte %d on:\n%.500s\nwant\n%.500s", path, status, wantStatus, n,
				got[min(from, len(got)):], want[min(from, len(want)):])
		}
	}
}

func importInto(t *testing.T, old *harness.Server, data string, more ...string) (report string) {
	t.Helper()
	args := append([]string{
		"import", "langfuse", "--from", old.URL, "--public-key", importPublic, "--secret-key", importSecret, "--data", data,
	}, more...)
	stdout, stderr, code := harness.Run(t, args...)
	if code != 0 {
		t.Fatalf("%d %s\n%s", code, stderr, stdout)
	}
	return stdout
}

// TestImportFromAPI imports from a server through the API of version 4. The new server must respond as the old one
// does, to clients that changed only the URL. Importing again must change nothing.
func TestImportFromAPI(t *testing.T) {
	t.Parallel()
	old := oldServer(t)
	data := filepath.Join(t.TempDir(), "new")
	first := importInto(t, old, data, "--keep-key")
	paths := importPaths(t, old)
	s := harness.StartOn(t, data)
	answersAlike(t, old, s, paths)
	s.Stop(t)

	second := importInto(t, old, data)
	s = harness.StartOn(t, data)
	answersAlike(t, old, s, paths)
	sameDigests(t, first, second)
}

// TestImportWhileTheServerRuns imports into a server that answers requests meanwhile. It must respond as the old one does
// at once, although it has cached that the key and the prompts do not exist. Killing it must not end the import.
func TestImportWhileTheServerRuns(t *testing.T) {
	t.Parallel()
	old := oldServer(t)
	paths := importPaths(t, old)
	data := filepath.Join(t.TempDir(), "new")
	s := harness.StartOn(t, data)
	if status, answer := s.Do(t, "GET", "/api/public/v2/prompts", importPublic, importSecret, ""); status != http.StatusUnauthorized {
		t.Fatalf("%d %s", status, answer)
	}
	began := time.Now()
	first := importInto(t, old, data, "--keep-key")
	took := time.Since(began)
	answersAlike(t, old, s, paths)

	args := []string{
		"import", "langfuse", "--from", old.URL, "--public-key", importPublic, "--secret-key", importSecret, "--data", data, "--restart",
	}
	another, err := datadir.LockImport(data)
	if err != nil {
		t.Fatal(err)
	}
	_, refusal, code := harness.Run(t, args...)
	if code == 0 || !strings.Contains(refusal, "another import is running") {
		t.Errorf("a second import ends with %d: %s", code, refusal)
	}
	if err := another.Close(); err != nil {
		t.Fatal(err)
	}

	process := exec.Command(harness.Binary(t), args...)
	var stdout, stderr strings.Builder
	process.Stdout, process.Stderr = &stdout, &stderr
	process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(took / 2)
	s.Signal(t, syscall.SIGKILL)
	s = harness.StartOn(t, data)
	second := ""
	if err := process.Wait(); err == nil {
		second = stdout.String()
	} else if strings.Contains(stderr.String(), "Run the same command again") { // it was reading rows
		second = importInto(t, old, data)
	} else {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	answersAlike(t, old, s, paths)
	sameDigests(t, first, second)
}

// TestImportSurvivesKills kills an import from an API at random moments.
func TestImportSurvivesKills(t *testing.T) {
	t.Parallel()
	old := oldServer(t)
	args := []string{"import", "langfuse", "--from", old.URL, "--public-key", importPublic, "--secret-key", importSecret, "--keep-key"}
	data := importKilled(t, args)
	answersAlike(t, old, harness.StartOn(t, data), importPaths(t, old))
}

// TestImportOfVersion3 imports through the API of version 3, which has traces in addition to observations.
func TestImportOfVersion3(t *testing.T) {
	t.Parallel()
	old := oldServer(t)
	data := filepath.Join(t.TempDir(), "new")
	importInto(t, old, data, "--keep-key", "--source-version", "3")
	s := harness.StartOn(t, data)
	answersAlike(t, old, s, []string{
		"v3/scores?limit=100&fields=core,details,subject,annotation", "v2/prompts?limit=100", "dataset-items?limit=100",
		"traces/" + url.PathEscape("t/ä#1?"), "traces/with-file",
	})
}

// TestImportFiles imports the files of a scheduled export in each of their formats.
func TestImportFiles(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	write := func(name, content string) {
		t.Helper()
		path := filepath.Join(directory, "shop", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	row := func(id, name string) string {
		return fmt.Sprintf(`{"id":%q,"trace_id":"t1","start_time":"2026-11-01 10:00:00.123456","end_time":null,"project_id":"shop","parent_observation_id":"","type":"GENERATION","name":%q,"level":"DEFAULT","provided_model_name":"m","usage_details":{"input":3,"total":3},"cost_details":{"total":0.25},"metadata":{"a.b":1},"tags":["x"],"is_root_observation":true,"created_at":"2026-11-01 10:00:01.000000","updated_at":"2026-11-01 10:00:01.000000","input":"in"}`, id, name)
	}
	write("observations_v2/2026-11-01T10-00-00.jsonl", row("o1", "first")+"\n"+row("o2", "second")+"\n")
	write("observations_v2/2026-11-01T11-00-00.json", "["+row("o2", "second again")+"]")
	write("observations_v2/2026-11-01T12-00-00.csv",
		"\"id\",\"trace_id\",\"start_time\",\"type\",\"name\",\"usage_details\",\"input\",\"created_at\",\"updated_at\"\n"+
			"\"o3\",\"t1\",\"2026-11-01 10:00:02.000000\",\"SPAN\",\"say \"\"hi\"\"\",\"{\"\"input\"\":7}\",\"{\"\"q\"\": 1}\",\"2026-11-01 10:00:03.000000\",\"2026-11-01 10:00:03.000000\"\n")
	write("observations_v2/2026-11-01T13-00-00.csv", "")
	write("scores/2026-11-01T10-00-00.jsonl",
		`{"id":"s1","timestamp":"2026-11-01 10:00:00.000000","project_id":"shop","environment":"default","trace_id":"t1","name":"q","value":0.5,"source":"API","data_type":"NUMERIC","created_at":"2026-11-01 10:00:00.000000","updated_at":"2026-11-01 10:00:00.000000"}`+"\n")
	data := filepath.Join(t.TempDir(), "new")
	stdout, stderr, code := harness.Run(t, "import", "langfuse", "--files", directory, "--data", data)
	if code != 0 {
		t.Fatalf("%d %s\n%s", code, stderr, stdout)
	}
	keys, stderr, code := harness.Run(t, "keys", "create", "--project", "shop", "--data", data)
	if code != 0 {
		t.Fatal(stderr)
	}
	public, secret := regexp.MustCompile(`pk-lf-\S+`).FindString(keys), regexp.MustCompile(`sk-lf-\S+`).FindString(keys)
	s := harness.StartOn(t, data)
	_, answer := s.Do(t, "GET", "/api/public/v2/observations?fields=core,basic,usage,io,metadata", public, secret, "")
	for _, want := range []string{
		`"name":"first"`, `"name":"second again"`, `"name":"say \"hi\""`, `"usageDetails":{"input":7}`, `"input":"{\"q\": 1}"`,
		`"costDetails":{"total":0.25}`, `"a.b":1`,
	} {
		if strings.Count(answer, want) == 0 {
			t.Errorf("%s is not in %s", want, answer)
		}
	}
	if n := strings.Count(answer, `"traceId":"t1"`); n != 3 {
		t.Errorf("there are %d rows: %s", n, answer)
	}
	if _, answer := s.Do(t, "GET", "/api/public/v3/scores", public, secret, ""); !strings.Contains(answer, `"id":"s1"`) {
		t.Error(answer)
	}
}
