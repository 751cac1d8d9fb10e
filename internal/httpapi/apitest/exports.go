package apitest

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/jobs"
	"almanac/internal/transfer/export"
)

const exportsPath = "/api/public/exports"

// Exported is an export as the API returns it.
type Exported struct {
	ID, State, FileName string
	Compressed          bool
	DownloadURL         *string
	Rows, Bytes         int64
	TotalRows           *int64
}

// Export requests an export of project a.
func (f *Fixture) Export(t *testing.T, body string) Exported {
	t.Helper()
	return Send[Exported](t, f, Scenario{Method: "POST", Path: exportsPath, Key: "project", Body: body})
}

// FinishExport runs exports until the given one is finished.
func (f *Fixture) FinishExport(t *testing.T, id string) {
	t.Helper()
	files := &export.Files{Catalog: f.Catalog, Store: f.Store, Blobs: f.Media.Library.Blobs}
	r := jobs.New(jobs.Options{Log: slog.New(slog.DiscardHandler)}, files.Kind())
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		r.Run(ctx)
	}()
	defer func() {
		stop()
		<-ended
	}()
	for {
		e, err := f.Catalog.Export(t.Context(), domain.OfProject("project-a"), id)
		if err != nil {
			t.Fatal(err)
		}
		if !e.Open() {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// MakeExport runs an export and returns it as the project's key sees it.
func (f *Fixture) MakeExport(t *testing.T, id string) Exported {
	t.Helper()
	f.FinishExport(t, id)
	return Send[Exported](t, f, Scenario{Path: exportsPath + "/" + id, Key: "project"})
}

// ExportRows returns observations whose texts are hard to write to files.
func ExportRows() []domain.Observation {
	return []domain.Observation{
		{TraceID: "t1", ID: "o1", StartTime: October, Type: "SPAN", Name: "=cmd()", Input: "hello, world", UserID: "u1"},
		{
			TraceID: "t1", ID: "o2", ParentID: "o1", StartTime: October + 1000, EndTime: October + 2_500_000, Type: "GENERATION",
			Name: "answer", TotalCost: domain.FloatOf(0.25), Tags: []string{"x"},
		},
	}
}
