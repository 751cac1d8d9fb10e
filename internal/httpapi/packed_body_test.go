package httpapi_test

import (
	"strings"
	"testing"

	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
)

// TestPackedBodies: every route accepts JSON in gzip, with the same limits, and reports errors as JSON.
func TestPackedBodies(t *testing.T) {
	score := `{"id":"s1","traceId":"t1","name":"n","value":1}`
	small := apitest.Packed(t, score, apitest.Gzipped)
	send := func(name, coding, body string, status int, want string) apitest.Scenario {
		return apitest.Scenario{
			Name: name, Method: "POST", Path: "/api/public/scores", Key: "project", Body: body, Status: status, Want: want,
			Header: map[string]string{"Content-Type": "application/json", "Content-Encoding": coding},
		}
	}
	const notGzip = `{"message":"The request body is not gzip, as its Content-Encoding says","error":"InvalidRequestError"}`
	batch := send("a batch", "gzip", apitest.Packed(t, `{"batch":[]}`, apitest.Gzipped), 207, `{"successes":[],"errors":[]}`)
	batch.Path = "/api/public/ingestion"
	large := send("too large when it is unpacked", "gzip", apitest.Packed(t, `{"comment":"`+strings.Repeat("x", httpapi.DefaultMaxBody)+`"}`, apitest.Gzipped), 413,
		"")
	large.Contains = []string{"larger than the limit"}
	unknown := send("an encoding that is not known", "br", small, 400, "")
	unknown.Contains = []string{`"message":"Unsupported content encoding \"br\": use gzip or none"`}
	apitest.Run(t, []apitest.Scenario{
		send("gzip", "gzip", small, 200, `{"id":"s1"}`), send("under its old name", "X-Gzip", small, 200, `{"id":"s1"}`),
		send("none", "identity", score, 200, `{"id":"s1"}`), batch, large, unknown,
		send("no gzip", "gzip", score, 400, notGzip), send("damaged", "gzip", small[:len(small)-6]+"xx"+small[len(small)-4:], 400, notGzip),
		send("cut off", "gzip", small[:len(small)-12], 400, notGzip),
	})
}
