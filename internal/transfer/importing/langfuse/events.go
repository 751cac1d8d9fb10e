package langfuse

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"almanac/internal/domain"
	"almanac/internal/domain/wire"
	"almanac/internal/transfer/importing"
)

const (
	// maxRows is the maximum number of observations per page.
	maxRows = 1000
	// wantedBytes is the approximate target size of the texts on a page, in bytes.
	wantedBytes = 8 << 20
	// cutAt is the number of characters to which the source truncates metadata values unless their key is requested.
	cutAt = 200
	// maxKeys is the maximum number of keys in a request.
	maxKeys = 250
)

// pageSize is the number of rows to request at a time. It shrinks if they are long, and grows again later.
type pageSize struct{ most, now int }

func newPageSize(most int) pageSize { return pageSize{most, most} }

// shrink reduces the page size, and reports whether that was possible.
func (p *pageSize) shrink() bool {
	if p.now == 1 {
		return false
	}
	p.now = max(1, p.now/4)
	return true
}

// fit shrinks the page size for the next request if the texts of these rows are long, since several pages are in
// memory, and grows it otherwise.
func (p *pageSize) fit(rows []observationRow) {
	length := 0
	for n := range rows {
		length += len(rows[n].Input) + len(rows[n].Output) + len(rows[n].Metadata)
	}
	switch {
	case length > 2*wantedBytes:
		p.now = max(1, p.now/2)
	case length < wantedBytes:
		p.now = min(p.most, 2*p.now)
	}
}

// observations reads observations of version 4, newest first.
func (a *API) observations(ctx context.Context, cursor string) iter.Seq2[*importing.Page, error] {
	return func(yield func(*importing.Page, error) bool) {
		var whole wholeMetadata
		for cursor != atEnd {
			answer, note, err := a.observationPage(ctx, cursor, &whole)
			if err != nil {
				yield(nil, err)
				return
			}
			page := &importing.Page{Note: note, Observations: make([]domain.Observation, 0, len(answer.Data))}
			a.rows.begin()
			for n := range answer.Data {
				a.addObservation(page, &answer.Data[n])
			}
			cursor = answer.next()
			page.Cursor = cursor
			a.pages.fit(answer.Data)
			if !yield(page, nil) {
				return
			}
		}
	}
}

// addObservation adds a row to a page, with the files that it refers to.
func (a *API) addObservation(page *importing.Page, o *observationRow) {
	row := a.rows.observation(o)
	switch {
	case row.ID == "" || row.TraceID == "":
		page.Skipped = append(page.Skipped, importing.Skip{Reason: "it has no id or no trace", Example: row.ID})
		return
	case row.StartTime == 0:
		page.Skipped = append(page.Skipped, importing.Skip{Reason: "it has no start time", Example: row.ID})
		return
	}
	link := domain.MediumLink{TraceID: row.TraceID, ObservationID: row.ID}
	if row.IsTraceRecord() {
		link.ObservationID = ""
	}
	page.Files = a.filesOf(page.Files, link, row.Input, row.Output, row.Metadata)
	page.Observations = append(page.Observations, row)
}

// observationPage reads a page with full metadata, and with as many rows as fit in a response.
func (a *API) observationPage(ctx context.Context, cursor string, whole *wholeMetadata) (*cursorAnswer[observationRow], string, error) {
	for {
		q := url.Values{
			"fields": {"core,basic,time,io,metadata,model,usage,prompt,trace_context"}, "limit": {strconv.Itoa(a.pages.now)},
		}
		if cursor != "" {
			q.Set("cursor", cursor)
		}
		if !a.options.Since.IsZero() {
			q.Set("fromStartTime", a.options.Since.UTC().Format(time.RFC3339))
		}
		if len(whole.keys) > 0 {
			q.Set("expandMetadata", strings.Join(whole.keys, ","))
		}
		answer := new(cursorAnswer[observationRow])
		err := a.client.get(ctx, "/api/public/v2/observations", q, answer)
		if errors.Is(err, errTooLarge) && a.pages.shrink() {
			continue
		}
		if err != nil {
			return nil, "", err
		}
		again, tooMany := whole.look(answer.Data)
		switch {
		case tooMany && a.pages.shrink(), again && !tooMany:
			continue
		case tooMany:
			return answer, "metadata values may be truncated to 200 characters in rows with more than 250 long values", nil
		}
		return answer, "", nil
	}
}

// wholeMetadata tracks which metadata keys must be requested to get their values in full.
type wholeMetadata struct {
	keys []string
	// shown means that the source returns full values without being asked.
	shown bool
}

// look reports whether rows must be read again because values in them were truncated, or whether there are too many
// long values for that.
func (w *wholeMetadata) look(rows []observationRow) (again, tooMany bool) {
	if w.shown {
		return false, false
	}
	var needed []string // keys of long values, whether they were requested or not
	for n := range rows {
		if len(rows[n].Metadata) <= cutAt {
			continue
		}
		var members map[string]json.RawMessage
		if json.Unmarshal(rows[n].Metadata, &members) != nil {
			continue
		}
		for key, value := range members {
			if len(value) <= cutAt || slices.Contains(needed, key) || strings.Contains(key, ",") {
				continue
			}
			named := slices.Contains(w.keys, key)
			switch characters := utf8.RuneCountInString(unquoted(value)); {
			case characters < cutAt:
			case characters > cutAt && !named:
				w.shown = true
				return false, false
			default:
				needed, again = append(needed, key), again || !named
			}
		}
	}
	if !again || len(needed) > maxKeys {
		return false, again
	}
	// Keys of earlier pages may be dropped, but never those of this one, which would then be read again forever.
	earlier := slices.DeleteFunc(w.keys, func(key string) bool { return slices.Contains(needed, key) })
	w.keys = slices.Concat(earlier[max(0, len(earlier)+len(needed)-maxKeys):], needed)
	return true, false
}

// observationsV3 reads observations of version 3, which lack the fields of their traces.
func (a *API) observationsV3(_ context.Context, rows []observationRow) (*importing.Page, error) {
	page := &importing.Page{InheritTrace: true, Observations: make([]domain.Observation, 0, len(rows))}
	a.rows.begin()
	for n := range rows {
		a.addObservation(page, &rows[n])
	}
	for n := range page.Observations {
		page.Observations[n].Source = domain.SourceIngestion
	}
	return page, nil
}

// traceRow is a trace of version 3.
type traceRow struct {
	ID          string          `json:"id"`
	Timestamp   Timestamp       `json:"timestamp"`
	Name        string          `json:"name"`
	UserID      string          `json:"userId"`
	SessionID   string          `json:"sessionId"`
	Release     string          `json:"release"`
	Version     string          `json:"version"`
	Environment string          `json:"environment"`
	Tags        []string        `json:"tags"`
	Public      bool            `json:"public"`
	Bookmarked  bool            `json:"bookmarked"`
	Input       json.RawMessage `json:"input"`
	Output      json.RawMessage `json:"output"`
	Metadata    json.RawMessage `json:"metadata"`
	CreatedAt   Timestamp       `json:"createdAt"`
	UpdatedAt   Timestamp       `json:"updatedAt"`
}

func (r *rows) trace(t *traceRow) domain.Observation {
	return importing.TraceRecord(new(r.summary(t)))
}

func (r *rows) summary(t *traceRow) domain.TraceSummary {
	tags := slices.Clone(t.Tags)
	slices.Sort(tags)
	return domain.TraceSummary{
		ID: t.ID, Name: t.Name, Environment: t.Environment, Version: t.Version, Release: t.Release, UserID: t.UserID,
		SessionID: t.SessionID,
		Tags:      slices.Compact(tags), Public: t.Public, Bookmarked: t.Bookmarked,
		Timestamp: t.Timestamp.micros(), CreatedAt: t.CreatedAt.micros(), UpdatedAt: t.UpdatedAt.micros(),
		Input: r.text(t.Input), Output: r.text(t.Output), Metadata: r.metadata(t.Metadata),
	}
}

// traceRecords reads traces of version 3.
func (a *API) traceRecords(_ context.Context, traces []traceRow) (*importing.Page, error) {
	page := new(importing.Page)
	a.rows.begin()
	for n := range traces {
		if traces[n].ID == "" || traces[n].Timestamp == 0 {
			page.Skipped = append(page.Skipped, importing.Skip{Reason: "it has no id or no time", Example: traces[n].ID})
			continue
		}
		row := a.rows.trace(&traces[n])
		page.Files = a.filesOf(page.Files, domain.MediumLink{TraceID: row.TraceID}, row.Input, row.Output, row.Metadata)
		page.Observations = append(page.Observations, row)
	}
	return page, nil
}

// experimentRow is an experiment item.
type experimentRow struct {
	ID                 string          `json:"id"`
	TraceID            string          `json:"traceId"`
	ExperimentID       string          `json:"experimentId"`
	ExperimentName     string          `json:"experimentName"`
	ItemID             string          `json:"experimentItemId"`
	DatasetID          string          `json:"experimentDatasetId"`
	ItemVersion        string          `json:"experimentItemVersion"`
	ExpectedOutput     string          `json:"expectedOutput"`
	ItemMetadata       json.RawMessage `json:"experimentItemMetadata"`
	ExperimentMetadata json.RawMessage `json:"experimentMetadata"`
	Description        string          `json:"experimentDescription"`
}

// experimentItems returns what reads which spans belong to experiment items.
func (a *API) experimentItems() reader {
	query := url.Values{
		"fields":        {"core,dataset,io,itemMetadata,experimentMetadata"},
		"fromStartTime": {time.Unix(0, 0).UTC().Format(time.RFC3339)}, // required
	}
	maps.Copy(query, a.since("fromStartTime"))
	return byCursor(a, "/api/public/experiment-items", query, func(_ context.Context, rows []experimentRow) (*importing.Page, error) {
		page := new(importing.Page)
		for _, e := range rows {
			page.Experiments = append(page.Experiments, importing.ExperimentItem{
				TraceID: e.TraceID, RootSpanID: e.ID, ID: e.ExperimentID, Name: e.ExperimentName, Description: e.Description,
				DatasetID: e.DatasetID, Metadata: rawText(e.ExperimentMetadata), ItemID: e.ItemID, ItemVersion: e.ItemVersion,
				ItemExpectedOutput: e.ExpectedOutput, ItemMetadata: rawText(e.ItemMetadata),
			})
		}
		return page, nil
	})
}

// scores reads scores: by cursor in version 4, by page number in version 3.
func (a *API) scores(ctx context.Context, cursor string) iter.Seq2[*importing.Page, error] {
	return func(yield func(*importing.Page, error) bool) {
		if err := a.loadConfigs(ctx); err != nil {
			yield(nil, err)
			return
		}
		if err := a.loadRuns(ctx); err != nil {
			yield(nil, err)
			return
		}
		read := numbered(a, "/api/public/v2/scores", a.since("fromTimestamp"), a.scorePage)
		if a.version >= 4 {
			query := url.Values{"fields": {"core,details,subject,annotation"}}
			maps.Copy(query, a.since("fromTimestamp"))
			read = byCursor(a, "/api/public/v3/scores", query, a.scorePage)
		}
		for page, err := range read(ctx, cursor) {
			if !yield(page, err) || err != nil {
				return
			}
		}
	}
}

func (a *API) scorePage(_ context.Context, rows []scoreRow) (*importing.Page, error) {
	page := new(importing.Page)
	for n := range rows {
		row, reason := rows[n].score(a.configs)
		if reason != "" {
			page.Skipped = append(page.Skipped, importing.Skip{Reason: reason, Example: row.ID})
			continue
		}
		if id, known := a.runs[row.ExperimentID]; known {
			row.ExperimentID = id
		}
		page.Scores = append(page.Scores, row)
	}
	return page, nil
}

// loadConfigs loads score configs, which define the numbers of categories.
func (a *API) loadConfigs(ctx context.Context) error {
	if a.configs != nil {
		return nil
	}
	configs, err := all[wire.ScoreConfig](ctx, a, "/api/public/score-configs")
	if err != nil {
		return err
	}
	a.configs = make(map[string]domain.ScoreConfig, len(configs))
	for n := range configs {
		a.configs[configs[n].ID] = configs[n].Domain()
	}
	return nil
}
