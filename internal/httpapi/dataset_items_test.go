package httpapi

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
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
		return `{"data":[` + strings.Join(items, ",") + fmt.Sprintf(`],"meta":{"page":1,"limit":50,"totalItems":%d,"totalPages":1}}`, len(items))
	}
	first := item("i1", "ACTIVE", `{"q":1.0}`, `"four"`, `{"level":1}`, `"t1"`, `"o1"`)
	merged := item("i1", "ACTIVE", `[1]`, `"four"`, `null`, `"t2"`, `"o1"`)
	archived := item("i1", "ARCHIVED", `[1]`, `"four"`, `null`, `"t2"`, `"o1"`)
	second := item("ID", "ACTIVE", `"plain"`, "null", "null", "null", "null")
	sequence(t, []scenario{
		get("dataset-items").gives(200, emptyPage),
		post("dataset-items", `{"datasetName":"set","input":1}`).
			gives(404, `{"message":"Dataset set not found for project project-a","error":"LangfuseNotFoundError"}`),
		post("v2/datasets", `{"name":"set"}`),
		post("v2/datasets", `{"name":"other"}`),
		get("dataset-items?datasetName=set").gives(200, emptyPage),
		post("dataset-items", `{"datasetName":"set","id":"i1","input":{ "q": 1.0 },"expectedOutput":"four","metadata":{"level":1},"sourceTraceId":"t1","sourceObservationId":"o1","more":1}`).
			gives(200, first),
		get("dataset-items/i1").gives(200, first),
		post("dataset-items", `{"datasetName":"set","input":"plain","id":null,"status":null,"metadata":null,"sourceTraceId":null}`).gives(200, second),
		get("dataset-items?datasetName=set").gives(200, page(second, first)),
		// Absent and null members stay unchanged; "" and "null" remove them.
		post("dataset-items", `{"datasetName":"set","id":"i1","input":"[ 1 ]","expectedOutput":null,"metadata":"null","sourceTraceId":"t2"}`).gives(200, merged),
		get("dataset-items?datasetName=set").gives(200, page(merged, second)),
		get("dataset-items").gives(200, page(merged, second)),
		get("dataset-items?datasetName=").gives(200, page(merged, second)),
		get("dataset-items?sourceTraceId=t2").gives(200, page(merged)),
		get("dataset-items?sourceTraceId=t1").gives(200, emptyPage),
		get("dataset-items?datasetName=set&sourceObservationId=o1").gives(200, page(merged)),
		get("dataset-items?datasetName=other&sourceObservationId=o1").gives(200, emptyPage),
		get("dataset-items?datasetName=set&limit=1&page=2").gives(200, `{"data":[`+second+`],"meta":{"page":2,"limit":1,"totalItems":2,"totalPages":2}}`),
		// Archived items can be read only by id.
		post("dataset-items", `{"datasetName":"set","id":"i1","status":"ARCHIVED"}`).gives(200, archived),
		get("dataset-items?datasetName=set").gives(200, page(second)),
		get("dataset-items/i1").gives(200, archived),
		// An id belongs to one dataset.
		post("dataset-items", `{"datasetName":"other","id":"i1","input":1}`).says(409, `"message":"Dataset item id i1 already exists in another dataset (id `,
			`) in this project; item ids are unique per project across datasets. Use a different id or target dataset `, `"error":"LangfuseConflictError"`),
		{method: "DELETE", path: "/api/public/dataset-items/i1", status: 200, want: `{"message":"Dataset item successfully deleted"}`},
		{method: "DELETE", path: "/api/public/dataset-items/i1", status: 404, want: `{"message":"Dataset item with id i1 not found for project project-a","error":"LangfuseNotFoundError"}`},
		get("dataset-items/i1").gives(404, notFound),
		post("dataset-items", `{"datasetName":"other","id":"i1","input":1}`).says(409),
		post("dataset-items", `{"datasetName":"set","id":"i1"}`).gives(200, item("i1", "ACTIVE", "null", "null", "null", "null", "null")),
		get("dataset-items?datasetName=none").gives(404, `{"message":"Dataset not found","error":"LangfuseNotFoundError"}`),
		{path: "/api/public/dataset-items/i1", key: "neighbour", status: 404, want: notFound},
		{method: "DELETE", path: "/api/public/dataset-items/i1", key: "foreign", status: 404, want: `{"message":"Dataset item with id i1 not found for project project-b","error":"LangfuseNotFoundError"}`},
		{path: "/api/public/dataset-items?datasetName=set", key: "neighbour", status: 404},
	})
}

func TestDatasetItemBodies(t *testing.T) {
	invalid := func(body, issue string) scenario {
		return scenario{
			name: body[:min(len(body), 60)], method: "POST", path: "/api/public/dataset-items", key: "project", body: body, status: 400,
			want: `{"message":"Invalid request data","error":[` + issue + `]}`,
		}
	}
	wrong := func(field, expected, received string) string {
		return fmt.Sprintf(`{"expected":%q,"code":"invalid_type","path":[%q],"message":"Invalid input: expected %s, received %s"}`, expected, field, expected, received)
	}
	runScenarios(t, []scenario{
		invalid(`{}`, wrong("datasetName", "string", "undefined")),
		invalid(`{"datasetName":"x","sourceTraceId":1,"sourceObservationId":{}}`, wrong("sourceTraceId", "string", "number")+","+wrong("sourceObservationId", "string", "object")),
		invalid(`{"datasetName":"x","id":""}`, `{"origin":"string","code":"too_small","minimum":1,"inclusive":true,"path":["id"],"message":"Too small: expected string to have >=1 characters"}`),
		invalid(`{"datasetName":"x","id":"`+strings.Repeat("i", 256)+`"}`, `{"origin":"string","code":"too_big","maximum":255,"inclusive":true,"path":["id"],"message":"Too big: expected string to have <=255 characters"}`),
		invalid(`{"datasetName":"x","id":"\u0000"}`, `{"code":"custom","path":["id"],"message":"The text contains the character U+0000"}`),
		invalid(`{"datasetName":"x","status":"DELETED"}`, `{"code":"invalid_value","values":["ACTIVE","ARCHIVED"],"path":["status"],"message":"Invalid option: expected one of \"ACTIVE\"|\"ARCHIVED\""}`),
		{name: "a zero in the dataset's name", method: "POST", path: "/api/public/dataset-items", key: "project", body: `{"datasetName":"\u0000","input":1}`, status: 404},
		{
			name: "a version without a dataset", path: "/api/public/dataset-items?version=2026-01-01", key: "project", status: 400,
			want: `{"message":"Invalid request data","error":[{"code":"custom","path":["datasetName"],"message":"datasetName is required when version parameter is provided"}]}`,
		},
		{
			name: "an empty version", path: "/api/public/dataset-items?datasetName=x&version=", key: "project", status: 400,
			want: `{"message":"Invalid request data","error":[{"expected":"date","code":"invalid_type","received":"Invalid Date","path":["version"],"message":"Invalid input: expected date, received Date"}]}`,
		},
		{name: "no version", path: "/api/public/dataset-items?datasetName=x&version=1700000000000", key: "project", status: 400, contains: []string{`"path":["version"]`}},
		{name: "limits", path: "/api/public/dataset-items?limit=0&page=1.5", key: "project", status: 400, contains: []string{`"path":["limit"]`, `"path":["page"]`}},
		{name: "a body at the limit", method: "POST", path: "/api/public/dataset-items", key: "project", body: itemOfSize(4_718_592), status: 404},
		{name: "above the limit", method: "POST", path: "/api/public/dataset-items", key: "project", body: itemOfSize(4_718_593), status: 413},
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
	sequence(t, []scenario{
		post("v2/datasets", `{"name":"free"}`),
		post("dataset-items", `{"datasetName":"free","expectedOutput":1}`).gives(400, refused("Dataset item input cannot be null")),
		post("dataset-items", `{"datasetName":"free","input":""}`).gives(400, refused("Dataset item input cannot be null")),
		post("dataset-items", `{"datasetName":"free","input":"null"}`).gives(400, refused("Dataset item input cannot be null")),
		post("dataset-items", `{"datasetName":"free","id":"null","input":null}`).says(200, `"input":null`),
		post("v2/datasets", `{"name":"set","inputSchema":{"type":"string"},"expectedOutputSchema":{"type":"object","required":["x"],"properties":{"x":{}}}}`),
		post("dataset-items", `{"datasetName":"set","id":"a","input":[1],"expectedOutput":{}}`).
			gives(400, refused("Input validation failed: must be string; Expected output validation failed: must have required property 'x'")),
		post("dataset-items", `{"datasetName":"set","id":"a","input":"text"}`).gives(400, refused("Expected output validation failed: must be object")),
		post("dataset-items", `{"datasetName":"set","id":"a","expectedOutput":{"x":1}}`).gives(400, refused("Input validation failed: must be string")),
		post("dataset-items", `{"datasetName":"set","id":"a","input":"text","expectedOutput":"{\"x\":1}"}`).says(200, `"expectedOutput":{"x":1}`),
		// The merged item is validated.
		post("dataset-items", `{"datasetName":"set","id":"a","metadata":1}`).says(200, `"input":"text"`),
		post("dataset-items", `{"datasetName":"set","id":"a","input":"12"}`).gives(400, refused("Input validation failed: must be string")),
		get("dataset-items/a").says(200, `"input":"text"`, `"metadata":1`),
	})
}

func TestItemMedia(t *testing.T) {
	const token = `@@@langfuseMedia:type=image/png|id=%s|source=base64_data_uri@@@`
	one, two := fmt.Sprintf(token, "m1"), fmt.Sprintf(token, "m2")
	refused := func(ids string) string {
		return `{"message":"Dataset item references unknown media: ` + ids + `","error":"InvalidRequestError"}`
	}
	sequence(t, []scenario{
		post("v2/datasets", `{"name":"set"}`),
		post("dataset-items", `{"datasetName":"set","input":"`+one+`"}`).gives(400, refused("m1")),
		post("dataset-items", `{"datasetName":"set","input":{"a":["`+two+`", "`+one+`"]},"metadata":{"b":"`+two+`"},"expectedOutput":"{\"c\":\"`+fmt.Sprintf(token, "m3")+`\"}"}`).
			gives(400, refused("m2, m1, m3")),
		// Only strings that consist of a reference count.
		post("dataset-items", `{"datasetName":"set","input":"see `+one+`"}`),
		post("dataset-items", `{"datasetName":"set","input":"say \"`+one+`"}`),
		post("dataset-items", `{"datasetName":"set","input":{"`+one+`" :1}}`),
		post("dataset-items", `{"datasetName":"set","input":"@@@langfuseMedia:type=image/png|source=x@@@"}`),
	})
}

func TestItemMediaReferences(t *testing.T) {
	f := newFixture(t, nil)
	f.ask(t, post("v2/datasets", `{"name":"set"}`))
	f.ask(t, post("v2/datasets", `{"name":"other"}`))
	medium, missing := f.upload(t, "canary"), f.announce(t, announcement("never sent"))
	one := domain.MediaReference("image/png", medium.MediaID, "bytes")
	f.ask(t, post("dataset-items", `{"datasetName":"set","id":"x","input":"`+domain.MediaReference("image/png", missing.MediaID, "bytes")+`"}`).
		gives(400, `{"message":"Dataset item references unknown media: `+missing.MediaID+`","error":"InvalidRequestError"}`))
	f.ask(t, scenario{key: "foreign", method: "POST", path: "/api/public/v2/datasets", body: `{"name":"set"}`})
	f.ask(t, scenario{key: "foreign", method: "POST", path: "/api/public/dataset-items", body: `{"datasetName":"set","input":"` + one + `"}`, status: 400})

	f.ask(t, post("dataset-items", `{"datasetName":"set","id":"i","input":{"gallery":["`+one+`",1],"it's \\ \"odd\"":"`+one+`","text":"see `+one+`"},`+
		`"expectedOutput":"`+one+`","metadata":{"matrix":[[{"a.b":"`+one+`"}]]}}`))
	f.ask(t, post("dataset-items", `{"datasetName":"other","id":"j","input":["`+one+`"]}`))
	type place struct{ Field, JSONPath string }
	type item struct {
		MediaReferences []struct {
			Field, ReferenceString, JSONPath string
			Media                            fetched
		}
	}
	check := func(got item, want ...place) {
		t.Helper()
		var places []place
		for _, r := range got.MediaReferences {
			places = append(places, place{r.Field, r.JSONPath})
			if r.ReferenceString != one || r.Media.MediaID != medium.MediaID || r.Media.ContentType != "image/png" || r.Media.ContentLength != 6 || r.Media.URLExpiry == "" {
				t.Errorf("reference %+v", r)
			}
			if answer, body := f.content(t, r.Media.URL, nil); answer.StatusCode != 200 || body != "canary" {
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
	check(send[item](t, f, scenario{path: "/api/public/dataset-items/i", key: "project"}), places...)
	list := send[struct{ Data []item }](t, f, scenario{path: "/api/public/dataset-items?datasetName=set", key: "project"})
	check(list.Data[0], places...)
	old := send[struct{ Items []item }](t, f, scenario{path: "/api/public/datasets/set", key: "project"})
	check(old.Items[0], places...)
	check(send[item](t, f, scenario{path: "/api/public/dataset-items/j", key: "project"}), place{"input", "$[0]"})
	f.ask(t, get("dataset-items/i").says(200, `"mediaReferences":[{"field":"input"`)) // as described

	// Media of an item are kept when the trace they came with is deleted.
	f.ask(t, scenario{method: "DELETE", path: "/api/public/traces/t1"})
	check(send[item](t, f, scenario{path: "/api/public/dataset-items/i", key: "project"}), places...)

	many := `["` + strings.Repeat(one+`","`, datasets.MaxItemMedia) + one + `"]`
	f.ask(t, post("dataset-items", `{"datasetName":"set","input":`+many+`}`).
		gives(400, `{"message":"Dataset item refers to media more than 1000 times","error":"InvalidRequestError"}`))
}

// TestVersions reads a dataset as of the write of each of its items, as SDKs do.
func TestVersions(t *testing.T) {
	f := newFixture(t, nil)
	f.ask(t, post("v2/datasets", `{"name":"set"}`))
	var ids, times []string
	for n := range 5 {
		w := httptest.NewRecorder()
		s := post("dataset-items", fmt.Sprintf(`{"datasetName":"set","id":"i%d","input":%d}`, n, n))
		s.key = "project"
		f.ServeHTTP(w, s.request())
		written := decodeJSON[struct{ ID, CreatedAt, UpdatedAt string }](t, w.Body.Bytes())
		if written.CreatedAt != written.UpdatedAt {
			t.Errorf("written at %s and %s", written.CreatedAt, written.UpdatedAt)
		}
		ids, times = append([]string{written.ID}, ids...), append([]string{written.CreatedAt}, times...)
	}
	f.ask(t, scenario{method: "DELETE", path: "/api/public/dataset-items/i0"})
	read := func(version string) string {
		w := httptest.NewRecorder()
		f.ServeHTTP(w, scenario{path: "/api/public/dataset-items?datasetName=set" + version, key: "project"}.request())
		var found []string
		for _, item := range decodeJSON[struct{ Data []struct{ ID string } }](t, w.Body.Bytes()).Data {
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
	f := newFixture(t, func(o *Options) { o.Limits.Concurrent = 100 })
	f.ask(t, post("v2/datasets", `{"name":"set"}`))
	const count = 99
	var wg sync.WaitGroup
	for n := range count {
		wg.Go(func() {
			w := httptest.NewRecorder()
			s := post("dataset-items", fmt.Sprintf(`{"datasetName":"set","input":%d}`, n))
			s.key = "project"
			f.ServeHTTP(w, s.request())
			if w.Code != 200 {
				t.Errorf("item %d: %d %s", n, w.Code, w.Body)
			}
		})
	}
	wg.Wait()
	seen := map[int]bool{}
	for page := 1; page <= 4; page++ {
		w := httptest.NewRecorder()
		f.ServeHTTP(w, scenario{path: fmt.Sprintf("/api/public/dataset-items?datasetName=set&limit=30&page=%d", page), key: "project"}.request())
		for _, item := range decodeJSON[struct{ Data []struct{ Input int } }](t, w.Body.Bytes()).Data {
			seen[item.Input] = true
		}
	}
	if len(seen) != count {
		t.Errorf("%d of %d items are listed", len(seen), count)
	}
}

// TestLargeDataset reads a dataset that is large enough to be streamed.
func TestLargeDataset(t *testing.T) {
	f := newFixture(t, nil)
	f.ask(t, post("v2/datasets", `{"name":"set"}`))
	for n := range 7 {
		f.ask(t, post("dataset-items", fmt.Sprintf(`{"datasetName":"set","id":"i%d","input":"%s"}`, n, strings.Repeat("x", 1<<20))))
	}
	for path, member := range map[string]string{"dataset-items?datasetName=set": "data", "datasets/set": "items"} {
		w := httptest.NewRecorder()
		f.ServeHTTP(w, scenario{path: "/api/public/" + path, key: "project"}.request())
		var items []struct{ ID, Input string }
		if err := json.Unmarshal(decodeJSON[map[string]json.RawMessage](t, w.Body.Bytes())[member], &items); err != nil {
			t.Fatal(err)
		}
		if len(items) != 7 || items[0].ID != "i6" || items[6].ID != "i0" || len(items[3].Input) != 1<<20 {
			t.Errorf("%s has %d items", path, len(items))
		}
	}
}
