package domain

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// ExperimentID returns the id of the experiment that a run of a dataset is. Clients compute it too, so that the spans of
// a run and the run itself meet without asking: it is made of a JSON text as JavaScript writes it.
func ExperimentID(projectID, datasetID, runName string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode([]string{"langfuse-experiment-v1", projectID, datasetID, runName}); err != nil {
		panic(fmt.Sprintf("BUG: a list of texts does not marshal: %v", err))
	}
	text := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	sum := sha256.Sum256(unescapeSeparators(text))
	return hex.EncodeToString(sum[:])[:16]
}

// unescapeSeparators undoes the escaping of two separators that only Go escapes. A backslash that is itself escaped does
// not begin an escape.
func unescapeSeparators(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		switch {
		case bytes.HasPrefix(text[i:], []byte(`\u2028`)):
			out = append(out, "\u2028"...)
			i += 5
		case bytes.HasPrefix(text[i:], []byte(`\u2029`)):
			out = append(out, "\u2029"...)
			i += 5
		case text[i] == '\\':
			out = append(out, text[i], text[i+1])
			i++
		default:
			out = append(out, text[i])
		}
	}
	return out
}
