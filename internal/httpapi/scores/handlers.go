// Package scores serves scores, their configs, annotation queues, comments and feedback.
package scores

import (
	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/ingest/scores"
	"almanac/internal/query/traces"
	"almanac/internal/store"
)

// Handlers serves the routes of scores, annotation, comments and feedback.
type Handlers struct {
	Catalog *catalog.Catalog
	Store   store.Store
	// Finder finds traces of a project.
	Finder func(domain.ProjectScope) *traces.Finder
	Scores *scores.Writer
	// CountScores counts stored and refused scores.
	CountScores func(stored, refused int)
	// Feedback is where feedback is forwarded; nil if feedback is disabled.
	Feedback *FeedbackSink
}
