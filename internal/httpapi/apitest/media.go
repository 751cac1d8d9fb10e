package apitest

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"testing"

	"almanac/internal/access/auth"
	"almanac/internal/blob"
	"almanac/internal/catalog"
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

// Base64Hash returns the hash by which a client announces a file.
func Base64Hash(content string) string {
	sum := sha256.Sum256([]byte(content))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// Announcement returns the body that announces an image of trace t1.
func Announcement(content string) string { return AnnouncedAs("image/png", content) }

// AnnouncedAs returns the body that announces a file.
func AnnouncedAs(contentType, content string) string {
	return fmt.Sprintf(`{"traceId":"t1","observationId":"o1","field":"input","contentType":%q,"contentLength":%d,"sha256Hash":%q}`,
		contentType, len(content), Base64Hash(content))
}

// Announced is the response to the announcement of a file.
type Announced struct {
	MediaID   string
	UploadURL *string
}

// Fetched is a medium as the API returns it.
type Fetched struct {
	MediaID, ContentType, URL, UploadedAt, URLExpiry string
	ContentLength                                    int
}

// Announce announces a file of project a.
func (f *Fixture) Announce(t *testing.T, body string) Announced {
	t.Helper()
	return DecodeJSON[Announced](t, []byte(f.Ask(t, Post("media", body).Says(201))))
}

// Upload announces an image and uploads it.
func (f *Fixture) Upload(t *testing.T, content string) Announced {
	t.Helper()
	a := f.Announce(t, Announcement(content))
	if a.UploadURL != nil {
		f.Run(t, Uploading(*a.UploadURL, content))
	}
	return a
}

// Uploading returns the request that uploads an image to a URL, as SDKs do.
func Uploading(address, content string) Scenario {
	u, err := url.Parse(address)
	if err != nil {
		panic(err)
	}
	return Scenario{
		Name: "send", Method: "PUT", Path: u.RequestURI(), Body: content, Status: 200, Want: "{}",
		Header: map[string]string{"Content-Type": "image/png", "x-amz-checksum-sha256": Base64Hash(content), "x-ms-blob-type": "BlockBlob"},
	}
}

// Fetch reads a medium.
func (f *Fixture) Fetch(t *testing.T, id string) Fetched {
	t.Helper()
	f.Run(t, Scenario{Path: mediaPath + "/" + id, Key: "limited", Status: 200})
	return Send[Fetched](t, f, Scenario{Path: mediaPath + "/" + id, Key: "limited"})
}

// Content returns the response at a URL with its body.
func (f *Fixture) Content(t *testing.T, address string, header map[string]string) (*http.Response, string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	r, answer := f.serveAfterFailures(t, Scenario{Path: u.RequestURI(), Header: header})
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	CheckDescribed(t, r, answer, raw)
	return answer, string(raw)
}
