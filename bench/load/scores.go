package main

import (
	"math/rand/v2"
	"strings"
)

func scores(pairs ...string) string   { return address("/api/public/v3/scores", pairs) }
func scoresV2(pairs ...string) string { return address("/api/public/v2/scores", pairs) }

// scoreQuestions are the queries of people who look for scores.
func scoreQuestions(c scoreCorpus) []question {
	trace := func(r *rand.Rand) int { return r.IntN(c.traces() - 1) }
	name := func(r *rand.Rand) string { return one(r, scoreNames) }
	return []question{
		{name: "first page, 50 scores", path: always(scores())},
		{name: "first page, 100 scores, all fields", path: always(scores("limit", "100", "fields", "details,subject,annotation"))},
		{name: "by trace", path: func(r *rand.Rand) string { return scores("traceId", traceID(trace(r))) }},
		{name: "by 50 traces", path: func(r *rand.Rand) string {
			list := make([]string, 50)
			for n := range list {
				list[n] = traceID(trace(r))
			}
			return scores("traceId", strings.Join(list, ","))
		}},
		{name: "by id", path: func(r *rand.Rand) string {
			return scores("id", scoreID(r.IntN(c.scores)))
		}},
		{name: "by session", path: func(r *rand.Rand) string { return scores("sessionId", sessionID(r.IntN(c.scores/perSession))) }},
		{name: "by experiment", path: func(r *rand.Rand) string { return scores("experimentId", runID(r.IntN(c.scores/perExperiment))) }},
		{name: "by observation", path: func(r *rand.Rand) string {
			n := trace(r)
			return scores("traceId", traceID(n), "observationId", spanID(n))
		}},
		{name: "by name and value range", path: func(r *rand.Rand) string {
			return scores("name", name(r), "dataType", "NUMERIC", "valueMin", "0.25", "valueMax", "0.5")
		}},
		{name: "by name and a narrow value range", path: func(r *rand.Rand) string {
			return scores("name", name(r), "dataType", "NUMERIC", "valueMin", "0.5", "valueMax", "0.501")
		}},
		{name: "by name and value range, nothing matches", path: func(r *rand.Rand) string {
			return scores("name", name(r), "dataType", "NUMERIC", "valueMin", "5")
		}},
		{name: "by name and one day", path: func(r *rand.Rand) string {
			from := c.at(r.IntN(c.scores * 9 / 10))
			return scores("name", name(r), "fromTimestamp", from.Time().Format("2006-01-02T15:04:05Z"),
				"toTimestamp", (from + 24*3600*1_000_000).Time().Format("2006-01-02T15:04:05Z"))
		}},
		{name: "by category", path: always(scores("dataType", "CATEGORICAL", "value", "poor"))},
		walk("a walk, 50 scores", 100, scores),
		{name: "v2, first page, 50 scores with their traces", path: always(scoresV2())},
		{name: "v2, page 100", path: always(scoresV2("page", "100"))},
		{name: "v2, by observation", path: func(r *rand.Rand) string { return scoresV2("observationId", spanID(trace(r))) }},
		{name: "v2, by trace", path: func(r *rand.Rand) string { return scoresV2("traceId", traceID(trace(r))) }},
		{name: "v2, by user", path: func(r *rand.Rand) string { return scoresV2("userId", userID(r.IntN(users))) }},
		{name: "v2, by user and name", path: func(r *rand.Rand) string {
			return scoresV2("userId", userID(r.IntN(users)), "name", name(r))
		}},
		{name: "v2, one score", path: func(r *rand.Rand) string {
			return "/api/public/v2/scores/" + scoreID(r.IntN(c.scores))
		}},
	}
}
