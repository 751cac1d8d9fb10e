package httpapi

import (
	"context"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// isTraceScore says whether the deprecated reads of traces show a score: one of the trace or of an observation in it,
// and no correction.
func isTraceScore(s *domain.Score) bool {
	return s.SessionID == "" && s.ExperimentID == "" && s.DataType != domain.ScoreCorrection
}

// eachScore calls a function with the scores that traces show.
func eachScore(
	ctx context.Context, from store.Store, scope domain.ProjectScope, traceIDs []string, want store.Want, each func(*domain.Score) error,
) error {
	for s, err := range from.Scores().Lookup(ctx, scope, store.Lookup{TraceIDs: traceIDs, Want: want}) {
		if err != nil {
			return err
		}
		if isTraceScore(s) {
			if err := each(s); err != nil {
				return err
			}
		}
	}
	return nil
}
