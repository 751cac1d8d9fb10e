package httpapi

import (
	"compress/gzip"
	"context"
	"io"
	"log/slog"
	"net/url"
	"strings"
	"testing"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/jobs"
	"almanac/internal/transfer/export"
)

const exportsPath = "/api/public/exports"

type exported struct {
	ID, State, FileName string
	Compressed          bool
	DownloadURL         *string
	Rows, Bytes         int64
	TotalRows           *int64
}

// export requests an export of project a.
func (f *fixture) export(t *testing.T, body string) exported {
	t.Helper()
	return send[exported](t, f, scenario{method: "POST", path: exportsPath, key: "project", body: body})
}

// finishExport runs exports until the given one is finished.
func (f *fixture) finishExport(t *testing.T, id string) {
	t.Helper()
	files := &export.Files{Catalog: f.Catalog, Store: f.Store, Blobs: f.Media.Library.Blobs}
	r := jobs.New(jobs.Options{Log: slog.New(slog.DiscardHandler)}, files.Kind())
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		r.Run(ctx)
	}()
	defer func() {
		stop()
		<-ended
	}()
	for {
		e, err := f.Catalog.Export(t.Context(), domain.OfProject("project-a"), id)
		if err != nil {
			t.Fatal(err)
		}
		if !e.Open() {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// makeExport runs an export and returns it as the project's key sees it.
func (f *fixture) makeExport(t *testing.T, id string) exported {
	t.Helper()
	f.finishExport(t, id)
	return send[exported](t, f, scenario{path: exportsPath + "/" + id, key: "project"})
}

func exportRows() []domain.Observation {
	return []domain.Observation{
		{TraceID: "t1", ID: "o1", StartTime: october, Type: "SPAN", Name: "=cmd()", Input: "hello, world", UserID: "u1"},
		{TraceID: "t1", ID: "o2", ParentID: "o1", StartTime: october + 1000, EndTime: october + 2_500_000, Type: "GENERATION", Name: "answer", TotalCost: domain.FloatOf(0.25), Tags: []string{"x"}},
	}
}

func TestExports(t *testing.T) {
	f := newFixture(t, nil)
	f.keep(t, "project-a", exportRows(), []domain.Score{{ID: "s1", TraceID: "t1", ObservationID: "o2", Timestamp: october, Name: "quality", DataType: "NUMERIC", Value: domain.FloatOf(0.9)}})
	f.ask(t, post("comments", `{"projectId":"project-a","objectType":"OBSERVATION","objectId":"o1","content":"look"}`))
	created := f.ask(t, post("exports", `{"table":"observations","format":"csv","filter":[{"type":"string","column":"traceId","operator":"=","value":"t1"}]}`).says(201))
	for _, part := range []string{`"state":"queued"`, `"rows":0,"totalRows":null,"bytes":0,"error":null`, `"createdBy":{"type":"api-key","id":"ID","name":null}`, `"downloadUrl":null`, `"operator":"="`} {
		if !strings.Contains(created, part) {
			t.Errorf("%s is not in %s", part, created)
		}
	}
	list := send[struct{ Data []exported }](t, f, scenario{path: exportsPath, key: "project"})
	if len(list.Data) != 1 {
		t.Fatalf("the list is %+v", list)
	}
	id := list.Data[0].ID
	done := f.makeExport(t, id)
	if done.State != "done" || done.Rows != 2 || *done.TotalRows != 2 || done.DownloadURL == nil {
		t.Fatalf("made as %+v", done)
	}
	f.ask(t, scenario{path: exportsPath + "/" + id})
	answer, text := f.content(t, *done.DownloadURL, nil)
	header, first, _ := strings.Cut(text, "\n")
	if !strings.HasPrefix(header, `"id","traceId","traceName","type","name","startTime","endTime"`) || !strings.HasSuffix(header, `"telemetrySdkVersion","comments","quality"`) {
		t.Errorf("the header is %s", header)
	}
	for _, part := range []string{`"o2","t1"`, `"'=cmd()"`, `"0.25"`, `"[0.9]"`, `"hello, world"`, `""content"":""look""`, `"[""x""]"`} {
		if !strings.Contains(first, part) {
			t.Errorf("%s is not in %s", part, first)
		}
	}
	if got := answer.Header.Get("Content-Disposition"); answer.StatusCode != 200 || got != `attachment; filename="`+done.FileName+`"` || !strings.HasSuffix(done.FileName, ".csv") {
		t.Errorf("status %d, disposition %s", answer.StatusCode, got)
	}
	if part, piece := f.content(t, *done.DownloadURL, map[string]string{"Range": "bytes=1-4"}); part.StatusCode != 206 || piece != text[1:5] {
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
		if answer, text := f.content(t, changed.String(), nil); answer.StatusCode != 403 {
			t.Errorf("another %s: status %d %s", name, answer.StatusCode, text)
		}
	}
	other := f.export(t, `{"table":"scores","format":"jsonl"}`)
	if answer, _ := f.content(t, strings.Replace(*done.DownloadURL, id, other.ID, 1), nil); answer.StatusCode != 403 {
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
	f.ask(t, scenario{method: "DELETE", path: exportsPath + "/" + id}.gives(200, ""))
	if answer, _ := f.content(t, *done.DownloadURL, nil); answer.StatusCode != 404 {
		t.Errorf("after it was deleted: %d", answer.StatusCode)
	}
	f.ask(t, scenario{path: exportsPath + "/" + id}.gives(404, ""))
}

func TestExportsRefuse(t *testing.T) {
	f := newFixture(t, nil)
	for _, s := range []scenario{
		{body: `{}`, status: 400, contains: []string{`"table"`, `"format"`}},
		{body: `{"table":"secrets","format":"csv"}`, status: 400, contains: []string{"observations"}},
		{body: `{"table":"scores","format":"xlsx"}`, status: 400, contains: []string{"parquet"}},
		{body: `{"table":"scores","format":"csv","more":1}`, status: 400, contains: []string{"more"}},
		{body: `{"table":"observations","format":"csv","filter":[{"type":"string","column":"nope","operator":"=","value":"x"}]}`, status: 400, contains: []string{"nope"}},
		{body: `{"table":"scores","format":"csv","filter":[{"type":"string","column":"model","operator":"=","value":"x"}]}`, status: 400, contains: []string{"model"}},
		{body: `{"table":"observations","format":"csv","search":"!!!"}`, status: 400, contains: []string{"one word"}},
		{body: `{"table":"scores","format":"csv","search":"a"}`, status: 400, contains: []string{"cannot be selected by search"}},
		{body: `{"table":"dataset_items","format":"csv","from":"2026-01-01T00:00:00Z"}`, status: 400, contains: []string{"cannot be selected by from"}},
		{body: `{"table":"observations","format":"csv","datasetName":"d"}`, status: 400, contains: []string{"cannot be selected by datasetName"}},
		{body: `{"table":"observations","format":"csv","from":"yesterday"}`, status: 400, contains: []string{"from"}},
		{key: "limited", body: `{"table":"scores","format":"csv"}`, status: 403, contains: []string{"scores:read"}},
		{key: "limited", body: `{"table":"dataset_items","format":"csv"}`, status: 403, contains: []string{"datasets:read"}},
		{body: `{"table":"audit_logs","format":"csv"}`, status: 403, contains: []string{"audit:read"}},
	} {
		s.method, s.path, s.name = "POST", exportsPath, s.body
		if s.key == "" {
			s.key = "project"
		}
		f.run(t, s)
	}
	finished := f.export(t, `{"table":"scores","format":"csv"}`)
	f.makeExport(t, finished.ID)
	f.run(t, scenario{name: "cancel", method: "POST", path: exportsPath + "/" + finished.ID + "/cancel", key: "project", status: 409})
	f.run(t, scenario{name: "list", path: exportsPath, key: "project", status: 200, contains: []string{finished.ID}})
	waiting := f.export(t, `{"table":"scores","format":"csv"}`)
	f.run(t, scenario{name: "cancel what waits", method: "POST", path: exportsPath + "/" + waiting.ID + "/cancel", key: "project", status: 200, contains: []string{`"cancelled"`}})
	for range 10 {
		f.export(t, `{"table":"scores","format":"csv"}`)
	}
	f.run(t, scenario{name: "too many", method: "POST", path: exportsPath, key: "project", body: `{"table":"scores","format":"csv"}`, status: 409, contains: []string{"10 exports"}})
}

// TestCompressedExports checks that a compressed file, unpacked, is the same as one that is not, and says what it is.
func TestCompressedExports(t *testing.T) {
	f := newFixture(t, nil)
	f.keep(t, "project-a", exportRows(), nil)
	for _, format := range []string{"csv", "jsonl"} {
		plain := f.makeExport(t, f.export(t, `{"table":"observations","format":"`+format+`","compressed":false}`).ID)
		_, want := f.content(t, *plain.DownloadURL, nil)
		packed := f.makeExport(t, f.export(t, `{"table":"observations","format":"`+format+`","compressed":true}`).ID)
		answer, text := f.content(t, *packed.DownloadURL, nil)
		if !packed.Compressed || plain.Compressed || packed.Bytes != int64(len(text)) || packed.Rows != 2 || !strings.HasSuffix(packed.FileName, "."+format+".gz") {
			t.Errorf("%+v, with %d bytes, and plain %+v", packed, len(text), plain)
		}
		if h := answer.Header; h.Get("Content-Type") != "application/gzip" || h.Get("Content-Encoding") != "" || !strings.Contains(h.Get("Content-Disposition"), packed.FileName) {
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
	refused := f.ask(t, post("exports", `{"table":"observations","format":"parquet","compressed":true}`).says(400))
	if !strings.Contains(refused, "Parquet files are compressed already") {
		t.Error(refused)
	}
}

// TestExportsShowWhatOneMayRead: without permission to read all of an export, nobody can list, see, cancel, delete or
// download it.
func TestExportsShowWhatOneMayRead(t *testing.T) {
	f := newFixture(t, nil)
	f.keep(t, "project-a", exportRows(), []domain.Score{{ID: "s1", TraceID: "t1", ObservationID: "o2", Timestamp: october, Name: "quality", DataType: "NUMERIC", Value: domain.FloatOf(0.9)}})
	scores := f.export(t, `{"table":"scores","format":"csv"}`)
	full := f.export(t, `{"table":"observations","format":"jsonl"}`) // with scores and comments
	for _, id := range []string{scores.ID, full.ID} {
		for _, s := range []scenario{
			{path: exportsPath + "/" + id},
			{method: "DELETE", path: exportsPath + "/" + id},
			{method: "POST", path: exportsPath + "/" + id + "/cancel"},
		} {
			s.name, s.key, s.status = s.method, "limited", 403
			f.run(t, s)
		}
	}
	own := send[exported](t, f, scenario{method: "POST", path: exportsPath, key: "limited", body: `{"table":"observations","format":"jsonl"}`})
	list := send[struct{ Data []exported }](t, f, scenario{path: exportsPath, key: "limited"})
	if len(list.Data) != 1 || list.Data[0].ID != own.ID {
		t.Errorf("it sees %+v", list.Data)
	}
	_, text := f.content(t, *f.makeExport(t, own.ID).DownloadURL, nil)
	if strings.Contains(text, "quality") || !strings.Contains(text, `"comments":null`) {
		t.Errorf("the file has %s", text)
	}
}

func TestExportsOfPeople(t *testing.T) {
	f := newFixture(t, nil)
	f.keep(t, "project-a", exportRows(), nil)
	const path = "/api/ui/projects/project-a/exports"
	viewer, member := f.as(t, f.newMember(t, "v@example.org", domain.RoleViewer).ID), f.as(t, f.newMember(t, "m@example.org", domain.RoleMember).ID)
	admin := f.as(t, f.newMember(t, "a@example.org", domain.RoleAdmin).ID)
	viewer.ask(t, "POST", path, `{"table":"observations","format":"csv"}`, 403)
	viewer.ask(t, "GET", path, "", 403)
	member.ask(t, "POST", path, `{"table":"audit_logs","format":"csv"}`, 403)
	log := decodeJSON[exported](t, []byte(admin.ask(t, "POST", path, `{"table":"audit_logs","format":"jsonl"}`, 201)))
	member.ask(t, "GET", path+"/"+log.ID, "", 403)
	own := decodeJSON[exported](t, []byte(member.ask(t, "POST", path, `{"table":"traces","format":"json"}`, 201)))
	if answer := member.ask(t, "GET", path, "", 200); strings.Contains(answer, log.ID) || !strings.Contains(answer, `"name":"Name of m@example.org"`) {
		t.Errorf("the list is %s", answer)
	}
	member.ask(t, "POST", path+"/"+own.ID+"/cancel", "", 200)
	member.ask(t, "DELETE", path+"/"+own.ID, "", 200)
	f.finishExport(t, log.ID)
	made := decodeJSON[exported](t, []byte(admin.ask(t, "GET", path+"/"+log.ID, "", 200)))
	if _, text := f.content(t, *made.DownloadURL, nil); !strings.Contains(text, `"resourceType":"export"`) || !strings.Contains(text, `"userName":"Name of a@example.org"`) {
		t.Errorf("the audit log is %s", text)
	}
}
