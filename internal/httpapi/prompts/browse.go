package prompts

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"almanac/internal/catalog/prompts"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// The limits of lists for the web application.
const (
	defaultHeads  = 50
	maxHeads      = 100
	maxFolders    = 1000
	maxSearch     = 1000 // characters
	maxListCursor = 8 << 10
)

type folderBody struct {
	Name     string       `json:"name"`
	Prompts  int          `json:"prompts"`
	LatestAt respond.Time `json:"latestAt"`
}

type latestBody struct {
	Version   int          `json:"version"`
	CreatedAt respond.Time `json:"createdAt"`
	CreatedBy authorBody   `json:"createdBy"`
}

type headBody struct {
	Name   string         `json:"name"`
	Type   string         `json:"type"`
	Latest latestBody     `json:"latest"`
	Labels map[string]int `json:"labels"`
	Tags   []string       `json:"tags"`
}

type headsBody struct {
	Folders     []folderBody `json:"folders"`
	MoreFolders bool         `json:"moreFolders"`
	Prompts     []headBody   `json:"prompts"`
	Cursor      *string      `json:"cursor"`
	Total       int          `json:"total"`
}

// headOrder is the order of a list of prompts.
type headOrder struct {
	byTime, descending bool
}

func (o headOrder) compare(a, b *prompts.PromptHead) int {
	order := 0
	if o.byTime {
		order = a.CreatedAt.Compare(b.CreatedAt)
	}
	if order == 0 {
		order = cmp.Or(strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), strings.Compare(a.Name, b.Name))
	}
	if o.descending {
		return -order
	}
	return order
}

// headPlace is the prompt at which a page ended.
type headPlace struct {
	Name string `json:"n"`
	At   int64  `json:"at"`
}

type headsQuery struct {
	filter prompts.HeadFilter
	order  headOrder
	after  *prompts.PromptHead
	limit  int
}

func readHeadsQuery(c *endpoint.Call) (headsQuery, error) {
	b := c.Body().Object()
	text := func(name string) string {
		return decode.NullishOr(b.Field(name), func(v decode.Value) string { return v.TextLen(0, maxSearch) }, "")
	}
	q := headsQuery{filter: prompts.HeadFilter{
		Folder: strings.Trim(text("folder"), "/"), Search: strings.TrimSpace(text("search")), Label: text("label"), Tag: text("tag"),
		VersionID: text("versionId"),
		Type:      decode.NullishOr(b.Field("type"), func(v decode.Value) string { return v.Enum(domain.PromptText, domain.PromptChat) }, ""),
	}}
	in := decode.NullishOr(b.Field("in"), func(v decode.Value) string { return v.Enum("name", "content") }, "name")
	q.filter.InContent = in == "content"
	q.order = decode.NullishOr(b.Field("sort"), func(v decode.Value) headOrder {
		o := v.Object()
		order := headOrder{o.Field("by").Enum("name", "createdAt") == "createdAt", o.Field("direction").Enum("asc", "desc") == "desc"}
		o.Strict()
		return order
	}, headOrder{})
	q.limit = decode.NullishOr(b.Field("limit"), func(v decode.Value) int {
		return v.IntWithin(1, maxHeads)
	}, defaultHeads)
	q.after = decode.NullishOr(b.Field("cursor"), func(v decode.Value) *prompts.PromptHead {
		var place headPlace
		raw, err := base64.RawURLEncoding.DecodeString(v.TextLen(1, maxListCursor))
		if err != nil || json.Unmarshal(raw, &place) != nil {
			v.Reject(decode.Violation(v.Path(), "Invalid cursor"))
			return nil
		}
		return &prompts.PromptHead{Name: place.Name, CreatedAt: time.UnixMilli(place.At)}
	}, nil)
	b.Strict()
	return q, b.Err()
}

// flat reports whether the list has all prompts that match below the folder, rather than one level of folders.
func (q *headsQuery) flat() bool {
	f := q.filter
	return f.Search != "" || f.Type != "" || f.Label != "" || f.Tag != "" || f.VersionID != ""
}

// BrowsePrompts returns a page of prompts, beside the folders of their level.
func (h *Handlers) BrowsePrompts(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q, err := readHeadsQuery(c)
	if err != nil {
		return nil, err
	}
	heads, err := h.Catalog.PromptHeads(c.Context(), scope, q.filter)
	if err != nil {
		return nil, err
	}
	body := headsBody{Folders: []folderBody{}, Prompts: []headBody{}}
	if !q.flat() {
		var folders []endpoint.Folder
		heads, folders = endpoint.IntoFolders(heads, q.filter.Folder, func(h *prompts.PromptHead) (string, time.Time) {
			return h.Name, h.CreatedAt
		})
		body.Folders = endpoint.Map(folders, func(f endpoint.Folder) folderBody {
			return folderBody{f.Name, f.Things, respond.Time(f.Latest)}
		})
	}
	body.Total = len(heads)
	if q.after != nil {
		body.Folders = []folderBody{}
	} else if len(body.Folders) > maxFolders {
		body.Folders, body.MoreFolders = body.Folders[:maxFolders], true
	}
	heads = q.page(heads)
	if len(heads) > q.limit {
		heads = heads[:q.limit]
		last := heads[q.limit-1]
		place, err := json.Marshal(headPlace{last.Name, last.CreatedAt.UnixMilli()})
		if err != nil {
			return nil, err
		}
		body.Cursor = new(base64.RawURLEncoding.EncodeToString(place))
	}
	body.Prompts, err = h.describeHeads(c, scope, heads)
	return body, err
}

// page returns the prompts of a page in their order, and one more if there is.
func (q *headsQuery) page(heads []prompts.PromptHead) []prompts.PromptHead {
	slices.SortFunc(heads, func(a, b prompts.PromptHead) int { return q.order.compare(&a, &b) })
	if q.after != nil {
		first := slices.IndexFunc(heads, func(h prompts.PromptHead) bool { return q.order.compare(&h, q.after) > 0 })
		if first < 0 {
			first = len(heads)
		}
		heads = heads[first:]
	}
	return heads[:min(len(heads), q.limit+1)]
}

func (h *Handlers) describeHeads(c *endpoint.Call, scope domain.ProjectScope, heads []prompts.PromptHead) ([]headBody, error) {
	names, ids := make([]string, len(heads)), make([]string, len(heads))
	for n, head := range heads {
		names[n], ids[n] = head.Name, head.CreatedBy
	}
	marks, err := h.Catalog.PromptMarks(c.Context(), scope, names)
	if err != nil {
		return nil, err
	}
	by, err := h.authors(c.Context(), ids...)
	if err != nil {
		return nil, err
	}
	list := make([]headBody, len(heads))
	for n, head := range heads {
		list[n] = headBody{
			Name: head.Name, Type: head.Type,
			Latest: latestBody{head.Version, respond.Time(head.CreatedAt), by.body(head.CreatedBy)},
			Labels: marks[head.Name].Labels, Tags: marks[head.Name].Tags,
		}
	}
	return list, nil
}

// CheckPromptName says whether a name can be that of a new prompt.
func (h *Handlers) CheckPromptName(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	b := c.Body().Object()
	field := b.Field("name")
	name := strings.TrimSpace(field.TextLen(0, 2*endpoint.MaxName))
	b.Strict()
	if err := b.Err(); err != nil {
		return nil, err
	}
	body := struct {
		Valid    bool    `json:"valid"`
		Problem  *string `json:"problem"`
		Exists   bool    `json:"exists"`
		Type     *string `json:"type"`
		Newest   *int    `json:"newest"`
		InFolder int     `json:"inFolder"`
	}{Valid: true}
	readPromptName(field)
	if invalid, ok := errors.AsType[*decode.Invalid](b.Err()); ok {
		body.Valid, body.Problem = false, &invalid.Issues[0].Message
		return body, nil
	}
	heads, err := h.Catalog.PromptHeads(c.Context(), scope, prompts.HeadFilter{Name: name})
	if err != nil {
		return nil, err
	}
	if len(heads) > 0 {
		body.Exists, body.Type, body.Newest = true, &heads[0].Type, &heads[0].Version
	}
	below, err := h.Catalog.PromptHeads(c.Context(), scope, prompts.HeadFilter{Folder: name})
	body.InFolder = len(below)
	return body, err
}

// conflict is a 409 response with what the request conflicts with.
func conflict(message string, with map[string]any) respond.Status {
	body := map[string]any{"error": "Conflict", "message": message}
	maps.Copy(body, with)
	return respond.Status{Code: http.StatusConflict, Body: body}
}
