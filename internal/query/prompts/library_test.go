package prompts

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"almanac/internal/domain"
)

// fakeCatalog counts its calls.
type fakeCatalog struct {
	mu        sync.Mutex
	prompts   map[domain.PromptReference]domain.Prompt
	revisions map[string]int64
	reads     int
	lookups   int
	failure   error
	during    func() // called while a prompt is read
}

func (c *fakeCatalog) Prompt(_ context.Context, _ domain.ProjectScope, ref domain.PromptReference) (domain.Prompt, error) {
	c.mu.Lock()
	p, ok := c.prompts[ref]
	c.reads++
	failure, during := c.failure, c.during
	c.mu.Unlock()
	if during != nil {
		during()
	}
	switch {
	case failure != nil:
		return p, failure
	case !ok:
		return p, fmt.Errorf("prompt %s: %w", ref, domain.ErrNotFound)
	}
	return p, nil
}

func (c *fakeCatalog) PromptIDs(
	_ context.Context, _ domain.ProjectScope, refs []domain.PromptReference,
) (map[domain.PromptReference]string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lookups++
	ids := make(map[domain.PromptReference]string)
	for _, ref := range refs {
		if p, ok := c.prompts[ref]; ok {
			ids[ref] = p.ID
		}
	}
	return ids, c.failure
}

func (c *fakeCatalog) PromptRevision(_ context.Context, scope domain.ProjectScope) (int64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.revisions[scope.ProjectID()], nil
}

// set changes a prompt, as another server would.
func (c *fakeCatalog) set(project, name, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.prompts[domain.PromptReference{Name: name, Version: 1}] = domain.Prompt{
		ID: "id-" + name, Name: name, Version: 1, Type: domain.PromptText, Text: text,
	}
	c.revisions[project]++
}

func newTestLibrary() (*Library, *fakeCatalog) {
	c := &fakeCatalog{prompts: make(map[domain.PromptReference]domain.Prompt), revisions: make(map[string]int64)}
	return New(c, CacheBytes, slog.New(slog.DiscardHandler)), c
}

var (
	scope = domain.OfProject("p")
	first = domain.PromptReference{Name: "a", Version: 1}
)

type textAnswer string

func (a textAnswer) Size() int { return len(a) }

func readText(t *testing.T, l *Library, scope domain.ProjectScope, ref domain.PromptReference) string {
	t.Helper()
	answer, err := l.Read(t.Context(), scope, ref, true, func(p domain.Prompt, _ *Graph) (Answer, error) { return textAnswer(p.Text), nil })
	if errors.Is(err, domain.ErrNotFound) {
		return "none"
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(answer.(textAnswer))
}

func TestReadsFromMemory(t *testing.T) {
	l, c := newTestLibrary()
	for range 3 { // a missing prompt is cached as well
		if got := readText(t, l, scope, first); got != "none" {
			t.Errorf("read %q", got)
		}
	}
	c.set("p", "a", "one")
	if got := readText(t, l, scope, first); got != "none" || c.reads != 1 {
		t.Errorf("read %q with %d reads of the catalog, want what is remembered", got, c.reads)
	}
	l.Invalidate("p")
	for range 3 {
		if got := readText(t, l, scope, first); got != "one" {
			t.Errorf("read %q after a change", got)
		}
	}
	if c.reads != 2 {
		t.Errorf("%d reads of the catalog, want 2", c.reads)
	}
	other := domain.OfProject("q")
	readText(t, l, other, first)
	l.Invalidate("q")
	readText(t, l, scope, first)
	if c.reads != 3 {
		t.Errorf("a change in one project made another be read again: %d reads", c.reads)
	}
	c.failure = errors.New("broken")
	l.Invalidate("p")
	if _, err := l.Read(t.Context(), scope, first, true, nil); !errors.Is(err, c.failure) {
		t.Errorf("error %v", err)
	}
	c.failure = nil
	if got := readText(t, l, scope, first); got != "one" {
		t.Errorf("a failure was remembered: %q", got)
	}
}

// TestChangesDuringReads changes a prompt while it is read: either response may be returned, but the old one is not
// cached.
func TestChangesDuringReads(t *testing.T) {
	l, c := newTestLibrary()
	c.set("p", "a", "old")
	changed := false
	c.during = func() {
		if !changed {
			changed = true
			c.set("p", "a", "new")
			l.Invalidate("p")
		}
	}
	if got := readText(t, l, scope, first); got != "new" {
		t.Errorf("read %q: a prompt that changed meanwhile is read again", got)
	}
	if got := readText(t, l, scope, first); got != "new" {
		t.Errorf("read %q later", got)
	}
}

func TestForgetAll(t *testing.T) {
	l, c := newTestLibrary()
	for _, project := range []string{"p", "q"} {
		readText(t, l, domain.OfProject(project), first)
	}
	c.set("p", "a", "one")
	l.InvalidateAll()
	for _, project := range []string{"p", "q"} {
		if got := readText(t, l, domain.OfProject(project), first); got != "one" {
			t.Errorf("project %s: read %q after everything was forgotten", project, got)
		}
	}
}

// TestManyProjectsAtOnce concurrently reads and changes prompts of many projects that were not looked up before.
func TestManyProjectsAtOnce(t *testing.T) {
	l, c := newTestLibrary()
	c.set("p", "a", "one")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for n := range 500 {
				project := fmt.Sprint("p", n)
				if got := readText(t, l, domain.OfProject(project), first); got != "one" {
					t.Errorf("project %s: read %q", project, got)
				}
				switch n % 100 {
				case 10:
					l.Invalidate(project)
				case 20:
					l.InvalidateAll()
				}
			}
		})
	}
	wg.Wait()
	if got := len(l.cache.projects); got != 500 {
		t.Errorf("%d projects are known, want 500", got)
	}
}

func TestMemoryIsBounded(t *testing.T) {
	l, c := newTestLibrary()
	const limit = 100_000
	l.cache = newCache(limit)
	for n := range 1000 {
		name := fmt.Sprintf("n%d", n)
		c.set("p", name, strings.Repeat("x", n))
		readText(t, l, scope, domain.PromptReference{Name: name, Version: 1})
		readText(t, l, scope, domain.PromptReference{Name: name, Label: "none"})
	}
	if bytes := l.cache.entries.Bytes(); bytes > limit || bytes < limit/2 {
		t.Errorf("%d bytes are kept", bytes)
	}
	reads := c.reads
	readText(t, l, scope, domain.PromptReference{Name: "n999", Version: 1})
	if c.reads != reads {
		t.Error("what was used last is gone")
	}
	c.set("p", "large", strings.Repeat("x", 30_000))
	large := domain.PromptReference{Name: "large", Version: 1}
	readText(t, l, scope, large)
	if _, _, ok := l.cache.get(key{"p", large, resolvedBody}); ok {
		t.Error("a prompt that would push most others out is kept")
	}
}

// TestOutdatedAnswersGiveTheirMemoryBack checks that a stale entry is removed when it is looked up.
func TestOutdatedAnswersGiveTheirMemoryBack(t *testing.T) {
	c := newCache(10_000)
	k := key{"p", domain.PromptReference{Name: "a", Version: 1}, resolvedBody}
	_, epoch, _ := c.get(k)
	c.add(k, epoch, "answer", 100)
	c.add(k, epoch, "answer again", 200)
	if bytes := c.entries.Bytes(); bytes < 200 || bytes > 300+overhead {
		t.Errorf("%d bytes for one answer", bytes)
	}
	c.invalidate("p")
	if _, _, ok := c.get(k); ok || c.entries.Bytes() != 0 {
		t.Errorf("an answer that is out of date is returned (%v), or %d bytes of it are kept", ok, c.entries.Bytes())
	}
}

func TestFillIDs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, c := newTestLibrary()
		c.set("p", "a", "x")
		fill := func() map[domain.PromptReference]string {
			ids := map[domain.PromptReference]string{first: "", {Name: "b", Version: 1}: ""}
			l.FillIDs(t.Context(), scope, ids)
			return ids
		}
		for range 3 {
			if ids := fill(); ids[first] != "id-a" || ids[domain.PromptReference{Name: "b", Version: 1}] != "" {
				t.Errorf("ids %v", ids)
			}
		}
		if c.lookups != 1 {
			t.Errorf("%d lookups", c.lookups)
		}
		c.set("p", "b", "y")
		l.Invalidate("p")
		if ids := fill(); ids[domain.PromptReference{Name: "b", Version: 1}] != "id-b" {
			t.Errorf("ids %v after a prompt was made", ids)
		}
		// A failing catalog is called once a second, and costs rows only their ids.
		c.failure = errors.New("broken")
		l.Invalidate("p")
		c.lookups = 0
		for range 5 {
			if ids := fill(); ids[first] != "" {
				t.Errorf("ids %v from a broken catalog", ids)
			}
		}
		time.Sleep(2 * time.Second)
		fill()
		if c.lookups != 2 {
			t.Errorf("%d lookups in a broken catalog, want 2", c.lookups)
		}
		c.failure = nil
		time.Sleep(2 * time.Second)
		if ids := fill(); ids[first] != "id-a" {
			t.Errorf("ids %v after the catalog came back", ids)
		}
		l.failedAt.Store(time.Now().Add(time.Hour).UnixNano()) // set by a clock that was an hour ahead
		l.Invalidate("p")
		if ids := fill(); ids[first] != "id-a" {
			t.Errorf("ids %v after the clock was set back", ids)
		}
	})
}

// TestNamesAreKeptWithoutTheirURLs: names of prompts are parts of URLs, which may be long. Neither those of prompts that
// do not exist nor of those that do keep them in memory.
func TestNamesAreKeptWithoutTheirURLs(t *testing.T) {
	l, c := newTestLibrary()
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	rest := strings.Repeat("x", 60_000)
	for n := range 500 {
		url := fmt.Sprintf("name-%03d?label=latest&%s", n, rest)
		readText(t, l, scope, domain.PromptReference{Name: url[:8], Label: url[15:21]})
		l.FillIDs(t.Context(), scope, map[domain.PromptReference]string{{Name: url[:8], Version: 1}: ""})
	}
	if grown := int64(heap()) - int64(before); c.reads != 500 || grown > 5<<20 {
		t.Errorf("%d names take %d bytes", c.reads, grown)
	}
	runtime.KeepAlive(l)
}
