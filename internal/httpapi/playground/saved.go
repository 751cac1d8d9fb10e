package playground

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

const (
	// MaxPlaygroundBody is the maximum body size, in bytes, of a saved playground.
	MaxPlaygroundBody = 2 << 20
	maxPlaygroundName = 200 // characters
	noPlayground      = "There is no such playground in this project"
)

type savedBody struct {
	ID        string       `json:"id"`
	Name      string       `json:"name"`
	ChangedBy string       `json:"changedBy"`
	CreatedAt respond.Time `json:"createdAt"`
	UpdatedAt respond.Time `json:"updatedAt"`
}

type wholeBody struct {
	savedBody
	State json.RawMessage `json:"state"`
}

func newSavedBody(p domain.Playground) savedBody {
	return savedBody{p.ID, p.Name, p.ChangedBy, respond.Time(p.CreatedAt), respond.Time(p.UpdatedAt)}
}

func newWholeBody(p domain.Playground) wholeBody { return wholeBody{newSavedBody(p), p.State} }

// ListPlaygrounds returns the saved playgrounds by name, without their states.
func (h *Handlers) ListPlaygrounds(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	list, err := h.Catalog.PlaygroundList(c.Context(), scope)
	return endpoint.ListAs("playgrounds", list, err, newSavedBody)
}

// GetPlayground returns a saved playground.
func (h *Handlers) GetPlayground(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	p, err := h.Catalog.Playgrounds.Get(c.Context(), scope, c.Path("playgroundId"))
	return endpoint.Show(p, playgroundError(err), newWholeBody)
}

// CreatePlayground saves a playground.
func (h *Handlers) CreatePlayground(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	n, _, err := readPlayground(c, false)
	if err != nil {
		return nil, err
	}
	created, err := h.Catalog.Playgrounds.Create(c.Context(), scope, n, c.Actor())
	if err != nil {
		return nil, playgroundError(err)
	}
	return respond.Status{Code: http.StatusCreated, Body: newWholeBody(created)}, nil
}

// ReplacePlayground saves a playground again. With basedOn, it does not overwrite what somebody else saved meanwhile.
func (h *Handlers) ReplacePlayground(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	n, basedOn, err := readPlayground(c, true)
	if err != nil {
		return nil, err
	}
	p, err := h.Catalog.ChangePlayground(c.Context(), scope, c.Path("playgroundId"), n, basedOn, c.Actor())
	return endpoint.Show(p, playgroundError(err), newWholeBody)
}

// DeletePlayground deletes a saved playground.
func (h *Handlers) DeletePlayground(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	err := h.Catalog.Playgrounds.Delete(c.Context(), scope, c.Path("playgroundId"), c.Actor())
	return endpoint.Confirm(playgroundError(err), respond.NoContent{})
}

func readPlayground(c *endpoint.Call, again bool) (n domain.Playground, basedOn *time.Time, err error) {
	b := c.Body().Object()
	name := b.Field("name")
	n = domain.Playground{Name: endpoint.RejectNUL(name, name.TrimmedLen(1, maxPlaygroundName)), ChangedBy: c.Person().User.ID}
	state := b.Field("state")
	state.Object() // reports everything else
	n.State = bytes.Clone(state.Raw())
	if again {
		basedOn = decode.Nullish(b.Field("basedOn"), decode.Value.Time)
	}
	b.Strict()
	return n, basedOn, b.Err()
}

func playgroundError(err error) error {
	switch {
	case errors.Is(err, domain.ErrNotFound):
		return respond.NotFound(noPlayground)
	case errors.Is(err, domain.ErrConflict):
		return respond.Conflict("The project has a playground with this name already")
	case errors.Is(err, catalog.ErrChangedMeanwhile):
		return respond.Conflict("Somebody else has saved this playground since you opened it")
	case errors.Is(err, domain.ErrTooMany):
		return respond.Conflict(fmt.Sprintf("A project keeps at most %d playgrounds. Delete some first.", catalog.MaxPlaygrounds))
	}
	return err
}
