package scheduled

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/store"
	"almanac/test/catalogtest"
)

// The columns of the Langfuse layout, in order, and our own that follow them.
const (
	observationColumns = `id,trace_id,start_time,end_time,project_id,parent_observation_id,type,` +
		`name,level,status_message,version,environment,bookmarked,public,user_id,session_id,is_root_observation,` +
		`completion_start_time,created_at,updated_at,input,output,metadata,` +
		`provided_model_name,model_id,model_parameters,input_price,output_price,total_price,` +
		`usage_details,cost_details,total_cost,usage_pricing_tier_id,usage_pricing_tier_name,` +
		`prompt_id,prompt_name,prompt_version,latency,time_to_first_token,tags,release,trace_name,tool_definitions,tool_calls,tool_call_names`
	ownObservationColumns = `experiment_id,experiment_name,experiment_dataset_id,experiment_item_id,as_root,` +
		`experiment_description,experiment_metadata,experiment_item_version,experiment_item_root_span_id,experiment_item_expected_output,` +
		`experiment_item_metadata,trace_input,trace_output,trace_metadata,sdk_name,sdk_version,service_name,service_version,` +
		`scope_name,scope_version,telemetry_sdk_language,telemetry_sdk_name,telemetry_sdk_version`
	scoreColumns    = `id,timestamp,project_id,environment,trace_id,observation_id,session_id,dataset_run_id,name,value,source,comment,data_type,string_value,created_at,updated_at`
	ownScoreColumns = `metadata,config_id,queue_id,author_user_id,execution_trace_id`
)

// fullObservation has a value in every column, and texts that are hard to encode.
func fullObservation() domain.Observation {
	return domain.Observation{
		TraceID: "trace-1", ID: "full", ParentID: "parent", Type: "GENERATION", Name: "=SUM(A1)", Level: "ERROR", StatusMessage: "failed",
		Version:     "v1",
		Environment: "production", Bookmarked: true, Public: true, UserID: "user", SessionID: "session", StartTime: start + 123_456,
		EndTime:             start + 1_623_456,
		CompletionStartTime: start + 373_456, CreatedAt: start + 2_000_000, UpdatedAt: start + 3_000_001, Input: `{"q":"caf\u00e9 \"x\""}`,
		Output:   "line 1\nline 2",
		Metadata: `{"k":"v","n":[1,2]}`, Model: "gpt", ModelID: "model", ModelParameters: `{"temperature":0.5}`,
		Usage: `{"input":1,"total":3}`,
		Cost:  `{"total":0.00003}`, TotalCost: domain.FloatOf(0.00003), PricingTierID: "tier", PricingTierName: "Standard",
		PromptID:   "prompt",
		PromptName: "greeting", PromptVersion: domain.IntOf(3), Tags: []string{"a", `b"`}, Release: "r1", TraceName: "chat",
		ToolDefinitions: `{"search":"{}"}`, ToolCalls: `["{}"]`, ToolCallNames: []string{"search"},
		ExperimentID: "run", ExperimentName: "run 1", ExperimentDatasetID: "dataset", ExperimentItemID: "item", AsRoot: true,
		ExperimentDescription: "tried", ExperimentMetadata: `{"m":1}`, ExperimentItemVersion: "v", ExperimentItemRootSpanID: "full",
		ExperimentItemExpectedOutput: `"\u00fc"`, ExperimentItemMetadata: `{"i":1}`, TraceInput: "asked", TraceOutput: "answered",
		TraceMetadata: `{"t":1}`,
		SDKName:       "python", SDKVersion: "1", ServiceName: "shop", ServiceVersion: "2", ScopeName: "scope", ScopeVersion: "3",
		TelemetryLanguage: "py", TelemetryName: "otel", TelemetryVersion: "4",
	}
}

// The rows as each format has them.
const (
	fullJSON = `{"id":"full","trace_id":"trace-1","start_time":"2027-01-15 08:00:00.123456","end_time":"2027-01-15 08:00:01.623456","project_id":"p",` +
		`"parent_observation_id":"parent","type":"GENERATION","name":"=SUM(A1)","level":"ERROR","status_message":"failed","version":"v1",` +
		`"environment":"production","bookmarked":true,"public":true,"user_id":"user","session_id":"session","is_root_observation":false,` +
		`"completion_start_time":"2027-01-15 08:00:00.373456","created_at":"2027-01-15 08:00:02.000000","updated_at":"2027-01-15 08:00:03.000001",` +
		`"input":"{\"q\":\"caf\\u00e9 \\\"x\\\"\"}","output":"line 1\nline 2","metadata":{"k":"v","n":[1,2]},"provided_model_name":"gpt","model_id":"model",` +
		`"model_parameters":{"temperature":0.5},"input_price":null,"output_price":null,"total_price":null,"usage_details":{"input":1,"total":3},` +
		`"cost_details":{"total":0.00003},"total_cost":0.00003,"usage_pricing_tier_id":"tier","usage_pricing_tier_name":"Standard","prompt_id":"prompt",` +
		`"prompt_name":"greeting","prompt_version":3,"latency":1.5,"time_to_first_token":0.25,"tags":["a","b\""],"release":"r1","trace_name":"chat",` +
		`"tool_definitions":{"search":"{}"},"tool_calls":["{}"],"tool_call_names":["search"],` +
		`"experiment_id":"run","experiment_name":"run 1","experiment_dataset_id":"dataset","experiment_item_id":"item","as_root":true,` +
		`"experiment_description":"tried","experiment_metadata":{"m":1},"experiment_item_version":"v","experiment_item_root_span_id":"full","experiment_item_expected_output":"\"\\u00fc\"","experiment_item_metadata":{"i":1},"trace_input":"asked","trace_output":"answered","trace_metadata":{"t":1},"sdk_name":"python","sdk_version":"1","service_name":"shop","service_version":"2","scope_name":"scope","scope_version":"3","telemetry_sdk_language":"py","telemetry_sdk_name":"otel","telemetry_sdk_version":"4"}`
	leastJSON = `{"id":"least","trace_id":"trace-0","start_time":"2027-01-15 08:00:00.000000","end_time":null,"project_id":"p",` +
		`"parent_observation_id":"","type":"SPAN","name":"","level":"DEFAULT","status_message":"","version":"",` +
		`"environment":"default","bookmarked":false,"public":false,"user_id":"","session_id":"","is_root_observation":true,` +
		`"completion_start_time":null,"created_at":"2027-01-15 08:00:00.000000","updated_at":"2027-01-15 08:00:00.000000",` +
		`"input":"","output":"","metadata":{},"provided_model_name":"","model_id":"",` +
		`"model_parameters":{},"input_price":null,"output_price":null,"total_price":null,"usage_details":{},` +
		`"cost_details":{},"total_cost":0,"usage_pricing_tier_id":null,"usage_pricing_tier_name":null,"prompt_id":"",` +
		`"prompt_name":"","prompt_version":null,"latency":null,"time_to_first_token":null,"tags":[],"release":"","trace_name":"",` +
		`"tool_definitions":{},"tool_calls":[],"tool_call_names":[],` +
		`"experiment_id":"","experiment_name":"","experiment_dataset_id":"","experiment_item_id":"","as_root":false,` +
		`"experiment_description":"","experiment_metadata":null,"experiment_item_version":"","experiment_item_root_span_id":"","experiment_item_expected_output":"","experiment_item_metadata":null,"trace_input":"","trace_output":"","trace_metadata":null,"sdk_name":"","sdk_version":"","service_name":"","service_version":"","scope_name":"","scope_version":"","telemetry_sdk_language":"","telemetry_sdk_name":"","telemetry_sdk_version":""}`
	fullCSV = `"full","trace-1","2027-01-15 08:00:00.123456","2027-01-15 08:00:01.623456","p","parent","GENERATION","=SUM(A1)","ERROR","failed","v1",` +
		`"production","true","true","user","session","false","2027-01-15 08:00:00.373456","2027-01-15 08:00:02.000000","2027-01-15 08:00:03.000001",` +
		`"{""q"":""caf\u00e9 \""x\""""}","line 1` + "\n" +
		`line 2","{""k"":""v"",""n"":[1,2]}","gpt","model","{""temperature"":0.5}","","","",` +
		`"{""input"":1,""total"":3}","{""total"":0.00003}","0.00003","tier","Standard","prompt","greeting","3","1.5","0.25","[""a"",""b\""""]","r1","chat",` +
		`"{""search"":""{}""}","[""{}""]","[""search""]","run","run 1","dataset","item","true",` +
		`"tried","{""m"":1}","v","full","""\u00fc""","{""i"":1}","asked","answered","{""t"":1}","python","1","shop","2","scope","3","py","otel","4"` + "\n"
	leastCSV = `"least","trace-0","2027-01-15 08:00:00.000000","","p","","SPAN","","DEFAULT","","","default","false","false","","","true","",` +
		`"2027-01-15 08:00:00.000000","2027-01-15 08:00:00.000000","","","{}","","","{}","","","","{}","{}","0","","","","","","","","[]","","",` +
		`"{}","[]","[]","","","","","false",` +
		`"","","","","","","","","","","","","","","","","",""` + "\n"
	scoreJSON = `{"id":"score","timestamp":"2027-01-15 08:00:00.000001","project_id":"p","environment":"default","trace_id":"trace-1","observation_id":"full",` +
		`"session_id":"","dataset_run_id":"","name":"quality","value":0.5,"source":"API","comment":"go\nod","data_type":"NUMERIC","string_value":"",` +
		`"created_at":"2027-01-15 08:00:00.000000","updated_at":"2027-01-15 08:00:00.000000","metadata":{},"config_id":"","queue_id":"","author_user_id":"","execution_trace_id":""}`
	correctionJSON = `{"id":"correction","timestamp":"2027-01-15 08:00:00.000000","project_id":"p","environment":"default","trace_id":"trace-1","observation_id":"",` +
		`"session_id":"","dataset_run_id":"","name":"output","value":null,"source":"","comment":"","data_type":"CORRECTION","string_value":"better",` +
		`"created_at":"2027-01-15 08:00:00.000000","updated_at":"2027-01-15 08:00:00.000000","metadata":{},"config_id":"","queue_id":"","author_user_id":"","execution_trace_id":""}`
	scoreCSV = `"score","2027-01-15 08:00:00.000001","p","default","trace-1","full","","","quality","0.5","API","go` + "\n" +
		`od","NUMERIC","",` +
		`"2027-01-15 08:00:00.000000","2027-01-15 08:00:00.000000","{}","","","",""` + "\n"
	correctionCSV = `"correction","2027-01-15 08:00:00.000000","p","default","trace-1","","","","output","","","","CORRECTION","better",` +
		`"2027-01-15 08:00:00.000000","2027-01-15 08:00:00.000000","{}","","","",""` + "\n"
)

func (w *world) appendLayout() {
	w.Helper()
	w.append(fullObservation(), domain.Observation{
		TraceID: "trace-0", ID: "least", Type: "SPAN", StartTime: start, CreatedAt: start, UpdatedAt: start,
	})
	w.score(
		domain.Score{
			ID: "score", TraceID: "trace-1", ObservationID: "full", Timestamp: start + 1, Name: "quality", Source: "API", Comment: "go\nod",
			DataType: "NUMERIC",
			Value:    domain.FloatOf(0.5), CreatedAt: start, UpdatedAt: start,
		},
		domain.Score{
			ID: "correction", TraceID: "trace-1", Timestamp: start, Name: "output", DataType: "CORRECTION", StringValue: "better",
			CreatedAt: start, UpdatedAt: start,
		},
	)
}

func header(columns string) string {
	return `"` + strings.ReplaceAll(columns, ",", `","`) + `"` + "\n"
}

// only returns the only file in a folder.
func (w *world) only(folder string) (name, content string) {
	w.Helper()
	names := w.files(folder)
	if len(names) != 1 {
		w.Fatalf("%s has %v", folder, names)
	}
	data := w.bucket.objects[names[0]]
	if strings.HasSuffix(names[0], ".gz") {
		unpacked, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			w.Fatal(err)
		}
		if data, err = io.ReadAll(unpacked); err != nil {
			w.Fatal(err)
		}
	}
	return names[0], string(data)
}

// TestLayout compares files with the layout, byte for byte.
func TestLayout(t *testing.T) {
	observationHeader, scoreHeader := header(observationColumns+","+ownObservationColumns), header(scoreColumns+","+ownScoreColumns)
	for _, c := range []struct {
		fileType             string
		compressed           bool
		extension            string
		format, contentType  string
		observations, scores string
	}{
		{
			"JSONL", false, "jsonl", "jsonl-raw", "application/x-ndjson", fullJSON + "\n" + leastJSON + "\n",
			scoreJSON + "\n" + correctionJSON + "\n",
		},
		{
			"JSONL", true, "jsonl.gz", "jsonl-gzip", "application/gzip", fullJSON + "\n" + leastJSON + "\n",
			scoreJSON + "\n" + correctionJSON + "\n",
		},
		{
			"JSON", true, "json.gz", "json-gzip", "application/gzip", "[" + fullJSON + "," + leastJSON + "]",
			"[" + scoreJSON + "," + correctionJSON + "]",
		},
		{
			"CSV", false, "csv", "csv-raw", "text/csv; charset=utf-8", observationHeader + fullCSV + leastCSV,
			scoreHeader + scoreCSV + correctionCSV,
		},
	} {
		t.Run(c.extension, func(t *testing.T) {
			w := newWorld(t, func(b *domain.BlobStorageIntegration) { b.FileType, b.Compressed = c.fileType, c.compressed })
			w.appendLayout()
			if b := w.step(); b.LastError != nil {
				t.Fatal(*b.LastError)
			}
			at := w.state().LastSyncAt.UTC()
			wantFiles := []string{}
			for folder, want := range map[string]string{observationsFolder: c.observations, scoresFolder: c.scores} {
				name, content := w.only(folder)
				if content != want {
					t.Errorf("%s has\n%s\nwant\n%s", folder, content, want)
				}
				if prefix := "pre/p/" + folder + "/" + at.Format("2006-01-02T15-04-05") + "_"; !strings.HasPrefix(name, prefix) ||
					!strings.HasSuffix(name, "."+c.extension) {
					t.Errorf("a file is named %s", name)
				}
			}
			for _, f := range []struct {
				folder      string
				rows        int
				after, upTo int
			}{{observationsFolder, 2, -1, 1}, {scoresFolder, 2, -1, 1}} {
				name, _ := w.only(f.folder)
				data := w.bucket.objects[name]
				sum := sha256.Sum256(data)
				wantFiles = append(wantFiles,
					fmt.Sprintf(`{"key":%q,"table":%q,"fileType":%q,"format":%q,"compressed":%t,"contentType":%q,"sizeBytes":%d,"rowCount":%d,"sha256":%q,"after":%d,"upTo":%d}`,
						name, f.folder, c.fileType, c.format, c.compressed, c.contentType, len(data), f.rows, hex.EncodeToString(sum[:]),
						f.after, f.upTo))
			}
			_, manifest := w.only(manifestsFolder)
			moment := at.Format("2006-01-02T15:04:05.000Z")
			want := fmt.Sprintf(`{"version":1,"schemaVersion":1,"projectId":"p","exportSource":"EVENTS","window":{"minTimestamp":null,"maxTimestamp":%q},"maxTimestamp":%q,"createdAt":%q,"tables":["observations_v2","scores"],"files":[%s]}`,
				moment, moment, "?", strings.Join(wantFiles, ","))
			if got := withoutCreatedAt(t, manifest); got != want {
				t.Errorf("the manifest is\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// withoutCreatedAt replaces the creation time of a manifest by a question mark.
func withoutCreatedAt(t *testing.T, manifest string) string {
	t.Helper()
	var made struct{ CreatedAt time.Time }
	if err := json.Unmarshal([]byte(manifest), &made); err != nil {
		t.Fatal(err)
	}
	return strings.Replace(manifest, `"createdAt":"`+made.CreatedAt.Format("2006-01-02T15:04:05.000Z")+`"`, `"createdAt":"?"`, 1)
}

// TestPrices checks that rows have the unit prices of their models, as in the API.
func TestPrices(t *testing.T) {
	w := newWorld(t, func(b *domain.BlobStorageIntegration) {
		b.FileType, b.Compressed, b.FieldGroups = "JSONL", false, []string{"core", "model"}
	})
	list, err := catalogtest.Prices(t, w.catalog.Catalog).Of(t.Context(), w.scope)
	if err != nil {
		t.Fatal(err)
	}
	model, found := list.Match("gpt-4o")
	if !found {
		t.Fatal("there is no model")
	}
	w.append(domain.Observation{TraceID: "t", ID: "o", Type: "GENERATION", StartTime: start, Model: "gpt-4o", ModelID: model.ID})
	w.step()
	if _, content := w.only(observationsFolder); !strings.Contains(content,
		`"input_price":0.0000025,"output_price":0.00001,"total_price":null`) {
		t.Errorf("the row is %s", content)
	}
}

// TestEmptyFiles writes files without rows: no observations if only a score arrived.
func TestEmptyFiles(t *testing.T) {
	for fileType, want := range map[string]string{"JSON": "[]", "JSONL": "", "CSV": ""} {
		w := newWorld(t, func(b *domain.BlobStorageIntegration) { b.FileType = fileType })
		w.score(domain.Score{ID: "s", TraceID: "t", Timestamp: start, Name: "n", DataType: "NUMERIC", Value: domain.FloatOf(1)})
		w.step()
		if _, content := w.only(observationsFolder); content != want {
			t.Errorf("%s without rows is %q", fileType, content)
		}
	}
}

// TestGroups checks that files have the columns of the chosen groups, in the order of the layout.
func TestGroups(t *testing.T) {
	for groups, want := range map[string]string{
		"core":                    "id,trace_id,start_time,end_time,project_id,parent_observation_id,type",
		"tools,metrics,core":      "id,trace_id,start_time,end_time,project_id,parent_observation_id,type,latency,time_to_first_token,tool_definitions,tool_calls,tool_call_names",
		"core,io,usage,metadata":  "id,trace_id,start_time,end_time,project_id,parent_observation_id,type,input,output,metadata,usage_details,cost_details,total_cost,usage_pricing_tier_id,usage_pricing_tier_name",
		"core,trace_context,time": "id,trace_id,start_time,end_time,project_id,parent_observation_id,type,completion_start_time,created_at,updated_at,tags,release,trace_name",
	} {
		w := newWorld(t, func(b *domain.BlobStorageIntegration) { b.FileType, b.FieldGroups = "CSV", strings.Split(groups, ",") })
		w.appendLayout()
		w.step()
		if _, content := w.only(observationsFolder); !strings.HasPrefix(content, header(want)) {
			t.Errorf("%s: the columns are %s", groups, content[:strings.IndexByte(content, '\n')])
		}
	}
}

// TestDeletionFiles checks the deletions file in several formats.
func TestDeletionFiles(t *testing.T) {
	for fileType, want := range map[string][]string{
		"JSONL": {`{"table":"observations_v2","id":"full","trace_id":"trace-1","before":null,"deleted_at":"20`},
		"CSV":   {`"table","id","trace_id","before","deleted_at"` + "\n" + `"observations_v2","full","trace-1","","20`},
	} {
		w := newWorld(t, func(b *domain.BlobStorageIntegration) { b.FileType = fileType })
		w.appendLayout()
		w.step()
		if _, err := w.store.Observations().Delete(t.Context(), w.scope, store.Selection{TraceIDs: []string{"trace-1"}}); err != nil {
			t.Fatal(err)
		}
		w.step()
		_, content := w.only(deletionsFolder)
		for _, part := range want {
			if !strings.HasPrefix(content, part) {
				t.Errorf("%s: the deletions are %s", fileType, content)
			}
		}
	}
}
