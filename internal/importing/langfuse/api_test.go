package langfuse

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/importing"
)

// TestLongPages reads a list some of whose pages are longer than what is read at once, from its beginning and from every cursor.
func TestLongPages(t *testing.T) {
	const things, long = 350, 123 // one thing is ten times as long as the others
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, _ := strconv.Atoi(r.FormValue("page"))
		limit, _ := strconv.Atoi(r.FormValue("limit"))
		asked = append(asked, fmt.Sprint(page, "/", limit))
		type thing struct{ ID, Text string }
		data := []thing{}
		for n := (page - 1) * limit; n < min(page*limit, things); n++ {
			text := strings.Repeat("x", 100)
			if n == long {
				text = strings.Repeat("x", 20_000)
			}
			data = append(data, thing{strconv.Itoa(n), text})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"data": data, "meta": map[string]int{"totalPages": (things + limit - 1) / limit}})
	}))
	defer server.Close()
	a := &API{client: &client{base: server.URL, http: server.Client(), longest: 21_000, sleep: sleep}}
	type thing struct{ ID string }
	var found []string
	read := numbered(a, "/things", nil, func(_ context.Context, some []thing) (*importing.Page, error) {
		for _, s := range some {
			found = append(found, s.ID)
		}
		return new(importing.Page), nil
	})
	behind := map[string]int{"": 0} // how many things are behind a cursor
	for page, err := range read(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		behind[page.Cursor] = len(found)
	}
	all := slices.Clone(found)
	for n, id := range all {
		if len(all) != things || id != strconv.Itoa(n) {
			t.Fatalf("read %q", all)
		}
	}
	if len(behind) < 4+9+9 || !slices.Contains(asked, "124/1") || slices.Contains(asked, "151/1") || !slices.Contains(asked, "3/100") {
		t.Errorf("asked for %q", asked)
	}
	for cursor, count := range behind {
		if count == things {
			continue
		}
		found = nil
		for _, err := range read(t.Context(), cursor) {
			if err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(found, all[count:]) {
			t.Errorf("behind %q come %q, want %q", cursor, found, all[count:])
		}
	}
	a.client.longest = 10_000 // less than the long one
	var last error
	for _, last = range read(t.Context(), "120") {
		continue
	}
	if !errors.Is(last, errTooLarge) {
		t.Errorf("one that is too long by itself: %v", last)
	}
}
