package prompts_test

import (
	"errors"
	"log/slog"
	"testing"

	"almanac/internal/catalog"
	"almanac/internal/catalog/pgtest"
	"almanac/internal/domain"
	"almanac/internal/prompts"
)

type textAnswer string

func (a textAnswer) Size() int { return len(a) }

// TestServersThatShareACatalog has two servers on one PostgreSQL: what one changes, the other sees.
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
	open := func() (*catalog.Catalog, *prompts.Library) {
		c, err := catalog.Open(t.Context(), server.URL("postgres"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		return c, prompts.New(c, slog.New(slog.DiscardHandler))
	}
	writer, _ := open()
	_, reader := open()
	by := domain.Actor{Kind: "cli"}
	if _, err := writer.CreateOrganization(t.Context(), "o", "O", by); err != nil {
		t.Fatal(err)
	}
	if _, err := writer.CreateProject(t.Context(), domain.OfOrganization("o"), catalog.NewProject{ID: "p", Name: "P"}, by); err != nil {
		t.Fatal(err)
	}
	scope, ref := domain.OfProject("p"), domain.PromptReference{Name: "a", Label: domain.LatestLabel}
	read := func() string {
		t.Helper()
		answer, err := reader.Read(t.Context(), scope, ref, true, func(p domain.Prompt, _ *prompts.Graph) (prompts.Answer, error) { return textAnswer(p.Text), nil })
		if errors.Is(err, domain.ErrNotFound) {
			return "none"
		}
		if err != nil {
			t.Fatal(err)
		}
		return string(answer.(textAnswer))
	}
	for _, text := range []string{"one", "two", "three"} {
		remembered := read()
		n := domain.Prompt{Name: "a", Type: domain.PromptText, Text: text, Config: []byte("{}"), CreatedBy: "API"}
		if _, err := writer.CreatePrompt(t.Context(), scope, n, func(catalog.FindPrompt) error { return nil }, by); err != nil {
			t.Fatal(err)
		}
		if got := read(); got != remembered {
			t.Errorf("read %q before looking for changes, want %q from memory", got, remembered)
		}
		if err := reader.Compare(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := read(); got != text {
			t.Errorf("read %q, want %q", got, text)
		}
	}
}
