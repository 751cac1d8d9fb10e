package dashboards

import (
	"fmt"
	"slices"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// The limits of placements. The grid of a dashboard has no bottom; maxGridRow only bounds the numbers.
const (
	MaxPlacements  = 200
	maxPlacementID = 200
	maxGridRow     = 100_000
	maxGridHeight  = 1000
)

// newPlacementSize is the default width and height of a placement.
const newPlacementSize = 6

// presets returns the names of the built-in charts.
func presets() []string {
	return []string{
		"home-traces", "home-model-costs", "home-scores-table", "home-traces-obs-time-series", "home-model-usage", "home-users",
		"home-chart-scores", "home-latency-table-traces", "home-latency-table-generations", "home-latency-table-observations",
		"home-generation-latency", "home-score-analytics",
	}
}

// placementDraft is a placement with some members possibly unset.
type placementDraft struct {
	kind, widgetID, presetID string
	id                       *string
	x, y, width, height      *int
}

// readPlacement reads a placement. Unless complete is set, the id and the members read by readPlace are optional.
func readPlacement(v decode.Value, complete bool) placementDraft {
	b := v.Object()
	draft := placementDraft{kind: b.Field("type").Enum(domain.PlacedWidget, domain.PlacedPreset)}
	id, widget, preset := b.Field("id"), b.Field("widgetId"), b.Field("presetId")
	if complete {
		draft.id = new(readPlacementID(id))
	} else {
		draft.id = decode.Nullish(id, readPlacementID)
	}
	switch draft.kind {
	case domain.PlacedWidget:
		draft.widgetID = widget.TextLen(1, maxPlacementID)
		preset.RejectPresent()
	case domain.PlacedPreset:
		draft.presetID = preset.Enum(presets()...)
		widget.RejectPresent()
	}
	draft.readPlace(b, complete)
	b.Strict()
	return draft
}

func readPlacementID(v decode.Value) string { return v.TextLen(1, maxPlacementID) }

func (d *placementDraft) readPlace(b *decode.Object, complete bool) {
	for _, member := range []struct {
		name             string
		into             **int
		minimum, maximum int
	}{
		{"x", &d.x, 0, domain.GridColumns - 1},
		{"y", &d.y, 0, maxGridRow},
		{"width", &d.width, 1, domain.GridColumns},
		{"height", &d.height, 1, maxGridHeight},
	} {
		v := b.Field(member.name)
		read := func(v decode.Value) int { return v.IntWithin(member.minimum, member.maximum) }
		if complete {
			*member.into = new(read(v))
		} else {
			*member.into = decode.Nullish(v, read)
		}
	}
}

// on returns the placement on a dashboard, by default below everything else.
func (d placementDraft) on(board domain.Dashboard) domain.Placement {
	p := domain.Placement{Type: d.kind, WidgetID: d.widgetID, PresetID: d.presetID, X: endpoint.ValueOr(d.x, 0)}
	p.Y = endpoint.ValueOr(d.y, board.Bottom())
	p.Width = endpoint.ValueOr(d.width, min(newPlacementSize, domain.GridColumns-p.X))
	p.Height = endpoint.ValueOr(d.height, newPlacementSize)
	if d.id != nil {
		p.ID = *d.id
	} else {
		p.ID = domain.NewID()
	}
	return p
}

// tooWide returns the issue for a placement that extends beyond the right edge of the grid.
func tooWide(path []any) decode.Issue {
	return decode.Violation(path, fmt.Sprintf("x and width together must not exceed the %d columns of the grid", domain.GridColumns))
}

func reachesOver(p domain.Placement) bool { return p.X+p.Width > domain.GridColumns }

// readDefinition reads all placements of a dashboard.
func readDefinition(v decode.Value) []domain.Placement {
	b := v.Object()
	list := b.Field("widgets")
	placements := []domain.Placement{}
	for _, item := range list.ArrayLen(0, MaxPlacements) {
		p := readPlacement(item, true).on(domain.Dashboard{})
		if item.Err() == nil && reachesOver(p) {
			item.Reject(tooWide(item.Path()))
		}
		if indexOfPlacement(placements, p.ID) >= 0 && p.ID != "" {
			item.Reject(decode.Violation(item.Path(), "Duplicate placement id: "+p.ID+", ids must be unique within a dashboard"))
		}
		placements = append(placements, p)
	}
	b.Strict()
	return placements
}

func indexOfPlacement(placements []domain.Placement, id string) int {
	return slices.IndexFunc(placements, func(p domain.Placement) bool { return p.ID == id })
}

// AddPlacement places a widget or a preset on a dashboard.
func (h *Handlers) AddPlacement(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	body := c.Body()
	draft := readPlacement(body, false)
	if err := body.Err(); err != nil {
		return nil, err
	}
	var added domain.Placement
	return h.changePlacements(c, scope, &added, func(d domain.Dashboard) (domain.Dashboard, error) {
		added = draft.on(d)
		switch {
		case reachesOver(added):
			return d, &decode.Invalid{Issues: []decode.Issue{tooWide(nil)}}
		case indexOfPlacement(d.Placements, added.ID) >= 0:
			e := respond.Conflict("The dashboard has a placement with this id already")
			e.Details = &respond.Details{Field: "id", Value: added.ID}
			return d, e
		case len(d.Placements) >= MaxPlacements, added.Y > maxGridRow:
			return d,
				respond.Conflict(fmt.Sprintf("The dashboard is full: it may have %d placements, on %d rows", MaxPlacements, maxGridRow))
		}
		d.Placements = append(d.Placements, added)
		return d, nil
	})
}

// UpdatePlacement moves or resizes a placement.
func (h *Handlers) UpdatePlacement(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	body := c.Body()
	b := body.Object()
	var draft placementDraft
	draft.readPlace(b, false)
	b.Strict()
	body.RejectNoChange(draft == placementDraft{})
	if err := b.Err(); err != nil {
		return nil, err
	}
	var changed domain.Placement
	return h.changePlacements(c, scope, &changed, func(d domain.Dashboard) (domain.Dashboard, error) {
		n := indexOfPlacement(d.Placements, c.Path("placementId"))
		if n < 0 {
			return d, noPlacement()
		}
		p := &d.Placements[n]
		decode.Set(&p.X, draft.x)
		decode.Set(&p.Y, draft.y)
		decode.Set(&p.Width, draft.width)
		decode.Set(&p.Height, draft.height)
		if reachesOver(*p) {
			return d, &decode.Invalid{Issues: []decode.Issue{tooWide(nil)}}
		}
		changed = *p
		return d, nil
	})
}

// DeletePlacement removes a placement from a dashboard; its widget is kept.
func (h *Handlers) DeletePlacement(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	return h.changePlacements(c, scope, respond.Message{Message: "Dashboard placement successfully deleted"},
		func(d domain.Dashboard) (domain.Dashboard, error) {
			n := indexOfPlacement(d.Placements, c.Path("placementId"))
			if n < 0 {
				return d, noPlacement()
			}
			d.Placements = slices.Delete(d.Placements, n, n+1)
			return d, nil
		})
}

func noPlacement() error { return respond.NotFound("Dashboard placement not found") }

// changePlacements changes the placements of the dashboard named by the path and returns answer.
func (h *Handlers) changePlacements(
	c *endpoint.Call, scope domain.ProjectScope, answer any, change func(domain.Dashboard) (domain.Dashboard, error),
) (any, error) {
	if _, err := h.Catalog.Dashboards.Change(c.Context(), scope, c.Path("dashboardId"), change, c.Actor()); err != nil {
		return nil, dashboardError(err)
	}
	return answer, nil
}
