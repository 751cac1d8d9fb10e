package traces

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"almanac/internal/domain"
)

// source is a catalog of marks that counts reads.
type source struct {
	asked int
	marks map[string]domain.TraceMark
	err   error
	while func() // called between reading and returning
}

func (s *source) read(context.Context, domain.ProjectScope) (map[string]domain.TraceMark, error) {
	s.asked++
	marks, err := s.marks, s.err
	if s.while != nil {
		s.while()
	}
	return marks, err
}

func TestMarkCache(t *testing.T) {
	s := &source{marks: map[string]domain.TraceMark{}}
	b := NewMarkCache(s.read, MarkBytes)
	asked := func(what, project string, want, marks int) {
		t.Helper()
		s.asked = 0
		got, err := b.Of(t.Context(), domain.OfProject(project))
		if err != nil || len(got) != marks || s.asked != want {
			t.Errorf("%s: asked %d times for %d marks, %v, want %d times for %d", what, s.asked, len(got), err, want, marks)
		}
	}
	asked("first", "a", 1, 0)
	asked("again, there are none", "a", 0, 0)
	asked("another project", "b", 1, 0)
	s.marks = map[string]domain.TraceMark{"one": {}}
	b.Invalidate("a")
	asked("changed", "a", 1, 1)
	asked("again", "a", 0, 1)
	asked("the other one, unchanged", "b", 0, 0)
	b.InvalidateAll()
	asked("anything changed", "b", 1, 1)
	asked("anything changed, the first one", "a", 1, 1)

	// A change between reading and caching.
	b.Invalidate("a")
	s.while = func() {
		s.marks, s.while = map[string]domain.TraceMark{"one": {}, "two": {}}, nil
		b.Invalidate("a")
	}
	asked("while it changes", "a", 1, 1)
	asked("after that", "a", 1, 2)

	s.err = errors.New("gone")
	asked("remembered", "a", 0, 2)
}

func TestMarkCacheForgetsFailures(t *testing.T) {
	s := &source{err: errors.New("gone")}
	b := NewMarkCache(s.read, MarkBytes)
	for range 2 {
		if _, err := b.Of(t.Context(), domain.OfProject("a")); !errors.Is(err, s.err) {
			t.Errorf("error %v, want %v", err, s.err)
		}
	}
	if s.asked != 2 {
		t.Errorf("asked %d times of 2", s.asked)
	}
}

// TestMarkCacheIsBounded has more marks than the cache holds: for one project, and for many.
func TestMarkCacheIsBounded(t *testing.T) {
	const bytes = 64 << 10
	s := &source{marks: map[string]domain.TraceMark{"one": {Tags: []string{strings.Repeat("x", bytes/4)}}}}
	b := NewMarkCache(s.read, bytes)
	for range 2 {
		if _, err := b.Of(t.Context(), domain.OfProject("large")); err != nil {
			t.Fatal(err)
		}
	}
	if s.asked != 2 || b.known.Bytes() != 0 {
		t.Errorf("asked %d times of 2, %d bytes are remembered", s.asked, b.known.Bytes())
	}
	s.marks = map[string]domain.TraceMark{"one": {Tags: []string{"tag"}}}
	for n := range 1000 {
		if _, err := b.Of(t.Context(), domain.OfProject(fmt.Sprint("project ", n))); err != nil {
			t.Fatal(err)
		}
	}
	if got := b.known.Bytes(); got > bytes || got < bytes/2 {
		t.Errorf("%d bytes are remembered, want up to %d", got, bytes)
	}
}
