package storetest

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"almanac/internal/store"
)

// opener opens models as if they were persistent: a directory holds the number of its model, so a reopened directory
// has the same rows, and a copied one has a copy of them.
func opener() Opener {
	var mu sync.Mutex
	var models []*Model
	return func(t *testing.T, dir string) store.Store {
		t.Helper()
		mu.Lock()
		defer mu.Unlock()
		m := NewModel()
		file := filepath.Join(dir, "model")
		if text, err := os.ReadFile(file); err == nil {
			number, err := strconv.Atoi(string(text))
			if err != nil {
				t.Fatal(err)
			}
			copyRows(m.observations, models[number].observations)
			copyRows(m.scores, models[number].scores)
		}
		models = append(models, m)
		if err := os.WriteFile(file, []byte(strconv.Itoa(len(models)-1)), 0o600); err != nil {
			t.Fatal(err)
		}
		return complete{m}
	}
}

// complete is a model that implements the optional interfaces, so that the cases for them run as well.
type complete struct{ *Model }

func (complete) Merge(context.Context) error { return nil }

func (complete) RowsRead() int64 { return 0 }

func copyRows[R any](to, from *modelTable[R]) {
	from.model.mu.Lock()
	defer from.model.mu.Unlock()
	for project, rows := range from.projects {
		to.projects[project] = maps.Clone(rows)
	}
	to.numbers, to.appends = maps.Clone(from.numbers), from.appends
}

func TestModel(t *testing.T) { Run(t, opener()) }

func TestModelScripts(t *testing.T) { RunScripts(t, opener()) }

func TestModelRandom(t *testing.T) { RunRandom(t, opener()) }
