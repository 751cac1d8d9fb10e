package main

import (
	"testing"
	"time"

	"almanac/bench/corpus"
	"almanac/internal/domain"
	"almanac/internal/ingest/otlp"
)

func decoded(t *testing.T, raw []byte) []otlp.Span {
	t.Helper()
	var export otlp.Export
	if err := export.DecodeProtobuf(raw, otlp.DefaultLimits()); err != nil || export.Rejected > 0 {
		t.Fatal(err, export.Problems)
	}
	return export.ResourceSpans[0].ScopeSpans[0].Spans
}

// TestStamped decodes what is sent: new ids with the same relations, and times that end now.
func TestStamped(t *testing.T) {
	rows := make([]domain.Observation, 100)
	corpus.New(corpus.Options{TextBytes: 1 << 20}).Fill(rows)
	b, err := newBody(encode(rows, false))
	if err != nil {
		t.Fatal(err)
	}
	before := decoded(t, b.raw)
	if b.spans != 100 || len(before) != 100 || before[0].TraceID != rows[0].TraceID || before[0].SpanID != rows[0].ID {
		t.Fatalf("%d spans, the first is %s of %s", b.spans, before[0].SpanID, before[0].TraceID)
	}
	now := time.Now()
	after := decoded(t, b.stamped(12345, now))
	traces := make(map[string]string)
	latest := int64(0)
	for n := range before {
		was, is := before[n], after[n]
		if known := traces[was.TraceID]; known != "" && known != is.TraceID || was.TraceID == is.TraceID || was.SpanID == is.SpanID {
			t.Errorf("span %d: %s of %s became %s of %s", n, was.SpanID, was.TraceID, is.SpanID, is.TraceID)
		}
		traces[was.TraceID] = is.TraceID
		if (was.ParentID == "") != (is.ParentID == "") || was.ParentID == before[0].SpanID && is.ParentID != after[0].SpanID {
			t.Errorf("span %d: parent %q became %q", n, was.ParentID, is.ParentID)
		}
		if was.End.Value-was.Start.Value != is.End.Value-is.Start.Value || was.Name != is.Name {
			t.Errorf("span %d: %+v became %+v", n, was, is)
		}
		latest = max(latest, is.End.Value, is.Start.Value)
	}
	if latest != now.UnixNano() {
		t.Errorf("the last span ended at %d, want %d", latest, now.UnixNano())
	}
	if other := decoded(t, b.stamped(54321, now)); other[0].TraceID == after[0].TraceID {
		t.Error("two keys make the same ids")
	}
	for cut := range 200 {
		if _, err := newBody(b.raw[:len(b.raw)-1-cut]); err == nil {
			t.Errorf("a body that lacks %d bytes is accepted", cut+1)
		}
	}
}
