package prompts

import (
	"errors"

	"almanac/internal/catalog/prompts"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

type deletionBody struct {
	ID        string       `json:"id"`
	Name      string       `json:"name"`
	Type      string       `json:"type"`
	Versions  int          `json:"versions"`
	First     int          `json:"first"`
	Last      int          `json:"last"`
	Labels    []string     `json:"labels"`
	DeletedAt respond.Time `json:"deletedAt"`
	DeletedBy authorBody   `json:"deletedBy"`
	ExpiresAt respond.Time `json:"expiresAt"`
}

func newDeletionBody(d *prompts.PromptDeletion, by authors) deletionBody {
	return deletionBody{
		d.ID, d.Name, d.Type, d.Versions, d.First, d.Last, domain.NotNil(d.Labels), respond.Time(d.At), by.body(authorOf(d.Actor)),
		respond.Time(d.ExpiresAt()),
	}
}

// RemovePrompt deletes a version of a prompt, or all of them, and says how to restore them.
func (h *Handlers) RemovePrompt(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	ref := domain.PromptReference{Name: c.Path("promptName")}
	q := c.Query()
	if text := q.String("version"); text != nil && *text != "" {
		if ref.Version = promptVersion(q); q.Err() == nil && ref.Version < 1 {
			q.Add(decode.TooSmall([]any{"version"}, 1, false))
		}
	}
	if err := q.Err(); err != nil {
		return nil, err
	}
	d, err := h.Catalog.DeletePrompt(c.Context(), scope, ref, editor(c))
	if used, ok := errors.AsType[*prompts.PromptInUse](err); ok {
		return inUse(used, "what would be deleted"), nil
	}
	if errors.Is(err, domain.ErrNotFound) {
		return nil, respond.NotFound("There is no such prompt.")
	}
	if err != nil {
		return nil, protectedError(err)
	}
	by, err := h.authors(c.Context(), authorOf(d.Actor))
	return newDeletionBody(&d, by), err
}

// ListPromptDeletions returns what can be restored.
func (h *Handlers) ListPromptDeletions(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	after, limit, err := readTimeline(c)
	if err != nil {
		return nil, err
	}
	found, err := h.Catalog.PromptDeletions(c.Context(), scope, after, limit+1)
	if err != nil {
		return nil, err
	}
	var cursor *string
	if len(found) > limit {
		found = found[:limit]
		last := found[limit-1]
		cursor = new(respond.EncodeTimestampCursor(domain.MicrosOf(last.At), last.ID))
	}
	ids := make([]string, len(found))
	for n := range found {
		ids[n] = authorOf(found[n].Actor)
	}
	by, err := h.authors(c.Context(), ids...)
	list := make([]deletionBody, len(found))
	for n := range found {
		list[n] = newDeletionBody(&found[n], by)
	}
	return map[string]any{"deletions": list, "cursor": cursor}, err
}

type restoredBody struct {
	Was     int `json:"was"`
	Version int `json:"version"`
}

// RestorePrompt brings deleted versions back.
func (h *Handlers) RestorePrompt(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	done, err := h.Catalog.RestorePrompt(c.Context(), scope, c.Path("deletionId"), editor(c))
	switch {
	case errors.Is(err, domain.ErrNotFound):
		return nil, respond.NotFound("There is nothing to restore: it was restored already, or it was deleted more than 30 days ago.")
	case errors.Is(err, prompts.ErrPromptType):
		return nil, respond.Conflict("There is a prompt of this name and of another type by now. Delete it first.")
	case err != nil:
		return nil, protectedError(err)
	}
	return map[string]any{
		"name": done.Name, "labels": domain.NotNil(done.Labels), "keptBack": domain.NotNil(done.KeptBack),
		"versions": endpoint.Map(done.Versions, func(v prompts.RestoredVersion) restoredBody { return restoredBody(v) }),
	}, nil
}
