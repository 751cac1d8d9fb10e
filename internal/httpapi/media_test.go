package httpapi

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"almanac/internal/access/auth"
	"almanac/internal/blob"
	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/media"
)

const mediaPath = "/api/public/media"

func newTestMedia(t testing.TB, c *catalog.Catalog, directory string) endpoint.Media {
	t.Helper()
	blobs, err := blob.OpenDirectory(directory)
	if err != nil {
		t.Fatal(err)
	}
	return endpoint.Media{Library: &media.Library{Catalog: c, Blobs: blobs}, Links: auth.NewMediaLinks("secret"), MaxBytes: 1e9}
}

func base64Hash(content string) string {
	sum := sha256.Sum256([]byte(content))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// announcement returns the body that announces an image of trace t1.
func announcement(content string) string { return announcedAs("image/png", content) }

func announcedAs(contentType, content string) string {
	return fmt.Sprintf(`{"traceId":"t1","observationId":"o1","field":"input","contentType":%q,"contentLength":%d,"sha256Hash":%q}`,
		contentType, len(content), base64Hash(content))
}

type announced struct {
	MediaID   string
	UploadURL *string
}

type fetched struct {
	MediaID, ContentType, URL, UploadedAt, URLExpiry string
	ContentLength                                    int
}

// announce announces a file of project a.
func (f *fixture) announce(t *testing.T, body string) announced {
	t.Helper()
	return decodeJSON[announced](t, []byte(f.ask(t, post("media", body).says(201))))
}

// upload announces an image and uploads it.
func (f *fixture) upload(t *testing.T, content string) announced {
	t.Helper()
	a := f.announce(t, announcement(content))
	if a.UploadURL != nil {
		f.run(t, send1(*a.UploadURL, content))
	}
	return a
}

// send1 returns the request that uploads an image to a URL, as SDKs do.
func send1(address, content string) scenario {
	u, err := url.Parse(address)
	if err != nil {
		panic(err)
	}
	return scenario{
		name: "send", method: "PUT", path: u.RequestURI(), body: content, status: 200, want: "{}",
		header: map[string]string{"Content-Type": "image/png", "x-amz-checksum-sha256": base64Hash(content), "x-ms-blob-type": "BlockBlob"},
	}
}

func (f *fixture) fetch(t *testing.T, id string) fetched {
	t.Helper()
	f.run(t, scenario{path: mediaPath + "/" + id, key: "limited", status: 200})
	return send[fetched](t, f, scenario{path: mediaPath + "/" + id, key: "limited"})
}

// content returns the response at a URL with its body.
func (f *fixture) content(t *testing.T, address string, header map[string]string) (*http.Response, string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	r, answer := f.serveAfterFailures(t, scenario{path: u.RequestURI(), header: header})
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	checkDescribed(t, r, answer, raw)
	return answer, string(raw)
}

// files returns the number of media files.
func (f *fixture) files(t *testing.T) int {
	t.Helper()
	keys, err := f.Catalog.UnusedBlobs(t.Context(), 1000)
	if err != nil || len(keys) > 0 {
		t.Errorf("unused blobs %v, %v", keys, err)
	}
	if keys, err := f.Catalog.GivenUpBlobs(t.Context(), "", 1000); err != nil || len(keys) > 0 {
		t.Errorf("blobs that were given up %v, %v", keys, err)
	}
	found, err := filepath.Glob(f.mediaDirectory + "/*/*/*")
	if err != nil {
		t.Fatal(err)
	}
	unfinished, err := filepath.Glob(f.mediaDirectory + "/incoming/*")
	if err != nil {
		t.Fatal(err)
	}
	return len(found) + len(unfinished)
}

func TestMediaUpload(t *testing.T) {
	f := newFixture(t, nil)
	const content = "\x89PNG, more or less"
	first := f.announce(t, announcement(content))
	if want := domain.MediaID(base64Hash(content)); first.MediaID != want {
		t.Errorf("id %s, want %s", first.MediaID, want)
	}
	if first.UploadURL == nil || !strings.HasPrefix(*first.UploadURL, "http://example.com/api/public/media/"+first.MediaID+"/content?") {
		t.Fatalf("address %v", first.UploadURL)
	}
	missing := func(message string) scenario {
		return get("media/"+first.MediaID).gives(404, `{"message":"`+message+`","error":"LangfuseNotFoundError"}`)
	}
	f.ask(t, missing("Media not yet uploaded"))
	report := func(body string) scenario {
		return scenario{method: "PATCH", path: mediaPath + "/" + first.MediaID, body: body, status: 200, want: `{"message":"OK"}`}
	}
	f.ask(t, report(`{"uploadedAt":"2026-01-02T03:04:05.678Z","uploadHttpStatus":403,"uploadHttpError":"not \"you\"","uploadTimeMs":12.5}`))
	f.ask(t, missing(`Media upload failed with status 403: \n not \"you\"`))
	// Whatever the client reports, the content has not arrived: the upload that failed must not look like one that
	// succeeded.
	claim := report(`{"uploadedAt":"2026-01-02T03:04:05.678Z","uploadHttpStatus":200,"uploadHttpError":"ignored"}`)
	claim.status, claim.want = 409, `{"message":"The content of media asset `+first.MediaID+` has not arrived. Upload it again.","error":"LangfuseConflictError"}`
	f.ask(t, claim)
	f.ask(t, missing(`Media upload failed with status 403: \n not \"you\"`))

	f.run(t, send1(*first.UploadURL, content))
	f.ask(t, report(`{"uploadedAt":"2026-01-02T03:04:05.678Z","uploadHttpStatus":200,"uploadHttpError":"","uploadTimeMs":null}`))
	got := f.fetch(t, first.MediaID)
	if got.ContentType != "image/png" || got.ContentLength != len(content) || got.UploadedAt != "2026-01-02T03:04:05.678Z" || got.MediaID != first.MediaID {
		t.Errorf("got %+v", got)
	}
	if expiry, err := time.Parse(time.RFC3339, got.URLExpiry); err != nil || time.Until(expiry) < 58*time.Minute || time.Until(expiry) > time.Hour {
		t.Errorf("it expires at %s", got.URLExpiry)
	}
	answer, body := f.content(t, got.URL, nil)
	if answer.StatusCode != 200 || body != content {
		t.Errorf("%d %q", answer.StatusCode, body)
	}
	for name, want := range map[string]string{
		"Content-Type": "image/png", "Content-Disposition": `attachment; filename="` + first.MediaID + `.png"`, "X-Content-Type-Options": "nosniff",
		"Content-Security-Policy": "default-src 'none'; sandbox", "Accept-Ranges": "bytes", "Etag": `"` + first.MediaID + `"`,
	} {
		if got := answer.Header.Get(name); got != want {
			t.Errorf("header %s = %q, want %q", name, got, want)
		}
	}
	for name, c := range map[string]struct {
		header  map[string]string
		status  int
		content string
	}{
		"a range":           {map[string]string{"Range": "bytes=1-3"}, 206, content[1:4]},
		"the end":           {map[string]string{"Range": "bytes=-4"}, 206, content[len(content)-4:]},
		"the rest":          {map[string]string{"Range": "bytes=5-"}, 206, content[5:]},
		"behind the end":    {map[string]string{"Range": "bytes=1000-"}, 416, ""},
		"known already":     {map[string]string{"If-None-Match": `"` + first.MediaID + `"`}, 304, ""},
		"of another origin": {map[string]string{"Origin": "http://x.test"}, 200, content},
	} {
		if answer, body := f.content(t, got.URL, c.header); answer.StatusCode != c.status || c.status < 300 && body != c.content {
			t.Errorf("%s: %d %q", name, answer.StatusCode, body)
		}
	}

	// The same content need not be uploaded again for another owner, but it must be for another content type.
	again := f.announce(t, strings.Replace(announcement(content), `"traceId":"t1"`, `"traceId":"t2"`, 1))
	if again.UploadURL != nil || again.MediaID != first.MediaID {
		t.Errorf("again: %+v", again)
	}
	other := f.announce(t, announcedAs("image/gif", content))
	if other.UploadURL == nil || other.MediaID != first.MediaID {
		t.Fatalf("as another type: %+v", other)
	}
	if got := f.fetch(t, first.MediaID); got.ContentType != "image/png" {
		t.Errorf("it has another type before it was sent: %+v", got)
	}
	gif := send1(*other.UploadURL, content)
	gif.header["Content-Type"] = "image/gif; name=x"
	f.run(t, gif)
	if got := f.fetch(t, first.MediaID); got.ContentType != "image/gif" {
		t.Errorf("after it was sent as a GIF: %+v", got)
	}
	// A failure reported later does not hide stored content.
	f.ask(t, report(`{"uploadedAt":"2027-01-02T03:04:05Z","uploadHttpStatus":500,"uploadHttpError":"timeout"}`))
	if got := f.fetch(t, first.MediaID); strings.HasPrefix(got.UploadedAt, "2027") {
		t.Errorf("got %+v", got)
	}
	if err := f.Media.Library.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := f.files(t); got != 1 {
		t.Errorf("%d files", got)
	}
}

func TestRefusedUploads(t *testing.T) {
	f := newFixture(t, nil)
	const content = "some bytes"
	address := *f.announce(t, announcement(content)).UploadURL
	refused := func(name, body string, status int, message string, change func(*scenario)) {
		t.Helper()
		t.Run(name, func(t *testing.T) {
			s := send1(address, body)
			s.status, s.want, s.contains = status, "", []string{message}
			delete(s.header, "x-amz-checksum-sha256")
			if change != nil {
				change(&s)
			}
			f.run(t, s)
			if got := f.files(t); got != 0 {
				t.Errorf("%d files are left", got)
			}
			f.ask(t, get("media/"+domain.MediaID(base64Hash(content))).says(404, "Media not yet uploaded"))
		})
	}
	replaced := func(old, with string) func(*scenario) {
		return func(s *scenario) { s.path = strings.Replace(s.path, old, with, 1) }
	}
	const changed = "This address was not signed by this server."
	refused("other bytes", "same bytes", 400, "The body is not what was announced", nil)
	refused("fewer bytes", "some", 400, "The body must have 10 bytes, as announced", nil)
	refused("more bytes", "some bytes more", 400, "The body must have 10 bytes, as announced", nil)
	refused("another type", content, 400, "The content type must be image/png, as announced", func(s *scenario) { s.header["Content-Type"] = "text/html" })
	refused("no type", content, 400, "The content type must be image/png, as announced", func(s *scenario) { s.header["Content-Type"] = "" })
	refused("another checksum", content, 400, "x-amz-checksum-sha256 must be", func(s *scenario) { s.header["x-amz-checksum-sha256"] = base64Hash("x") })
	refused("a changed signature", content, 403, changed, replaced("signature=", "signature=A"))
	refused("a changed project", content, 403, changed, replaced("project-a", "project-b"))
	refused("a changed length", content, 403, changed, replaced("length=10", "length=11"))
	refused("a changed hash", content, 403, changed, replaced("sha256=", "sha256=A"))
	refused("a changed type", content, 403, changed, replaced("image%2Fpng", "text%2Fhtml"))
	refused("a changed end", content, 403, changed, replaced("expires=", "expires=1"))
	refused("another medium", content, 403, changed, replaced("media/", "media/x"))
	refused("a path instead of an id", content, 403, changed, replaced("media/", "media/..%2F..%2Fetc%2F"))
	refused("no signature", content, 403, changed, func(s *scenario) { s.path, _, _ = strings.Cut(s.path, "?") })

	for name, c := range map[string]struct {
		body   io.Reader
		length int64
	}{
		"fewer bytes, without saying so": {strings.NewReader("some"), -1},
		"more bytes, without saying so":  {strings.NewReader("some bytes more"), -1},
		"a client that leaves":           {io.MultiReader(strings.NewReader("some"), iotest.ErrReader(io.ErrUnexpectedEOF)), 10},
	} {
		t.Run(name, func(t *testing.T) {
			r := send1(address, content).request()
			r.Body, r.ContentLength = io.NopCloser(c.body), c.length
			w := httptest.NewRecorder()
			f.ServeHTTP(w, r)
			if w.Code != 400 || w.Header().Get("Connection") != "close" || f.files(t) != 0 {
				t.Errorf("%d %s, %d files", w.Code, w.Body, f.files(t))
			}
		})
	}

	link := func(project string, expires time.Duration) string {
		return f.Media.Links.Query(domain.OfProject(project), auth.MediaLink{
			By:     "admin-key:",
			Method: "PUT", MediaID: domain.MediaID(base64Hash(content)), Expires: time.Now().Add(expires), ContentType: "image/png",
			ContentLength: int64(len(content)), SHA256: base64Hash(content),
		}).Encode()
	}
	path := mediaPath + "/" + domain.MediaID(base64Hash(content)) + "/content?"
	refused("an expired address", content, 403, "This address has expired. Ask for a new one.", func(s *scenario) { s.path = path + link("project-a", -time.Second) })
	refused("of a project that did not announce it", content, 404, "Media asset not found", func(s *scenario) { s.path = path + link("project-b", time.Hour) })

	f.run(t, send1(address, content))
	if got := f.files(t); got != 1 {
		t.Errorf("%d files", got)
	}
}

func TestRefusedDownloads(t *testing.T) {
	f := newFixture(t, nil)
	medium := f.upload(t, "canary")
	got := f.fetch(t, medium.MediaID)
	link := func(method, project string, expires time.Duration) string {
		return mediaPath + "/" + medium.MediaID + "/content?" + f.Media.Links.Query(domain.OfProject(project), auth.MediaLink{
			By:     "admin-key:",
			Method: method, MediaID: medium.MediaID, Expires: time.Now().Add(expires),
		}).Encode()
	}
	for name, c := range map[string]struct {
		address string
		status  int
	}{
		"as it was signed":          {got.URL, 200},
		"a changed signature":       {strings.Replace(got.URL, "signature=", "signature=A", 1), 403},
		"another project":           {strings.Replace(got.URL, "project-a", "project-b", 1), 403},
		"a longer life":             {strings.Replace(got.URL, "expires=", "expires=9", 1), 403},
		"expired":                   {link("GET", "project-a", -time.Second), 403},
		"signed for another":        {link("GET", "project-b", time.Hour), 404},
		"an address to send to":     {link("PUT", "project-a", time.Hour), 403},
		"nothing but the id":        {mediaPath + "/" + medium.MediaID + "/content", 403},
		"the address of the upload": {*medium.UploadURL, 403},
	} {
		if answer, body := f.content(t, c.address, nil); answer.StatusCode != c.status || c.status != 200 && strings.Contains(body, "canary") {
			t.Errorf("%s: %d %s", name, answer.StatusCode, body)
		}
	}
	f.run(t, scenario{path: mediaPath + "/" + medium.MediaID, key: "foreign", status: 404, want: `{"message":"Media asset not found","error":"LangfuseNotFoundError"}`})
}

func TestAnnounceMedia(t *testing.T) {
	types := `"` + strings.Join(domain.MediaTypes(), `","`) + `"`
	options := `\"` + strings.Join(domain.MediaTypes(), `\"|\"`) + `\"`
	badType := `{"code":"invalid_value","values":[` + types + `],"path":["contentType"],"message":"Invalid option: expected one of ` + options + `"}`
	badHash := `{"origin":"string","code":"invalid_format","format":"regex","pattern":"/^[A-Za-z0-9+/=]{44}$/","path":["sha256Hash"],"message":"Must be a 44 character base64 encoded SHA-256 hash"}`
	badField := func(fields ...string) string {
		return `{"code":"invalid_value","values":["` + strings.Join(fields, `","`) + `"],"path":["field"],"message":"Invalid option: expected one of \"` + strings.Join(fields, `\"|\"`) + `\""}`
	}
	ofTrace, ofItem := badField("input", "output", "metadata"), badField("input", "expectedOutput", "metadata")
	hash := base64Hash("x")
	with := func(context string) string {
		return fmt.Sprintf(`{"contentType":"image/png","contentLength":1,"sha256Hash":%q,%s}`, hash, context)
	}
	announce := func(name, body string, status int, want string) scenario {
		return scenario{name: name, method: "POST", path: mediaPath, key: "project", body: body, status: status, want: want}
	}
	runScenarios(t, []scenario{
		announce("on a trace", with(`"traceId":"t","field":"output"`), 201, ""),
		announce("on a trace, with nulls", with(`"traceId":"t","observationId":null,"datasetId":null,"datasetItemId":null,"field":"metadata"`), 201, ""),
		announce("on an item", with(`"datasetId":"d","datasetItemId":"i","field":"expectedOutput"`), 201, ""),
		announce("on an item, with nulls", with(`"datasetId":"d","datasetItemId":"i","traceId":null,"observationId":null,"field":"input"`), 201, ""),
		announce("nothing", `{}`, 400, invalid(badType, wrongType("contentLength", "number", "undefined"), wrongType("sha256Hash", "string", "undefined"),
			wrongType("traceId", "string", "undefined"), ofTrace)),
		announce("members that do not fit", `{"contentType":"image/x","contentLength":1.5,"sha256Hash":"x","traceId":1,"observationId":2,"field":"expectedOutput"}`, 400, invalid(badType,
			`{"expected":"int","format":"safeint","code":"invalid_type","path":["contentLength"],"message":"Invalid input: expected int, received number"}`, badHash,
			wrongType("traceId", "string", "number"), wrongType("observationId", "string", "number"), ofTrace)),
		announce("no bytes", strings.Replace(with(`"traceId":"t","field":"input"`), `"contentLength":1`, `"contentLength":0`, 1), 400,
			invalid(`{"origin":"number","code":"too_small","minimum":0,"inclusive":false,"path":["contentLength"],"message":"Too small: expected number to be >0"}`)),
		announce("as many as may be", strings.Replace(with(`"traceId":"t","field":"input"`), `"contentLength":1`, `"contentLength":1000000000`, 1), 201, ""),
		announce("more", strings.Replace(with(`"traceId":"t","field":"input"`), `"contentLength":1`, `"contentLength":1000000001`, 1), 400,
			`{"message":"File size must be less than 1000000000 bytes","error":"InvalidRequestError"}`),
		announce("an item without its dataset", with(`"datasetItemId":"i","field":"output"`), 400, invalid(wrongType("datasetId", "string", "undefined"), ofItem)),
		announce("both", with(`"datasetId":"d","datasetItemId":"i","traceId":"t","observationId":"o","field":"input"`), 400, invalid(
			custom(`["traceId"]`, "traceId cannot be combined with datasetId and datasetItemId"), custom(`["observationId"]`, "observationId cannot be combined with datasetId and datasetItemId"))),
		announce("no JSON", `{`, 400, "Invalid JSON"),
		{name: "no permission", method: "POST", path: mediaPath, key: "limited", body: with(`"traceId":"t","field":"input"`), status: 403, want: `{"message":"Access denied - insufficient permissions for this endpoint: the key lacks the permission traces:write or datasets:write"}`},
		{name: "no permission, whatever the body", method: "POST", path: mediaPath, key: "limited", body: `{}`, status: 403},
		{name: "no permission to report", method: "PATCH", path: mediaPath + "/x", key: "limited", body: `{"uploadedAt":"2026-01-02","uploadHttpStatus":200}`, status: 403},
		{name: "the public key alone", method: "POST", path: mediaPath, header: map[string]string{"Authorization": "Bearer pk-lf-a"}, body: with(`"traceId":"t","field":"input"`), status: 403},
		{name: "a report on nothing", method: "PATCH", path: mediaPath + "/x", key: "project", body: `{"uploadedAt":"2026-01-02T03:04:05Z","uploadHttpStatus":200}`, status: 404, want: `{"message":"Media asset x not found in project project-a","error":"LangfuseNotFoundError"}`},
		{name: "a report that does not fit", method: "PATCH", path: mediaPath + "/x", key: "project", body: `{"uploadHttpStatus":0,"uploadHttpError":1,"uploadTimeMs":"x"}`, status: 400, contains: []string{`"path":["uploadedAt"]`, `"path":["uploadHttpStatus"]`, `"path":["uploadHttpError"]`, `"path":["uploadTimeMs"]`}},
		{name: "unknown", path: mediaPath + "/x", key: "limited", status: 404, want: `{"message":"Media asset not found","error":"LangfuseNotFoundError"}`},
	})
	t.Run("two hashes that begin alike", func(t *testing.T) {
		f := newFixture(t, nil)
		f.run(t, announce("first", with(`"traceId":"t","field":"input"`), 201, ""))
		hash = hash[:43] + "x"
		f.run(t, announce("second", with(`"traceId":"t","field":"input"`), 409, ""))
	})
	t.Run("addresses", func(t *testing.T) {
		for name, c := range map[string]struct {
			public, host, proto, want string
		}{
			"where the client is": {"", "almanac:3000", "", "http://almanac:3000/"},
			"behind a proxy":      {"", "almanac.test", "https", "https://almanac.test/"},
			"as configured":       {"https://public.test", "almanac:3000", "", "https://public.test/"},
		} {
			f := newFixture(t, func(o *Options) { o.Address.URL = c.public })
			s := announce(name, with(`"traceId":"t","field":"input"`), 201, "")
			r := s.request()
			r.Host = c.host
			r.Header.Set("X-Forwarded-Proto", c.proto)
			w := httptest.NewRecorder()
			f.ServeHTTP(w, r)
			if got := decodeJSON[announced](t, w.Body.Bytes()); got.UploadURL == nil || !strings.HasPrefix(*got.UploadURL, c.want+"api/public/media/") {
				t.Errorf("%s: %s", name, w.Body)
			}
		}
	})
}

func TestMediaOfDeletedTraces(t *testing.T) {
	f := newFixture(t, nil)
	alone, shared := f.upload(t, "alone"), f.upload(t, "shared")
	if again := f.announce(t, strings.Replace(announcement("shared"), `"traceId":"t1"`, `"traceId":"t2"`, 1)); again.UploadURL != nil {
		t.Error("it shall be sent again")
	}
	address := f.fetch(t, alone.MediaID).URL
	f.ask(t, scenario{method: "DELETE", path: "/api/public/traces/t1"})
	f.ask(t, get("media/"+alone.MediaID).says(404, "Media asset not found"))
	if answer, _ := f.content(t, address, nil); answer.StatusCode != 404 {
		t.Errorf("status %d", answer.StatusCode)
	}
	f.fetch(t, shared.MediaID)
	if got := f.files(t); got != 1 {
		t.Errorf("%d files", got)
	}
	f.ask(t, scenario{method: "DELETE", path: "/api/public/traces", body: `{"traceIds":["t2","t3"]}`})
	if got := f.files(t); got != 0 {
		t.Errorf("%d files", got)
	}
	// Deleted media can be uploaded again.
	f.upload(t, "alone")
	f.fetch(t, alone.MediaID)
}

// TestLargeMedia uploads more than the memory limit for bodies and responses.
func TestLargeMedia(t *testing.T) {
	f := newFixture(t, func(o *Options) { o.Memory = newMemory(1 << 20) })
	content := strings.Repeat("almanac ", 1<<18)
	medium := f.upload(t, content)
	answer, body := f.content(t, f.fetch(t, medium.MediaID).URL, map[string]string{"Accept-Encoding": "gzip"})
	if answer.StatusCode != 200 || body != content {
		t.Errorf("%d, %d bytes", answer.StatusCode, len(body))
	}
	if got := answer.Header.Get("Content-Length"); got != strconv.Itoa(len(content)) {
		t.Errorf("content length %s", got)
	}
}

// TestServedMediaTypes downloads a medium of each allowed type. Only types in which a browser runs nothing are kept:
// otherwise, a user's file could be a script, a style sheet or a document of this server's origin.
func TestServedMediaTypes(t *testing.T) {
	kept := map[string]bool{
		"image/png": true, "image/jpeg": true, "image/jpg": true, "image/webp": true, "image/gif": true, "image/tiff": true,
		"image/bmp": true, "image/avif": true, "image/heic": true,
		"audio/mpeg": true, "audio/mp3": true, "audio/wav": true, "audio/ogg": true, "audio/oga": true, "audio/aac": true,
		"audio/mp4": true, "audio/flac": true, "audio/opus": true, "audio/webm": true,
		"video/mp4": true, "video/webm": true, "video/ogg": true, "video/mpeg": true, "video/quicktime": true,
		"video/x-msvideo": true, "video/x-matroska": true,
		"text/plain": true, "text/csv": true, "application/json": true, "application/x-ndjson": true,
		"application/vnd.apache.parquet": true, "application/zip": true, "application/gzip": true,
	}
	f := newFixture(t, nil)
	for n, contentType := range domain.MediaTypes() {
		content := fmt.Sprintf("%q", strconv.Itoa(1000+n)) // also valid JSON, as described
		a := f.announce(t, announcedAs(contentType, content))
		upload := send1(*a.UploadURL, content)
		upload.header["Content-Type"] = contentType
		f.run(t, upload)
		medium := f.fetch(t, a.MediaID)
		if medium.ContentType != contentType {
			t.Errorf("%s: the API says %s", contentType, medium.ContentType)
		}
		want := "application/octet-stream"
		if kept[contentType] {
			want = contentType
		}
		answer, body := f.content(t, medium.URL, nil)
		if body != content {
			t.Errorf("%s: got %q", contentType, body)
		}
		for name, want := range map[string]string{
			"Content-Type": want, "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox",
			"Content-Disposition": `attachment; filename="` + a.MediaID + "." + domain.MediaFileExtension(contentType) + `"`,
		} {
			if got := answer.Header.Get(name); got != want {
				t.Errorf("%s: header %s = %q, want %q", contentType, name, got, want)
			}
		}
	}
}
