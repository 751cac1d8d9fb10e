// Package scoring serves scores, their configs, annotation queues, comments and feedback.
package scoring

import (
	"almanac/internal/catalog"
	"almanac/internal/scores"
	"almanac/internal/store"
)

// Handlers serve the routes of scores and of what people say about traces.
type Handlers struct {
	Catalog *catalog.Catalog
	Store   store.Store
	Scores  *scores.Writer
	// CountScores counts scores that were stored and refused.
	CountScores func(stored, refused int)
	// Feedback is where feedback is passed on to; nil if it is not wanted.
	Feedback *FeedbackSink
}
