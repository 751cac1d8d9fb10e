package prompts

import (
	"context"

	"almanac/internal/domain"
)

// authorBody is who made a version or a change: a user with their name, or a key.
type authorBody struct {
	ID   string  `json:"id"`
	Name *string `json:"name"`
}

// authors are the names of users by their ids.
type authors map[string]string

func (h *Handlers) authors(ctx context.Context, ids ...string) (authors, error) {
	return h.Catalog.Authors(ctx, ids)
}

func (a authors) body(id string) authorBody {
	if name, ok := a[id]; ok {
		return authorBody{id, &name}
	}
	return authorBody{ID: id}
}

// authorOf returns the id of an actor as that of an author: all keys are the same.
func authorOf(actor domain.Actor) string {
	if actor.Kind == "user" {
		return actor.ID
	}
	return createdWithKey
}
