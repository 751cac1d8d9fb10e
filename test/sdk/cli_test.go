package sdk

import (
	"context"
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/test/harness"
)

// cliStep is one call of the command line.
type cliStep struct {
	args string   // split at spaces; $name is a value kept by an earlier step
	body string   // sent as --body-json
	org  bool     // with the key of the organization
	keep string   // the name under which the id in the response, or that of its first row, is kept
	has  []string // parts of the response
	code int      // exit code; 5 if the server refused
}

// cliSteps create one of each resource, then read each of them in every way that the command line has.
func cliSteps() []cliStep {
	const from = " --from-start-time 2020-01-01T00:00:00Z"
	const query = `{"view":"observations","metrics":[{"measure":"count","aggregation":"count"}],"fromTimestamp":"2020-01-01T00:00:00Z","toTimestamp":"2040-01-01T00:00:00Z"}`
	const span = `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331","name":"cli-span",` +
		`"startTimeUnixNano":"1790000000000000000","endTimeUnixNano":"1790000001000000000","attributes":[{"key":"session.id","value":{"stringValue":"cli-session"}},` +
		`{"key":"langfuse.experiment.id","value":{"stringValue":"cli-experiment"}},{"key":"langfuse.experiment.name","value":{"stringValue":"cli-experiment"}},` +
		`{"key":"langfuse.experiment.item.id","value":{"stringValue":"cli-experiment-item"}},{"key":"langfuse.experiment.item.root_observation_id","value":{"stringValue":"b7ad6b7169203331"}}]}]}]}]}`
	return []cliStep{
		{args: "health get", has: []string{`"status":"OK"`}},
		{args: "projects list", keep: "project", has: []string{"My project"}},
		{args: "otel export-traces", body: span},
		{args: "prompts create", body: `{"name":"cli-prompt","type":"text","prompt":"Hello {{name}}"}`, has: []string{"cli-prompt"}},
		{args: "datasets create", body: `{"name":"cli-dataset"}`, keep: "dataset"},
		{args: "dataset-items create", body: `{"datasetName":"cli-dataset","id":"cli-item","input":{"q":1}}`},
		{args: "score-configs create", body: `{"name":"cli-config","dataType":"NUMERIC"}`, keep: "config"},
		{args: "scores create", body: `{"id":"cli-score","traceId":"0af7651916cd43dd8448eb211c80319c","name":"cli-config","value":0.5}`},
		{args: "annotation-queues create", body: `{"name":"cli-queue","scoreConfigIds":["$config"]}`, keep: "queue"},
		{
			args: "annotation-queues create-item $queue", body: `{"objectId":"0af7651916cd43dd8448eb211c80319c","objectType":"TRACE"}`,
			keep: "item",
		},
		{
			args: "comments create",
			body: `{"projectId":"$project","objectType":"TRACE","objectId":"0af7651916cd43dd8448eb211c80319c","content":"from the command line"}`, keep: "comment",
		},
		{
			args: "models create", body: `{"modelName":"cli-model","matchPattern":"^cli-model$","unit":"TOKENS","inputPrice":0.5}`,
			keep: "model",
		},
		{args: "llm-connections upsert", body: `{"provider":"cli-provider","adapter":"openai","secretKey":"sk-of-the-provider"}`},
		{
			args: "media get-upload-url",
			body: `{"traceId":"0af7651916cd43dd8448eb211c80319c","contentType":"text/plain","contentLength":5,"sha256Hash":"LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=","field":"input"}`,
		},
		{
			args: "unstable-dashboard-widgets create",
			body: `{"name":"cli-widget","view":"observations","dimensions":[],"metrics":[{"measure":"count","agg":"count"}],"filters":[],"chartType":"NUMBER"}`, keep: "widget",
		},
		{args: "unstable-dashboards create", body: `{"name":"cli-dashboard"}`, keep: "dashboard"},
		{
			args: "evaluators create",
			body: `{"name":"cli-evaluator","type":"code","sourceCode":"def evaluate(ctx):\n  return 1\n","sourceCodeLanguage":"PYTHON"}`,
			keep: "evaluator",
		},
		{
			args: "evaluation-rules create",
			body: `{"name":"cli-rule","enabled":false,"evaluatorAssignments":[{"evaluatorId":"$evaluator"}]}`, keep: "rule",
		},
		{args: "integrations upsert-blob-storage", org: true, body: `{"projectId":"$project","type":"S3","bucketName":"cli-bucket","region":"eu-central-1","accessKeyId":"a","secretAccessKey":"secret-of-the-bucket",` +
			`"exportFrequency":"daily","enabled":false,"forcePathStyle":false,"fileType":"JSONL","exportMode":"FULL_HISTORY"}`},
		{args: "scim create-user", org: true, body: `{"userName":"cli@example.org","name":{"formatted":"Command Line"}}`, keep: "user"},

		{args: "observations list --all", has: []string{"cli-span"}},
		{args: "metrics get --query " + query, has: []string{"count_count"}},
		{args: "experiments list" + from, has: []string{"cli-experiment"}},
		{args: "experiment-items list" + from, has: []string{"cli-experiment-item"}},
		{args: "prompts list --all", has: []string{"cli-prompt"}},
		{args: "prompts get cli-prompt --label latest", has: []string{"Hello {{name}}"}},
		{args: "prompts get nowhere", has: []string{"404"}, code: 5},
		{args: "datasets list", has: []string{"cli-dataset"}},
		{args: "datasets get cli-dataset", has: []string{"$dataset"}},
		{args: "dataset-items list --dataset-name cli-dataset", has: []string{"cli-item"}},
		{args: "dataset-items get cli-item", has: []string{"cli-dataset"}},
		{args: "scores list", has: []string{"cli-score"}},
		{args: "score-configs list", has: []string{"cli-config"}},
		{args: "score-configs get $config", has: []string{"cli-config"}},
		{args: "annotation-queues list", has: []string{"cli-queue"}},
		{args: "annotation-queues get $queue", has: []string{"cli-queue"}},
		{args: "annotation-queues list-items $queue", has: []string{"$item"}},
		{args: "annotation-queues get-item $queue $item", has: []string{"PENDING"}},
		{args: "comments list", has: []string{"from the command line"}},
		{args: "comments get $comment", has: []string{"from the command line"}},
		{args: "models list --all", has: []string{"cli-model"}},
		{args: "models get $model", has: []string{"cli-model"}},
		{args: "llm-connections list", has: []string{"cli-provider"}},
		{args: "media get nowhere", has: []string{"404"}, code: 5},
		{args: "unstable-dashboard-widgets list", has: []string{"cli-widget"}},
		{args: "unstable-dashboard-widgets get $widget", has: []string{"cli-widget"}},
		{args: "unstable-dashboards list", has: []string{"cli-dashboard"}},
		{args: "unstable-dashboards get $dashboard", has: []string{"cli-dashboard"}},
		{args: "evaluators list", has: []string{"cli-evaluator"}},
		{args: "evaluators get $evaluator", has: []string{"cli-evaluator"}},
		{args: "evaluators list-versions $evaluator", has: []string{`"version":1`}},
		{args: "evaluation-rules list", has: []string{"cli-rule"}},
		{args: "evaluation-rules get $rule", has: []string{"cli-rule"}},
		{args: "organizations list-projects", org: true, has: []string{"My project"}},
		{args: "organizations list-api-keys", org: true, has: []string{"pk-lf-"}},
		{args: "organizations list-memberships", org: true},
		{args: "projects list-api-keys $project", org: true, has: []string{"pk-lf-"}},
		{args: "projects list-memberships $project", org: true},
		{args: "integrations list-blob-storage", org: true, has: []string{"cli-bucket"}},
		{args: "integrations get-blob-storage-integration-status $project", org: true},
		{args: "scim get-service-provider-config", org: true},
		{args: "scim list-resource-types", org: true},
		{args: "scim list-schemas", org: true},
		{args: "scim list-users", org: true, has: []string{"cli@example.org"}},
		{args: "scim get-user $user", org: true, has: []string{"cli@example.org"}},
		{args: "organizations list-projects", has: []string{"403"}, code: 5},
	}
}

// cli runs the official command line.
func cli(t *testing.T, environment []string, args ...string) (output string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", append([]string{"node_modules/langfuse-cli/bin/langfuse.mjs", "api"}, args...)...)
	cmd.Env = append(plainEnvironment(), environment...)
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func TestCommandLine(t *testing.T) {
	s := harness.Start(t)
	organization := organizationKeys(t, s)
	project := []string{"LANGFUSE_HOST=" + s.URL, "LANGFUSE_PUBLIC_KEY=" + s.PublicKey, "LANGFUSE_SECRET_KEY=" + s.SecretKey}
	owner := []string{"LANGFUSE_HOST=" + s.URL, "LANGFUSE_PUBLIC_KEY=" + organization[0], "LANGFUSE_SECRET_KEY=" + organization[1]}
	reads := cliReads(t)
	var kept []string
	for _, step := range cliSteps() {
		fill := strings.NewReplacer(kept...)
		args := strings.Fields(fill.Replace(step.args))
		delete(reads, args[0]+" "+args[1])
		if args = append(args, "--json"); step.body != "" {
			args = append(args, "--body-json", fill.Replace(step.body))
		}
		keys := project
		if step.org {
			keys = owner
		}
		out, code := cli(t, keys, args...)
		if code != step.code {
			t.Errorf("%s: ends with %d, want %d\n%s", args, code, step.code, out)
			continue
		}
		for _, part := range step.has {
			if !strings.Contains(out, fill.Replace(part)) {
				t.Errorf("%s: no %s in\n%.2000s", args, part, out)
			}
		}
		if step.keep != "" {
			kept = append(kept, "$"+step.keep, firstID(t, out))
		}
	}
	for action := range reads {
		t.Errorf("nothing reads with %s", action)
	}
}

// cliReads returns all actions that read. Deprecated ones are listed too, but the command line refuses to call them.
func cliReads(t *testing.T) map[string]bool {
	t.Helper()
	out, code := cli(t, nil, "schema", "--json")
	var schema struct {
		Resources []struct {
			Name    string
			Actions []struct {
				Name, Method string
				Deprecated   bool
			}
		}
	}
	if err := json.Unmarshal([]byte(out), &schema); err != nil || code != 0 {
		t.Fatalf("the actions of the command line: %d %v %.500s (is everything there? `make test-tools` installs it)", code, err, out)
	}
	reads := map[string]bool{}
	for _, resource := range schema.Resources {
		for _, action := range resource.Actions {
			if action.Method == "GET" && !action.Deprecated {
				reads[resource.Name+" "+action.Name] = true
			}
		}
	}
	if len(reads) < 40 {
		t.Fatalf("the command line has %d actions that read: %v", len(reads), reads)
	}
	return reads
}

// firstID returns the id in a response, or that of its first row.
func firstID(t *testing.T, out string) string {
	t.Helper()
	type row struct{ ID string }
	var answer struct {
		Body struct {
			row
			Data []row
		}
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	rows := slices.Concat([]row{answer.Body.row}, answer.Body.Data)
	at := slices.IndexFunc(rows, func(r row) bool { return r.ID != "" })
	if at < 0 {
		t.Fatalf("no id in %s", out)
	}
	return rows[at].ID
}
