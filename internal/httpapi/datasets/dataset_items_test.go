package datasets_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/httpapi/datasets"
)

// item returns a response with an item of the dataset "set", with ids and times replaced.
func item(id, status, input, output, metadata, trace, observation string) string {
	return fmt.Sprintf(`{"id":%q,"status":%q,"input":%s,"expectedOutput":%s,"metadata":%s,"sourceTraceId":%s,"sourceObservationId":%s,`+
		`"datasetId":"ID","datasetName":"set",TIMES,"mediaReferences":[]}`, id, status, input, output, metadata, trace, observation)
}

func TestDatasetItems(t *testing.T) {
	const (
		notFound  = `{"message":"Dataset item not found","error":"LangfuseNotFoundError"}`
		emptyPage = `{"data":[],"meta":{"page":1,"limit":50,"totalItems":0,"totalPages":0}}`
	)
	page := func(items ...string) string {
		return `{"data":[` + strings.Join(items, ",") + fmt.Sprintf(`],"meta":{"page":1,"limit":50,"totalItems":%d,"totalPages":1}}`,
			len(items))
	}
	first := item("i1", "ACTIVE", `{"q":1.0}`, `"four"`, `{"level":1}`, `"t1"`, `"o1"`)
	merged := item("i1", "ACTIVE", `[1]`, `"four"`, `null`, `"t2"`, `"o1"`)
	archived := item("i1", "ARCHIVED", `[1]`, `"four"`, `null`, `"t2"`, `"o1"`)
	second := item("ID", "ACTIVE", `"plain"`, "null", "null", "null", "null")
	apitest.Sequence(t, []apitest.Scenario{
		apitest.Get("dataset-items").Gives(200, emptyPage),
		apitest.Post("dataset-items", `{"datasetName":"set","input":1}`).
			Gives(404, `{"message":"Dataset set not found for project project-a","error":"LangfuseNotFoundError"}`),
		apitest.Post("v2/datasets", `{"name":"set"}`),
		apitest.Post("v2/datasets", `{"name":"other"}`),
		apitest.Get("dataset-items?datasetName=set").Gives(200, emptyPage),
		apitest.Post("dataset-items",
			`{"datasetName":"set","id":"i1","input":{ "q": 1.0 },"expectedOutput":"four","metadata":{"level":1},"sourceTraceId":"t1","sourceObservationId":"o1","more":1}`).
			Gives(200, first),
		apitest.Get("dataset-items/i1").Gives(200, first),
		apitest.Post("dataset-items",
			`{"datasetName":"set","input":"plain","id":null,"status":null,"metadata":null,"sourceTraceId":null}`).Gives(200, second),
		apitest.Get("dataset-items?datasetName=set").Gives(200, page(second, first)),
		// Absent and null members stay unchanged; "" and "null" remove them.
		apitest.Post("dataset-items",
			`{"datasetName":"set","id":"i1","input":"[ 1 ]","expectedOutput":null,"metadata":"null","sourceTraceId":"t2"}`).Gives(200,
			merged),
		apitest.Get("dataset-items?datasetName=set").Gives(200, page(merged, second)),
		apitest.Get("dataset-items").Gives(200, page(merged, second)),
		apitest.Get("dataset-items?datasetName=").Gives(200, page(merged, second)),
		apitest.Get("dataset-items?sourceTraceId=t2").Gives(200, page(merged)),
		apitest.Get("dataset-items?sourceTraceId=t1").Gives(200, emptyPage),
		apitest.Get("dataset-items?datasetName=set&sourceObservationId=o1").Gives(200, page(merged)),
		apitest.Get("dataset-items?datasetName=other&sourceObservationId=o1").Gives(200, emptyPage),
		apitest.Get("dataset-items?datasetName=set&limit=1&page=2").Gives(200,
			`{"data":[`+second+`],"meta":{"page":2,"limit":1,"totalItems":2,"totalPages":2}}`),
		// Archived items can be read only by id.
		apitest.Post("dataset-items", `{"datasetName":"set","id":"i1","status":"ARCHIVED"}`).Gives(200, archived),
		apitest.Get("dataset-items?datasetName=set").Gives(200, page(second)),
		apitest.Get("dataset-items/i1").Gives(200, archived),
		// An id belongs to one dataset.
		apitest.Post("dataset-items", `{"datasetName":"other","id":"i1","input":1}`).Says(409,
			`"message":"Dataset item id i1 already exists in another dataset (id `,
			`) in this project; item ids are unique per project across datasets. Use a different id or target dataset `,
			`"error":"LangfuseConflictError"`),
		{Method: "DELETE", Path: "/api/public/dataset-items/i1", Status: 200, Want: `{"message":"Dataset item successfully deleted"}`},
		{
			Method: "DELETE", Path: "/api/public/dataset-items/i1", Status: 404,
			Want: `{"message":"Dataset item with id i1 not found for project project-a","error":"LangfuseNotFoundError"}`,
		},
		apitest.Get("dataset-items/i1").Gives(404, notFound),
		apitest.Post("dataset-items", `{"datasetName":"other","id":"i1","input":1}`).Says(409),
		apitest.Post("dataset-items", `{"datasetName":"set","id":"i1"}`).Gives(200, item("i1", "ACTIVE", "null", "null", "null", "null", "null")),
		apitest.Get("dataset-items?datasetName=none").Gives(404, `{"message":"Dataset not found","error":"LangfuseNotFoundError"}`),
		{Path: "/api/public/dataset-items/i1", Key: "neighbour", Status: 404, Want: notFound},
		{
			Method: "DELETE", Path: "/api/public/dataset-items/i1", Key: "foreign", Status: 404,
			Want: `{"message":"Dataset item with id i1 not found for project project-b","error":"LangfuseNotFoundError"}`,
		},
		{Path: "/api/public/dataset-items?datasetName=set", Key: "neighbour", Status: 404},
	})
}

func TestDatasetItemBodies(t *testing.T) {
	invalid := func(body, issue string) apitest.Scenario {
		return apitest.Scenario{
			Name: body[:min(len(body), 60)], Method: "POST", Path: "/api/public/dataset-items", Key: "project", Body: body, Status: 400,
			Want: `{"message":"Invalid request data","error":[` + issue + `]}`,
		}
	}
	wrong := func(field, expected, received string) string {
		return fmt.Sprintf(`{"expected":%q,"code":"invalid_type","path":[%q],"message":"Invalid input: expected %s, received %s"}`,
			expected, field, expected, received)
	}
	apitest.Run(t, []apitest.Scenario{
		invalid(`{}`, wrong("datasetName", "string", "undefined")),
		invalid(`{"datasetName":"x","sourceTraceId":1,"sourceObservationId":{}}`, wrong("sourceTraceId", "string", "number")+","+
			wrong("sourceObservationId", "string", "object")),
		invalid(`{"datasetName":"x","id":""}`,
			`{"origin":"string","code":"too_small","minimum":1,"inclusive":true,"path":["id"],"message":"Too small: expected string to have >=1 characters"}`),
		invalid(`{"datasetName":"x","id":"`+strings.Repeat("i", 256)+`"}`,
			`{"origin":"string","code":"too_big","maximum":255,"inclusive":true,"path":["id"],"message":"Too big: expected string to have <=255 characters"}`),
		invalid(`{"datasetName":"x","id":"\u0000"}`, `{"code":"custom","path":["id"],"message":"The text contains the character U+0000"}`),
		invalid(`{"datasetName":"x","status":"DELETED"}`,
			`{"code":"invalid_value","values":["ACTIVE","ARCHIVED"],"path":["status"],"message":"Invalid option: expected one of \"ACTIVE\"|\"ARCHIVED\""}`),
		{
			Name: "a zero in the dataset's name", Method: "POST", Path: "/api/public/dataset-items", Key: "project",
			Body: `{"datasetName":"\u0000","input":1}`, Status: 404,
		},
		{
			Name: "a version without a dataset", Path: "/api/public/dataset-items?version=2026-01-01", Key: "project", Status: 400,
			Want: `{"message":"Invalid request data","error":[{"code":"custom","path":["datasetName"],"message":"datasetName is required when version parameter is provided"}]}`,
		},
		{
			Name: "an empty version", Path: "/api/public/dataset-items?datasetName=x&version=", Key: "project", Status: 400,
			Want: `{"message":"Invalid request data","error":[{"expected":"date","code":"invalid_type","received":"Invalid Date","path":["version"],"message":"Invalid input: expected date, received Date"}]}`,
		},
		{
			Name: "no version", Path: "/api/public/dataset-items?datasetName=x&version=1700000000000", Key: "project", Status: 400,
			Contains: []string{`"path":["version"]`},
		},
		{
			Name: "limits", Path: "/api/public/dataset-items?limit=0&page=1.5", Key: "project", Status: 400,
			Contains: []string{`"path":["limit"]`, `"path":["page"]`},
		},
		{
			Name: "a body at the limit", Method: "POST", Path: "/api/public/dataset-items", Key: "project", Body: itemOfSize(4_718_592),
			Status: 404,
		},
		{
			Name: "above the limit", Method: "POST", Path: "/api/public/dataset-items", Key: "project", Body: itemOfSize(4_718_593),
			Status: 413,
		},
	})
}

// itemOfSize returns a body of exactly size bytes.
func itemOfSize(size int) string {
	const frame = `{"datasetName":"x","input":""}`
	return `{"datasetName":"x","input":"` + strings.Repeat("x", size-len(frame)) + `"}`
}

func TestItemSchemas(t *testing.T) {
	refused := func(why string) string {
		return `{"message":"Dataset item validation failed: ` + why + `","error":"InvalidRequestError"}`
	}
	apitest.Sequence(t, []apitest.Scenario{
		apitest.Post("v2/datasets", `{"name":"free"}`),
		apitest.Post("dataset-items", `{"datasetName":"free","expectedOutput":1}`).Gives(400, refused("Dataset item input cannot be null")),
		apitest.Post("dataset-items", `{"datasetName":"free","input":""}`).Gives(400, refused("Dataset item input cannot be null")),
		apitest.Post("dataset-items", `{"datasetName":"free","input":"null"}`).Gives(400, refused("Dataset item input cannot be null")),
		apitest.Post("dataset-items", `{"datasetName":"free","id":"null","input":null}`).Says(200, `"input":null`),
		apitest.Post("v2/datasets",
			`{"name":"set","inputSchema":{"type":"string"},"expectedOutputSchema":{"type":"object","required":["x"],"properties":{"x":{}}}}`),
		apitest.Post("dataset-items", `{"datasetName":"set","id":"a","input":[1],"expectedOutput":{}}`).
			Gives(400,
				refused("Input validation failed: must be string; Expected output validation failed: must have required property 'x'")),
		apitest.Post("dataset-items", `{"datasetName":"set","id":"a","input":"text"}`).Gives(400,
			refused("Expected output validation failed: must be object")),
		apitest.Post("dataset-items", `{"datasetName":"set","id":"a","expectedOutput":{"x":1}}`).Gives(400,
			refused("Input validation failed: must be string")),
		apitest.Post("dataset-items", `{"datasetName":"set","id":"a","input":"text","expectedOutput":"{\"x\":1}"}`).Says(200,
			`"expectedOutput":{"x":1}`),
		// The merged item is validated.
		apitest.Post("dataset-items", `{"datasetName":"set","id":"a","metadata":1}`).Says(200, `"input":"text"`),
		apitest.Post("dataset-items", `{"datasetName":"set","id":"a","input":"12"}`).Gives(400, refused("Input validation failed: must be string")),
		apitest.Get("dataset-items/a").Says(200, `"input":"text"`, `"metadata":1`),
	})
}

func TestItemMedia(t *testing.T) {
	const token = `@@@langfuseMedia:type=image/png|id=%s|source=base64_data_uri@@@`
	one, two := fmt.Sprintf(token, "m1"), fmt.Sprintf(token, "m2")
	refused := func(ids string) string {
		return `{"message":"Dataset item references unknown media: ` + ids + `","error":"InvalidRequestError"}`
	}
	apitest.Sequence(t, []apitest.Scenario{
		apitest.Post("v2/datasets", `{"name":"set"}`),
		apitest.Post("dataset-items", `{"datasetName":"set","input":"`+one+`"}`).Gives(400, refused("m1")),
		apitest.Post("dataset-items", `{"datasetName":"set","input":{"a":["`+two+`", "`+one+`"]},"metadata":{"b":"`+two+
			`"},"expectedOutput":"{\"c\":\"`+fmt.Sprintf(token, "m3")+`\"}"}`).
			Gives(400, refused("m2, m1, m3")),
		// Only strings that consist of a reference count.
		apitest.Post("dataset-items", `{"datasetName":"set","input":"see `+one+`"}`),
		apitest.Post("dataset-items", `{"datasetName":"set","input":"say \"`+one+`"}`),
		apitest.Post("dataset-items", `{"datasetName":"set","input":{"`+one+`" :1}}`),
		apitest.Post("dataset-items", `{"datasetName":"set","input":"@@@langfuseMedia:type=image/png|source=x@@@"}`),
	})
}

func TestItemMediaReferences(t *testing.T) {
	f := apitest.New(t, nil)
	f.Ask(t, apitest.Post("v2/datasets", `{"name":"set"}`))
	f.Ask(t, apitest.Post("v2/datasets", `{"name":"other"}`))
	medium, missing := f.Upload(t, "canary"), f.Announce(t, apitest.Announcement("never sent"))
	one := domain.MediaReference("image/png", medium.MediaID, "bytes")
	f.Ask(t, apitest.Post("dataset-items", `{"datasetName":"set","id":"x","input":"`+domain.MediaReference("image/png", missing.MediaID, "bytes")+
		`"}`).
		Gives(400, `{"message":"Dataset item references unknown media: `+missing.MediaID+`","error":"InvalidRequestError"}`))
	f.Ask(t, apitest.Scenario{Key: "foreign", Method: "POST", Path: "/api/public/v2/datasets", Body: `{"name":"set"}`})
	f.Ask(t, apitest.Scenario{
		Key: "foreign", Method: "POST", Path: "/api/public/dataset-items", Body: `{"datasetName":"set","input":"` + one + `"}`, Status: 400,
	})

	f.Ask(t, apitest.Post("dataset-items", `{"datasetName":"set","id":"i","input":{"gallery":["`+one+`",1],"it's \\ \"odd\"":"`+one+
		`","text":"see `+one+`"},`+
		`"expectedOutput":"`+one+`","metadata":{"matrix":[[{"a.b":"`+one+`"}]]}}`))
	f.Ask(t, apitest.Post("dataset-items", `{"datasetName":"other","id":"j","input":["`+one+`"]}`))
	type place struct{ Field, JSONPath string }
	type item struct {
		MediaReferences []struct {
			Field, ReferenceString, JSONPath string
			Media                            apitest.Fetched
		}
	}
	check := func(got item, want ...place) {
		t.Helper()
		var places []place
		for _, r := range got.MediaReferences {
			places = append(places, place{r.Field, r.JSONPath})
			if r.ReferenceString != one || r.Media.MediaID != medium.MediaID || r.Media.ContentType != "image/png" ||
				r.Media.ContentLength != 6 || r.Media.URLExpiry == "" {
				t.Errorf("reference %+v", r)
			}
			if answer, body := f.Content(t, r.Media.URL, nil); answer.StatusCode != 200 || body != "canary" {
				t.Errorf("%d %s at %s", answer.StatusCode, body, r.Media.URL)
			}
		}
		if diff := cmp.Diff(want, places); diff != "" {
			t.Error(diff)
		}
	}
	places := []place{
		{"input", "$['gallery'][0]"}, {"input", `$['it\'s \\ "odd"']`}, {"expectedOutput", "$"}, {"metadata", "$['matrix'][0][0]['a.b']"},
	}
	check(apitest.Send[item](t, f, apitest.Scenario{Path: "/api/public/dataset-items/i", Key: "project"}), places...)
	list := apitest.Send[struct{ Data []item }](t, f, apitest.Scenario{Path: "/api/public/dataset-items?datasetName=set", Key: "project"})
	check(list.Data[0], places...)
	old := apitest.Send[struct{ Items []item }](t, f, apitest.Scenario{Path: "/api/public/datasets/set", Key: "project"})
	check(old.Items[0], places...)
	check(apitest.Send[item](t, f, apitest.Scenario{Path: "/api/public/dataset-items/j", Key: "project"}), place{"input", "$[0]"})
	f.Ask(t, apitest.Get("dataset-items/i").Says(200, `"mediaReferences":[{"field":"input"`)) // as described

	// Media of an item are kept when the trace they came with is deleted.
	f.Ask(t, apitest.Scenario{Method: "DELETE", Path: "/api/public/traces/t1"})
	check(apitest.Send[item](t, f, apitest.Scenario{Path: "/api/public/dataset-items/i", Key: "project"}), places...)

	many := `["` + strings.Repeat(one+`","`, datasets.MaxItemMedia) + one + `"]`
	f.Ask(t, apitest.Post("dataset-items", `{"datasetName":"set","input":`+many+`}`).
		Gives(400, `{"message":"Dataset item refers to media more than 1000 times","error":"InvalidRequestError"}`))
}

// TestVersions reads a dataset as of the write of each of its items, as SDKs do.
func TestVersions(t *testing.T) {
	f := apitest.New(t, nil)
	f.Ask(t, apitest.Post("v2/datasets", `{"name":"set"}`))
	var ids, times []string
	for n := range 5 {
		w := httptest.NewRecorder()
		s := apitest.Post("dataset-items", fmt.Sprintf(`{"datasetName":"set","id":"i%d","input":%d}`, n, n))
		s.Key = "project"
		f.ServeHTTP(w, s.Request())
		written := apitest.DecodeJSON[struct{ ID, CreatedAt, UpdatedAt string }](t, w.Body.Bytes())
		if written.CreatedAt != written.UpdatedAt {
			t.Errorf("written at %s and %s", written.CreatedAt, written.UpdatedAt)
		}
		ids, times = append([]string{written.ID}, ids...), append([]string{written.CreatedAt}, times...)
	}
	f.Ask(t, apitest.Scenario{Method: "DELETE", Path: "/api/public/dataset-items/i0"})
	read := func(version string) string {
		w := httptest.NewRecorder()
		f.ServeHTTP(w, apitest.Scenario{Path: "/api/public/dataset-items?datasetName=set" + version, Key: "project"}.Request())
		var found []string
		for _, item := range apitest.DecodeJSON[struct{ Data []struct{ ID string } }](t, w.Body.Bytes()).Data {
			found = append(found, item.ID)
		}
		return strings.Join(found, " ")
	}
	for n := range ids {
		if got, want := read("&version="+times[n]), strings.Join(ids[n:], " "); got != want {
			t.Errorf("at %s: %q, want %q", times[n], got, want)
		}
	}
	for version, want := range map[string]string{"": "i4 i3 i2 i1", "&version=2000-01-01": "", "&version=2999-12-31+10:00": "i4 i3 i2 i1"} {
		if got := read(version); got != want {
			t.Errorf("%q: %q, want %q", version, got, want)
		}
	}
}

// TestParallelItems creates items concurrently and reads them back concurrently, page by page.
func TestParallelItems(t *testing.T) {
	f := apitest.New(t, func(o *httpapi.Options) { o.Limits.Concurrent = 100 })
	f.Ask(t, apitest.Post("v2/datasets", `{"name":"set"}`))
	const count = 99
	var wg sync.WaitGroup
	for n := range count {
		wg.Go(func() {
			w := httptest.NewRecorder()
			s := apitest.Post("dataset-items", fmt.Sprintf(`{"datasetName":"set","input":%d}`, n))
			s.Key = "project"
			f.ServeHTTP(w, s.Request())
			if w.Code != 200 {
				t.Errorf("item %d: %d %s", n, w.Code, w.Body)
			}
		})
	}
	wg.Wait()
	seen := map[int]bool{}
	for page := 1; page <= 4; page++ {
		w := httptest.NewRecorder()
		f.ServeHTTP(w, apitest.Scenario{
			Path: fmt.Sprintf("/api/public/dataset-items?datasetName=set&limit=30&page=%d", page), Key: "project",
		}.Request())
		for _, item := range apitest.DecodeJSON[struct{ Data []struct{ Input int } }](t, w.Body.Bytes()).Data {
			seen[item.Input] = true
		}
	}
	if len(seen) != count {
		t.Errorf("%d of %d items are listed", len(seen), count)
	}
}

// TestLargeDataset reads a dataset that is large enough to be streamed.
func TestLargeDataset(t *testing.T) {
	f := apitest.New(t, nil)
	f.Ask(t, apitest.Post("v2/datasets", `{"name":"set"}`))
	for n := range 7 {
		f.Ask(t, apitest.Post("dataset-items", fmt.Sprintf(`{"datasetName":"set","id":"i%d","input":"%s"}`, n, strings.Repeat("x", 1<<20))))
	}
	for path, member := range map[string]string{"dataset-items?datasetName=set": "data", "datasets/set": "items"} {
		w := httptest.NewRecorder()
		f.ServeHTTP(w, apitest.Scenario{Path: "/api/public/" + path, Key: "project"}.Request())
		var items []struct{ ID, Input string }
		if err := json.Unmarshal(apitest.DecodeJSON[map[string]json.RawMessage](t, w.Body.Bytes())[member], &items); err != nil {
			t.Fatal(err)
		}
		if len(items) != 7 || items[0].ID != "i6" || items[6].ID != "i0" || len(items[3].Input) != 1<<20 {
			t.Errorf("%s has %d items", path, len(items))
		}
	}
}
