package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"

	"almanac/internal/domain"
	"almanac/internal/store/segment"
)

const (
	// scoreDays is the time range of the scores, in days.
	scoreDays = 30
	// perTrace is the number of scores of a trace, including those of its observation.
	perTrace = 5
	// One of perSession scores belongs to a session, one of perExperiment to an experiment.
	perSession, perExperiment = 20, 50
	// users is the number of users of the traces.
	users = 5000
	// end is the time of the last score.
	end = domain.Micros(1_790_000_000_000_000)
)

// scoreNames are the names of evaluators. Each score has one of them.
var scoreNames = []string{"accuracy", "completeness", "correctness", "faithfulness", "helpfulness", "relevance", "tone", "toxicity"}

// scoreCorpus makes scores as evaluators write them: numbers from 0 to 1, some booleans and categories, most of them of
// traces. They are the same every time.
type scoreCorpus struct{ scores int }

func (c scoreCorpus) traces() int { return c.scores/perTrace + 1 }

// at returns the time of a score. The last is the newest.
func (c scoreCorpus) at(n int) domain.Micros {
	return end - domain.Micros(int64(c.scores-n)*(scoreDays*24*3600*1_000_000/int64(c.scores)))
}

// scattered spreads numbers over the whole range of ids, as random ones are.
func scattered(n int, factor uint64) uint64 { return uint64(n) * factor }

func traceID(n int) string   { return fmt.Sprintf("%032x", scattered(n, 0x9e3779b97f4a7c15)) }
func spanID(n int) string    { return fmt.Sprintf("%016x", scattered(n, 0xbf58476d1ce4e5b9)) }
func scoreID(n int) string   { return fmt.Sprintf("%016x-%08x", scattered(n, 0x94d049bb133111eb), n) }
func sessionID(n int) string { return fmt.Sprintf("session-%06d", n) }
func runID(n int) string     { return fmt.Sprintf("experiment-%05d", n/200) }
func userID(n int) string    { return fmt.Sprintf("user-%04d", n%users) }

// score returns the n-th score.
func (c scoreCorpus) score(n int, r *rand.Rand) domain.Score {
	at := c.at(n)
	s := domain.Score{
		ID: scoreID(n), Name: scoreNames[r.IntN(len(scoreNames))], Source: "EVAL",
		DataType: domain.ScoreNumeric, Value: domain.FloatOf(float64(r.IntN(1001)) / 1000), Environment: "production",
		Timestamp: at, CreatedAt: at, UpdatedAt: at, EventAt: at,
		Comment:  "The answer names the right section and quotes it, but leaves out the second condition.",
		Metadata: fmt.Sprintf(`{"evaluator":"judge-%d","tokens":%d}`, r.IntN(5), r.IntN(2000)),
	}
	switch trace := n / perTrace; {
	case n%perExperiment == 0:
		s.ExperimentID = runID(n / perExperiment)
	case n%perSession == 1:
		s.SessionID = sessionID(n / perSession)
	case n%perTrace == 2:
		s.TraceID, s.ObservationID = traceID(trace), spanID(trace)
	default:
		s.TraceID = traceID(trace)
	}
	switch r.IntN(10) {
	case 0:
		s.DataType, s.Value, s.StringValue = domain.ScoreBoolean, domain.FloatOf(1), "True"
	case 1:
		s.DataType, s.Value, s.StringValue = domain.ScoreCategorical, domain.FloatOf(0), []string{"good", "fair", "poor"}[r.IntN(3)]
	case 2:
		s.Source, s.AuthorUserID, s.QueueID = "ANNOTATION", "reviewer", "queue"
	}
	return s
}

// trace returns the only row of a trace.
func (c scoreCorpus) trace(n int) domain.Observation {
	at := c.at(n * perTrace)
	return domain.Observation{
		TraceID: traceID(n), ID: spanID(n), Type: "SPAN", Name: "answer", Environment: "production", UserID: userID(n),
		Tags: []string{"tag-" + strconv.Itoa(n%7)}, StartTime: at, EndTime: at + 1_000_000, CreatedAt: at, UpdatedAt: at,
	}
}

// fill writes everything directly into the store, all of one project.
func (c scoreCorpus) fill(ctx context.Context, directory, project string) (err error) {
	s, err := segment.Open(directory, segment.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	scope := domain.OfProject(project) //nolint:forbidigo // a directory of its own, filled before anybody serves it
	const batch = 1000
	r := rand.New(rand.NewPCG(3, 4)) // the same scores every time
	for first := 0; first < c.scores; first += batch {
		var scores []domain.Score
		for n := first; n < min(first+batch, c.scores); n++ {
			scores = append(scores, c.score(n, r))
		}
		if err := s.Scores().Append(ctx, scope, scores); err != nil {
			return err
		}
	}
	for first := 0; first < c.traces(); first += batch {
		var rows []domain.Observation
		for n := first; n < min(first+batch, c.traces()); n++ {
			rows = append(rows, c.trace(n))
		}
		if err := s.Observations().Append(ctx, scope, rows); err != nil {
			return err
		}
	}
	return s.Flush(ctx)
}
