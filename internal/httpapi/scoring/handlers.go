// Package scoring serves scores, their configs, annotation queues, comments and feedback.
package scoring

import (
	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/scores"
	"almanac/internal/store"
	"almanac/internal/traces"
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
