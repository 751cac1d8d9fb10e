package langfuse

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/netguard"
	"almanac/internal/transfer/importing"
)

// longRecords is the number of records in a list some of whose pages exceed the response limit.
const longRecords = 350

// longList starts a source with such a list, and records the requested pages.
func longList(t *testing.T) (a *API, asked *[]string) {
	t.Helper()
	const records, long = longRecords, 123 // one record is much larger than the others
	asked = new([]string)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, _ := strconv.Atoi(r.FormValue("page"))
		limit, _ := strconv.Atoi(r.FormValue("limit"))
		*asked = append(*asked, fmt.Sprint(page, "/", limit))
		type record struct{ ID, Text string }
		data := []record{}
		for n := (page - 1) * limit; n < min(page*limit, records); n++ {
			text := strings.Repeat("x", 100)
			if n == long {
				text = strings.Repeat("x", 20_000)
			}
			data = append(data, record{strconv.Itoa(n), text})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"data": data, "meta": map[string]int{"totalPages": (records + limit - 1) / limit}})
	}))
	t.Cleanup(server.Close)
	return &API{
		client: &client{base: server.URL, http: netguard.TrustedClient(server.Client().Transport, 0), longest: 21_000, sleep: sleep},
	}, asked
}

// TestLongPages reads the list from the beginning and from every cursor.
func TestLongPages(t *testing.T) {
	a, asked := longList(t)
	type record struct{ ID string }
	var found []string
	read := numbered(a, "/records", nil, func(_ context.Context, some []record) (*importing.Page, error) {
		for _, s := range some {
			found = append(found, s.ID)
		}
		return new(importing.Page), nil
	})
	behind := map[string]int{"": 0} // number of records read, by cursor
	for page, err := range read(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		behind[page.Cursor] = len(found)
	}
	all := slices.Clone(found)
	for n, id := range all {
		if len(all) != longRecords || id != strconv.Itoa(n) {
			t.Fatalf("read %q", all)
		}
	}
	if len(behind) < 4+9+9 || !slices.Contains(*asked, "124/1") || slices.Contains(*asked, "151/1") || !slices.Contains(*asked, "3/100") {
		t.Errorf("asked for %q", *asked)
	}
	for cursor, count := range behind {
		if count == longRecords {
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
	a.client.longest = 10_000 // smaller than the large record
	var last error
	for _, last = range read(t.Context(), "120") {
		continue
	}
	if !errors.Is(last, errTooLarge) {
		t.Errorf("one that is too long by itself: %v", last)
	}
}

// TestLongPagesOfLists reads such a list for each of several parents, from the beginning, from every cursor, and from a
// cursor whose parent no longer exists.
func TestLongPagesOfLists(t *testing.T) {
	a, _ := longList(t)
	type record struct{ ID string }
	var found []string
	read := func(cursor string) iter.Seq2[*importing.Page, error] {
		found = nil
		return nested(t.Context(), a, cursor, []string{"a", "b"}, func(string) (string, url.Values) { return "/records", nil },
			func(of string, some []record) (*importing.Page, error) {
				for _, s := range some {
					found = append(found, of+s.ID)
				}
				return new(importing.Page), nil
			})
	}
	behind := map[string]int{`{"of":"gone","at":"100"}`: 0}
	for page, err := range read("") {
		if err != nil {
			t.Fatal(err)
		}
		behind[page.Cursor] = len(found)
	}
	all := slices.Clone(found)
	if len(all) != 2*longRecords || all[longRecords-1] != fmt.Sprint("a", longRecords-1) || all[longRecords] != "b0" ||
		len(behind) < 2*(4+9+9) {
		t.Fatalf("read %q, with %d cursors", all, len(behind))
	}
	for cursor, count := range behind {
		for _, err := range read(cursor) {
			if err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(found, all[count:]) {
			t.Errorf("behind %q come %q, want %q", cursor, found, all[count:])
		}
	}
}
