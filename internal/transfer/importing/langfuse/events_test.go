package langfuse

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/netguard"
)

// TestPageSize checks that fewer rows are requested while they are long.
func TestPageSize(t *testing.T) {
	p := newPageSize(maxRows)
	// rows returns as many rows as would be requested, each of the given length.
	rows := func(length int) []observationRow {
		return slices.Repeat([]observationRow{{Input: make(json.RawMessage, length)}}, p.now)
	}
	for range 20 {
		p.fit(rows(1 << 20))
	}
	if p.now < wantedBytes>>21 || p.now > wantedBytes>>19 {
		t.Errorf("%d rows of 1 MB are asked for", p.now)
	}
	for range 10 {
		p.fit(rows(20 << 20))
	}
	if p.now != 1 {
		t.Errorf("%d rows of 20 MB are asked for", p.now)
	}
	for range 20 {
		p.fit(rows(1 << 10))
	}
	if p.now != maxRows {
		t.Errorf("%d rows of 1 kB are asked for", p.now)
	}
}

// TestManyLongKeys reads rows that together need more keys than a request can name. The second page needs some that the
// first one did not.
func TestManyLongKeys(t *testing.T) {
	const long = 3 * cutAt
	keysOf := [][2]int{{0, 200}, {0, 200}, {0, 200}, {200, 300}} // range of keys of each row, with an exclusive end
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked++; asked > 20 {
			http.Error(w, "asked too often", http.StatusBadRequest)
			return
		}
		whole := strings.Split(r.FormValue("expandMetadata"), ",")
		if len(whole) > maxKeys {
			t.Errorf("%d keys are named", len(whole))
		}
		from, _ := strconv.Atoi(r.FormValue("cursor"))
		limit, _ := strconv.Atoi(r.FormValue("limit"))
		var answer struct {
			Data []map[string]any  `json:"data"`
			Meta map[string]string `json:"meta"`
		}
		to := min(from+limit, len(keysOf))
		for n := from; n < to; n++ {
			metadata := make(map[string]string)
			for k := keysOf[n][0]; k < keysOf[n][1]; k++ {
				key, length := fmt.Sprint("k", k), cutAt
				if slices.Contains(whole, key) {
					length = long
				}
				metadata[key] = strings.Repeat("x", length)
			}
			answer.Data = append(answer.Data, map[string]any{
				"id": strconv.Itoa(n), "traceId": "t", "startTime": "2026-01-01T00:00:00Z", "metadata": metadata,
			})
		}
		if to < len(keysOf) {
			answer.Meta = map[string]string{"cursor": strconv.Itoa(to)}
		}
		_ = json.NewEncoder(w).Encode(answer)
	}))
	defer server.Close()
	a := &API{
		client: &client{base: server.URL, http: netguard.TrustedClient(server.Client().Transport, 0), longest: maxAnswer, sleep: sleep},
		pages:  newPageSize(2),
	}
	read := 0
	for page, err := range a.observations(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		if page.Note != "" {
			t.Error(page.Note)
		}
		for _, o := range page.Observations {
			var metadata map[string]string
			if err := json.Unmarshal([]byte(o.Metadata), &metadata); err != nil || len(metadata) != keysOf[read][1]-keysOf[read][0] {
				t.Fatalf("row %d has %d values, %v", read, len(metadata), err)
			}
			for key, value := range metadata {
				if len(value) != long {
					t.Errorf("row %d: %s has %d characters", read, key, len(value))
				}
			}
			read++
		}
	}
	if read != len(keysOf) {
		t.Errorf("%d rows were read", read)
	}
}
