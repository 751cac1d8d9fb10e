// Package scoring serves scores, their configs, annotation queues, comments and feedback.
package scoring

import (
	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/scores"
	"almanac/internal/store"
	"almanac/internal/traces"
)

// Handlers serve the routes of scores and of what people say about traces.
type Handlers struct {
	Catalog *catalog.Catalog
	Store   store.Store
	// Finder finds traces of a project.
	Finder func(domain.ProjectScope) *traces.Finder
	Scores *scores.Writer
	// CountScores counts scores that were stored and refused.
	CountScores func(stored, refused int)
	// Feedback is where feedback is passed on to; nil if it is not wanted.
	Feedback *FeedbackSink
}
