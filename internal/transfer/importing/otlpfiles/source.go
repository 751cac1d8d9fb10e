// Package otlpfiles is an import source for OTLP trace files as written by the file exporter of the OpenTelemetry
// Collector. Spans are mapped to rows as if they had been sent to the server.
package otlpfiles

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"time"

	"almanac/internal/domain"
	"almanac/internal/ingest"
	"almanac/internal/transfer/importing"
)

// Source reads files. It is not safe for concurrent use.
type Source struct {
	files    []string
	identity string
	scope    domain.ProjectScope
	limit    int64
	pipeline *ingest.Pipeline
	rows     rows
	modified time.Time // of the current file
}

// Open returns a source that imports files into a project. The options say how spans are mapped to rows; the source
// overrides their table and clock. The rows of a file get its modification time, however often it is imported.
func Open(files []string, scope domain.ProjectScope, o ingest.Options) (*Source, error) {
	if o.MaxExport > MostMessage {
		return nil, fmt.Errorf("messages can have at most %d bytes", MostMessage)
	}
	s := &Source{files: files, scope: scope, limit: o.MaxExport}
	names := sha256.New()
	for _, file := range files {
		m, err := openMessages(file, s.limit)
		if err != nil {
			return nil, err
		}
		m.close()
		path, err := filepath.Abs(file)
		if err != nil {
			return nil, err
		}
		_, _ = fmt.Fprintf(names, "%d:%s", len(path), path)
	}
	s.identity = fmt.Sprintf("otlp %d files %x", len(files), names.Sum(nil))
	o.Table, o.Clock = &s.rows, func() time.Time { return s.modified }
	s.pipeline = ingest.New(o)
	return s, nil
}

// Identity identifies the files.
func (s *Source) Identity() string { return s.identity }

// Tables returns the only table.
func (s *Source) Tables(context.Context) ([]string, error) {
	return []string{importing.Observations}, nil
}

// place is a position in the files.
type place struct {
	File    int `json:"file"`
	Message int `json:"message"`
}

// Pages reads the files, one after the other.
func (s *Source) Pages(ctx context.Context, _, cursor string) iter.Seq2[*importing.Page, error] {
	return func(yield func(*importing.Page, error) bool) {
		var at place
		_ = json.Unmarshal([]byte(cursor), &at) // no cursor means the beginning
		for ; at.File < len(s.files); at = (place{File: at.File + 1}) {
			if !s.read(ctx, at, yield) {
				return
			}
		}
	}
}

// A page is sent once it reaches one of these sizes.
const (
	pageRows  = 1000
	pageBytes = 16 << 20
)

// read reads a file from after a message, and reports whether to continue.
func (s *Source) read(ctx context.Context, at place, yield func(*importing.Page, error) bool) bool {
	path := s.files[at.File]
	m, err := openMessages(path, s.limit)
	if err != nil {
		yield(nil, err)
		return false
	}
	defer m.close()
	s.modified = m.modified
	page, bytes := s.newPage(), 0
	send := func(message int) bool {
		text, _ := json.Marshal(place{at.File, message}) //nolint:errchkjson // two plain members
		page.Cursor = string(text)
		full := page
		page, bytes = s.newPage(), 0
		return yield(full, nil)
	}
	for number := 1; ; number++ {
		message, err := m.next(number <= at.Message)
		if errors.Is(err, io.EOF) {
			return number-1 <= at.Message || send(number-1) // unless there is nothing new
		}
		if number <= at.Message && err == nil {
			continue
		}
		where := fmt.Sprintf("%s, message %d", path, number)
		if errors.Is(err, errCut) {
			page.Skipped = append(page.Skipped, importing.Skip{Reason: "the file ends in the middle of the message", Example: where})
			return send(number)
		}
		if err == nil {
			err = s.take(ctx, message, where, page)
		}
		if err != nil { // keep what was read before
			if send(number - 1) {
				yield(nil, fmt.Errorf("%s: %w", where, err))
			}
			return false
		}
		for n := range s.rows {
			bytes += s.rows[n].TextBytes()
		}
		page.Observations, s.rows = append(page.Observations, s.rows...), nil
		if len(page.Observations)+len(page.Skipped) >= pageRows || bytes >= pageBytes {
			if !send(number) {
				return false
			}
		}
	}
}

func (s *Source) newPage() *importing.Page { return &importing.Page{ProjectID: s.scope.ProjectID()} }

// take maps a message to rows. Problems with the message are recorded on the page.
func (s *Source) take(ctx context.Context, message []byte, where string, page *importing.Page) error {
	if len(message) == 0 {
		return ctx.Err()
	}
	body := s.pipeline.NewBody(s.scope.ProjectID())
	defer body.Release()
	if err := body.Read(ctx, bytes.NewReader(message), int64(len(message)), s.limit); err != nil {
		return err
	}
	result, err := s.pipeline.Traces(ctx, s.scope, ingest.Request{
		Transport: "file", MayPublish: true, Source: ingest.SourceOf("", func(string) string { return "" }), Encoding: encodingOf(message),
		Body: body,
	})
	skip := func(reason, example string, count int) {
		page.Skipped = append(page.Skipped, importing.Skip{Reason: reason, Example: example, Count: int64(count)})
	}
	refused, ok := errors.AsType[*ingest.Error](err)
	switch {
	case ok && refused.Kind == ingest.Invalid:
		skip("the message cannot be used", where+": "+refused.Error(), 1)
	case err != nil:
		return err
	case result.Spans == 0 && result.Rejected == 0:
		skip("the message has no spans: only traces are imported", where, 1)
	case result.Rejected > 0:
		skip("the spans cannot be used", where+": "+result.Message, result.Rejected)
	}
	return nil
}

// rows collects the rows of a message.
type rows []domain.Observation

// Append stores copies, since the buffers of the originals are reused for the next message.
func (r *rows) Append(_ context.Context, _ domain.ProjectScope, made []domain.Observation) error {
	for n := range made {
		*r = append(*r, made[n].Clone())
	}
	return nil
}
