package respond

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestParseFields(t *testing.T) {
	for text, want := range map[string]Fields{
		"":                         CoreFields | BasicFields,
		"core":                     CoreFields,
		"basic":                    CoreFields | BasicFields,
		"io":                       CoreFields | IOFields,
		" io , usage ":             CoreFields | IOFields | UsageFields,
		"nope":                     CoreFields,
		"basic,nope":               CoreFields | BasicFields,
		",":                        CoreFields,
		" ":                        CoreFields,
		"IO":                       CoreFields,
		"io,io":                    CoreFields | IOFields,
		"trace_context":            CoreFields | TraceContextFields,
		strings.Repeat("x,", 5000): CoreFields,
		"core,basic,time,io,metadata,model,usage,prompt,metrics,trace_context": allFields,
	} {
		if got := ParseFields(text); got != want {
			t.Errorf("ParseFields(%.40q) = %b, want %b", text, got, want)
		}
	}
}

func TestParseFieldList(t *testing.T) {
	got, err := ParseFieldList([]string{"io", "model"})
	if err != nil || got != CoreFields|IOFields|ModelFields {
		t.Errorf("got %b, %v", got, err)
	}
	_, err = ParseFieldList([]string{"io", "nope"})
	if err == nil {
		t.Fatal("an unknown group is accepted")
	}
	body, _ := json.Marshal(err.Body(Stable))
	want := `{"message":"Invalid request data","error":[{"code":"invalid_value","values":["core","basic","time","io","metadata",` +
		`"model","usage","prompt","metrics","trace_context"],"path":["fields",1],"message":"Invalid option: expected one of ` +
		`\"core\"|\"basic\"|\"time\"|\"io\"|\"metadata\"|\"model\"|\"usage\"|\"prompt\"|\"metrics\"|\"trace_context\""}]}`
	if string(body) != want {
		t.Errorf("\n got %s\nwant %s", body, want)
	}
	if _, err = ParseFieldList(make([]string, 1000)); err == nil || len(err.Issues) != maxFieldIssues {
		t.Error("a thousand unknown groups are not refused with a short list")
	}
}

// TestNeeds compares the reported needs with the fields that are written when only those are set.
func TestNeeds(t *testing.T) {
	for fields := range allFields + 1 {
		if !fields.Has(CoreFields) {
			continue
		}
		o := fullObservation()
		whole := rowOf(o, fields)
		if !fields.NeedIO() {
			o.Input, o.Output = "", ""
		}
		if !fields.NeedMetadata() {
			o.Metadata = ""
		}
		if !fields.NeedStatus() {
			o.StatusMessage = ""
		}
		if !fields.NeedUsage() {
			o.Usage, o.Cost = "", ""
		}
		if !fields.NeedDetails() {
			o.ModelParameters = ""
		}
		if got := rowOf(o, fields); got != whole {
			t.Fatalf("groups %b need more than they say:\n got %s\nwant %s", fields, got, whole)
		}
	}
	for group, want := range map[Fields][5]bool{
		CoreFields: {}, BasicFields: {2: true}, TimeFields: {}, IOFields: {0: true}, MetadataFields: {1: true},
		ModelFields: {4: true}, UsageFields: {3: true}, PromptFields: {}, MetricsFields: {}, TraceContextFields: {},
	} {
		if got := [5]bool{group.NeedIO(), group.NeedMetadata(), group.NeedStatus(), group.NeedUsage(), group.NeedDetails()}; got != want {
			t.Errorf("group %b needs %v, want %v", group, got, want)
		}
	}
}

func TestParseTraceFields(t *testing.T) {
	for text, want := range map[string]TraceFields{
		"": AllTraceFields, "nope": AllTraceFields, ",": AllTraceFields, "core": 0, "io": TraceIO, "core, io": TraceIO,
		"scores,observations": TraceScores | TraceObservations, "metrics,nope": TraceMetrics,
	} {
		if got := ParseTraceFields(text); got != want|TraceCore {
			t.Errorf("ParseTraceFields(%q) = %b, want %b", text, got, want)
		}
	}
}
