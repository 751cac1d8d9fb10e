package httpapi

import (
	"strings"
	"testing"
)

// TestPackedBodies: every route accepts JSON in gzip, with the same limits, and reports errors as JSON.
func TestPackedBodies(t *testing.T) {
	score := `{"id":"s1","traceId":"t1","name":"n","value":1}`
	small := packed(t, score, gzipped)
	send := func(name, coding, body string, status int, want string) scenario {
		return scenario{
			name: name, method: "POST", path: "/api/public/scores", key: "project", body: body, status: status, want: want,
			header: map[string]string{"Content-Type": "application/json", "Content-Encoding": coding},
		}
	}
	const notGzip = `{"message":"The request body is not gzip, as its Content-Encoding says","error":"InvalidRequestError"}`
	batch := send("a batch", "gzip", packed(t, `{"batch":[]}`, gzipped), 207, `{"successes":[],"errors":[]}`)
	batch.path = "/api/public/ingestion"
	large := send("too large when it is unpacked", "gzip", packed(t, `{"comment":"`+strings.Repeat("x", defaultMaxBody)+`"}`, gzipped), 413, "")
	large.contains = []string{"larger than the limit"}
	unknown := send("an encoding that is not known", "br", small, 400, "")
	unknown.contains = []string{`"message":"Unsupported content encoding \"br\": use gzip or none"`}
	runScenarios(t, []scenario{
		send("gzip", "gzip", small, 200, `{"id":"s1"}`), send("under its old name", "X-Gzip", small, 200, `{"id":"s1"}`),
		send("none", "identity", score, 200, `{"id":"s1"}`), batch, large, unknown,
		send("no gzip", "gzip", score, 400, notGzip), send("damaged", "gzip", small[:len(small)-6]+"xx"+small[len(small)-4:], 400, notGzip),
		send("cut off", "gzip", small[:len(small)-12], 400, notGzip),
	})
}
