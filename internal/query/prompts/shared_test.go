package prompts_test

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/catalog/pgtest"
	"almanac/internal/catalog/prompts"
	"almanac/internal/catalog/tables"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
	queryPrompts "almanac/internal/query/prompts"
)

type textAnswer string

func (a textAnswer) Size() int { return len(a) }

// TestServersThatShareACatalog has two servers on one PostgreSQL database: each invalidates its cache when the other
// changes a prompt.
func TestServersThatShareACatalog(t *testing.T) {
	server, err := pgtest.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	open := func() *catalog.Catalog {
		c, err := catalog.Open(t.Context(), server.URL("postgres"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		return c
	}
	writer, readerCatalog := open(), open()
	log := slog.New(slog.DiscardHandler)
	reader := queryPrompts.New(readerCatalog, queryPrompts.CacheBytes, log)
	heard := make(chan tables.Change, 100)
	readerCatalog.Subscribe(func(change tables.Change) {
		switch change.Kind {
		case tables.KindPrompt:
			reader.Invalidate(change.ProjectID)
		case "":
			reader.InvalidateAll()
		}
		heard <- change
	})
	ctx, stop := context.WithCancel(t.Context())
	var listening sync.WaitGroup
	listening.Go(func() { readerCatalog.Listen(ctx, log) })
	t.Cleanup(func() { stop(); listening.Wait() })
	await := func(kind string) {
		t.Helper()
		for deadline := time.After(5 * time.Second); ; {
			select {
			case change := <-heard:
				if change.Kind == kind {
					return
				}
			case <-deadline:
				t.Fatalf("heard of no change of kind %q", kind)
			}
		}
	}
	await("")

	by := domain.Actor{Kind: "cli"}
	if _, err := writer.CreateOrganization(t.Context(), "o", "O", by); err != nil {
		t.Fatal(err)
	}
	if _, err := writer.CreateProject(t.Context(), domain.OfOrganization("o"), tenants.NewProject{ID: "p", Name: "P"}, by); err != nil {
		t.Fatal(err)
	}
	scope, ref := domain.OfProject("p"), domain.PromptReference{Name: "a", Label: domain.LatestLabel}
	read := func() string {
		t.Helper()
		answer, err := reader.Read(t.Context(), scope, ref, true,
			func(p domain.Prompt, _ *queryPrompts.Graph) (queryPrompts.Answer, error) {
				return textAnswer(p.Text), nil
			})
		if errors.Is(err, domain.ErrNotFound) {
			return "none"
		}
		if err != nil {
			t.Fatal(err)
		}
		return string(answer.(textAnswer))
	}
	for _, text := range []string{"one", "two", "three"} {
		read()
		n := domain.Prompt{Name: "a", Type: domain.PromptText, Text: text, Config: []byte("{}"), CreatedBy: "API"}
		if _, err := writer.CreatePrompt(t.Context(), scope, n, func(prompts.FindPrompt) error { return nil },
			prompts.Editor{Actor: by}); err != nil {
			t.Fatal(err)
		}
		await(tables.KindPrompt)
		if got := read(); got != text {
			t.Errorf("read %q, want %q", got, text)
		}
	}

	// Labels, deletions and restorations are seen as well.
	ref.Label = domain.ProductionLabel
	editor, deletion := prompts.Editor{Actor: by}, ""
	label := func(version int) error {
		_, _, err := writer.SetPromptLabels(t.Context(), scope, "a", version, []string{domain.ProductionLabel}, editor)
		return err
	}
	for _, step := range []struct {
		change func() error
		want   string
	}{
		{func() error { return label(1) }, "one"},
		{func() error { return label(3) }, "three"},
		{func() error {
			d, err := writer.DeletePrompt(t.Context(), scope, domain.PromptReference{Name: "a", Version: 3}, editor)
			deletion = d.ID
			return err
		}, "none"},
		{func() error {
			_, err := writer.RestorePrompt(t.Context(), scope, deletion, editor)
			return err
		}, "three"},
	} {
		read()
		if err := step.change(); err != nil {
			t.Fatal(err)
		}
		await(tables.KindPrompt)
		if got := read(); got != step.want {
			t.Errorf("read %q, want %q", got, step.want)
		}
	}
}
