package media_test

import (
	"fmt"
	"io"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"almanac/internal/access/auth"
	"almanac/internal/domain"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
)

const mediaPath = "/api/public/media"

// files returns the number of media files.
func files(t *testing.T, f *apitest.Fixture) int {
	t.Helper()
	keys, err := f.Catalog.UnusedBlobs(t.Context(), 1000)
	if err != nil || len(keys) > 0 {
		t.Errorf("unused blobs %v, %v", keys, err)
	}
	if keys, err := f.Catalog.GivenUpBlobs(t.Context(), "", 1000); err != nil || len(keys) > 0 {
		t.Errorf("blobs that were given up %v, %v", keys, err)
	}
	found, err := filepath.Glob(f.MediaDirectory + "/*/*/*")
	if err != nil {
		t.Fatal(err)
	}
	unfinished, err := filepath.Glob(f.MediaDirectory + "/incoming/*")
	if err != nil {
		t.Fatal(err)
	}
	return len(found) + len(unfinished)
}

func TestMediaUpload(t *testing.T) {
	f := apitest.New(t, nil)
	const content = "\x89PNG, more or less"
	first := f.Announce(t, apitest.Announcement(content))
	if want := domain.MediaID(apitest.Base64Hash(content)); first.MediaID != want {
		t.Errorf("id %s, want %s", first.MediaID, want)
	}
	if first.UploadURL == nil || !strings.HasPrefix(*first.UploadURL, "http://example.com/api/public/media/"+first.MediaID+"/content?") {
		t.Fatalf("address %v", first.UploadURL)
	}
	missing := func(message string) apitest.Scenario {
		return apitest.Get("media/"+first.MediaID).Gives(404, `{"message":"`+message+`","error":"LangfuseNotFoundError"}`)
	}
	f.Ask(t, missing("Media not yet uploaded"))
	report := func(body string) apitest.Scenario {
		return apitest.Scenario{Method: "PATCH", Path: mediaPath + "/" + first.MediaID, Body: body, Status: 200, Want: `{"message":"OK"}`}
	}
	f.Ask(t, report(`{"uploadedAt":"2026-01-02T03:04:05.678Z","uploadHttpStatus":403,"uploadHttpError":"not \"you\"","uploadTimeMs":12.5}`))
	f.Ask(t, missing(`Media upload failed with status 403: \n not \"you\"`))
	// Whatever the client reports, the content has not arrived: the upload that failed must not look like one that
	// succeeded.
	claim := report(`{"uploadedAt":"2026-01-02T03:04:05.678Z","uploadHttpStatus":200,"uploadHttpError":"ignored"}`)
	claim.Status, claim.Want = 409, `{"message":"The content of media asset `+first.MediaID+
		` has not arrived. Upload it again.","error":"LangfuseConflictError"}`
	f.Ask(t, claim)
	f.Ask(t, missing(`Media upload failed with status 403: \n not \"you\"`))

	f.Run(t, apitest.Uploading(*first.UploadURL, content))
	f.Ask(t, report(`{"uploadedAt":"2026-01-02T03:04:05.678Z","uploadHttpStatus":200,"uploadHttpError":"","uploadTimeMs":null}`))
	got := f.Fetch(t, first.MediaID)
	if got.ContentType != "image/png" || got.ContentLength != len(content) || got.UploadedAt != "2026-01-02T03:04:05.678Z" ||
		got.MediaID != first.MediaID {
		t.Errorf("got %+v", got)
	}
	if expiry, err := time.Parse(time.RFC3339, got.URLExpiry); err != nil || time.Until(expiry) < 58*time.Minute ||
		time.Until(expiry) > time.Hour {
		t.Errorf("it expires at %s", got.URLExpiry)
	}
	answer, body := f.Content(t, got.URL, nil)
	if answer.StatusCode != 200 || body != content {
		t.Errorf("%d %q", answer.StatusCode, body)
	}
	for name, want := range map[string]string{
		"Content-Type": "image/png", "Content-Disposition": `attachment; filename="` + first.MediaID + `.png"`,
		"X-Content-Type-Options":  "nosniff",
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
		if answer, body := f.Content(t, got.URL, c.header); answer.StatusCode != c.status || c.status < 300 && body != c.content {
			t.Errorf("%s: %d %q", name, answer.StatusCode, body)
		}
	}

	// The same content need not be uploaded again for another owner, but it must be for another content type.
	again := f.Announce(t, strings.Replace(apitest.Announcement(content), `"traceId":"t1"`, `"traceId":"t2"`, 1))
	if again.UploadURL != nil || again.MediaID != first.MediaID {
		t.Errorf("again: %+v", again)
	}
	other := f.Announce(t, apitest.AnnouncedAs("image/gif", content))
	if other.UploadURL == nil || other.MediaID != first.MediaID {
		t.Fatalf("as another type: %+v", other)
	}
	if got := f.Fetch(t, first.MediaID); got.ContentType != "image/png" {
		t.Errorf("it has another type before it was sent: %+v", got)
	}
	gif := apitest.Uploading(*other.UploadURL, content)
	gif.Header["Content-Type"] = "image/gif; name=x"
	f.Run(t, gif)
	if got := f.Fetch(t, first.MediaID); got.ContentType != "image/gif" {
		t.Errorf("after it was sent as a GIF: %+v", got)
	}
	// A failure reported later does not hide stored content.
	f.Ask(t, report(`{"uploadedAt":"2027-01-02T03:04:05Z","uploadHttpStatus":500,"uploadHttpError":"timeout"}`))
	if got := f.Fetch(t, first.MediaID); strings.HasPrefix(got.UploadedAt, "2027") {
		t.Errorf("got %+v", got)
	}
	if err := f.Media.Library.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := files(t, f); got != 1 {
		t.Errorf("%d files", got)
	}
}

func TestRefusedUploads(t *testing.T) {
	f := apitest.New(t, nil)
	const content = "some bytes"
	address := *f.Announce(t, apitest.Announcement(content)).UploadURL
	refused := func(name, body string, status int, message string, change func(*apitest.Scenario)) {
		t.Helper()
		t.Run(name, func(t *testing.T) {
			s := apitest.Uploading(address, body)
			s.Status, s.Want, s.Contains = status, "", []string{message}
			delete(s.Header, "x-amz-checksum-sha256")
			if change != nil {
				change(&s)
			}
			f.Run(t, s)
			if got := files(t, f); got != 0 {
				t.Errorf("%d files are left", got)
			}
			f.Ask(t, apitest.Get("media/"+domain.MediaID(apitest.Base64Hash(content))).Says(404, "Media not yet uploaded"))
		})
	}
	replaced := func(old, with string) func(*apitest.Scenario) {
		return func(s *apitest.Scenario) { s.Path = strings.Replace(s.Path, old, with, 1) }
	}
	const changed = "This address was not signed by this server."
	refused("other bytes", "same bytes", 400, "The body is not what was announced", nil)
	refused("fewer bytes", "some", 400, "The body must have 10 bytes, as announced", nil)
	refused("more bytes", "some bytes more", 400, "The body must have 10 bytes, as announced", nil)
	refused("another type", content, 400, "The content type must be image/png, as announced", func(s *apitest.Scenario) {
		s.Header["Content-Type"] = "text/html"
	})
	refused("no type", content, 400, "The content type must be image/png, as announced", func(s *apitest.Scenario) {
		s.Header["Content-Type"] = ""
	})
	refused("another checksum", content, 400, "x-amz-checksum-sha256 must be", func(s *apitest.Scenario) {
		s.Header["x-amz-checksum-sha256"] = apitest.Base64Hash("x")
	})
	refused("a changed signature", content, 403, changed, replaced("signature=", "signature=A"))
	refused("a changed project", content, 403, changed, replaced("project-a", "project-b"))
	refused("a changed length", content, 403, changed, replaced("length=10", "length=11"))
	refused("a changed hash", content, 403, changed, replaced("sha256=", "sha256=A"))
	refused("a changed type", content, 403, changed, replaced("image%2Fpng", "text%2Fhtml"))
	refused("a changed end", content, 403, changed, replaced("expires=", "expires=1"))
	refused("another medium", content, 403, changed, replaced("media/", "media/x"))
	refused("a path instead of an id", content, 403, changed, replaced("media/", "media/..%2F..%2Fetc%2F"))
	refused("no signature", content, 403, changed, func(s *apitest.Scenario) { s.Path, _, _ = strings.Cut(s.Path, "?") })

	for name, c := range map[string]struct {
		body   io.Reader
		length int64
	}{
		"fewer bytes, without saying so": {strings.NewReader("some"), -1},
		"more bytes, without saying so":  {strings.NewReader("some bytes more"), -1},
		"a client that leaves":           {io.MultiReader(strings.NewReader("some"), iotest.ErrReader(io.ErrUnexpectedEOF)), 10},
	} {
		t.Run(name, func(t *testing.T) {
			r := apitest.Uploading(address, content).Request()
			r.Body, r.ContentLength = io.NopCloser(c.body), c.length
			w := httptest.NewRecorder()
			f.ServeHTTP(w, r)
			if w.Code != 400 || w.Header().Get("Connection") != "close" || files(t, f) != 0 {
				t.Errorf("%d %s, %d files", w.Code, w.Body, files(t, f))
			}
		})
	}

	link := func(project string, expires time.Duration) string {
		return f.Media.Links.Query(domain.OfProject(project), auth.MediaLink{
			By:     "admin-key:",
			Method: "PUT", MediaID: domain.MediaID(apitest.Base64Hash(content)), Expires: time.Now().Add(expires), ContentType: "image/png",
			ContentLength: int64(len(content)), SHA256: apitest.Base64Hash(content),
		}).Encode()
	}
	path := mediaPath + "/" + domain.MediaID(apitest.Base64Hash(content)) + "/content?"
	refused("an expired address", content, 403, "This address has expired. Ask for a new one.", func(s *apitest.Scenario) {
		s.Path = path + link("project-a", -time.Second)
	})
	refused("of a project that did not announce it", content, 404, "Media asset not found", func(s *apitest.Scenario) {
		s.Path = path + link("project-b", time.Hour)
	})

	f.Run(t, apitest.Uploading(address, content))
	if got := files(t, f); got != 1 {
		t.Errorf("%d files", got)
	}
}

func TestRefusedDownloads(t *testing.T) {
	f := apitest.New(t, nil)
	medium := f.Upload(t, "canary")
	got := f.Fetch(t, medium.MediaID)
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
		if answer, body := f.Content(t, c.address, nil); answer.StatusCode != c.status || c.status != 200 &&
			strings.Contains(body, "canary") {
			t.Errorf("%s: %d %s", name, answer.StatusCode, body)
		}
	}
	f.Run(t, apitest.Scenario{
		Path: mediaPath + "/" + medium.MediaID, Key: "foreign", Status: 404,
		Want: `{"message":"Media asset not found","error":"LangfuseNotFoundError"}`,
	})
}

func TestAnnounceMedia(t *testing.T) {
	types := `"` + strings.Join(domain.MediaTypes(), `","`) + `"`
	options := `\"` + strings.Join(domain.MediaTypes(), `\"|\"`) + `\"`
	badType := `{"code":"invalid_value","values":[` + types + `],"path":["contentType"],"message":"Invalid option: expected one of ` +
		options + `"}`
	badHash := `{"origin":"string","code":"invalid_format","format":"regex","pattern":"/^[A-Za-z0-9+/=]{44}$/","path":["sha256Hash"],"message":"Must be a 44 character base64 encoded SHA-256 hash"}`
	badField := func(fields ...string) string {
		return `{"code":"invalid_value","values":["` + strings.Join(fields, `","`) +
			`"],"path":["field"],"message":"Invalid option: expected one of \"` + strings.Join(fields, `\"|\"`) + `\""}`
	}
	ofTrace, ofItem := badField("input", "output", "metadata"), badField("input", "expectedOutput", "metadata")
	hash := apitest.Base64Hash("x")
	with := func(context string) string {
		return fmt.Sprintf(`{"contentType":"image/png","contentLength":1,"sha256Hash":%q,%s}`, hash, context)
	}
	announce := func(name, body string, status int, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Method: "POST", Path: mediaPath, Key: "project", Body: body, Status: status, Want: want}
	}
	apitest.Run(t, []apitest.Scenario{
		announce("on a trace", with(`"traceId":"t","field":"output"`), 201, ""),
		announce("on a trace, with nulls",
			with(`"traceId":"t","observationId":null,"datasetId":null,"datasetItemId":null,"field":"metadata"`), 201, ""),
		announce("on an item", with(`"datasetId":"d","datasetItemId":"i","field":"expectedOutput"`), 201, ""),
		announce("on an item, with nulls", with(`"datasetId":"d","datasetItemId":"i","traceId":null,"observationId":null,"field":"input"`),
			201, ""),
		announce("nothing", `{}`, 400,
			apitest.Invalid(badType, apitest.WrongType("contentLength", "number", "undefined"), apitest.WrongType("sha256Hash", "string", "undefined"),
				apitest.WrongType("traceId", "string", "undefined"), ofTrace)),
		announce("members that do not fit",
			`{"contentType":"image/x","contentLength":1.5,"sha256Hash":"x","traceId":1,"observationId":2,"field":"expectedOutput"}`, 400,
			apitest.Invalid(badType,
				`{"expected":"int","format":"safeint","code":"invalid_type","path":["contentLength"],"message":"Invalid input: expected int, received number"}`, badHash,
				apitest.WrongType("traceId", "string", "number"), apitest.WrongType("observationId", "string", "number"), ofTrace)),
		announce("no bytes", strings.Replace(with(`"traceId":"t","field":"input"`), `"contentLength":1`, `"contentLength":0`, 1), 400,
			apitest.Invalid(`{"origin":"number","code":"too_small","minimum":0,"inclusive":false,"path":["contentLength"],"message":"Too small: expected number to be >0"}`)),
		announce("as many as may be", strings.Replace(with(`"traceId":"t","field":"input"`), `"contentLength":1`,
			`"contentLength":1000000000`, 1), 201, ""),
		announce("more", strings.Replace(with(`"traceId":"t","field":"input"`), `"contentLength":1`, `"contentLength":1000000001`, 1), 400,
			`{"message":"File size must be less than 1000000000 bytes","error":"InvalidRequestError"}`),
		announce("an item without its dataset", with(`"datasetItemId":"i","field":"output"`), 400,
			apitest.Invalid(apitest.WrongType("datasetId", "string", "undefined"), ofItem)),
		announce("both", with(`"datasetId":"d","datasetItemId":"i","traceId":"t","observationId":"o","field":"input"`), 400, apitest.Invalid(
			apitest.Custom(`["traceId"]`, "traceId cannot be combined with datasetId and datasetItemId"),
			apitest.Custom(`["observationId"]`, "observationId cannot be combined with datasetId and datasetItemId"))),
		announce("no JSON", `{`, 400, "Invalid JSON"),
		{
			Name: "no permission", Method: "POST", Path: mediaPath, Key: "limited", Body: with(`"traceId":"t","field":"input"`),
			Status: 403,
			Want:   `{"message":"Access denied - insufficient permissions for this endpoint: the key lacks the permission traces:write or datasets:write"}`,
		},
		{Name: "no permission, whatever the body", Method: "POST", Path: mediaPath, Key: "limited", Body: `{}`, Status: 403},
		{
			Name: "no permission to report", Method: "PATCH", Path: mediaPath + "/x", Key: "limited",
			Body: `{"uploadedAt":"2026-01-02","uploadHttpStatus":200}`, Status: 403,
		},
		{
			Name: "the public key alone", Method: "POST", Path: mediaPath, Header: map[string]string{"Authorization": "Bearer pk-lf-a"},
			Body: with(`"traceId":"t","field":"input"`), Status: 403,
		},
		{
			Name: "a report on nothing", Method: "PATCH", Path: mediaPath + "/x", Key: "project",
			Body: `{"uploadedAt":"2026-01-02T03:04:05Z","uploadHttpStatus":200}`, Status: 404,
			Want: `{"message":"Media asset x not found in project project-a","error":"LangfuseNotFoundError"}`,
		},
		{
			Name: "a report that does not fit", Method: "PATCH", Path: mediaPath + "/x", Key: "project",
			Body: `{"uploadHttpStatus":0,"uploadHttpError":1,"uploadTimeMs":"x"}`, Status: 400,
			Contains: []string{
				`"path":["uploadedAt"]`, `"path":["uploadHttpStatus"]`, `"path":["uploadHttpError"]`, `"path":["uploadTimeMs"]`,
			},
		},
		{
			Name: "unknown", Path: mediaPath + "/x", Key: "limited", Status: 404,
			Want: `{"message":"Media asset not found","error":"LangfuseNotFoundError"}`,
		},
	})
	t.Run("two hashes that begin alike", func(t *testing.T) {
		f := apitest.New(t, nil)
		f.Run(t, announce("first", with(`"traceId":"t","field":"input"`), 201, ""))
		hash = hash[:43] + "x"
		f.Run(t, announce("second", with(`"traceId":"t","field":"input"`), 409, ""))
	})
	t.Run("addresses", func(t *testing.T) {
		for name, c := range map[string]struct {
			public, host, proto, want string
		}{
			"where the client is": {"", "almanac:3000", "", "http://almanac:3000/"},
			"behind a proxy":      {"", "almanac.test", "https", "https://almanac.test/"},
			"as configured":       {"https://public.test", "almanac:3000", "", "https://public.test/"},
		} {
			f := apitest.New(t, func(o *httpapi.Options) { o.Address.URL = c.public })
			s := announce(name, with(`"traceId":"t","field":"input"`), 201, "")
			r := s.Request()
			r.Host = c.host
			r.Header.Set("X-Forwarded-Proto", c.proto)
			w := httptest.NewRecorder()
			f.ServeHTTP(w, r)
			if got := apitest.DecodeJSON[apitest.Announced](t, w.Body.Bytes()); got.UploadURL == nil ||
				!strings.HasPrefix(*got.UploadURL, c.want+"api/public/media/") {
				t.Errorf("%s: %s", name, w.Body)
			}
		}
	})
}

func TestMediaOfDeletedTraces(t *testing.T) {
	f := apitest.New(t, nil)
	alone, shared := f.Upload(t, "alone"), f.Upload(t, "shared")
	if again := f.Announce(t, strings.Replace(apitest.Announcement("shared"), `"traceId":"t1"`, `"traceId":"t2"`, 1)); again.UploadURL != nil {
		t.Error("it shall be sent again")
	}
	address := f.Fetch(t, alone.MediaID).URL
	f.Ask(t, apitest.Scenario{Method: "DELETE", Path: "/api/public/traces/t1"})
	f.Ask(t, apitest.Get("media/"+alone.MediaID).Says(404, "Media asset not found"))
	if answer, _ := f.Content(t, address, nil); answer.StatusCode != 404 {
		t.Errorf("status %d", answer.StatusCode)
	}
	f.Fetch(t, shared.MediaID)
	if got := files(t, f); got != 1 {
		t.Errorf("%d files", got)
	}
	f.Ask(t, apitest.Scenario{Method: "DELETE", Path: "/api/public/traces", Body: `{"traceIds":["t2","t3"]}`})
	if got := files(t, f); got != 0 {
		t.Errorf("%d files", got)
	}
	// Deleted media can be uploaded again.
	f.Upload(t, "alone")
	f.Fetch(t, alone.MediaID)
}

// TestLargeMedia uploads more than the memory limit for bodies and responses.
func TestLargeMedia(t *testing.T) {
	f := apitest.New(t, func(o *httpapi.Options) { o.Memory = apitest.NewMemory(1 << 20) })
	content := strings.Repeat("almanac ", 1<<18)
	medium := f.Upload(t, content)
	answer, body := f.Content(t, f.Fetch(t, medium.MediaID).URL, map[string]string{"Accept-Encoding": "gzip"})
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
	f := apitest.New(t, nil)
	for n, contentType := range domain.MediaTypes() {
		content := fmt.Sprintf("%q", strconv.Itoa(1000+n)) // also valid JSON, as described
		a := f.Announce(t, apitest.AnnouncedAs(contentType, content))
		upload := apitest.Uploading(*a.UploadURL, content)
		upload.Header["Content-Type"] = contentType
		f.Run(t, upload)
		medium := f.Fetch(t, a.MediaID)
		if medium.ContentType != contentType {
			t.Errorf("%s: the API says %s", contentType, medium.ContentType)
		}
		want := "application/octet-stream"
		if kept[contentType] {
			want = contentType
		}
		answer, body := f.Content(t, medium.URL, nil)
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
