package pricing

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/internal/domain"
)

func day(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }

func TestMatch(t *testing.T) {
	project := []domain.Model{
		{ID: "undated", ProjectID: "p", Name: "undated", MatchPattern: "^versioned"},
		{ID: "old", ProjectID: "p", Name: "old", MatchPattern: "^versioned", StartDate: day(1)},
		{ID: "new", ProjectID: "p", Name: "new", MatchPattern: "^versioned-[0-9]", StartDate: day(2)},
		{ID: "future", ProjectID: "p", Name: "future", MatchPattern: "^tomorrow$", StartDate: day(1).AddDate(1000, 0, 0)},
		{ID: "own", ProjectID: "p", Name: "own", MatchPattern: "(?i)^gpt-4o$"},
		{ID: "sensitive", ProjectID: "p", Name: "sensitive", MatchPattern: "^Exact$"},
		{ID: "insensitive", ProjectID: "p", Name: "insensitive", MatchPattern: "(?i)^ignored$"},
		{ID: "within", ProjectID: "p", Name: "within", MatchPattern: "lla+ma"},
		{ID: "first", ProjectID: "p", Name: "first", MatchPattern: "^same$"},
		{ID: "second", ProjectID: "p", Name: "second", MatchPattern: "^same$"},
		{ID: "invalid", ProjectID: "p", Name: "invalid", MatchPattern: "(?=x)"},
		{ID: "any", ProjectID: "p", Name: "any", MatchPattern: "^.*x$"},
	}
	l := New(project, defaults(t))
	for _, test := range []struct {
		name, client, want string
	}{
		{"the latest start date first", "versioned-3", "new"},
		{"an earlier one when the latest does not match", "versioned", "old"},
		{"start dates in the future count too", "tomorrow", "future"},
		{"own definitions before the defaults", "gpt-4o", "own"},
		{"the defaults after own definitions", "gpt-4o-mini", "gpt-4o-mini"},
		{"a default by another spelling", "openai/GPT-4O-mini", "gpt-4o-mini"},
		{"case matters", "exact", ""},
		{"case matters, and is right", "Exact", "sensitive"},
		{"case does not matter", "IGNORED", "insensitive"},
		{"patterns are searched for", "my-llaama-7b", "within"},
		{"the first of equals", "same", "first"},
		{"nothing matches", "unheard-of", ""},
		{"no name", "", ""},
		{"the longest name", strings.Repeat("x", maxName), "any"},
		{"a name that is too long", strings.Repeat("x", maxName+1), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			for range 2 { // the second time from the cache
				m, ok := l.Match(test.client)
				if m.Name != test.want || ok != (test.want != "") {
					t.Errorf("Match(%q) = %q, %v, want %q", test.client, m.Name, ok, test.want)
				}
			}
		})
	}
	if got := len(l.Models()); got != len(project)-1+167 {
		t.Errorf("the list has %d models, want all valid ones, %d", got, len(project)-1+167)
	}
}

func TestProjectWithoutDefinitionsSharesTheDefaults(t *testing.T) {
	l := defaults(t)
	if New(nil, l) != l {
		t.Error("a list without own definitions is a copy")
	}
	l.Tokenize = false
	if New([]domain.Model{{MatchPattern: "x"}}, l).Tokenize {
		t.Error("the option is lost in a project's list")
	}
}

func TestCheckPattern(t *testing.T) {
	if err := CheckPattern("(?i)^(gpt|claude)$"); err != nil {
		t.Error(err)
	}
	if err := CheckPattern("(?=a)"); err == nil || !strings.Contains(err.Error(), `"(?=a)"`) {
		t.Errorf("the pattern is not named in %v", err)
	}
}

func TestRecentIsBoundedAndKeepsWhatIsUsed(t *testing.T) {
	var r recent
	used := &model{}
	r.put("used", used)
	for i := range 10 * recentLimit {
		r.put(fmt.Sprint("name ", i), nil)
		if m, ok := r.get("used"); !ok || m != used {
			t.Fatalf("a name in use is forgotten after %d others", i)
		}
	}
	if n := len(r.young) + len(r.old); n > 2*recentLimit {
		t.Errorf("%d names are kept, want at most %d", n, 2*recentLimit)
	}
	if m, ok := r.get(fmt.Sprint("name ", 10*recentLimit-1)); !ok || m != nil {
		t.Errorf("that a name matches nothing is not remembered: %v, %v", m, ok)
	}
	if _, ok := r.get("name 0"); ok {
		t.Error("a name that is not used is kept for ever")
	}
}

// Names often refer to memory that the next request reuses.
func TestRecentCopiesNames(t *testing.T) {
	var r recent
	memory := []byte("gpt-4o")
	r.put(viewOf(memory), &model{})
	copy(memory, "xxxxxx")
	if _, ok := r.get("gpt-4o"); !ok {
		t.Error("the name changed with the memory that it came from")
	}
}

func TestConcurrentMatches(t *testing.T) {
	l := New([]domain.Model{{ID: "own", Name: "own", MatchPattern: "^own$"}}, defaults(t))
	var done sync.WaitGroup
	for worker := range 4 {
		done.Go(func() {
			for i := range 300 {
				for client, want := range map[string]string{"own": "own", "gpt-4o": "gpt-4o", fmt.Sprint(worker, "-", i): ""} {
					if m, _ := l.Match(client); m.Name != want {
						t.Errorf("Match(%q) = %q, want %q", client, m.Name, want)
					}
				}
			}
		})
	}
	done.Wait()
}

func BenchmarkMatch(b *testing.B) {
	l := defaults(b)
	b.Run("known", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			l.match("gpt-4o-mini")
		}
	})
	b.Run("new", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			l.search("an-unknown-model-of-somebody")
		}
	})
}

func BenchmarkDefault(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Default(); err != nil {
			b.Fatal(err)
		}
	}
}
