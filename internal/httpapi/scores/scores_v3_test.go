package scores_test

import (
	"encoding/base64"
	"fmt"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

const scoresPath = "/api/public/v3/scores"

// someScores returns scores of every data type and subject, one millisecond apart; the last is the newest.
func someScores() []domain.Score {
	list := []domain.Score{
		{
			ID: "num", TraceID: "t1", ObservationID: "o1", Name: "quality", DataType: "NUMERIC", Value: domain.FloatOf(0.9), Source: "API",
			Comment: "good", Metadata: `{"k":"v","deep":{"n":[1,"0613"]}}`, ConfigID: "c1", Environment: "default",
		},
		{
			ID: "bool", TraceID: "t1", Name: "ok", DataType: "BOOLEAN", Value: domain.FloatOf(1), StringValue: "True", Source: "API",
			Environment: "default",
		},
		{
			ID: "cat", TraceID: "t1", Name: "cat", DataType: "CATEGORICAL", Value: domain.FloatOf(0), StringValue: "red",
			Source:  "ANNOTATION",
			QueueID: "q1", AuthorUserID: "a1", Environment: "production",
		},
		{ID: "text", TraceID: "t2", Name: "txt", DataType: "TEXT", StringValue: "long text here", Source: "API", Environment: "default"},
		{ID: "sess", SessionID: "s1", Name: "sess", DataType: "NUMERIC", Value: domain.FloatOf(3), Source: "EVAL", Environment: "default"},
		{
			ID: "run", ExperimentID: "e1", Name: "run", DataType: "NUMERIC", Value: domain.FloatOf(0.5), Source: "API",
			Environment: "default",
		},
		{ID: "fix", TraceID: "t2", ObservationID: "o2", Name: "output", DataType: "CORRECTION", Source: "API", Environment: "default"},
		{
			ID: "no", TraceID: "t2", Name: "ok", DataType: "BOOLEAN", Value: domain.FloatOf(0), StringValue: "False", Source: "API",
			Environment: "default",
		},
	}
	for n := range list {
		list[n].Timestamp = march + domain.Micros(n)*1000 + 7 // the last digits are not returned
		list[n].CreatedAt, list[n].UpdatedAt = list[n].Timestamp+1_000_000, list[n].Timestamp+2_000_000
	}
	return list
}

func scoresWith(pairs ...string) string { return addressWith(scoresPath, pairs...) }

func addressWith(path string, pairs ...string) string {
	values := make(url.Values)
	for n := 0; n < len(pairs); n += 2 {
		values.Add(pairs[n], pairs[n+1])
	}
	return path + "?" + values.Encode()
}

// scoreIDs returns the ids of a page in order.
func scoreIDs(t *testing.T, body []byte) []string {
	t.Helper()
	answer := apitest.DecodeJSON[struct{ Data []struct{ ID string } }](t, body)
	ids := make([]string, len(answer.Data))
	for n, row := range answer.Data {
		ids[n] = row.ID
	}
	return ids
}

func TestListScoresRows(t *testing.T) {
	const (
		num = `{"id":"num","projectId":"project-a","name":"quality","dataType":"NUMERIC","value":0.9,"source":"API",` +
			`"timestamp":"2026-03-04T05:06:07.123Z","environment":"default","createdAt":"2026-03-04T05:06:08.123Z","updatedAt":"2026-03-04T05:06:09.123Z"`
		observation = `"subject":{"kind":"observation","id":"o1","traceId":"t1"}`
	)
	page := func(rows string) string { return `{"data":[` + rows + `],"meta":{"limit":50}}` }
	apitest.Run(t, []apitest.Scenario{
		{Name: "no scores", Path: scoresPath, Key: "project", Status: 200, Want: `{"data":[],"meta":{"limit":50}}`},
		{
			Name: "all, newest first", Path: scoresPath, Key: "project", Scores: someScores(), Status: 200,
			Contains: []string{
				`{"data":[{"id":"no",`, `"id":"no","projectId":"project-a","name":"ok","dataType":"BOOLEAN","value":false`,
				`"id":"fix","projectId":"project-a","name":"output","dataType":"CORRECTION","value":""`,
				`"id":"sess","projectId":"project-a","name":"sess","dataType":"NUMERIC","value":3,"source":"EVAL"`,
				`"id":"text","projectId":"project-a","name":"txt","dataType":"TEXT","value":"long text here"`,
				`"id":"cat","projectId":"project-a","name":"cat","dataType":"CATEGORICAL","value":"red","source":"ANNOTATION"`,
				`"id":"bool","projectId":"project-a","name":"ok","dataType":"BOOLEAN","value":true`, num, `],"meta":{"limit":50}}`,
			},
			Missing: []string{"comment", "metadata", "subject", "queueId", "cursor", "traceId", "stringValue"},
		},
		{
			Name: "core", Path: scoresWith("id", "num", "fields", "core"), Key: "project", Scores: someScores(), Status: 200,
			Want: page(num + `}`),
		},
		{
			Name: "fields without a name", Path: scoresWith("id", "num", "fields", " , "), Key: "project", Scores: someScores(),
			Status: 200, Want: page(num + `}`),
		},
		{
			Name: "details", Path: scoresWith("id", "num", "fields", "details"), Key: "project", Scores: someScores(), Status: 200,
			Want: page(num + `,"comment":"good","configId":"c1","metadata":{"k":"v","deep":{"n":[1,"0613"]}}}`),
		},
		{
			Name: "annotation", Path: scoresWith("id", "cat", "fields", "annotation"), Key: "project", Scores: someScores(), Status: 200,
			Contains: []string{`"authorUserId":"a1","queueId":"q1"}`}, Missing: []string{"comment", "subject"},
		},
		{
			Name: "several groups", Path: scoresWith("id", "num", "fields", "subject, details ,annotation,core"), Key: "project",
			Scores: someScores(), Status: 200,
			Want: page(num +
				`,"comment":"good","configId":"c1","metadata":{"k":"v","deep":{"n":[1,"0613"]}},"authorUserId":null,"queueId":null,` +
				observation + `}`),
		},
		{
			Name: "repeated groups", Path: scoresWith("id", "num", "fields", "subject", "fields", "core"), Key: "project",
			Scores: someScores(), Status: 200,
			Want: page(num + `,` + observation + `}`),
		},
		{
			Name: "subjects", Path: scoresWith("fields", "subject"), Key: "project", Scores: someScores(), Status: 200,
			Contains: []string{
				`"subject":{"kind":"experiment","id":"e1"}`, `"subject":{"kind":"session","id":"s1"}`,
				`"subject":{"kind":"trace","id":"t1"}`, observation,
			},
		},
		{
			Name: "scores without a value are left out", Path: scoresWith("limit", "2"), Key: "project", Status: 200,
			Scores: []domain.Score{
				{ID: "a", TraceID: "t", Timestamp: march, Name: "n", DataType: "NUMERIC", Value: domain.FloatOf(1), Source: "API"},
				{ID: "b", TraceID: "t", Timestamp: march, Name: "n", DataType: "CATEGORICAL", Source: "API"},
				{ID: "c", TraceID: "t", Timestamp: march, Name: "n", DataType: "NUMERIC", Value: domain.FloatOf(1), Source: "API"},
			},
			Contains: []string{`"id":"c"`, `"id":"a"`, `"meta":{"limit":2}`}, Missing: []string{`"id":"b"`, "cursor"},
		},
		{Name: "needs a permission", Path: scoresPath, Key: "limited", Status: 403, Contains: []string{"scores:read"}},
		{Name: "needs a key", Path: scoresPath, Status: 401},
		{
			Name: "a public key alone may not read", Path: scoresPath, Header: map[string]string{"Authorization": "Bearer pk-lf-a"},
			Status: 403,
			Want:   `{"message":"Access denied - insufficient permissions for this endpoint"}`,
		},
		{
			Name: "only GET", Method: "PUT", Path: scoresPath, Key: "project", Status: 405,
			Want: `{"message":"Method not allowed","error":"MethodNotAllowedError"}`,
		},
		{
			Name: "not deprecated", Path: scoresPath, Key: "project", Status: 200,
			WantHeader: map[string]string{"Deprecation": "", "Link": ""},
		},
	})
}

// TestListScoresSelects checks which scores each parameter selects.
func TestListScoresSelects(t *testing.T) {
	f := apitest.New(t, nil)
	f.Keep(t, "project-a", nil, someScores())
	f.Keep(t, "project-a2", nil, []domain.Score{{
		ID: "num", TraceID: "t1", Name: "quality", DataType: "NUMERIC", Value: domain.FloatOf(0.9), Source: "API", Timestamp: march,
		Environment: "default",
	}})
	for _, c := range []struct {
		query string
		want  string // ids, newest first
	}{
		{"", "no fix run sess text cat bool num"},
		{"id=num,cat,nope", "cat num"},
		{"id=NUM", ""},
		{"id=,+,", "no fix run sess text cat bool num"},
		{"name=ok,quality", "no bool num"},
		{"name=Quality", ""},
		{"environment=production", "cat"},
		{"environment=production,+default", "no fix run sess text cat bool num"},
		{"configId=c1", "num"},
		{"queueId=q1", "cat"},
		{"authorUserId=a1,x", "cat"},
		{"source=eval", "sess"},
		{"source=Annotation,EVAL", "sess cat"},
		{"dataType=numeric", "run sess num"},
		{"dataType=Text,correction", "fix text"},
		{"traceId=t1", "cat bool num"},
		{"traceId=t1,t2", "no fix text cat bool num"},
		{"traceId=t1,t2&observationId=o1,o2", "fix num"},
		{"traceId=t2&observationId=o1", ""},
		{"sessionId=s1", "sess"},
		{"experimentId=e1", "run"},
		{"dataType=NUMERIC&value=0.9", "num"},
		{"dataType=NUMERIC&value=3,0.50", "run sess"},
		{"dataType=NUMERIC&value=9e-1", "num"},
		{"dataType=NUMERIC&value=4", ""},
		{"dataType=BOOLEAN&value=true", "bool"},
		{"dataType=BOOLEAN&value=false", "no"},
		{"dataType=boolean&value=true,false", "no bool"},
		{"dataType=CATEGORICAL&value=red,blue", "cat"},
		{"dataType=CATEGORICAL&value=Red", ""},
		{"dataType=NUMERIC&valueMin=0.5", "run sess num"},
		{"dataType=NUMERIC&valueMin=0.6", "sess num"},
		{"dataType=NUMERIC&valueMin=0.5&valueMax=0.9", "run num"},
		{"dataType=NUMERIC&valueMax=-1", ""},
		{"dataType=NUMERIC&valueMin=&valueMax=", "run sess num"},
		{"dataType=NUMERIC&value=0.9,3&valueMax=1", "num"},
		{"dataType=NUMERIC,numeric&valueMax=1", "run num"},
		{"fromTimestamp=2026-03-04T05:06:07.126Z", "no fix run sess text"},
		{"toTimestamp=2026-03-04T05:06:07.126Z", "cat bool num"},
		{"fromTimestamp=2026-03-04T06:06:07.124%2B01:00&toTimestamp=2026-03-04+05:06:07.126", "cat bool"},
		{"fromTimestamp=2026-03-05", ""},
		{"toTimestamp=2026-03-04", ""},
		{"fromTimestamp=2026-03-04&toTimestamp=2026-03-05", "no fix run sess text cat bool num"},
		{"toTimestamp=1970-01-01", ""},
		{"fromTimestamp=1970-01-01", "no fix run sess text cat bool num"},
		{"fromTimestamp=&toTimestamp=&limit=&userId=&traceTags=&value=&source=&fields=", "no fix run sess text cat bool num"},
		{"name=ok&traceId=t1", "bool"},
		{"name=ok&source=EVAL", ""},
		{"limit=100", "no fix run sess text cat bool num"},
	} {
		t.Run(c.query, func(t *testing.T) {
			w := httptest.NewRecorder()
			r := apitest.Scenario{Path: scoresPath + "?" + c.query, Key: "project"}.Request()
			f.ServeHTTP(w, r)
			if w.Code != 200 {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			apitest.CheckDescribed(t, r, w.Result(), w.Body.Bytes())
			if got := strings.Join(scoreIDs(t, w.Body.Bytes()), " "); got != c.want {
				t.Errorf("found %q, want %q", got, c.want)
			}
		})
	}
}

const (
	wantsString   = `{"expected":"string","code":"invalid_type","path":["%s"],"message":"Invalid input: expected string, received array"}`
	tooBigLimit   = `{"origin":"number","code":"too_big","maximum":100,"inclusive":true,"path":["limit"],"message":"Too big: expected number to be <=100"}`
	unknownKey    = `{"code":"unrecognized_keys","keys":["%s"],"path":[],"message":"Unrecognized key: \"%[1]s\""}`
	wantsGroup    = `{"code":"invalid_value","values":["core","details","subject","annotation"],"path":["fields",%d],"message":"Invalid option: expected one of \"core\"|\"details\"|\"subject\"|\"annotation\""}`
	noNumber      = `{"expected":"number","code":"invalid_type","received":"NaN","path":["%s"],"message":"Invalid input: expected number, received NaN"}`
	noDate        = `{"expected":"date","code":"invalid_type","received":"Invalid Date","path":["%s"],"message":"Invalid input: expected date, received Date"}`
	noSource      = `{"code":"custom","path":["source"],"message":"Invalid source value: \"%s\". Allowed: API, EVAL, ANNOTATION"}`
	noDataType    = `{"code":"custom","path":["dataType"],"message":"Invalid dataType value: \"%s\". Allowed: NUMERIC, CATEGORICAL, BOOLEAN, CORRECTION, TEXT"}`
	userRule      = `{"code":"custom","path":[],"message":"userId filter requires a trace JOIN and is not supported in v3 — use v2 or omit this filter"}`
	tagsRule      = `{"code":"custom","path":[],"message":"traceTags filter requires a trace JOIN and is not supported in v3 — use v2 or omit this filter"}`
	singleRule    = `{"code":"custom","path":[],"message":"value filter requires a single dataType from: NUMERIC, BOOLEAN, CATEGORICAL"}`
	typeRule      = `{"code":"custom","path":[],"message":"value filter requires dataType to be NUMERIC, BOOLEAN, or CATEGORICAL (got \"%s\")"}`
	numericRule   = `{"code":"custom","path":[],"message":"value filter with dataType=NUMERIC requires each value to be a finite number (got \"%s\")"}`
	booleanRule   = `{"code":"custom","path":[],"message":"value filter with dataType=BOOLEAN requires each value to be \"true\" or \"false\" (got \"%s\")"}`
	rangeRule     = `{"code":"custom","path":[],"message":"valueMin and valueMax require dataType=NUMERIC as a single value"}`
	observedRule  = `{"code":"custom","path":[],"message":"observationId filter requires traceId — observation IDs are scoped to a trace"}`
	subjectsRule  = `{"code":"custom","path":[],"message":"At most one of traceId, sessionId, experimentId may be specified"}`
	invalidScores = `{"message":"Invalid request data","error":[%s]}`
)

// TestListScoresRefuses checks the issues that clients receive, their order, and which of them are reported together.
func TestListScoresRefuses(t *testing.T) {
	f := apitest.New(t, nil)
	say := fmt.Sprintf
	for _, c := range []struct {
		query string
		want  []string // issues
	}{
		// Types.
		{
			"limit=0", []string{
				`{"origin":"number","code":"too_small","minimum":1,"inclusive":true,"path":["limit"],"message":"Too small: expected number to be >=1"}`,
			},
		},
		{"limit=101", []string{tooBigLimit}},
		{"limit=1001", []string{tooBigLimit}},
		{"limit=x", []string{say(noNumber, "limit")}},
		{
			"limit=1.5", []string{
				`{"expected":"int","format":"safeint","code":"invalid_type","path":["limit"],"message":"Invalid input: expected int, received number"}`,
			},
		},
		{"limit=1&limit=2", []string{say(noNumber, "limit")}},
		{"cursor=a&cursor=b", []string{say(wantsString, "cursor")}},
		{"id=a&id=b", []string{say(wantsString, "id")}},
		{"source=API&source=EVAL", []string{say(wantsString, "source")}},
		{"value=1&value=2", []string{say(wantsString, "value")}},
		{"userId=1&userId=2", []string{say(wantsString, "userId")}},
		{"traceTags=1&traceTags=2", []string{say(wantsString, "traceTags")}},
		{"valueMin=x", []string{say(noNumber, "valueMin")}},
		{"dataType=NUMERIC&valueMin=Infinity&valueMax=NaN", []string{say(noNumber, "valueMin"), say(noNumber, "valueMax")}},
		{"dataType=NUMERIC&valueMax=1e999", []string{say(noNumber, "valueMax")}},
		{"fromTimestamp=yesterday&toTimestamp=1583280000000", []string{say(noDate, "fromTimestamp"), say(noDate, "toTimestamp")}},
		{"fields=nope", []string{say(wantsGroup, 0)}},
		{"fields=core,Details,,nope", []string{say(wantsGroup, 1), say(wantsGroup, 2)}},
		{"fields=core&fields=core,details", []string{say(wantsGroup, 1)}},
		{"zzz=1&limit=1", []string{say(unknownKey, "zzz")}},
		{"filter=%7Bnope", []string{say(unknownKey, "filter")}},
		{
			"page=1&b=2", []string{
				`{"code":"unrecognized_keys","keys":["b","page"],"path":[],"message":"Unrecognized keys: \"b\", \"page\""}`,
			},
		},
		{
			"id=" + strings.Repeat("x,", 1001), []string{
				`{"origin":"array","code":"too_big","maximum":1000,"inclusive":true,"path":["id"],"message":"Too big: expected array to have <=1000 items"}`,
			},
		},
		// Choices.
		{"source=bogus", []string{say(noSource, "BOGUS")}},
		{"source=API,bogus,x,BOGUS", []string{say(noSource, "BOGUS"), say(noSource, "X")}},
		{"dataType=number", []string{say(noDataType, "NUMBER")}},
		// Combinations.
		{"userId=u", []string{userRule}},
		{"traceTags=a,b", []string{tagsRule}},
		{"value=1", []string{singleRule}},
		{"value=1&dataType=NUMERIC,BOOLEAN", []string{singleRule}},
		{"value=1&dataType=TEXT", []string{say(typeRule, "TEXT")}},
		{"value=1&dataType=correction", []string{say(typeRule, "CORRECTION")}},
		{"value=x,1,y&dataType=NUMERIC", []string{say(numericRule, "x"), say(numericRule, "y")}},
		{
			"value=Infinity,NaN,1e999&dataType=NUMERIC", []string{
				say(numericRule, "Infinity"), say(numericRule, "NaN"), say(numericRule, "1e999"),
			},
		},
		{"value=1,true,True&dataType=BOOLEAN", []string{say(booleanRule, "1"), say(booleanRule, "True")}},
		{"valueMin=0.6", []string{rangeRule}},
		{"valueMax=1&dataType=BOOLEAN", []string{rangeRule}},
		{"valueMax=1&dataType=NUMERIC,BOOLEAN", []string{rangeRule}},
		{"observationId=o", []string{observedRule}},
		{"observationId=o&sessionId=s", []string{observedRule}},
		{"traceId=a&sessionId=b", []string{subjectsRule}},
		{"traceId=a&experimentId=b", []string{subjectsRule}},
		{"sessionId=a&experimentId=b", []string{subjectsRule}},
		{"sessionId=a&experimentId=b&traceId=c", []string{subjectsRule}},
		// Several issues.
		{
			"sessionId=s&experimentId=e&observationId=o&valueMin=1&value=v&traceTags=t&userId=u",
			[]string{userRule, tagsRule, singleRule, rangeRule, observedRule, subjectsRule},
		},
		{"limit=101&userId=u&source=bogus", []string{tooBigLimit, say(noSource, "BOGUS"), userRule}},
		{"dataType=bogus&value=1", []string{say(noDataType, "BOGUS"), say(typeRule, "BOGUS")}},
		{"limit=x&userId=u", []string{say(noNumber, "limit")}},
		{
			"limit=1.5&userId=u", []string{
				`{"expected":"int","format":"safeint","code":"invalid_type","path":["limit"],"message":"Invalid input: expected int, received number"}`,
			},
		},
		{"fromTimestamp=x&userId=u", []string{say(noDate, "fromTimestamp")}},
		{"id=a&id=b&userId=u", []string{say(wantsString, "id")}},
		{"fields=nope&userId=u", []string{say(wantsGroup, 0)}},
		{"zzz=1&userId=u&limit=101", []string{tooBigLimit, say(unknownKey, "zzz")}},
	} {
		t.Run(c.query[:min(60, len(c.query))], func(t *testing.T) {
			f.Run(t, apitest.Scenario{
				Path: scoresPath + "?" + c.query, Key: "project", Status: 400, Want: say(invalidScores, strings.Join(c.want, ",")),
			})
		})
	}
}

func TestListScoresCursor(t *testing.T) {
	token := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	at := func(text string) string { return scoresWith("cursor", token(text)) }
	const badFormat = `{"message":"Invalid cursor format","error":"InvalidRequestError"}`
	apitest.Run(t, []apitest.Scenario{
		{Name: "empty", Path: scoresPath + "?cursor=", Key: "project", Status: 400, Want: badFormat},
		{Name: "no token", Path: scoresPath + "?cursor=%25", Key: "project", Status: 400, Want: badFormat},
		{Name: "no JSON", Path: at("x"), Key: "project", Status: 400, Want: badFormat},
		{
			Name: "another version", Path: at(`{"v":2}`), Key: "project", Status: 400,
			Want: fmt.Sprintf(invalidScores,
				`{"code":"invalid_union","errors":[],"note":"No matching discriminator","discriminator":"v","path":["cursor","v"],"message":"Invalid input"}`),
		},
		{
			Name: "another shape", Path: at(`{"v":1,"lastTimestamp":"2026-03-04T05:06:07.123Z"}`), Key: "project", Status: 400,
			Want: fmt.Sprintf(invalidScores,
				`{"expected":"string","code":"invalid_type","path":["cursor","lastId"],"message":"Invalid input: expected string, received undefined"}`),
		},
		{
			Name: "behind a score that does not exist", Path: at(`{"v":1,"lastTimestamp":"2026-03-04T05:06:07.124Z","lastId":"c"}`),
			Key:    "project",
			Scores: someScores(), Status: 200, Contains: []string{`"id":"bool"`, `"id":"num"`, `"meta":{"limit":50}`},
			Missing: []string{`"id":"cat"`},
		},
		{
			Name: "exactly as many as fit", Path: scoresWith("limit", "8"), Key: "project", Scores: someScores(), Status: 200,
			Contains: []string{`"meta":{"limit":8}}`},
		},
		{
			Name: "one more than fit", Path: scoresWith("limit", "7"), Key: "project", Scores: someScores(), Status: 200,
			Missing: []string{`"id":"num"`},
			Contains: []string{
				`"meta":{"limit":7,"cursor":"` + token(`{"v":1,"lastTimestamp":"2026-03-04T05:06:07.124Z","lastId":"bool"}`) + `"}}`,
			},
		},
	})
}

// TestListScoresWalk pages through scores that share timestamps, on the model and on the real store, in memory and on
// disk: each is returned once, in order, whatever the page size.
func TestListScoresWalk(t *testing.T) {
	var scores []domain.Score
	var want []string
	for n := range 60 {
		scores = append(scores, domain.Score{
			ID: fmt.Sprintf("%02d", n*37%60), TraceID: fmt.Sprint("t", n%7), Name: "n", DataType: "NUMERIC",
			Value: domain.FloatOf(float64(n)), Source: "API",
			// three milliseconds, in another order than the microseconds
			Timestamp: march + domain.Micros(n*37%60/20)*1000 + domain.Micros(n),
		})
		want = append(want, fmt.Sprintf("%02d", 59-n))
	}
	check := func(t *testing.T, f *apitest.Fixture) {
		t.Helper()
		for _, limit := range []string{"1", "7", "20", "60", "100"} {
			var got []string
			address := scoresWith("limit", limit)
			for pages := 0; address != "" && pages < 100; pages++ {
				w := httptest.NewRecorder()
				f.ServeHTTP(w, apitest.Scenario{Path: address, Key: "project"}.Request())
				got = append(got, scoreIDs(t, w.Body.Bytes())...)
				answer := apitest.DecodeJSON[struct{ Meta struct{ Cursor string } }](t, w.Body.Bytes())
				if address = ""; answer.Meta.Cursor != "" {
					address = scoresWith("limit", limit, "cursor", answer.Meta.Cursor)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("in pages of %s: got %v, want %v", limit, got, want)
			}
		}
	}
	f := apitest.New(t, nil)
	f.Keep(t, "project-a", nil, scores)
	check(t, f)
	if err := f.Store.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	check(t, f)
}
