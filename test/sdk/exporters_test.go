package sdk

import (
	"encoding/base64"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/test/harness"
)

// telemetrygen generates traces to test collectors; `make test-tools` builds it.
const telemetrygen = "../../.tools/bin/telemetrygen"

// exportedRow holds the fields checked in a row exported by a plain OpenTelemetry SDK.
type exportedRow struct {
	ID, ParentObservationID, Name, Type, Level, StatusMessage string
	UserID, SessionID, ProvidedModelName                      string
	TotalCost                                                 float64
	Metadata                                                  map[string]any
}

// TestExporters exports traces with the OpenTelemetry SDKs for Python and JavaScript, over every protocol that they
// support, and with telemetrygen. Go's exporters are covered by the black-box tests.
func TestExporters(t *testing.T) {
	t.Parallel()
	s := harness.Start(t, "--otlp-grpc-listen=127.0.0.1:0")
	overHTTP, overGRPC := s.URL+"/api/public/otel/v1/traces", s.GRPCAddress(t)
	environment := []string{"ALMANAC_PUBLIC_KEY=" + s.PublicKey, "ALMANAC_SECRET_KEY=" + s.SecretKey}
	for service, command := range map[string][]string{
		"python http":      {python, "exporter_send.py", "http", overHTTP},
		"python grpc":      {python, "exporter_send.py", "grpc", overGRPC},
		"javascript json":  {"node", "exporter_send.mjs", "json", overHTTP},
		"javascript proto": {"node", "exporter_send.mjs", "proto", s.URL + "/v1/traces"},
		"javascript grpc":  {"node", "exporter_send.mjs", "grpc", overGRPC},
	} {
		t.Run(service, func(t *testing.T) {
			run(t, environment, command[0], command[1:]...)
			checkExported(t, exportedBy(t, s, service))
		})
	}

	header := `Authorization="Basic ` + base64.StdEncoding.EncodeToString([]byte(s.PublicKey+":"+s.SecretKey)) + `"`
	for service, flags := range map[string][]string{
		"telemetrygen http": {
			"--otlp-http", "--otlp-http-url-path=/api/public/otel/v1/traces", "--otlp-endpoint=" + strings.TrimPrefix(s.URL, "http://"),
		},
		"telemetrygen grpc": {"--otlp-endpoint=" + overGRPC},
	} {
		t.Run(service, func(t *testing.T) {
			run(t, nil, telemetrygen, append(flags, "traces", "--otlp-insecure", "--otlp-header="+header, "--service="+service,
				"--traces=10", "--child-spans=3", "--rate=0", "--status-code=Error")...)
			rows := exportedBy(t, s, service)
			roots := 0
			for _, row := range rows {
				if row.Level != "ERROR" {
					t.Errorf("the level of %s is %s", row.Name, row.Level)
				}
				if row.ParentObservationID == "" {
					roots++
				}
			}
			if len(rows) != 40 || roots != 10 {
				t.Errorf("%d rows, %d of them roots", len(rows), roots)
			}
		})
	}
}

// exportedBy returns the rows of a service.
func exportedBy(t *testing.T, s *harness.Server, service string) []exportedRow {
	t.Helper()
	return get[list[exportedRow]](t, s, "/api/public/v2/observations", "limit", "100",
		"fields", "core,basic,metadata,model,usage,trace_context",
		"filter", `[{"type":"stringObject","column":"metadata","key":"resourceAttributes.service.name","operator":"=","value":"`+
			service+`"}]`).Data
}

// checkExported checks the rows of the trace that both scripts send.
func checkExported(t *testing.T, rows []exportedRow) {
	t.Helper()
	byName := make(map[string]exportedRow)
	for _, row := range rows {
		byName[row.Name] = row
	}
	if names := slices.Sorted(maps.Keys(byName)); len(rows) != 3 || !slices.Equal(names, []string{"chat gpt-4o", "lookup", "request"}) {
		t.Fatalf("%d rows are stored: %q", len(rows), names)
	}
	request, chat, lookup := byName["request"], byName["chat gpt-4o"], byName["lookup"]
	if request.ParentObservationID != "" || chat.ParentObservationID != request.ID || lookup.ParentObservationID != request.ID {
		t.Errorf("the parents are not as sent: %+v", rows)
	}
	if request.UserID != "user-1" || request.SessionID != "session-1" || request.Type != "SPAN" {
		t.Errorf("%+v", request)
	}
	if chat.Type != "GENERATION" || chat.ProvidedModelName != "gpt-4o-2024-08-06" || chat.TotalCost != 0.0075 {
		t.Errorf("%+v", chat)
	}
	if lookup.Level != "ERROR" || lookup.StatusMessage != "not there" {
		t.Errorf("%+v", lookup)
	}
	want := map[string]any{
		"text": "東京", "yes": true, "whole": 7.0, "parts": []any{0.25, 0.5}, "names": []any{"a", "b"},
	}
	got := make(map[string]any)
	for name := range want {
		got[name] = chat.Metadata["attributes."+name]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("attributes (- sent, + stored)\n%s", diff)
	}
}
