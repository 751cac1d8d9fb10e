package domain

import (
	"crypto/sha256"
	"encoding/hex"

	"almanac/internal/jsontext"
)

// ExperimentID returns the id of the experiment that a run of a dataset is. Clients compute it too, so that the spans of
// a run and the run itself meet without asking: it is made of a JSON text as JavaScript writes it.
func ExperimentID(projectID, datasetID, runName string) string {
	text := []byte(`["langfuse-experiment-v1"`)
	for _, part := range [...]string{projectID, datasetID, runName} {
		text = jsontext.AppendString(append(text, ','), part)
	}
	sum := sha256.Sum256(append(text, ']'))
	return hex.EncodeToString(sum[:])[:16]
}
