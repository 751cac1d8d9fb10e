package ui

import (
	"cmp"
	"strconv"
	"unicode/utf8"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/jsontext"
)

type treeTraceBody struct {
	Name        *string      `json:"name"`
	UserID      *string      `json:"userId"`
	SessionID   *string      `json:"sessionId"`
	Tags        []string     `json:"tags"`
	Environment string       `json:"environment"`
	Release     *string      `json:"release"`
	Version     *string      `json:"version"`
	Public      bool         `json:"public"`
	Bookmarked  bool         `json:"bookmarked"`
	StartTime   respond.Time `json:"startTime"`
	Latency     float64      `json:"latency"`
	TotalCost   float64      `json:"totalCost"`
	TotalTokens int64        `json:"totalTokens"`
	Errors      int          `json:"errors"`
}

func newTreeTraceBody(t *domain.TraceSummary) treeTraceBody {
	return treeTraceBody{
		Name: textOrNil(t.Name), UserID: textOrNil(t.UserID), SessionID: textOrNil(t.SessionID), Tags: domain.NotNil(t.Tags),
		Environment: cmp.Or(t.Environment, "default"),
		Release:     textOrNil(t.Release), Version: textOrNil(t.Version), Public: t.Public, Bookmarked: t.Bookmarked,
		StartTime: respond.Time(t.Timestamp.Time()),
		Latency:   float64(t.LatencyMillis) / 1000, TotalCost: t.TotalCost, TotalTokens: t.TotalTokens, Errors: t.ErrorCount,
	}
}

// TraceRequest is a request to read a trace.
type TraceRequest struct {
	traceID, text string
	invalid       error // reported to those who may read the trace
}

// Opened returns the trace.
func (q TraceRequest) Opened() (objectType, id string) { return domain.ObjectTrace, q.traceID }

// InTrace returns the id of the trace.
func (q TraceRequest) InTrace() string { return q.traceID }

// ReadTree reads a request for a trace in columnar form.
func ReadTree(c *endpoint.Call) (TraceRequest, error) {
	return TraceRequest{traceID: c.Path("traceId")}, nil
}

// GetTree returns a trace in columnar form.
func (h *Handlers) GetTree(c *endpoint.Call, scope domain.ProjectScope, q TraceRequest) (any, error) {
	t, err := h.explorer(scope).Tree(c.Context(), q.traceID)
	if err != nil {
		return nil, err
	}
	if t == nil {
		return nil, respond.NotFound("There is no such trace in this project")
	}
	comments := map[string]int{}
	if c.Person() == nil { // a visitor: the trace is published, its scores and comments are not
		clear(t.Scores)
	} else if comments, err = h.commentCounts(c.Context(), scope); err != nil {
		return nil, err
	}
	head, err := respond.Marshal(newTreeTraceBody(t.Trace))
	if err != nil {
		return nil, err
	}
	return c.Stream(func(p *endpoint.StreamWriter, dst []byte) ([]byte, error) {
		w := &treeWriter{dst: dst, pieces: p}
		w.name(`{"traceId":`).text(t.Trace.ID).name(`,"trace":`).raw(head).name(`,"total":`).int(int64(len(t.ID)))
		w.name(`,"dictionary":{"names":`).texts(t.Names.Texts).name(`,"types":`).texts(t.Types.Texts)
		w.name(`,"levels":`).texts(t.Levels.Texts).name(`,"models":`).texts(t.Models.Texts)
		w.name(`},"columns":{"id":`).texts(t.ID).name(`,"parent":`)
		ints(w, t.Parent)
		w.name(`,"start":`)
		ints(w, t.Start)
		w.name(`,"end":`)
		ints(w, t.End)
		for _, column := range []struct {
			name   string
			values []int
		}{{`,"name":`, t.Name}, {`,"type":`, t.Type}, {`,"level":`, t.Level}, {`,"model":`, t.Model}, {`,"scores":`, t.Scores}} {
			w.name(column.name)
			ints(w, column.values)
		}
		w.name(`,"inputTokens":`)
		ints(w, t.InputTokens)
		w.name(`,"outputTokens":`)
		ints(w, t.OutputTokens)
		w.name(`,"cost":`).list(len(t.Cost), func(dst []byte, n int) []byte {
			if !t.Cost[n].Set {
				return append(dst, "null"...)
			}
			return jsontext.AppendNumber(dst, t.Cost[n].Value)
		})
		w.name(`,"comments":`).list(len(t.ID), func(dst []byte, n int) []byte {
			return strconv.AppendInt(dst, int64(comments[t.ID[n]]), 10)
		})
		return w.name(`}}`).dst, nil
	})
}

// treeWriter appends parts of a tree, flushing as it goes.
type treeWriter struct {
	dst    []byte
	pieces *endpoint.StreamWriter
}

func (w *treeWriter) name(text string) *treeWriter {
	w.dst = append(w.dst, text...)
	return w
}

func (w *treeWriter) raw(json []byte) *treeWriter {
	w.dst = endpoint.AppendParts(w.dst, json, w.pieces.Flush)
	return w
}

func (w *treeWriter) text(text string) *treeWriter {
	w.dst = jsontext.AppendString(w.dst, text)
	return w
}

func (w *treeWriter) int(n int64) *treeWriter {
	w.dst = strconv.AppendInt(w.dst, n, 10)
	return w
}

// list appends a list of count items.
func (w *treeWriter) list(count int, item func(dst []byte, n int) []byte) *treeWriter {
	w.dst = append(w.dst, '[')
	for n := range count {
		if n > 0 {
			w.dst = append(w.dst, ',')
		}
		w.dst = item(w.dst, n)
		if n%256 == 0 {
			if w.dst = w.pieces.Flush(w.dst); w.pieces.Failed() {
				return w
			}
		}
	}
	w.dst = append(w.dst, ']')
	return w
}

func (w *treeWriter) texts(texts []string) *treeWriter {
	return w.list(len(texts), func(dst []byte, n int) []byte { return jsontext.AppendString(dst, texts[n]) })
}

func ints[N int | int64](w *treeWriter, numbers []N) {
	w.list(len(numbers), func(dst []byte, n int) []byte { return strconv.AppendInt(dst, int64(numbers[n]), 10) })
}

// ReadFind reads a search in a trace.
func ReadFind(c *endpoint.Call) (TraceRequest, error) {
	q := c.Query()
	text := q.RequiredString("q")
	switch length := utf8.RuneCountInString(text); {
	case length > maxFind:
		q.Add(decode.TooLong([]any{"q"}, "string", maxFind))
	case text == "" && q.Err() == nil:
		q.Add(decode.TooShort([]any{"q"}, "string", 1))
	}
	return TraceRequest{c.Path("traceId"), text, q.Err()}, nil
}

// FindInTrace searches the contents of a trace for a string.
func (h *Handlers) FindInTrace(c *endpoint.Call, scope domain.ProjectScope, q TraceRequest) (any, error) {
	if q.invalid != nil {
		return nil, q.invalid
	}
	hits, found, err := h.explorer(scope).Find(c.Context(), q.traceID, q.text)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, respond.NotFound("There is no such trace in this project")
	}
	return hits, nil
}
