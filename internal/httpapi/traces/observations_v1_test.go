package traces_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

func TestListObservationsV1(t *testing.T) {
	list := func(query, ids string, items int) apitest.Scenario {
		s := apitest.Scenario{
			Name: query, Path: "/api/public/observations" + query, Key: "limited", Given: checkout(), Status: 200, WantHeader: deprecated,
			Contains: []string{apitest.Meta(1, 50, items, min(items, 1))},
			After: func(t *testing.T, f *apitest.Fixture) {
				w := httptest.NewRecorder()
				f.ServeHTTP(w, apitest.Scenario{Path: "/api/public/observations" + query, Key: "limited"}.Request())
				page := apitest.DecodeJSON[struct{ Data []struct{ ID string } }](t, w.Body.Bytes())
				var got []string
				for _, item := range page.Data {
					got = append(got, item.ID)
				}
				if strings.Join(got, " ") != ids {
					t.Errorf("the rows are %q, want %q", got, ids)
				}
			},
		}
		return s
	}
	paged := func(query, ids, end string) apitest.Scenario {
		s := list(query, ids, 0)
		s.Contains = []string{end}
		return s
	}
	refuse := func(query string, parts ...string) apitest.Scenario {
		return apitest.Scenario{Name: query, Path: "/api/public/observations" + query, Key: "project", Status: 400, Contains: parts}
	}
	where := func(condition string) string { return apitest.QueryOf("filter", "["+condition+"]") }
	whole := list("?type=GENERATION", "o2", 1)
	whole.Want = `{"data":[` + o2Body + apitest.Meta(1, 50, 1, 1)
	apitest.Run(t, []apitest.Scenario{
		list("", "o4 o3 o2 o1", 4),
		whole,
		paged("?limit=1", "o4", apitest.Meta(1, 1, 4, 4)),
		paged("?limit=3&page=2", "o1", apitest.Meta(2, 3, 4, 2)),
		paged("?limit=2&page=2", "o2 o1", apitest.Meta(2, 2, 4, 2)),
		paged("?limit=2&page=3", "", apitest.Meta(3, 2, 4, 2)),
		paged("?page=&limit=", "o4 o3 o2 o1", apitest.Meta(1, 50, 4, 1)),
		paged("?page=1099511627776&limit=100", "", apitest.Meta(1099511627776, 100, 4, 1)),
		list("?name=answer", "o2", 1),
		list("?name=nothing", "", 0),
		list("?userId=u1&type=SPAN", "o1", 1), list("?userId=u1&traceId=t2", "", 0), list("?userId=nobody", "", 0),
		list("?userId=", "o4", 1),
		list(where(`{"type":"string","column":"userId","operator":"=","value":"u1"}`)+"&userId=nobody", "o3 o2 o1", 3),
		list("?level=WARNING", "o4", 1),
		list("?traceId=t1", "o3 o2 o1", 3),
		list("?version=1.2", "o3 o2 o1", 3),
		list("?parentObservationId=o1", "o3 o2", 2),
		list("?parentObservationId=", "o1", 1),
		list("?environment=production", "o3 o2 o1", 3),
		list("?environment=production,default", "o4 o3 o2 o1", 4),
		list("?environment=production&environment=default", "o4 o3 o2 o1", 4),
		list("?fromStartTime=2026-10-06T10:00:00.100Z&toStartTime=2026-10-06T10:00:01.700Z", "o2", 1),
		list("?sessionId=unknown&cursor=x&fields=y", "o4 o3 o2 o1", 4), // not parameters of this list
		list(where(`{"type":"arrayOptions","column":"traceTags","operator":"any of","value":["a"]}`), "o3 o2 o1", 3),
		list(where(`{"type":"number","column":"latency","operator":">","value":1}`), "o2 o1", 2),
		list(where(`{"type":"string","column":"name","operator":"=","value":"note"}`)+"&name=answer", "o3", 1),
		list(where(`{"type":"stringObject","column":"metadata","key":"k","operator":"=","value":"v"}`), "o1", 1),

		refuse("?page=0&limit=101&type=span&level=LOUD&fromStartTime=x", `"path":["page"],"message":"Too small: expected number to be >0"`,
			`"path":["limit"],"message":"Too big: expected number to be <=100"`, `"path":["type"]`,
			`{"code":"invalid_value","values":["DEBUG","DEFAULT","WARNING","ERROR"],"path":["level"],"message":"Invalid option: expected one of \"DEBUG\"|\"DEFAULT\"|\"WARNING\"|\"ERROR\""}`,
			`"path":["fromStartTime"]`),
		refuse("?limit=0", `"path":["limit"]`),
		refuse("?page=1.5", `"message":"Invalid input: expected int, received number"`),
		refuse("?name=a&name=b", `"path":["name"]`),
		refuse("?filter={nope", `{"message":"Invalid JSON in filter parameter","error":"InvalidRequestError"}`),
		refuse(where(`{"type":"number","column":"scores_avg","operator":"=","value":1}`),
			`Column scores_avg is not one that can be filtered by.`),
		refuse(where(`{"type":"stringObject","column":"metadata","key":"k","operator":"matches","value":"v"}`),
			"`matches` is not supported here"),
		refuse(where(`{"type":"string","column":"input","operator":"matches","value":"v"}`), "`matches` is not supported here"),
		{Name: "no credentials", Path: "/api/public/observations", Status: 401},
		{
			Name: "another project", Path: "/api/public/observations", Key: "neighbour", Given: checkout(), Status: 200,
			Want: `{"data":[` + apitest.Meta(1, 50, 0, 0),
		},
	})
}

// TestPagesCoverEverything reads a list page by page, with a page boundary between rows of the same time.
func TestPagesCoverEverything(t *testing.T) {
	f := apitest.New(t, nil)
	var rows []domain.Observation
	for n := range 25 {
		rows = append(rows, domain.Observation{
			TraceID: fmt.Sprintf("t%d", n%4), ID: fmt.Sprintf("o%02d", n), SessionID: fmt.Sprintf("s%d", n%3),
			StartTime: apitest.October + domain.Micros(n/5)*1000,
		})
	}
	f.Keep(t, "project-a", rows, nil)
	for path, want := range map[string]int{"observations": 25, "traces": 4, "traces?orderBy=id.asc": 4, "sessions": 3} {
		for _, limit := range []int{1, 2, 3, 7, 25, 100} {
			seen := map[string]int{}
			for page := 1; ; page++ {
				w := httptest.NewRecorder()
				f.ServeHTTP(w, apitest.Scenario{
					Path: fmt.Sprintf("/api/public/%s%spage=%d&limit=%d", path, separator(path), page, limit), Key: "project",
				}.Request())
				body := apitest.DecodeJSON[struct {
					Data []struct{ ID string }
					Meta struct{ TotalItems, TotalPages int }
				}](t, w.Body.Bytes())
				if body.Meta.TotalItems != want || body.Meta.TotalPages != (want+limit-1)/limit {
					t.Errorf("%s: the meta of page %d is %+v", path, page, body.Meta)
				}
				for _, item := range body.Data {
					seen[item.ID]++
				}
				if len(body.Data) == 0 {
					break
				}
			}
			if len(seen) != want {
				t.Errorf("%s by %d: %d of %d are seen: %v", path, limit, len(seen), want, seen)
			}
			for id, times := range seen {
				if times != 1 {
					t.Errorf("%s by %d: %s is seen %d times", path, limit, id, times)
				}
			}
		}
	}
}

// TestObservationsOfAUser shows that the user of a trace applies to all its rows.
func TestObservationsOfAUser(t *testing.T) {
	rows := checkout()
	rows[0].UserID, rows[1].UserID, rows[2].UserID = "", "", "deep"
	apitest.New(t, nil).Run(t, apitest.Scenario{
		Path: "/api/public/observations?userId=deep", Key: "project", Given: rows, Status: 200,
		Contains: []string{`{"id":"o3"`, `{"id":"o2"`, `{"id":"o1"`, apitest.Meta(1, 50, 3, 1)},
	})
}

func TestGetObservation(t *testing.T) {
	twins := append(checkout(), domain.Observation{TraceID: "t3", ID: "o2", Type: "SPAN", Name: "newest", StartTime: apitest.October + 9_000_000})
	apitest.Run(t, []apitest.Scenario{
		{
			Name: "one", Path: "/api/public/observations/o2", Key: "limited", Given: checkout(), Status: 200, Want: o2Body,
			WantHeader: deprecated,
		},
		{
			Name: "with the time that clients may send", Path: "/api/public/observations/o2?startTime=2026-10-06T10:00:00.100Z",
			Key: "limited", Given: checkout(), Status: 200, Want: o2Body,
		},
		{
			Name: "the newest of several", Path: "/api/public/observations/o2", Key: "project", Given: twins, Status: 200,
			Contains: []string{`"name":"newest"`},
		},
		{
			Name: "none", Path: "/api/public/observations/nope", Key: "project", Given: checkout(), Status: 404,
			Want: `{"message":"Observation with id nope not found","error":"LangfuseNotFoundError"}`,
		},
		{Name: "another project", Path: "/api/public/observations/o2", Key: "neighbour", Given: checkout(), Status: 404},
		{Name: "no credentials", Path: "/api/public/observations/o2", Status: 401},
	})
}

// separator returns the separator between a path and a further parameter.
func separator(path string) string {
	if strings.Contains(path, "?") {
		return "&"
	}
	return "?"
}
