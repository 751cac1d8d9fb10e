package blackbox

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"almanac/test/harness"
)

// send sends JSON with the key of the test's project. Unlike harness.Do it returns errors, which are expected from a
// killed server.
func send(ctx context.Context, s *harness.Server, method, path string, body any) (int, string, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return 0, "", err
	}
	r, err := http.NewRequestWithContext(ctx, method, s.URL+path, strings.NewReader(string(text)))
	if err != nil {
		return 0, "", err
	}
	r.SetBasicAuth(exportKey, exportPass)
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(read), err
}

// allRows reads all pages of a list and returns the rows by id.
func allRows(
	t *testing.T, s *harness.Server, path string, next func(page int, meta map[string]any) (string, bool),
) map[string][]map[string]any {
	t.Helper()
	rows := make(map[string][]map[string]any)
	for page, more := 1, ""; ; page++ {
		code, text := s.Get(t, path+more)
		if code != http.StatusOK {
			t.Fatalf("GET %s%s: status %d: %s", path, more, code, text)
		}
		var answer struct {
			Data []map[string]any
			Meta map[string]any
		}
		if err := json.Unmarshal([]byte(text), &answer); err != nil {
			t.Fatal(err)
		}
		for _, row := range answer.Data {
			id := fmt.Sprint(row["id"])
			rows[id] = append(rows[id], row)
		}
		var ok bool
		if more, ok = next(page, answer.Meta); !ok {
			return rows
		}
	}
}

func byCursor(_ int, meta map[string]any) (string, bool) {
	cursor, ok := meta["cursor"].(string)
	return "&cursor=" + url.QueryEscape(cursor), ok
}

// TestConcurrentUpsertsOfOneScore concurrently writes different contents under one id: one row must remain, entirely
// from one of the writes.
func TestConcurrentUpsertsOfOneScore(t *testing.T) {
	s := startForExports(t, t.TempDir())
	var wg sync.WaitGroup
	names := make(map[string]float64)
	for w := range 8 {
		name := fmt.Sprintf("name-%d", w)
		names[name] = float64(w)
		wg.Go(func() {
			for range 25 {
				body := map[string]any{"id": "one", "traceId": "t", "name": name, "value": w, "comment": name, "dataType": "NUMERIC"}
				if code, text, err := send(t.Context(), s, http.MethodPost, "/api/public/scores", body); err != nil ||
					code != http.StatusOK {
					t.Errorf("status %d: %s, %v", code, text, err)
					return
				}
			}
		})
	}
	wg.Wait()
	found := allRows(t, s, "/api/public/v3/scores?fields=details&limit=100", byCursor)
	if got := slices.Collect(maps.Keys(found)); len(got) != 1 || len(found["one"]) != 1 {
		t.Fatalf("found %v, want the one score once", found)
	}
	row := found["one"][0]
	name, _ := row["name"].(string)
	if value, ok := names[name]; !ok || row["value"] != value || row["comment"] != name {
		t.Errorf("the score mixes writes: %v", row)
	}
}
