// Package langfuse provides import sources for Langfuse installations: the public API, the databases, and the files of
// scheduled exports.
package langfuse

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/domain"
	"almanac/internal/domain/wire"
	"almanac/internal/netguard"
	"almanac/internal/transfer/importing"
)

// Options configures access to the API.
type Options struct {
	URL               string
	PublicKey         string
	SecretKey         string
	RequestsPerMinute int       // 0 for no limit
	Version           int       // 3 or 4; 0 to query the source
	Since             time.Time // only rows that began at or after this time; zero for all
	// Into is the id of the project to import into; empty if it is the same as in the source.
	Into string
}

// Project is a project of the source.
type Project struct {
	ID       string          `json:"id"`
	Name     string          `json:"name"`
	Metadata json.RawMessage `json:"metadata"`
	// RetentionDays is nil if the source does not report it.
	RetentionDays *int `json:"retentionDays"`
	Organization  struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	} `json:"organization"`
}

// API is an import source that reads one project of an installation through its API.
type API struct {
	client  *client
	options Options
	project Project
	version int
	rows    rows
	pages   pageSize
	tables  []apiTable
	configs map[string]domain.ScoreConfig // loaded on demand
	runs    map[string]string             // target ids of runs by source id; loaded on demand
}

type apiTable struct {
	name string
	read reader
}

// reader reads a table from after a cursor.
type reader func(ctx context.Context, cursor string) iter.Seq2[*importing.Page, error]

// Open determines the project of the keys and the version of the source.
func Open(ctx context.Context, o Options) (*API, error) {
	base, err := url.Parse(strings.TrimRight(o.URL, "/"))
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, fmt.Errorf("%q is not the address of a server such as https://cloud.langfuse.com", o.URL)
	}
	c := &client{
		base: base.String(), publicKey: o.PublicKey, secretKey: o.SecretKey, http: netguard.TrustedClient(netguard.TrustedTransport(), 0),
		longest: maxAnswer, patience: filePatience, sleep: sleep,
	}
	if o.RequestsPerMinute > 0 {
		c.interval = time.Minute / time.Duration(o.RequestsPerMinute)
	}
	a := &API{client: c, options: o, version: o.Version, pages: newPageSize(maxRows)}
	var projects struct {
		Data []Project `json:"data"`
	}
	if err := c.get(ctx, "/api/public/projects", nil, &projects); err != nil {
		return nil, err
	}
	if len(projects.Data) != 1 {
		return nil, errors.New("these keys do not belong to a project: use the keys of a project")
	}
	a.project = projects.Data[0]
	if a.version == 0 {
		var health struct {
			Version string `json:"version"`
		}
		if err := c.get(ctx, "/api/public/health", nil, &health); err != nil {
			return nil, err
		}
		major, _, _ := strings.Cut(strings.TrimPrefix(health.Version, "v"), ".")
		if a.version, err = strconv.Atoi(major); err != nil || a.version < 3 {
			return nil,
				fmt.Errorf("the source has version %q: only versions 3 and 4 are supported; choose the API to use with --source-version",
					health.Version)
		}
	}
	a.list()
	return a, nil
}

// Project returns the project of the keys.
func (a *API) Project() Project { return a.project }

// Version returns the major version of the source.
func (a *API) Version() int { return a.version }

// into returns the id of the project to import into.
func (a *API) into() string {
	if a.options.Into != "" {
		return a.options.Into
	}
	return a.project.ID
}

// Identity identifies the address and the project.
func (a *API) Identity() string {
	identity := "langfuse api " + a.client.base + " project " + a.project.ID
	if !a.options.Since.IsZero() {
		identity += " since " + a.options.Since.UTC().Format(time.RFC3339)
	}
	return identity
}

// Tables returns the tables that the API provides.
func (a *API) Tables(context.Context) ([]string, error) {
	names := make([]string, len(a.tables))
	for n, t := range a.tables {
		names[n] = t.name
	}
	return names, nil
}

// Pages reads a table. A table that the source does not serve, or not with these keys, is empty and has a note.
func (a *API) Pages(ctx context.Context, table, cursor string) iter.Seq2[*importing.Page, error] {
	return func(yield func(*importing.Page, error) bool) {
		for _, t := range a.tables {
			if t.name != table {
				continue
			}
			first := true
			for page, err := range t.read(ctx, cursor) {
				if first && isStatus(err, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed) {
					page, err = &importing.Page{Note: "not imported: " + err.Error()}, nil
				}
				first = false
				if err == nil {
					page.ProjectID = a.project.ID
				}
				if !yield(page, err) || err != nil {
					return
				}
			}
		}
	}
}

func (a *API) list() {
	a.tables = []apiTable{
		{importing.ScoreConfigs, numbered(a, "/api/public/score-configs", nil, records((*wire.ScoreConfig).Domain))},
		{importing.Models, numbered(a, "/api/public/models", nil, modelsOf)},
		{importing.LLMConnections, numbered(a, "/api/public/llm-connections", nil, connectionsOf)},
		{importing.Prompts, a.prompts},
		{importing.Datasets, numbered(a, "/api/public/v2/datasets", nil, records((*wire.Dataset).Domain))},
		{importing.DatasetItems, numbered(a, "/api/public/dataset-items", nil, a.datasetItems)},
	}
	if a.version >= 4 {
		a.tables = append(a.tables,
			apiTable{importing.Observations, a.observations},
			apiTable{importing.Experiments, a.experimentItems()})
	} else {
		a.tables = append(a.tables,
			apiTable{importing.Traces, numbered(a, "/api/public/traces", a.since("fromTimestamp"), a.traceRecords)},
			apiTable{importing.Observations, numbered(a, "/api/public/observations", a.since("fromStartTime"), a.observationsV3)})
	}
	a.tables = append(a.tables,
		apiTable{importing.DatasetRuns, a.datasetRuns},
		apiTable{importing.DatasetRunItems, a.datasetRunItems},
		apiTable{importing.Scores, a.scores},
		apiTable{importing.AnnotationQueues, numbered(a, "/api/public/annotation-queues", nil, records((*wire.AnnotationQueue).Domain))},
		apiTable{importing.AnnotationItems, a.annotationItems},
		apiTable{importing.Comments, numbered(a, "/api/public/comments", nil, records((*wire.Comment).Domain))},
		apiTable{importing.Widgets, numbered(a, "/api/public/unstable/dashboard-widgets", nil, records((*wire.Widget).Domain))},
		apiTable{importing.Dashboards, numbered(a, "/api/public/unstable/dashboards", nil, records((*wire.Dashboard).Domain))},
		apiTable{importing.Evaluators, a.evaluators},
		apiTable{importing.EvaluationRules, byCursor(a, "/api/public/v2/evaluation-rules", nil, records(ruleOf))})
}

// since bounds a list by time. Lists are newest first: rows that arrive while a list is read shift the rest, so that
// some rows are read twice and none is missed.
func (a *API) since(parameter string) url.Values {
	if a.options.Since.IsZero() {
		return nil
	}
	return url.Values{parameter: {a.options.Since.UTC().Format(time.RFC3339)}}
}

// listed is the number of records per page of a list.
const listed = 100

// numbered reads a list with numbered pages. If a page is too large, it reads smaller ones: a tenth of it, then single
// records. The cursor is the number of records read.
func numbered[T any](a *API, path string, query url.Values, read func(context.Context, []T) (*importing.Page, error)) reader {
	return func(ctx context.Context, cursor string) iter.Seq2[*importing.Page, error] {
		return func(yield func(*importing.Page, error) bool) {
			at, _ := strconv.Atoi(cursor)
			for size := listed; ; size = listed {
				for at%size != 0 { // within a page that was too large
					size /= 10
				}
				page, last, err := numberedPage(ctx, a, path, query, at/size+1, size, read)
				for errors.Is(err, errTooLarge) && size > 1 {
					size /= 10
					page, last, err = numberedPage(ctx, a, path, query, at/size+1, size, read)
				}
				if err == nil {
					at += size
					page.Cursor = strconv.Itoa(at)
				}
				if !yield(page, err) || err != nil || last {
					return
				}
			}
		}
	}
}

// numberedPage reads a page of a list. It does not set the page's cursor.
func numberedPage[T any](
	ctx context.Context, a *API, path string, query url.Values, n, size int, read func(context.Context, []T) (*importing.Page, error),
) (page *importing.Page, last bool, err error) {
	var answer struct {
		Data []T `json:"data"`
		Meta struct {
			TotalPages int `json:"totalPages"`
		} `json:"meta"`
	}
	q := url.Values{"page": {strconv.Itoa(n)}, "limit": {strconv.Itoa(size)}}
	maps.Copy(q, query)
	if err := a.client.get(ctx, path, q, &answer); err != nil {
		return nil, true, err
	}
	if page, err = read(ctx, answer.Data); err != nil {
		return nil, true, err
	}
	return page, n >= answer.Meta.TotalPages || len(answer.Data) == 0, nil
}

// byCursor reads a list with cursor pagination.
func byCursor[T any](a *API, path string, query url.Values, read func(context.Context, []T) (*importing.Page, error)) reader {
	return func(ctx context.Context, cursor string) iter.Seq2[*importing.Page, error] {
		return func(yield func(*importing.Page, error) bool) {
			for cursor != atEnd {
				q := url.Values{"limit": {strconv.Itoa(listed)}}
				if cursor != "" {
					q.Set("cursor", cursor)
				}
				maps.Copy(q, query)
				var answer cursorAnswer[T]
				if err := a.client.get(ctx, path, q, &answer); err != nil {
					yield(nil, err)
					return
				}
				page, err := read(ctx, answer.Data)
				if err != nil {
					yield(nil, err)
					return
				}
				cursor = answer.next()
				page.Cursor = cursor
				if !yield(page, nil) || cursor == atEnd {
					return
				}
			}
		}
	}
}

// cursorAnswer is a page of a list with cursor pagination.
type cursorAnswer[T any] struct {
	Data []T `json:"data"`
	Meta struct {
		Cursor     string `json:"cursor"`
		NextCursor string `json:"nextCursor"`
	} `json:"meta"`
}

func (c *cursorAnswer[T]) next() string {
	return cmp.Or(c.Meta.Cursor, c.Meta.NextCursor, atEnd)
}

// atEnd is the cursor after the last page of a list.
const atEnd = "end"

// all reads a whole list.
func all[T any](ctx context.Context, a *API, path string) (list []T, err error) {
	read := numbered(a, path, nil, func(_ context.Context, some []T) (*importing.Page, error) {
		list = append(list, some...)
		return new(importing.Page), nil
	})
	for _, err := range read(ctx, "") {
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// records returns a function that converts each row to a catalog record.
func records[T, R any](of func(*T) R) func(context.Context, []T) (*importing.Page, error) {
	return func(_ context.Context, rows []T) (*importing.Page, error) {
		page := new(importing.Page)
		for n := range rows {
			page.Records = append(page.Records, of(&rows[n]))
		}
		return page, nil
	}
}

// place is a position in a list of lists: which list, and the cursor within it.
type place struct {
	Of string `json:"of"`
	At string `json:"at"`
}

// nested reads a list for each of several parents, starting from a cursor.
func nested[T any](
	ctx context.Context, a *API, cursor string, of []string, path func(of string) (string, url.Values),
	read func(of string, rows []T) (*importing.Page, error),
) iter.Seq2[*importing.Page, error] {
	return func(yield func(*importing.Page, error) bool) {
		var at place
		_ = json.Unmarshal([]byte(cursor), &at) // no cursor means the beginning
		first := slices.Index(of, at.Of)
		if first < 0 { // also if it no longer exists
			first, at.At = 0, ""
		}
		for _, id := range of[first:] {
			where, query := path(id)
			list := numbered(a, where, query, func(_ context.Context, rows []T) (*importing.Page, error) { return read(id, rows) })
			for page, err := range list(ctx, at.At) {
				if err == nil {
					text, _ := json.Marshal(place{id, page.Cursor}) //nolint:errchkjson // two plain members
					page.Cursor = string(text)
				}
				if !yield(page, err) || err != nil {
					return
				}
			}
			at.At = ""
		}
	}
}
