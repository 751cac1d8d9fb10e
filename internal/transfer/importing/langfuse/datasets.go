package langfuse

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"almanac/internal/domain"
	"almanac/internal/domain/wire"
	"almanac/internal/query/prompts"
	"almanac/internal/transfer/importing"
)

// datasetItems reads items in their current state: the API does not tell when earlier versions existed.
func (a *API) datasetItems(_ context.Context, rows []wire.Item) (*importing.Page, error) {
	page := new(importing.Page)
	for _, i := range rows {
		page.Records = append(page.Records, i.Domain(i.UpdatedAt))
		link := domain.MediumLink{DatasetID: i.DatasetID, DatasetItemID: i.ID}
		page.Files = a.filesOf(page.Files, link, string(i.Input), "", string(i.Metadata))
		link.Field = domain.FieldExpectedOutput
		page.Files = a.addFiles(page.Files, link, string(i.ExpectedOutput))
	}
	return page, nil
}

func runsPath(dataset string) (string, url.Values) {
	return "/api/public/datasets/" + url.PathEscape(dataset) + "/runs", nil
}

// datasetRuns reads the runs of all datasets.
func (a *API) datasetRuns(ctx context.Context, cursor string) iter.Seq2[*importing.Page, error] {
	return func(yield func(*importing.Page, error) bool) {
		datasets, err := all[wire.Dataset](ctx, a, "/api/public/v2/datasets")
		if err != nil {
			yield(nil, err)
			return
		}
		var names []string
		for _, d := range datasets {
			names = append(names, d.Name)
		}
		nested(ctx, a, cursor, names, runsPath, func(_ string, rows []wire.Run) (*importing.Page, error) {
			page := new(importing.Page)
			for _, r := range rows {
				page.Records = append(page.Records, r.Domain(a.into()))
			}
			return page, nil
		})(yield)
	}
}

// allRuns returns the runs of all datasets, or those so far if the source does not serve them.
func (a *API) allRuns(ctx context.Context) (list []wire.Run, err error) {
	datasets, err := all[wire.Dataset](ctx, a, "/api/public/v2/datasets")
	if err != nil {
		return nil, err
	}
	for _, d := range datasets {
		path, _ := runsPath(d.Name)
		runs, err := all[wire.Run](ctx, a, path)
		if isStatus(err, http.StatusNotFound, http.StatusForbidden) {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		for n := range runs {
			runs[n].DatasetID = d.ID
		}
		list = append(list, runs...)
	}
	return list, nil
}

// loadRuns determines which runs have other ids in the target, since scores refer to them.
func (a *API) loadRuns(ctx context.Context) error {
	if a.runs != nil {
		return nil
	}
	runs, err := a.allRuns(ctx)
	if err != nil {
		return err
	}
	a.runs = make(map[string]string)
	for _, r := range runs {
		if id := r.IDIn(a.into()); id != r.ID {
			a.runs[r.ID] = id
		}
	}
	return nil
}

// datasetRunItems reads the items of all runs.
func (a *API) datasetRunItems(ctx context.Context, cursor string) iter.Seq2[*importing.Page, error] {
	return func(yield func(*importing.Page, error) bool) {
		runs, err := a.allRuns(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		var ids []string
		byID := make(map[string]wire.Run)
		for _, r := range runs {
			id := r.IDIn(a.into())
			ids, byID[id] = append(ids, id), r
		}
		path := func(id string) (string, url.Values) {
			return "/api/public/dataset-run-items", url.Values{"datasetId": {byID[id].DatasetID}, "runName": {byID[id].Name}}
		}
		nested(ctx, a, cursor, ids, path, func(id string, rows []wire.RunItem) (*importing.Page, error) {
			page := new(importing.Page)
			for _, r := range rows {
				page.Records = append(page.Records, r.Domain(id, byID[id].Name))
			}
			return page, nil
		})(yield)
	}
}

// annotationItems reads the items of all annotation queues.
func (a *API) annotationItems(ctx context.Context, cursor string) iter.Seq2[*importing.Page, error] {
	return func(yield func(*importing.Page, error) bool) {
		queues, err := all[wire.AnnotationQueue](ctx, a, "/api/public/annotation-queues")
		if err != nil {
			yield(nil, err)
			return
		}
		var ids []string
		for _, q := range queues {
			ids = append(ids, q.ID)
		}
		path := func(id string) (string, url.Values) {
			return "/api/public/annotation-queues/" + url.PathEscape(id) + "/items", nil
		}
		read := records((*wire.AnnotationItem).Domain)
		nested(ctx, a, cursor, ids, path, func(_ string, rows []wire.AnnotationItem) (*importing.Page, error) {
			return read(ctx, rows)
		})(yield)
	}
}

type promptNames struct {
	Name     string `json:"name"`
	Versions []int  `json:"versions"`
}

type promptRow struct {
	ID            string          `json:"id"`
	Name          string          `json:"name"`
	Version       int             `json:"version"`
	Type          string          `json:"type"`
	Prompt        json.RawMessage `json:"prompt"`
	Config        json.RawMessage `json:"config"`
	Labels        []string        `json:"labels"`
	Tags          []string        `json:"tags"`
	CommitMessage *string         `json:"commitMessage"`
	CreatedBy     string          `json:"createdBy"`
	CreatedAt     Timestamp       `json:"createdAt"`
	UpdatedAt     Timestamp       `json:"updatedAt"`
}

// prompts reads all versions of all prompts, one name per page, so that labels never point to a missing version.
func (a *API) prompts(ctx context.Context, cursor string) iter.Seq2[*importing.Page, error] {
	return func(yield func(*importing.Page, error) bool) {
		names, err := all[promptNames](ctx, a, "/api/public/v2/prompts")
		if err != nil {
			yield(nil, err)
			return
		}
		// By name, so that concurrent changes do not shift the others.
		slices.SortFunc(names, func(x, y promptNames) int { return strings.Compare(x.Name, y.Name) })
		for _, n := range names {
			if cursor != "" && n.Name <= cursor[len("behind "):] {
				continue
			}
			page, err := a.versionsOf(ctx, n)
			if err == nil {
				page.Cursor = "behind " + n.Name
			}
			if !yield(page, err) || err != nil {
				return
			}
		}
	}
}

// fetches is the number of concurrent requests where each record needs its own.
const fetches = 4

func (a *API) versionsOf(ctx context.Context, n promptNames) (*importing.Page, error) {
	slices.Sort(n.Versions)
	versions := make([]*promptRow, len(n.Versions))
	group, inGroup := errgroup.WithContext(ctx)
	group.SetLimit(fetches)
	for i, version := range n.Versions {
		group.Go(func() error {
			row := new(promptRow)
			err := a.client.get(inGroup, "/api/public/v2/prompts/"+url.PathEscape(n.Name), url.Values{
				"version": {strconv.Itoa(version)}, "resolve": {"false"},
			}, row)
			if isStatus(err, http.StatusNotFound) { // deleted meanwhile
				return nil
			}
			versions[i] = row
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	page := new(importing.Page)
	for _, row := range versions {
		if row == nil {
			continue
		}
		p, err := row.prompt()
		if err != nil {
			page.Skipped = append(page.Skipped, importing.Skip{
				Reason: err.Error(), Example: row.Name + " version " + strconv.Itoa(row.Version),
			})
			continue
		}
		page.Records = append(page.Records, p)
	}
	return page, nil
}

var errPromptContent = errors.New("its content is neither a string nor a list of messages")

func (r *promptRow) prompt() (domain.Prompt, error) {
	p := domain.Prompt{
		ID: r.ID, Name: r.Name, Version: r.Version, Type: r.Type, Config: wire.OptionalRaw(r.Config), Labels: r.Labels, Tags: r.Tags,
		CommitMessage: r.CommitMessage, CreatedBy: r.CreatedBy, CreatedAt: r.CreatedAt.Time(), UpdatedAt: r.UpdatedAt.Time(),
	}
	if p.Config == nil {
		p.Config = json.RawMessage("{}")
	}
	switch r.Type {
	case domain.PromptText:
		if json.Unmarshal(r.Prompt, &p.Text) != nil {
			return p, errPromptContent
		}
	case domain.PromptChat:
		var messages []struct {
			Type    string          `json:"type"`
			Name    string          `json:"name"`
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		}
		if json.Unmarshal(r.Prompt, &messages) != nil {
			return p, errPromptContent
		}
		for _, m := range messages {
			if m.Type == "placeholder" {
				p.Messages = append(p.Messages, domain.PromptMessage{Placeholder: m.Name})
				continue
			}
			p.Messages = append(p.Messages, domain.PromptMessage{Role: m.Role, Content: rawText(m.Content)})
		}
	default:
		return p, fmt.Errorf("its type is %q", r.Type)
	}
	p.References = prompts.References(p)
	return p, nil
}
