package domain

import (
	"crypto/sha256"
	"encoding/hex"

	"almanac/internal/jsontext"
)

// ExperimentID returns the experiment id of a dataset run. Clients compute it as well, so that the spans of a run can
// be matched with it without a lookup: it is a hash of JSON as JavaScript writes it.
func ExperimentID(projectID, datasetID, runName string) string {
	text := []byte(`["langfuse-experiment-v1"`)
	for _, part := range [...]string{projectID, datasetID, runName} {
		text = jsontext.AppendString(append(text, ','), part)
	}
	sum := sha256.Sum256(append(text, ']'))
	return hex.EncodeToString(sum[:])[:16]
}
