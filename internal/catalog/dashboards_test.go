package catalog_test

import (
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/catalog"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

func aWidget() domain.Widget {
	return domain.Widget{
		Name: "größe", Description: "d", View: "observations",
		Dimensions: []domain.WidgetDimension{{Field: "name"}}, Metrics: []domain.WidgetMetric{{Measure: "count", Aggregate: "count"}},
		Filters: []domain.StoredFilter{
			{Column: "metadata", Type: "stringObject", Operator: "=", Key: "k", Value: json.RawMessage(`"v"`)},
		},
		ChartType: "PIVOT_TABLE",
		Chart: domain.ChartConfig{
			Type: "PIVOT_TABLE", RowLimit: new(7), ValueLabels: new(false), Bins: new(3),
			DefaultSort: &domain.ChartSort{Column: "c", Order: "DESC"},
		},
	}
}

func TestWidgetsAndDashboards(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		ctx := t.Context()
		organization, p := catalogtest.Seed(t, c, "mine")
		_, other := catalogtest.Seed(t, c, "theirs")
		mine, theirs := domain.OfProject(p.ID), domain.OfProject(other.ID)
		set := steady(c)
		start := time.Date(2090, 3, 1, 10, 0, 0, 0, time.UTC)

		var widgets []domain.Widget
		for range 3 {
			created, err := c.Widgets.Create(ctx, mine, aWidget(), catalogtest.Tester)
			if err != nil {
				t.Fatal(err)
			}
			want := aWidget()
			want.ID, want.CreatedAt, want.UpdatedAt = created.ID, start, start
			if diff := cmp.Diff(want, created); diff != "" {
				t.Errorf("created differs (-want +got):\n%s", diff)
			}
			widgets = append(widgets, created)
		}
		set(start.Add(time.Second))
		changed, err := c.Widgets.Change(ctx, mine, widgets[0].ID, func(w domain.Widget) (domain.Widget, error) {
			w.Name, w.Filters, w.Chart = "renamed", []domain.StoredFilter{}, domain.ChartConfig{Type: "PIE"}
			w.ChartType, w.ID = "PIE", "another"
			return w, nil
		}, catalogtest.Tester)
		if err != nil || changed.Name != "renamed" || changed.ID != widgets[0].ID || !changed.UpdatedAt.Equal(start.Add(time.Second)) ||
			changed.Chart.RowLimit != nil {
			t.Errorf("changed: %+v, %v", changed, err)
		}
		got, total, err := c.Widgets.Page(ctx, mine, tables.Page{Offset: 0, Limit: 2})
		if diff := cmp.Diff([]domain.Widget{changed, widgets[2]}, got); diff != "" || total != 3 || err != nil {
			t.Errorf("the last changed come first: %d, %v (-want +got):\n%s", total, err, diff)
		}
		if got, total, err := c.Widgets.Page(ctx, theirs, tables.Page{Offset: 0, Limit: 50}); len(got) != 0 || total != 0 || err != nil {
			t.Errorf("foreign widgets %v, %d, %v", got, total, err)
		}

		filters := []domain.StoredFilter{
			{Column: "environment", Type: "stringOptions", Operator: "any of", Value: json.RawMessage(`["a","b"]`)},
		}
		placements := []domain.Placement{
			{Type: domain.PlacedWidget, ID: "1", WidgetID: widgets[0].ID, Width: 6, Height: 4},
			{Type: domain.PlacedWidget, ID: "2", WidgetID: widgets[0].ID, X: 6, Width: 6, Height: 4},
			{Type: domain.PlacedPreset, ID: "3", PresetID: "home-traces", Y: 4, Width: 12, Height: 2},
		}
		board, err := c.Dashboards.Create(ctx, mine, domain.Dashboard{Name: "board", Placements: placements, Filters: filters},
			catalogtest.Tester)
		want := domain.Dashboard{
			ID: board.ID, Name: "board", Placements: placements, Filters: filters, CreatedAt: board.CreatedAt, UpdatedAt: board.CreatedAt,
		}
		if diff := cmp.Diff(want, board); diff != "" || err != nil || board.Bottom() != 6 {
			t.Errorf("created: %v, bottom %d (-want +got):\n%s", err, board.Bottom(), diff)
		}
		for scope, widget := range map[domain.ProjectScope]string{mine: "nope", theirs: widgets[0].ID} {
			var missing *catalog.MissingWidgetError
			_, err = c.Dashboards.Create(ctx, scope, domain.Dashboard{
				Placements: []domain.Placement{{Type: domain.PlacedWidget, WidgetID: widget}},
			}, catalogtest.Tester)
			if !errors.As(err, &missing) || missing.ID != widget || !errors.Is(err, domain.ErrNotFound) {
				t.Errorf("a dashboard of a missing widget: %v", err)
			}
		}
		if got, total, err := c.Dashboards.Page(ctx, mine, tables.Page{Offset: 0, Limit: 50}); len(got) != 1 || total != 1 || err != nil {
			t.Errorf("dashboards %v, %d, %v", got, total, err)
		}

		// A widget that is shown cannot be deleted; one that is no longer shown can.
		catalogtest.WantError(t, "deleting a placed widget", c.Widgets.Delete(ctx, mine, widgets[0].ID, catalogtest.Tester),
			domain.ErrConflict)
		if _, err := c.Widgets.Get(ctx, mine, widgets[0].ID); err != nil {
			t.Error(err)
		}
		_, err = c.Dashboards.Change(ctx, mine, board.ID, func(d domain.Dashboard) (domain.Dashboard, error) {
			d.Placements = []domain.Placement{{Type: domain.PlacedWidget, ID: "1", WidgetID: widgets[1].ID, Width: 1, Height: 1}}
			return d, nil
		}, catalogtest.Tester)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Widgets.Delete(ctx, mine, widgets[0].ID, catalogtest.Tester); err != nil {
			t.Error(err)
		}
		catalogtest.WantError(t, "deleting a widget in use", c.Widgets.Delete(ctx, mine, widgets[1].ID, catalogtest.Tester),
			domain.ErrConflict)
		catalogtest.WantError(t, "deleting a foreign widget", c.Widgets.Delete(ctx, theirs, widgets[2].ID, catalogtest.Tester),
			domain.ErrNotFound)
		catalogtest.WantError(t, "deleting a foreign dashboard", c.Dashboards.Delete(ctx, theirs, board.ID, catalogtest.Tester),
			domain.ErrNotFound)
		unchanged := func(d domain.Dashboard) (domain.Dashboard, error) { return d, nil }
		_, err = c.Dashboards.Change(ctx, theirs, board.ID, unchanged, catalogtest.Tester)
		catalogtest.WantError(t, "changing a foreign dashboard", err, domain.ErrNotFound)
		_, err = c.Widgets.Change(ctx, theirs, widgets[2].ID, func(w domain.Widget) (domain.Widget, error) { return w, nil },
			catalogtest.Tester)
		catalogtest.WantError(t, "changing a foreign widget", err, domain.ErrNotFound)
		if err := c.Dashboards.Delete(ctx, mine, board.ID, catalogtest.Tester); err != nil {
			t.Error(err)
		}
		if err := c.Widgets.Delete(ctx, mine, widgets[1].ID, catalogtest.Tester); err != nil {
			t.Error(err)
		}

		log, err := catalogtest.OldestFirst(ctx, c, organization)
		if err != nil {
			t.Fatal(err)
		}
		var kinds []string
		for _, e := range log[2:] {
			kinds = append(kinds, e.Action+" "+e.ResourceKind)
		}
		if diff := cmp.Diff([]string{
			"create dashboardWidget", "create dashboardWidget", "create dashboardWidget", "update dashboardWidget", "create dashboard",
			"update dashboard", "delete dashboardWidget", "delete dashboard", "delete dashboardWidget",
		}, kinds); diff != "" {
			t.Errorf("audit log (-want +got):\n%s", diff)
		}

		// Deleting a project deletes everything in it, even what is in use.
		if _, err := c.Dashboards.Create(ctx, mine, domain.Dashboard{
			Placements: []domain.Placement{{Type: domain.PlacedWidget, WidgetID: widgets[2].ID}},
		}, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		if err := c.DeleteProject(ctx, organization, p.ID, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		_, err = c.Widgets.Get(ctx, mine, widgets[2].ID)
		catalogtest.WantError(t, "a widget of a deleted project", err, domain.ErrNotFound)
	})
}

// TestWidgetIsDeletedOrPlaced places a widget and deletes it concurrently: one of the two must fail, and no dashboard
// may show a deleted widget.
func TestWidgetIsDeletedOrPlaced(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		_, p := catalogtest.Seed(t, c, "mine")
		scope := domain.OfProject(p.ID)
		for range 10 {
			w, err := c.Widgets.Create(t.Context(), scope, aWidget(), catalogtest.Tester)
			if err != nil {
				t.Fatal(err)
			}
			var wg sync.WaitGroup
			var placed, deleted error
			wg.Go(func() {
				_, placed = c.Dashboards.Create(t.Context(), scope, domain.Dashboard{
					Placements: []domain.Placement{{Type: domain.PlacedWidget, WidgetID: w.ID}},
				}, catalogtest.Tester)
			})
			wg.Go(func() { deleted = c.Widgets.Delete(t.Context(), scope, w.ID, catalogtest.Tester) })
			wg.Wait()
			if (placed == nil) == (deleted == nil) {
				t.Errorf("placed: %v, deleted: %v", placed, deleted)
			}
		}
	})
}
