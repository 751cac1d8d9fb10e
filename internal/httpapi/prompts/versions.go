package prompts

import (
	"context"
	"errors"
	"math"
	"net/http"
	"slices"
	"strconv"

	"almanac/internal/catalog/prompts"
	"almanac/internal/catalog/tables"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	queryPrompts "almanac/internal/query/prompts"
)

const (
	maxVersionPage = 100
	maxSince       = 20 // versions listed for somebody who edited an old one
	maxDependents  = 500
)

type versionBody struct {
	ID            string       `json:"id"`
	Version       int          `json:"version"`
	CreatedAt     respond.Time `json:"createdAt"`
	CreatedBy     authorBody   `json:"createdBy"`
	Labels        []string     `json:"labels"`
	CommitMessage *string      `json:"commitMessage"`
	CommentCount  int          `json:"commentCount"`
	Hash          *string      `json:"hash"`
}

func (h *Handlers) versionBodies(c *endpoint.Call, versions []prompts.PromptVersion) ([]versionBody, error) {
	ids := make([]string, len(versions))
	for n, v := range versions {
		ids[n] = v.CreatedBy
	}
	by, err := h.authors(c.Context(), ids...)
	list := make([]versionBody, len(versions))
	for n, v := range versions {
		list[n] = versionBody{
			v.ID, v.Version, respond.Time(v.CreatedAt), by.body(v.CreatedBy), v.Labels, v.CommitMessage, v.Comments, v.Hash,
		}
	}
	return list, err
}

// ListPromptVersions returns a page of the versions of a prompt without their content, newest first.
func (h *Handlers) ListPromptVersions(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q := c.Query()
	name := c.Path("promptName")
	filter := prompts.VersionFilter{
		Search: endpoint.ValueOr(q.String("search"), ""), Before: q.Int("cursor", decode.IntRule{Min: 1, Max: math.MaxInt32}),
		Limit: q.Int("limit", decode.IntRule{Default: defaultHeads, Min: 1, Max: maxVersionPage}),
	}
	if err := q.Err(); err != nil {
		return nil, err
	}
	heads, err := h.Catalog.PromptHeads(c.Context(), scope, prompts.HeadFilter{Name: name})
	if err != nil {
		return nil, err
	}
	if name == "" || len(heads) == 0 {
		return nil, noSuchPrompt(name)
	}
	marks, err := h.Catalog.PromptMarks(c.Context(), scope, []string{name})
	if err != nil {
		return nil, err
	}
	protected, err := h.Catalog.ProtectedPromptLabels(c.Context(), scope)
	if err != nil {
		return nil, err
	}
	limit := filter.Limit
	filter.Limit++ // to see whether there are more
	versions, total, err := h.Catalog.PromptVersions(c.Context(), scope, name, filter)
	if err != nil {
		return nil, err
	}
	var cursor *string
	if len(versions) > limit {
		versions = versions[:limit]
		cursor = new(strconv.Itoa(versions[limit-1].Version))
	}
	list, err := h.versionBodies(c, versions)
	return map[string]any{
		"name": name, "type": heads[0].Type, "tags": marks[name].Tags, "newest": heads[0].Version, "total": total,
		"labels": marks[name].Labels, "protectedLabels": domain.NotNil(protected), "canMoveProtected": c.May(domain.ProjectAdmin),
		"versions": list, "cursor": cursor,
	}, err
}

func noSuchPrompt(name string) error { return respond.NotFound("There is no prompt '" + name + "'.") }

func noSuchVersion(name, version string) error {
	return respond.NotFound("There is no version " + version + " of prompt '" + name + "'.")
}

type referenceBody struct {
	Name    string  `json:"name"`
	Version *int    `json:"version"`
	Label   *string `json:"label"`
}

type resolvedBody struct {
	Prompt       any                            `json:"prompt"`
	Dependencies map[string][]queryPrompts.Node `json:"dependencies"`
}

// shownVersion is a version with its content, as the web application shows it.
type shownVersion struct {
	versionBody
	Name       string          `json:"name"`
	Type       string          `json:"type"`
	Prompt     any             `json:"prompt"`
	Config     any             `json:"config"`
	Tags       []string        `json:"tags"`
	References []referenceBody `json:"references"`
	Resolved   *resolvedBody   `json:"resolved"`
	Problem    *string         `json:"problem"`
}

// GetPromptVersion returns a version with its content and, if asked for, with its references resolved.
func (h *Handlers) GetPromptVersion(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	name, which := c.Path("promptName"), c.Path("version")
	q := c.Query()
	resolve := q.Bool("resolve")
	if err := q.Err(); err != nil {
		return nil, err
	}
	ref := domain.PromptReference{Name: name, Label: domain.LatestLabel}
	if which != domain.LatestLabel {
		number, err := pathVersion(c, "version")
		if err != nil {
			return nil, err
		}
		if number < 1 {
			return nil, noSuchVersion(name, which)
		}
		ref = domain.PromptReference{Name: name, Version: number}
	}
	p, err := h.Catalog.Prompt(c.Context(), scope, ref)
	if errors.Is(err, domain.ErrNotFound) {
		return nil, noSuchVersion(name, which)
	}
	if err != nil {
		return nil, err
	}
	body, err := h.shown(c, scope, p)
	if err != nil || resolve == nil || !*resolve {
		return body, err
	}
	whole, graph, err := queryPrompts.Resolve(c.Context(), p, func(ctx context.Context, ref domain.PromptReference) (domain.Prompt, error) {
		return h.Catalog.Prompt(ctx, scope, ref)
	})
	if unresolvable, ok := errors.AsType[*queryPrompts.Unresolvable](err); ok {
		body.Problem = &unresolvable.Message
		return body, nil
	}
	body.Resolved = &resolvedBody{newPromptBody(whole, scope.ProjectID()).Prompt, map[string][]queryPrompts.Node{}}
	if graph != nil {
		body.Resolved.Dependencies = graph.Dependencies
	}
	return body, err
}

// shown returns a version as the web application shows it.
func (h *Handlers) shown(c *endpoint.Call, scope domain.ProjectScope, p domain.Prompt) (*shownVersion, error) {
	versions, _, err := h.Catalog.PromptVersions(c.Context(), scope, p.Name,
		prompts.VersionFilter{Before: p.Version + 1, After: p.Version - 1, Limit: 1})
	if err != nil {
		return nil, err
	}
	if len(versions) == 0 {
		return nil, noSuchVersion(p.Name, strconv.Itoa(p.Version)) // deleted concurrently
	}
	list, err := h.versionBodies(c, versions)
	if err != nil {
		return nil, err
	}
	body := &shownVersion{
		versionBody: list[0], Name: p.Name, Type: p.Type, Prompt: newPromptBody(p, scope.ProjectID()).Prompt, Config: p.Config,
		Tags: domain.NotNil(p.Tags), References: []referenceBody{},
	}
	body.Labels = domain.NotNil(p.Labels)
	for _, ref := range p.References {
		body.References = append(body.References, newReferenceBody(ref))
	}
	return body, nil
}

func newReferenceBody(ref domain.PromptReference) referenceBody {
	if ref.Version != 0 {
		return referenceBody{Name: ref.Name, Version: &ref.Version}
	}
	return referenceBody{Name: ref.Name, Label: &ref.Label}
}

// AddPromptVersion stores a version that a person has written, unless somebody else stored one meanwhile or nothing has
// changed.
func (h *Handlers) AddPromptVersion(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	n, err := readNewPrompt(c.Body())
	if err != nil {
		return nil, err
	}
	b := c.Body().Object()
	base := decode.NullishOr(b.Field("baseVersion"), func(v decode.Value) int {
		return v.IntWithin(1, math.MaxInt32)
	}, 0)
	again := decode.NullishOr(b.Field("evenIfUnchanged"), decode.Value.Bool, false)
	if err := b.Err(); err != nil {
		return nil, err
	}
	n.CreatedBy = author(c)
	created, unchanged, err := h.Catalog.AddPromptVersion(c.Context(), scope, n, prompts.Conditions{Base: &base, SkipUnchanged: !again},
		resolvable(c.Context(), n), editor(c))
	if stale, ok := errors.AsType[*prompts.StaleBase](err); ok {
		return h.stale(c, scope, n.Name, base, stale.Newest)
	}
	if err != nil {
		return nil, storingError(err, n)
	}
	body, err := h.shown(c, scope, created)
	status := http.StatusCreated
	if unchanged {
		status = http.StatusOK
	}
	return respond.Status{Code: status, Body: map[string]any{"unchanged": unchanged, "prompt": body}}, err
}

// stale returns what was stored while somebody edited a version.
func (h *Handlers) stale(c *endpoint.Call, scope domain.ProjectScope, name string, base, newest int) (any, error) {
	since, _, err := h.Catalog.PromptVersions(c.Context(), scope, name, prompts.VersionFilter{After: base, Limit: maxSince})
	if err != nil {
		return nil, err
	}
	list, err := h.versionBodies(c, since)
	message := "Somebody else has saved a version meanwhile: the newest one is " + strconv.Itoa(newest) + "."
	var known *int
	switch {
	case newest == 0:
		message = "The prompt has been deleted meanwhile."
	case base == 0:
		message = "There is a prompt with this name already."
	case newest < base:
		message = "The version that you edited has been deleted meanwhile."
	}
	if newest > 0 {
		known = &newest
	}
	return conflict(message, map[string]any{"newest": known, "since": list}), err
}

type dependentBody struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
	Latest  bool   `json:"latest"`
	By      any    `json:"by"`
}

func newDependentBody(d prompts.Dependent) dependentBody {
	by := any(map[string]int{"version": d.By.Version})
	if d.By.Version == 0 {
		by = map[string]string{"label": d.By.Label}
	}
	return dependentBody{d.Name, d.Version, d.Latest, by}
}

// inUse returns the conflict with the prompts that depend on another.
func inUse(e *prompts.PromptInUse, what string) respond.Status {
	return conflict("Other prompts depend on "+what+": "+e.Dependents()+".",
		map[string]any{"dependents": endpoint.Map(e.By, newDependentBody)})
}

// ListDependents returns the versions of other prompts that refer to a prompt.
func (h *Handlers) ListDependents(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	found, err := h.Catalog.PromptDependents(c.Context(), scope, c.Path("promptName"), maxDependents)
	return map[string]any{"dependents": endpoint.Map(found, newDependentBody)}, err
}

type moveBody struct {
	At    *respond.Time `json:"at,omitempty"`
	Label string        `json:"label"`
	From  *int          `json:"from"`
	To    *int          `json:"to"`
	By    *authorBody   `json:"by,omitempty"`
}

func newMoveBody(m prompts.LabelMove) moveBody {
	body := moveBody{Label: m.Label}
	if m.From != 0 {
		body.From = &m.From
	}
	if m.To != 0 {
		body.To = &m.To
	}
	return body
}

// readTimeline reads the cursor and the length of a page of a list that is newest first.
func readTimeline(c *endpoint.Call) (after *tables.Position, limit int, err error) {
	q := c.Query()
	limit = q.Int("limit", decode.IntRule{Default: defaultHeads, Min: 1, Max: maxVersionPage})
	cursor := q.String("cursor")
	if err := q.Err(); err != nil {
		return nil, 0, err
	}
	if text := endpoint.ValueOr(cursor, ""); text != "" {
		position, refused := respond.DecodeTimestampCursor(text)
		if refused != nil {
			return nil, 0, refused
		}
		after = &tables.Position{At: tables.FromMillis(position.Millis), ID: position.ID}
	}
	return after, limit, nil
}

// ListLabelMoves returns the moments at which labels of a prompt moved.
func (h *Handlers) ListLabelMoves(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	after, limit, err := readTimeline(c)
	if err != nil {
		return nil, err
	}
	moves, err := h.Catalog.LabelMoves(c.Context(), scope, c.Path("promptName"), after, limit+1)
	if err != nil {
		return nil, err
	}
	var cursor *string
	if len(moves) > limit {
		moves = moves[:limit]
		last := moves[limit-1]
		cursor = new(respond.EncodeTimestampCursor(domain.MicrosOf(last.At), last.ID))
	}
	ids := make([]string, len(moves))
	for n, m := range moves {
		ids[n] = authorOf(m.Actor)
	}
	by, err := h.authors(c.Context(), ids...)
	list := make([]moveBody, len(moves))
	for n, m := range moves {
		list[n] = newMoveBody(m)
		list[n].At, list[n].By = new(respond.Time(m.At)), new(by.body(ids[n]))
	}
	return map[string]any{"moves": list, "cursor": cursor}, err
}

// SetPromptLabels replaces the labels of a version.
func (h *Handlers) SetPromptLabels(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	name := c.Path("promptName")
	version, err := pathVersion(c, "version")
	if err != nil {
		return nil, err
	}
	b := c.Body().Object()
	labels := readGivenLabels(b.Field("labels"))
	b.Strict()
	if err := b.Err(); err != nil {
		return nil, err
	}
	if version < 1 {
		return nil, noSuchVersion(name, strconv.Itoa(version))
	}
	_, moves, err := h.Catalog.SetPromptLabels(c.Context(), scope, name, version, labels, editor(c))
	if used, ok := errors.AsType[*prompts.PromptInUse](err); ok {
		return inUse(used, "a label that no version would have any more"), nil
	}
	if errors.Is(err, domain.ErrNotFound) {
		return nil, noSuchVersion(name, strconv.Itoa(version))
	}
	if err != nil {
		return nil, protectedError(err)
	}
	marks, err := h.Catalog.PromptMarks(c.Context(), scope, []string{name})
	if err != nil {
		return nil, err
	}
	return map[string]any{"labels": marks[name].Labels, "moved": endpoint.Map(moves, newMoveBody)}, nil
}

// SetPromptTags replaces the tags of a prompt.
func (h *Handlers) SetPromptTags(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	b := c.Body().Object()
	tags := readPromptTags(b.Field("tags"))
	b.Strict()
	if err := b.Err(); err != nil {
		return nil, err
	}
	name := c.Path("promptName")
	after, err := h.Catalog.SetPromptTags(c.Context(), scope, name, tags, c.Actor())
	if errors.Is(err, domain.ErrNotFound) {
		return nil, noSuchPrompt(name)
	}
	return map[string]any{"tags": domain.NotNil(after.Tags)}, err
}

type labelBody struct {
	Label     string `json:"label"`
	Prompts   int    `json:"prompts"`
	Protected bool   `json:"protected"`
}

// The limits of labels of a project.
const (
	maxListedLabels    = 1000 // and as many tags
	maxProtectedLabels = 100
)

// ListPromptLabels returns the labels of the project's prompts, which are protected, and the tags of all prompts.
func (h *Handlers) ListPromptLabels(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	labels, err := h.Catalog.PromptLabels(c.Context(), scope, maxListedLabels)
	if err != nil {
		return nil, err
	}
	tags, err := h.Catalog.PromptTags(c.Context(), scope, maxListedLabels)
	if err != nil {
		return nil, err
	}
	protected, err := h.Catalog.ProtectedPromptLabels(c.Context(), scope)
	list := endpoint.Map(labels, func(l prompts.PromptLabel) labelBody {
		return labelBody{l.Label, l.Prompts, slices.Contains(protected, l.Label)}
	})
	return map[string]any{"labels": list, "protected": domain.NotNil(protected), "tags": domain.NotNil(tags)}, err
}

// ProtectPromptLabels replaces the project's protected labels.
func (h *Handlers) ProtectPromptLabels(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	b := c.Body().Object()
	labels := readGivenLabels(b.Field("protected"))
	b.Strict()
	if err := b.Err(); err != nil {
		return nil, err
	}
	if err := h.Catalog.ProtectPromptLabels(c.Context(), scope, labels, c.Actor()); err != nil {
		return nil, err
	}
	return h.ListPromptLabels(c, scope)
}
