package respond

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

// benchRows are rows of about 2 KB of text, as chat applications send them: input and output are JSON, and metadata has
// a dozen values, one of which is too long.
func benchRows() []domain.Observation {
	rows := make([]domain.Observation, 1000)
	for i := range rows {
		question := strings.Repeat("What does section "+strconv.Itoa(i)+" of the report say about \"margins\"? ", 6)
		answer := strings.Repeat("It says that they grew by 4% – mostly in the north.\n", 10)
		o := fullObservation()
		o.ID = fmt.Sprintf("%016x", i)
		o.Input = fmt.Sprintf(`[{"role":"system","content":"You answer questions about reports."},{"role":"user","content":%q}]`, question)
		o.Output = fmt.Sprintf(`{"role":"assistant","content":%q,"refusal":null}`, answer)
		o.Metadata = `{"resourceAttributes.service.name":"reports","resourceAttributes.telemetry.sdk.language":"python",` +
			`"resourceAttributes.telemetry.sdk.name":"opentelemetry","resourceAttributes.telemetry.sdk.version":"1.30.0",` +
			`"scope.name":"langfuse-sdk","scope.version":"4.0.0","tenant":"acme","attempt":2,"cached":false,` +
			`"sources":["a.pdf","b.pdf"],"ls_model_name":"gpt-4o","instructions":"` + strings.Repeat("be brief and precise ", 20) + `"}`
		rows[i] = *o
	}
	return rows
}

const ioAndMetadata = CoreFields | BasicFields | IOFields | MetadataFields

func BenchmarkAppendObservation(b *testing.B) {
	rows := benchRows()
	for _, c := range []struct {
		name   string
		fields Fields
	}{{"default", defaultFields}, {"io+metadata", ioAndMetadata}, {"all", allFields}} {
		b.Run(c.name, func(b *testing.B) {
			dst := make([]byte, 0, 8<<20)
			b.ReportAllocs()
			for b.Loop() {
				dst = dst[:0]
				for i := range rows {
					dst = AppendObservation(dst, &rows[i], "project", c.fields, nil, testPrices, nil)
				}
			}
			b.SetBytes(int64(len(dst)))
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(rows)), "ns/row")
		})
	}
}

// BenchmarkBaseline writes the same rows with encoding/json, with metadata prepared in advance.
func BenchmarkBaseline(b *testing.B) {
	type row struct {
		ID                  string          `json:"id"`
		TraceID             string          `json:"traceId"`
		StartTime           Time            `json:"startTime"`
		EndTime             Time            `json:"endTime"`
		ProjectID           string          `json:"projectId"`
		ParentObservationID *string         `json:"parentObservationId"`
		Type                string          `json:"type"`
		Name                string          `json:"name"`
		Level               string          `json:"level"`
		StatusMessage       string          `json:"statusMessage"`
		Version             string          `json:"version"`
		Environment         string          `json:"environment"`
		Bookmarked          bool            `json:"bookmarked"`
		Public              bool            `json:"public"`
		UserID              string          `json:"userId"`
		SessionID           string          `json:"sessionId"`
		IsRootObservation   bool            `json:"isRootObservation"`
		Input               string          `json:"input"`
		Output              string          `json:"output"`
		Metadata            json.RawMessage `json:"metadata"`
		ModelID             *string         `json:"modelId"`
		InputPrice          *string         `json:"inputPrice"`
		OutputPrice         *string         `json:"outputPrice"`
		TotalPrice          *string         `json:"totalPrice"`
	}
	rows := benchRows()
	var buffer bytes.Buffer
	enc := json.NewEncoder(&buffer)
	enc.SetEscapeHTML(false)
	b.ReportAllocs()
	for b.Loop() {
		buffer.Reset()
		for i := range rows {
			o := &rows[i]
			err := enc.Encode(&row{
				ID: o.ID, TraceID: o.TraceID, StartTime: Time(o.StartTime.Time()), EndTime: Time(o.EndTime.Time()),
				ProjectID: "project", ParentObservationID: &o.ParentID, Type: o.Type, Name: o.Name, Level: o.Level,
				StatusMessage: o.StatusMessage, Version: o.Version, Environment: o.Environment, Bookmarked: o.Bookmarked,
				Public: o.Public, UserID: o.UserID, SessionID: o.SessionID, IsRootObservation: o.IsRoot(),
				Input: o.Input, Output: o.Output, Metadata: json.RawMessage(o.Metadata),
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.SetBytes(int64(buffer.Len()))
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(rows)), "ns/row")
}

func BenchmarkAppendObservationV1(b *testing.B) {
	rows := benchRows()
	dst := make([]byte, 0, 8<<20)
	b.ReportAllocs()
	for b.Loop() {
		dst = dst[:0]
		for i := range rows {
			dst = AppendObservationV1(dst, &rows[i], "project", testPrices, nil)
		}
	}
	b.SetBytes(int64(len(dst)))
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(rows)), "ns/row")
}

func BenchmarkAppendText(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"short", "0af7651916cd43dd"},
		{"prose", strings.Repeat("plain words without anything special in them ", 45)},
		{"json", strings.Repeat(`{"role":"user","n":1},`, 92)},
		{"accents", strings.Repeat("größere Übungen für Zürich ", 70)},
	} {
		b.Run(c.name, func(b *testing.B) {
			dst := make([]byte, 0, 1<<16)
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				dst = jsontext.AppendString(dst[:0], c.text)
			}
		})
	}
}
