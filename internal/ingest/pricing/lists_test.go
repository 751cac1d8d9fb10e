package pricing

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"

	"almanac/internal/domain"
)

// fakeSource holds the definitions of every project in memory, and counts reads.
type fakeSource struct {
	mu      sync.Mutex
	models  []domain.Model
	failure error
	reads   int
}

func (s *fakeSource) change(models ...domain.Model) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.models = models
}

func (s *fakeSource) Models(context.Context, domain.ProjectScope) ([]domain.Model, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reads++
	return s.models, s.failure
}

func TestLists(t *testing.T) {
	source := new(fakeSource)
	book := NewLists(defaults(t), source)
	scope := domain.OfProject("p")
	matched := func() string {
		t.Helper()
		list, err := book.Of(t.Context(), scope)
		if err != nil {
			t.Fatal(err)
		}
		m, _ := list.Match("gpt-4o")
		return m.ID
	}
	own := func(id string) domain.Model {
		return domain.Model{ID: id, ProjectID: "p", Name: "gpt-4o", MatchPattern: "^gpt-4o$"}
	}
	builtIn, _ := book.Defaults().Match("gpt-4o")

	if list, err := book.Of(t.Context(), scope); err != nil || list != book.Defaults() {
		t.Errorf("a project without definitions has %p, %v, not the defaults", list, err)
	}
	source.change(own("first"))
	if got := matched(); got != builtIn.ID || source.reads != 1 {
		t.Errorf("%q is matched after %d reads, want what was known, until it is forgotten", got, source.reads)
	}
	source.change(own("second"))
	book.Invalidate(scope.ProjectID())
	if got := matched(); got != "second" {
		t.Errorf("after Invalidate %q is matched", got)
	}
	source.change(own("third"))
	book.InvalidateAll()
	if got := matched(); got != "third" {
		t.Errorf("after InvalidateAll %q is matched", got)
	}
	source.change(own("second"))
	book.InvalidateAll()
	matched()

	// The source fails.
	source.failure = errors.New("disk on fire")
	if got := matched(); got != "second" {
		t.Errorf("without a source %q is matched, want what was known", got)
	}
	if _, err := book.Of(t.Context(), domain.OfProject("unknown")); !errors.Is(err, source.failure) {
		t.Errorf("a project that was never known: %v", err)
	}
	book.Invalidate(scope.ProjectID())
	if _, err := book.Of(t.Context(), scope); !errors.Is(err, source.failure) {
		t.Errorf("after Invalidate: %v", err)
	}
	source.failure = nil
	if got := matched(); got != "second" {
		t.Errorf("a source that works again: %q", got)
	}
}

// TestListsForgetsWhatIsBeingRead changes definitions while they are read: the old ones must not be cached.
func TestListsForgetsWhatIsBeingRead(t *testing.T) {
	source := new(fakeSource)
	book := NewLists(defaults(t), source)
	scope := domain.OfProject("p")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 200 {
				if _, err := book.Of(t.Context(), scope); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for n := range 200 {
		id := strconv.Itoa(n)
		source.change(domain.Model{ID: id, Name: "m", MatchPattern: "^m$"})
		book.Invalidate(scope.ProjectID())
		list, err := book.Of(t.Context(), scope)
		if err != nil {
			t.Fatal(err)
		}
		if m, _ := list.Match("m"); m.ID != id {
			t.Fatalf("after change %s the definition is %q", id, m.ID)
		}
	}
	wg.Wait()
}

func TestListsIsBounded(t *testing.T) {
	book := NewLists(defaults(t), new(fakeSource))
	for n := range maxLists + 10 {
		if _, err := book.Of(t.Context(), domain.OfProject(strconv.Itoa(n))); err != nil {
			t.Fatal(err)
		}
	}
	if len(book.lists) > maxLists {
		t.Errorf("%d lists are kept", len(book.lists))
	}
}

func TestModelByID(t *testing.T) {
	list := New([]domain.Model{{ID: "own", Name: "n", MatchPattern: "x"}}, defaults(t))
	builtIn, _ := defaults(t).Match("gpt-4o")
	for id, want := range map[string]string{"own": "n", builtIn.ID: "gpt-4o", "": "", "nope": ""} {
		if m, ok := list.Model(id); m.Name != want || ok != (want != "") {
			t.Errorf("Model(%q) = %q, %v", id, m.Name, ok)
		}
	}
}

func TestSizeOfPatterns(t *testing.T) {
	for _, test := range []struct{ pattern, problem string }{
		{"(?i)^(gpt-4o)(-mini)?$", ""},
		{"", ""},
		{"a{1,400}", ""},
		{"[", "is not a regular expression"},
		{"(?=x)", "is not a regular expression"},
		{"(x)\\1", "is not a regular expression"},
		{"(a{999}){999}", "is not a regular expression"},
		{"a{900}a{900}", "is too large"},
		{strings.Repeat("(ab|cd)", 500), "is too large"},
	} {
		err := CheckPattern(test.pattern)
		if (err == nil) != (test.problem == "") || err != nil && !strings.Contains(err.Error(), test.problem) {
			t.Errorf("CheckPattern(%q) = %v, want %q", test.pattern, err, test.problem)
		}
	}
}
