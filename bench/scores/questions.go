package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"

	"almanac/bench/process"
)

func scores(pairs ...string) string   { return address("/api/public/v3/scores", pairs) }
func scoresV2(pairs ...string) string { return address("/api/public/v2/scores", pairs) }

func address(path string, pairs []string) string {
	values := make(url.Values)
	for n := 0; n < len(pairs); n += 2 {
		values.Add(pairs[n], pairs[n+1])
	}
	return path + "?" + values.Encode()
}

func (c corpus) questions() []process.Question {
	trace := func(r *rand.Rand) int { return r.IntN(c.traces() - 1) }
	name := func(r *rand.Rand) string { return names[r.IntN(len(names))] }
	var deep string
	return []process.Question{
		{Name: "first page, 50 scores", Path: process.Always(scores())},
		{Name: "first page, 100 scores, all fields", Path: process.Always(scores("limit", "100", "fields", "details,subject,annotation"))},
		{Name: "by trace", Path: func(r *rand.Rand) string { return scores("traceId", traceID(trace(r))) }},
		{Name: "by 50 traces", Path: func(r *rand.Rand) string {
			list := make([]string, 50)
			for n := range list {
				list[n] = traceID(trace(r))
			}
			return scores("traceId", strings.Join(list, ","))
		}},
		{Name: "by id", Path: func(r *rand.Rand) string {
			return scores("id", scoreID(r.IntN(c.scores)))
		}},
		{Name: "by session", Path: func(r *rand.Rand) string { return scores("sessionId", sessionID(r.IntN(c.scores/perSession))) }},
		{Name: "by experiment", Path: func(r *rand.Rand) string { return scores("experimentId", runID(r.IntN(c.scores/perExperiment))) }},
		{Name: "by observation", Path: func(r *rand.Rand) string {
			n := trace(r)
			return scores("traceId", traceID(n), "observationId", spanID(n))
		}},
		{Name: "by name and value range", Path: func(r *rand.Rand) string {
			return scores("name", name(r), "dataType", "NUMERIC", "valueMin", "0.25", "valueMax", "0.5")
		}},
		{Name: "by name and a narrow value range", Path: func(r *rand.Rand) string {
			return scores("name", name(r), "dataType", "NUMERIC", "valueMin", "0.5", "valueMax", "0.501")
		}},
		{Name: "by name and value range, nothing matches", Path: func(r *rand.Rand) string {
			return scores("name", name(r), "dataType", "NUMERIC", "valueMin", "5")
		}},
		{Name: "by name and one day", Path: func(r *rand.Rand) string {
			from := c.at(r.IntN(c.scores * 9 / 10))
			return scores("name", name(r), "fromTimestamp", from.Time().Format("2006-01-02T15:04:05Z"),
				"toTimestamp", (from + 24*3600*1_000_000).Time().Format("2006-01-02T15:04:05Z"))
		}},
		{Name: "by category", Path: process.Always(scores("dataType", "CATEGORICAL", "value", "poor"))},
		{
			Name: "page 100 of a walk, 50 scores", Path: func(*rand.Rand) string { return deep },
			Prepare: func(ctx context.Context, client *http.Client, s *process.Server) error {
				deep = scores()
				for range 99 {
					body, err := s.Get(ctx, client, deep)
					if err != nil {
						return err
					}
					var answer struct{ Meta struct{ Cursor string } }
					if err := json.Unmarshal(body, &answer); err != nil {
						return err
					}
					if answer.Meta.Cursor == "" {
						return fmt.Errorf("a page of a walk has no cursor: %.200s", body)
					}
					deep = scores("cursor", answer.Meta.Cursor)
				}
				return nil
			},
		},
		{Name: "v2, first page, 50 scores with their traces", Path: process.Always(scoresV2())},
		{Name: "v2, page 100", Path: process.Always(scoresV2("page", "100"))},
		{Name: "v2, by observation", Path: func(r *rand.Rand) string { return scoresV2("observationId", spanID(trace(r))) }},
		{Name: "v2, by trace", Path: func(r *rand.Rand) string { return scoresV2("traceId", traceID(trace(r))) }},
		{Name: "v2, by user", Path: func(r *rand.Rand) string { return scoresV2("userId", userID(r.IntN(users))) }},
		{Name: "v2, by user and name", Path: func(r *rand.Rand) string { return scoresV2("userId", userID(r.IntN(users)), "name", name(r)) }},
		{Name: "v2, one score", Path: func(r *rand.Rand) string {
			return "/api/public/v2/scores/" + scoreID(r.IntN(c.scores))
		}},
	}
}
