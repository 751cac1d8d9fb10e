package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"strconv"
	"sync"

	"github.com/VictoriaMetrics/easyproto"
	"github.com/cespare/xxhash/v2"

	"almanac/bench/corpus"
	"almanac/internal/domain"
)

// request is a body that is ready to be sent.
type request struct {
	body  []byte
	spans int
}

// makeRequests makes all bodies before anything is measured. It also returns how much text a span has on average.
func makeRequests(o options) ([]request, float64, error) {
	g := corpus.New(corpus.Options{Rows: o.spans, Mode: o.mode})
	requests := make([]request, (o.spans+o.batch-1)/o.batch)
	text := 0
	var work sync.WaitGroup
	errs := make([]error, len(requests))
	turns := make(chan struct{}, 2)
	for n := range requests {
		rows := make([]domain.Observation, min(o.batch, o.spans-n*o.batch))
		g.Fill(rows)
		for i := range rows {
			text += len(rows[i].Input) + len(rows[i].Output) + len(rows[i].Metadata)
		}
		turns <- struct{}{}
		work.Go(func() {
			requests[n].spans = len(rows)
			requests[n].body = encode(rows, o.missingUsage)
			if !o.plain {
				requests[n].body, errs[n] = compress(requests[n].body)
			}
			<-turns
		})
	}
	work.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, 0, err
		}
	}
	return requests, float64(text) / float64(o.spans), nil
}

func compress(body []byte) ([]byte, error) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(body); err != nil {
		return nil, err
	}
	err := w.Close()
	return packed.Bytes(), err
}

// encode writes rows as an OTLP request, as the native SDKs do. If usage may be missing, a quarter of the calls of models
// come without.
func encode(rows []domain.Observation, missingUsage bool) []byte {
	var m easyproto.Marshaler
	resourceSpans := m.MessageMarshaler().AppendMessage(1)
	resource := resourceSpans.AppendMessage(1)
	attribute(resource, 1, "service.name", "bench")
	attribute(resource, 1, "telemetry.sdk.language", "python")
	scopeSpans := resourceSpans.AppendMessage(2)
	scope := scopeSpans.AppendMessage(1)
	scope.AppendString(1, "langfuse-sdk")
	scope.AppendString(2, "5.0.4")
	for i := range rows {
		span(scopeSpans.AppendMessage(2), &rows[i], missingUsage)
	}
	return m.Marshal(nil)
}

func span(m *easyproto.MessageMarshaler, o *domain.Observation, missingUsage bool) {
	const nano = 1000 // of a microsecond
	m.AppendBytes(1, id(o.TraceID, 16))
	m.AppendBytes(2, id(o.ID, 8))
	if o.ParentID != "" {
		m.AppendBytes(4, id(o.ParentID, 8))
	}
	m.AppendString(5, o.Name)
	m.AppendFixed64(7, uint64(o.StartTime)*nano)
	m.AppendFixed64(8, uint64(max(o.EndTime, o.StartTime))*nano)
	text := func(key, value string) {
		if value != "" {
			attribute(m, 9, key, value)
		}
	}
	text("langfuse.observation.type", typeNames[o.Type])
	text("langfuse.observation.input", o.Input)
	text("langfuse.observation.output", o.Output)
	text("langfuse.observation.model.name", o.Model)
	text("langfuse.observation.model.parameters", o.ModelParameters)
	if !missingUsage {
		text("langfuse.observation.usage_details", o.Usage)
	} else {
		text("langfuse.observation.usage_details", o.ProvidedUsage)
	}
	text("langfuse.observation.metadata", o.Metadata)
	text("langfuse.observation.level", o.Level)
	text("langfuse.observation.status_message", o.StatusMessage)
	text("langfuse.user.id", o.UserID)
	text("langfuse.session.id", o.SessionID)
	text("langfuse.environment", o.Environment)
	text("langfuse.release", o.Release)
	text("langfuse.version", o.Version)
	text("langfuse.trace.name", o.TraceName)
	if len(o.Tags) > 0 {
		a := m.AppendMessage(9)
		a.AppendString(1, "langfuse.trace.tags")
		list := a.AppendMessage(2).AppendMessage(5)
		for _, tag := range o.Tags {
			list.AppendMessage(1).AppendString(1, tag)
		}
	}
}

var typeNames = map[string]string{
	"SPAN": "span", "GENERATION": "generation", "EVENT": "event", "EMBEDDING": "embedding", "AGENT": "agent", "TOOL": "tool", "CHAIN": "chain",
	"RETRIEVER": "retriever", "GUARDRAIL": "guardrail", "EVALUATOR": "evaluator",
}

func attribute(m *easyproto.MessageMarshaler, field uint32, key, value string) {
	a := m.AppendMessage(field)
	a.AppendString(1, key)
	a.AppendMessage(2).AppendString(1, value)
}

// id makes an id of the wire's length out of any text.
func id(text string, size int) []byte {
	b := make([]byte, 0, 16)
	for n := 0; len(b) < size; n++ {
		b = binary.BigEndian.AppendUint64(b, xxhash.Sum64String(strconv.Itoa(n)+text))
	}
	return b[:size]
}
