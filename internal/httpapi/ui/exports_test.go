package ui_test

import (
	"compress/gzip"
	"io"
	"net/url"
	"strings"
	"testing"

	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

const exportsPath = "/api/public/exports"

func TestExports(t *testing.T) {
	f := apitest.New(t, nil)
	f.Keep(t, "project-a", apitest.ExportRows(), []domain.Score{
		{
			ID: "s1", TraceID: "t1", ObservationID: "o2", Timestamp: apitest.October, Name: "quality", DataType: "NUMERIC",
			Value: domain.FloatOf(0.9),
		},
	})
	f.Ask(t, apitest.Post("comments", `{"projectId":"project-a","objectType":"OBSERVATION","objectId":"o1","content":"look"}`))
	created := f.Ask(t,
		apitest.Post("exports",
			`{"table":"observations","format":"csv","filter":[{"type":"string","column":"traceId","operator":"=","value":"t1"}]}`).Says(201))
	for _, part := range []string{
		`"state":"queued"`, `"rows":0,"totalRows":null,"bytes":0,"error":null`, `"createdBy":{"type":"api-key","id":"ID","name":null}`,
		`"downloadUrl":null`, `"operator":"="`,
	} {
		if !strings.Contains(created, part) {
			t.Errorf("%s is not in %s", part, created)
		}
	}
	list := apitest.Send[struct{ Data []apitest.Exported }](t, f, apitest.Scenario{Path: exportsPath, Key: "project"})
	if len(list.Data) != 1 {
		t.Fatalf("the list is %+v", list)
	}
	id := list.Data[0].ID
	done := f.MakeExport(t, id)
	if done.State != "done" || done.Rows != 2 || *done.TotalRows != 2 || done.DownloadURL == nil {
		t.Fatalf("made as %+v", done)
	}
	f.Ask(t, apitest.Scenario{Path: exportsPath + "/" + id})
	answer, text := f.Content(t, *done.DownloadURL, nil)
	header, first, _ := strings.Cut(text, "\n")
	if !strings.HasPrefix(header, `"id","traceId","traceName","type","name","startTime","endTime"`) ||
		!strings.HasSuffix(header, `"telemetrySdkVersion","comments","quality"`) {
		t.Errorf("the header is %s", header)
	}
	for _, part := range []string{`"o2","t1"`, `"'=cmd()"`, `"0.25"`, `"[0.9]"`, `"hello, world"`, `""content"":""look""`, `"[""x""]"`} {
		if !strings.Contains(first, part) {
			t.Errorf("%s is not in %s", part, first)
		}
	}
	if got := answer.Header.Get("Content-Disposition"); answer.StatusCode != 200 || got != `attachment; filename="`+done.FileName+`"` ||
		!strings.HasSuffix(done.FileName, ".csv") {
		t.Errorf("status %d, disposition %s", answer.StatusCode, got)
	}
	if part, piece := f.Content(t, *done.DownloadURL, map[string]string{"Range": "bytes=1-4"}); part.StatusCode != 206 ||
		piece != text[1:5] {
		t.Errorf("status %d, range %q, want %q", part.StatusCode, piece, text[1:5])
	}
	// The URL is the credential: no part of it can be changed.
	u, err := url.Parse(*done.DownloadURL)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"project", "expires", "by", "signature"} {
		query := u.Query()
		query.Set(name, query.Get(name)+"1")
		changed := *u
		changed.RawQuery = query.Encode()
		if answer, text := f.Content(t, changed.String(), nil); answer.StatusCode != 403 {
			t.Errorf("another %s: status %d %s", name, answer.StatusCode, text)
		}
	}
	other := f.Export(t, `{"table":"scores","format":"jsonl"}`)
	if answer, _ := f.Content(t, strings.Replace(*done.DownloadURL, id, other.ID, 1), nil); answer.StatusCode != 403 {
		t.Errorf("the address of one opens another: %d", answer.StatusCode)
	}
	actions := map[string]int{}
	for e, err := range f.Catalog.AuditLog(t.Context(), domain.OfOrganization("org-a"), catalog.AuditFilter{ResourceKind: "export"}) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Actor.Kind != "api-key" || e.Actor.ID == "" {
			t.Errorf("recorded as %+v", e)
		}
		actions[e.Action]++
	}
	if actions["create"] != 2 || actions["download"] == 0 {
		t.Errorf("recorded are %v", actions)
	}
	f.Ask(t, apitest.Scenario{Method: "DELETE", Path: exportsPath + "/" + id}.Gives(200, ""))
	if answer, _ := f.Content(t, *done.DownloadURL, nil); answer.StatusCode != 404 {
		t.Errorf("after it was deleted: %d", answer.StatusCode)
	}
	f.Ask(t, apitest.Scenario{Path: exportsPath + "/" + id}.Gives(404, ""))
}

func TestExportsRefuse(t *testing.T) {
	f := apitest.New(t, nil)
	for _, s := range []apitest.Scenario{
		{Body: `{}`, Status: 400, Contains: []string{`"table"`, `"format"`}},
		{Body: `{"table":"secrets","format":"csv"}`, Status: 400, Contains: []string{"observations"}},
		{Body: `{"table":"scores","format":"xlsx"}`, Status: 400, Contains: []string{"parquet"}},
		{Body: `{"table":"scores","format":"csv","more":1}`, Status: 400, Contains: []string{"more"}},
		{
			Body:   `{"table":"observations","format":"csv","filter":[{"type":"string","column":"nope","operator":"=","value":"x"}]}`,
			Status: 400, Contains: []string{"nope"},
		},
		{
			Body: `{"table":"scores","format":"csv","filter":[{"type":"string","column":"model","operator":"=","value":"x"}]}`, Status: 400,
			Contains: []string{"model"},
		},
		{Body: `{"table":"observations","format":"csv","search":"!!!"}`, Status: 400, Contains: []string{"one word"}},
		{Body: `{"table":"scores","format":"csv","search":"a"}`, Status: 400, Contains: []string{"cannot be selected by search"}},
		{
			Body: `{"table":"dataset_items","format":"csv","from":"2026-01-01T00:00:00Z"}`, Status: 400,
			Contains: []string{"cannot be selected by from"},
		},
		{
			Body: `{"table":"observations","format":"csv","datasetName":"d"}`, Status: 400,
			Contains: []string{"cannot be selected by datasetName"},
		},
		{Body: `{"table":"observations","format":"csv","from":"yesterday"}`, Status: 400, Contains: []string{"from"}},
		{Key: "limited", Body: `{"table":"scores","format":"csv"}`, Status: 403, Contains: []string{"scores:read"}},
		{Key: "limited", Body: `{"table":"dataset_items","format":"csv"}`, Status: 403, Contains: []string{"datasets:read"}},
		{Body: `{"table":"audit_logs","format":"csv"}`, Status: 403, Contains: []string{"audit:read"}},
	} {
		s.Method, s.Path, s.Name = "POST", exportsPath, s.Body
		if s.Key == "" {
			s.Key = "project"
		}
		f.Run(t, s)
	}
	finished := f.Export(t, `{"table":"scores","format":"csv"}`)
	f.MakeExport(t, finished.ID)
	f.Run(t, apitest.Scenario{Name: "cancel", Method: "POST", Path: exportsPath + "/" + finished.ID + "/cancel", Key: "project", Status: 409})
	f.Run(t, apitest.Scenario{Name: "list", Path: exportsPath, Key: "project", Status: 200, Contains: []string{finished.ID}})
	waiting := f.Export(t, `{"table":"scores","format":"csv"}`)
	f.Run(t, apitest.Scenario{
		Name: "cancel what waits", Method: "POST", Path: exportsPath + "/" + waiting.ID + "/cancel", Key: "project", Status: 200,
		Contains: []string{`"cancelled"`},
	})
	for range 10 {
		f.Export(t, `{"table":"scores","format":"csv"}`)
	}
	f.Run(t, apitest.Scenario{
		Name: "too many", Method: "POST", Path: exportsPath, Key: "project", Body: `{"table":"scores","format":"csv"}`, Status: 409,
		Contains: []string{"10 exports"},
	})
}

// TestCompressedExports checks that a compressed file, unpacked, is the same as one that is not, and says what it is.
func TestCompressedExports(t *testing.T) {
	f := apitest.New(t, nil)
	f.Keep(t, "project-a", apitest.ExportRows(), nil)
	for _, format := range []string{"csv", "jsonl"} {
		plain := f.MakeExport(t, f.Export(t, `{"table":"observations","format":"`+format+`","compressed":false}`).ID)
		_, want := f.Content(t, *plain.DownloadURL, nil)
		packed := f.MakeExport(t, f.Export(t, `{"table":"observations","format":"`+format+`","compressed":true}`).ID)
		answer, text := f.Content(t, *packed.DownloadURL, nil)
		if !packed.Compressed || plain.Compressed || packed.Bytes != int64(len(text)) || packed.Rows != 2 ||
			!strings.HasSuffix(packed.FileName, "."+format+".gz") {
			t.Errorf("%+v, with %d bytes, and plain %+v", packed, len(text), plain)
		}
		if h := answer.Header; h.Get("Content-Type") != "application/gzip" || h.Get("Content-Encoding") != "" ||
			!strings.Contains(h.Get("Content-Disposition"), packed.FileName) {
			t.Errorf("%s: %v", format, h)
		}
		unpacked, err := gzip.NewReader(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(unpacked); err != nil || string(got) != want || want == "" {
			t.Errorf("%s: %s, %v, want %s", format, got, err, want)
		}
	}
	refused := f.Ask(t, apitest.Post("exports", `{"table":"observations","format":"parquet","compressed":true}`).Says(400))
	if !strings.Contains(refused, "Parquet files are compressed already") {
		t.Error(refused)
	}
}

// TestExportsShowWhatOneMayRead: without permission to read all of an export, nobody can list, see, cancel, delete or
// download it.
func TestExportsShowWhatOneMayRead(t *testing.T) {
	f := apitest.New(t, nil)
	f.Keep(t, "project-a", apitest.ExportRows(), []domain.Score{
		{
			ID: "s1", TraceID: "t1", ObservationID: "o2", Timestamp: apitest.October, Name: "quality", DataType: "NUMERIC",
			Value: domain.FloatOf(0.9),
		},
	})
	scores := f.Export(t, `{"table":"scores","format":"csv"}`)
	full := f.Export(t, `{"table":"observations","format":"jsonl"}`) // with scores and comments
	for _, id := range []string{scores.ID, full.ID} {
		for _, s := range []apitest.Scenario{
			{Path: exportsPath + "/" + id},
			{Method: "DELETE", Path: exportsPath + "/" + id},
			{Method: "POST", Path: exportsPath + "/" + id + "/cancel"},
		} {
			s.Name, s.Key, s.Status = s.Method, "limited", 403
			f.Run(t, s)
		}
	}
	own := apitest.Send[apitest.Exported](t, f, apitest.Scenario{
		Method: "POST", Path: exportsPath, Key: "limited", Body: `{"table":"observations","format":"jsonl"}`,
	})
	list := apitest.Send[struct{ Data []apitest.Exported }](t, f, apitest.Scenario{Path: exportsPath, Key: "limited"})
	if len(list.Data) != 1 || list.Data[0].ID != own.ID {
		t.Errorf("it sees %+v", list.Data)
	}
	_, text := f.Content(t, *f.MakeExport(t, own.ID).DownloadURL, nil)
	if strings.Contains(text, "quality") || !strings.Contains(text, `"comments":null`) {
		t.Errorf("the file has %s", text)
	}
}

func TestExportsOfPeople(t *testing.T) {
	f := apitest.New(t, nil)
	f.Keep(t, "project-a", apitest.ExportRows(), nil)
	const path = "/api/ui/projects/project-a/exports"
	viewer, member := f.As(t, f.NewMember(t, "v@example.org", domain.RoleViewer).ID),
		f.As(t, f.NewMember(t, "m@example.org", domain.RoleMember).ID)
	admin := f.As(t, f.NewMember(t, "a@example.org", domain.RoleAdmin).ID)
	viewer.Ask(t, "POST", path, `{"table":"observations","format":"csv"}`, 403)
	viewer.Ask(t, "GET", path, "", 403)
	member.Ask(t, "POST", path, `{"table":"audit_logs","format":"csv"}`, 403)
	log := apitest.DecodeJSON[apitest.Exported](t, []byte(admin.Ask(t, "POST", path, `{"table":"audit_logs","format":"jsonl"}`, 201)))
	member.Ask(t, "GET", path+"/"+log.ID, "", 403)
	own := apitest.DecodeJSON[apitest.Exported](t, []byte(member.Ask(t, "POST", path, `{"table":"traces","format":"json"}`, 201)))
	if answer := member.Ask(t, "GET", path, "", 200); strings.Contains(answer, log.ID) ||
		!strings.Contains(answer, `"name":"Name of m@example.org"`) {
		t.Errorf("the list is %s", answer)
	}
	member.Ask(t, "POST", path+"/"+own.ID+"/cancel", "", 200)
	member.Ask(t, "DELETE", path+"/"+own.ID, "", 200)
	f.FinishExport(t, log.ID)
	made := apitest.DecodeJSON[apitest.Exported](t, []byte(admin.Ask(t, "GET", path+"/"+log.ID, "", 200)))
	if _, text := f.Content(t, *made.DownloadURL, nil); !strings.Contains(text, `"resourceType":"export"`) ||
		!strings.Contains(text, `"userName":"Name of a@example.org"`) {
		t.Errorf("the audit log is %s", text)
	}
}
