package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"time"
)

// question is one kind of request for something. Its path may differ from time to time.
type question struct {
	name string
	path func(r *rand.Rand) string
	// row is a name that each row of an answer has once; projectId if it is empty.
	row string
	// prepare, if set, finds out what to ask for, once and before anything is measured.
	prepare func(ctx context.Context, t *target, q *question) error
}

// always is the path of a question that is the same every time.
func always(path string) func(*rand.Rand) string { return func(*rand.Rand) string { return path } }

// one returns one of a list, which is not empty.
func one(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }

func address(path string, pairs []string) string {
	values := make(url.Values)
	for n := 0; n < len(pairs); n += 2 {
		values.Add(pairs[n], pairs[n+1])
	}
	return path + "?" + values.Encode()
}

// walk asks for a page far behind the first: the last of so many, or of as many as there are or as can be walked through in
// half a minute.
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
