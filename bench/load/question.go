package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"time"
)

// question is a kind of query. Its path may vary between requests.
type question struct {
	name string
	path func(r *rand.Rand) string
	// row is a member name that occurs once in each row of a response; projectId if empty.
	row string
	// prepare, if set, finds out what to query, once and before the measurement.
	prepare func(ctx context.Context, t *target, q *question) error
}

// always returns a path that never varies.
func always(path string) func(*rand.Rand) string { return func(*rand.Rand) string { return path } }

// one returns a random element of a list, which must not be empty.
func one(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }

func address(path string, pairs []string) string {
	values := make(url.Values)
	for n := 0; n < len(pairs); n += 2 {
		values.Add(pairs[n], pairs[n+1])
	}
	return path + "?" + values.Encode()
}

// walk queries a page far from the first: the given number, or the last one that exists or can be reached within half a
// minute.
func walk(name string, pages int, path func(cursor ...string) string) question {
	return question{prepare: func(ctx context.Context, t *target, q *question) error {
		page, deep := 1, path()
		q.name = "page 1 of " + name
		for began := time.Now(); page < pages && time.Since(began) < 30*time.Second; page++ {
			a, body := t.get(ctx, deep, "")
			if !a.ok {
				return fmt.Errorf("page %d of %s: %s %s", page, name, a.status, a.problem)
			}
			var answer struct{ Meta struct{ Cursor string } }
			if err := json.Unmarshal(body, &answer); err != nil {
				return fmt.Errorf("page %d of %s: %w", page, name, err)
			}
			if answer.Meta.Cursor == "" {
				break
			}
			deep = path("cursor", answer.Meta.Cursor)
		}
		q.name, q.path = fmt.Sprintf("page %d of %s", page, name), always(deep)
		return nil
	}}
}
