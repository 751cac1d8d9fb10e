package server

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"almanac/internal/access/accounts"
	"almanac/internal/access/auth"
	"almanac/internal/catalog"
	"almanac/internal/catalog/tables"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
	"almanac/internal/ingest/pricing"
	"almanac/internal/limits/usage"
	"almanac/internal/query/prompts"
	"almanac/internal/query/traces"
)

// lookups is a catalog that records what it is asked for.
type lookups struct {
	prompts.Catalog
	usage.Store
	asked []string
}

func (l *lookups) KeyByPublic(context.Context, string) (domain.StoredKey, error) {
	l.asked = append(l.asked, "key")
	return domain.StoredKey{}, domain.ErrNotFound
}

func (l *lookups) RecordKeyUse(context.Context, map[string]time.Time) error { return nil }

func (l *lookups) ReplaceKeyHash(context.Context, string, string, string) (bool, error) {
	return false, nil
}

func (l *lookups) Models(_ context.Context, scope domain.ProjectScope) ([]domain.Model, error) {
	l.asked = append(l.asked, "models of "+scope.ProjectID())
	return nil, nil
}

func (l *lookups) marks(_ context.Context, scope domain.ProjectScope) (map[string]domain.TraceMark, error) {
	l.asked = append(l.asked, "marks of "+scope.ProjectID())
	return nil, nil
}

func (l *lookups) PromptIDs(
	_ context.Context, scope domain.ProjectScope, refs []domain.PromptReference,
) (map[domain.PromptReference]string, error) {
	l.asked = append(l.asked, "prompts of "+scope.ProjectID())
	return map[domain.PromptReference]string{refs[0]: "id"}, nil
}

func (l *lookups) Limits(context.Context) (map[domain.LimitSubject]domain.Limits, error) {
	l.asked = append(l.asked, "limits")
	return nil, nil
}

func (l *lookups) AddUsage(
	context.Context, int64, map[domain.LimitSubject]domain.Usage,
) (map[domain.LimitSubject]domain.Usage, error) {
	return nil, nil
}

// TestInvalidate reads keys, models, marks and prompts, announces a change, and reads again: exactly what the change
// affects is looked up again. Limits are looked up by the change itself.
func TestInvalidate(t *testing.T) {
	synctest.Test(t, testInvalidate)
}

func testInvalidate(t *testing.T) {
	defaults, err := pricing.Default()
	if err != nil {
		t.Fatal(err)
	}
	const (
		ofA        = "models of a, marks of a, prompts of a"
		read       = "key, " + ofA + ", models of b, marks of b, prompts of b"
		everything = "limits, " + read
	)
	for _, c := range []struct {
		change tables.Change
		want   string
	}{
		{tables.Change{Kind: tables.KindKey, ProjectID: "a"}, "key"},
		{tables.Change{Kind: tables.KindPrompt, ProjectID: "a"}, "prompts of a"},
		{tables.Change{Kind: tables.KindModel, ProjectID: "a"}, "models of a"},
		{tables.Change{Kind: tables.KindTrace, ProjectID: "a"}, "marks of a"},
		{tables.Change{Kind: tables.KindProject, ProjectID: "a"}, "key, " + ofA},
		{tables.Change{Kind: tenants.KindLimits}, "limits"},
		{tables.Change{Kind: tables.KindOrganization}, everything},
		{tables.Change{}, everything},
		{tables.Change{Kind: "comment", ProjectID: "a"}, ""},
	} {
		log, source := slog.New(slog.DiscardHandler), new(lookups)
		known := caches{
			keys: auth.NewKeys(source, time.Hour, log), prompts: prompts.New(source, prompts.CacheBytes, log),
			prices:   pricing.NewLists(defaults, source),
			marks:    traces.NewMarkCache(source.marks, traces.MarkBytes),
			usage:    usage.New(usage.Options{Store: source, Metrics: prometheus.NewRegistry(), Log: log}),
			accounts: accounts.New(accounts.Options{Log: log}),
		}
		running, stop := context.WithCancel(t.Context())
		go known.usage.Run(running)
		synctest.Wait()
		lookedUp := func(change *tables.Change) string {
			source.asked = nil
			if change != nil {
				known.invalidate(*change)
				synctest.Wait()
			}
			_, _ = known.keys.Check(t.Context(), "Bearer pk-lf-unknown")
			for _, project := range []string{"a", "b"} {
				scope := domain.OfProject(project)
				if _, err := known.prices.Of(t.Context(), scope); err != nil {
					t.Fatal(err)
				}
				if _, err := known.marks.Of(t.Context(), scope); err != nil {
					t.Fatal(err)
				}
				known.prompts.FillIDs(t.Context(), scope, map[domain.PromptReference]string{{Name: "greeting"}: ""})
			}
			return strings.Join(source.asked, ", ")
		}
		if got := lookedUp(nil); got != read {
			t.Fatalf("at first %q is looked up", got)
		}
		if got := lookedUp(nil); got != "" {
			t.Fatalf("without a change %q is looked up again", got)
		}
		if got := lookedUp(&c.change); got != c.want {
			t.Errorf("after %+v %q is looked up again, want %q", c.change, got, c.want)
		}
		stop()
	}
}

// TestInvalidateSessions checks that sessions and roles are looked up again after changes to them, and only then.
func TestInvalidateSessions(t *testing.T) {
	ctx, cli := t.Context(), domain.Actor{Kind: "cli"}
	path := filepath.Join(t.TempDir(), "catalog.db")
	c, err := catalog.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	elsewhere, err := catalog.Open(ctx, path) // its changes are not announced here
	if err != nil {
		t.Fatal(err)
	}
	defer elsewhere.Close()
	defaults, err := pricing.Default()
	if err != nil {
		t.Fatal(err)
	}
	user, err := c.CreateAccount(ctx, "ada@example.org", "Ada", "", cli)
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	for change, forgotten := range map[tables.Change]bool{
		{Kind: tables.KindSession}: true, {Kind: tables.KindUser}: true, {Kind: tables.KindMembership}: true,
		{Kind: tables.KindProjectMembership}: true,
		{Kind: tables.KindProject}:           true, {Kind: tables.KindOrganization}: true, {}: true,
		{Kind: tables.KindKey}: false, {Kind: tables.KindPrompt}: false, {Kind: "comment"}: false,
	} {
		source, people := new(lookups), accounts.New(accounts.Options{Catalog: c, Log: log, CacheLife: time.Hour})
		known := caches{
			keys: auth.NewKeys(source, time.Hour, log), prompts: prompts.New(source, prompts.CacheBytes, log),
			prices: pricing.NewLists(defaults, source),
			marks:  traces.NewMarkCache(source.marks, traces.MarkBytes),
			usage:  usage.New(usage.Options{Store: source, Metrics: prometheus.NewRegistry(), Log: log}), accounts: people,
		}
		started, err := people.Start(ctx, user.ID, "test", "")
		if err != nil {
			t.Fatal(err)
		}
		check := func() bool { _, err := people.Check(ctx, started.Token); return err == nil }
		if !check() {
			t.Fatal("the session is not valid")
		}
		if _, err := elsewhere.EndSessions(ctx, user.ID, "", cli); err != nil || !check() {
			t.Fatalf("it is not cached, %v", err)
		}
		known.invalidate(change)
		if check() == forgotten {
			t.Errorf("after %+v the session is valid: %v", change, !forgotten)
		}
	}
}
