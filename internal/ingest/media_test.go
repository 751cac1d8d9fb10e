package ingest

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
	"almanac/internal/media"
)

// fakeKeeper records the files it is given.
type fakeKeeper struct {
	err  error
	kept []string // content type, content, location
}

func (k *fakeKeeper) Keep(_ context.Context, scope domain.ProjectScope, files []media.Extracted) error {
	if k.err != nil {
		return k.err
	}
	for _, f := range files {
		k.kept = append(k.kept, strings.Join([]string{
			scope.ProjectID(), f.ContentType, string(f.Data), f.Link.TraceID[:4], f.Link.ObservationID, f.Link.Field,
		}, " "))
	}
	return nil
}

// stored returns the rows of the last export.
func (b *bench) stored() []domain.Observation { return b.table.batches[len(b.table.batches)-1] }

const (
	hello          = "data:text/plain;base64,aGVsbG8="
	helloReference = "@@@langfuseMedia:type=text/plain|id=LPJNul-wow4m6Dsqxbninh|source=base64_data_uri@@@"
)

func TestMediaAreTakenOut(t *testing.T) {
	keeper := new(fakeKeeper)
	b := newBench(t, func(o *Options) { o.Media = keeper })
	body := export(span("aaaaaaaaaaaaaaaa", "with files", "langfuse.observation.input", `{"a":"`+hello+`"}`, "langfuse.observation.output",
		"see "+hello,
		"langfuse.observation.metadata.doc", hello, "langfuse.trace.input", hello),
		span("bbbbbbbbbbbbbbbb", "without", "langfuse.observation.input", "plain"))
	for range 2 { // workers are reused
		keeper.kept = nil
		if _, err := b.send(t, body, nil); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{
			"a text/plain hello 0af7 aaaaaaaaaaaaaaaa input", "a text/plain hello 0af7 aaaaaaaaaaaaaaaa output",
			"a text/plain hello 0af7 aaaaaaaaaaaaaaaa metadata", "a text/plain hello 0af7  input",
		}, keeper.kept); diff != "" {
			t.Error(diff)
		}
		row := b.stored()[0]
		if row.Input != `{"a":"`+helloReference+`"}` || row.Output != "see "+helloReference ||
			!strings.Contains(row.Metadata, `"doc":"`+helloReference+`"`) || row.TraceInput != helloReference {
			t.Errorf("stored %+v", row)
		}
		if b.stored()[1].Input != "plain" {
			t.Errorf("stored %+v", b.stored()[1])
		}
	}
}

// TestMediaThatCannotBeKept checks that rows are stored unchanged if their files cannot be stored.
func TestMediaThatCannotBeKept(t *testing.T) {
	b := newBench(t, func(o *Options) { o.Media = &fakeKeeper{err: errors.New("the disk is full")} })
	result, err := b.send(t, export(span("aaaaaaaaaaaaaaaa", "with a file", "langfuse.observation.input", "see "+hello)), nil)
	if err != nil || result.Spans != 1 || b.stored()[0].Input != "see "+hello {
		t.Errorf("%+v, %v, stored %+v", result, err, b.stored())
	}
	if !strings.Contains(b.log.String(), "the disk is full") {
		t.Errorf("log %s", b.log)
	}
}

func TestMediaOfAnExportAreBounded(t *testing.T) {
	keeper := new(fakeKeeper)
	b := newBench(t, func(o *Options) { o.Media = keeper })
	text := strings.TrimSpace(strings.Repeat(hello+" ", maxFiles+3))
	if _, err := b.send(t, export(span("aaaaaaaaaaaaaaaa", "many", "langfuse.observation.input", text)), nil); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(b.stored()[0].Input, hello); len(keeper.kept) != maxFiles || got != 3 {
		t.Errorf("%d are kept, %d stay", len(keeper.kept), got)
	}
}

// TestMediaStay checks that files are only extracted if the operator wants it.
func TestMediaStay(t *testing.T) {
	b := newBench(t, nil)
	if _, err := b.send(t, export(span("aaaaaaaaaaaaaaaa", "with a file", "langfuse.observation.input", hello)), nil); err != nil {
		t.Fatal(err)
	}
	if got := b.stored()[0].Input; got != hello {
		t.Errorf("stored %s", got)
	}
}
