package auth

import (
	"errors"
	"maps"
	"net/url"
	"testing"
	"time"

	"almanac/internal/domain"
)

func TestMediaLinks(t *testing.T) {
	links := NewMediaLinks("secret")
	now := time.Unix(1_800_000_000, 0)
	scope := domain.OfProject("p1")
	upload := MediaLink{
		Method: "PUT", MediaID: "m1", Expires: now.Add(time.Hour), ContentType: "image/png", ContentLength: 5, SHA256: "a+b/c=",
	}
	query := links.Query(scope, upload)
	got, link, err := links.Check("PUT", "m1", query, now)
	if err != nil || got.ProjectID() != "p1" || link != upload {
		t.Errorf("%v %+v %v", got, link, err)
	}
	fetch := links.Query(scope, MediaLink{Method: "GET", MediaID: "m1", Expires: now.Add(time.Hour)})
	if _, _, err := links.Check("GET", "m1", fetch, now.Add(time.Hour-time.Second)); err != nil {
		t.Error(err)
	}
	if _, _, err := links.Check("GET", "m1", fetch, now.Add(time.Hour)); !errors.Is(err, ErrLinkExpired) {
		t.Errorf("after its time: %v", err)
	}

	changed := func(name, value string) url.Values {
		other := maps.Clone(query)
		other[name] = []string{value}
		return other
	}
	without := func(name string) url.Values {
		other := maps.Clone(query)
		delete(other, name)
		return other
	}
	twice := maps.Clone(query)
	twice["type"] = []string{"image/png", "text/html"}
	for name, c := range map[string]struct {
		method, id string
		query      url.Values
	}{
		"another method":         {"GET", "m1", query},
		"another medium":         {"PUT", "m2", query},
		"another project":        {"PUT", "m1", changed("project", "p2")},
		"no project":             {"PUT", "m1", changed("project", "")},
		"a longer life":          {"PUT", "m1", changed("expires", "1900000000")},
		"no end":                 {"PUT", "m1", changed("expires", "never")},
		"another type":           {"PUT", "m1", changed("type", "text/html")},
		"no type":                {"PUT", "m1", without("type")},
		"another length":         {"PUT", "m1", changed("length", "6")},
		"no length":              {"PUT", "m1", without("length")},
		"another hash":           {"PUT", "m1", changed("sha256", "x")},
		"another signature":      {"PUT", "m1", changed("signature", "AAAA")},
		"no signature":           {"PUT", "m1", without("signature")},
		"a signature of noise":   {"PUT", "m1", changed("signature", "!")},
		"parameters given twice": {"PUT", "m1", twice},
		"to fetch as to send":    {"PUT", "m1", fetch},
		"nothing":                {"PUT", "m1", url.Values{}},
	} {
		if _, _, err := links.Check(c.method, c.id, c.query, now); !errors.Is(err, ErrLinkChanged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := NewMediaLinks("other").Check("PUT", "m1", query, now); !errors.Is(err, ErrLinkChanged) {
		t.Errorf("another server: %v", err)
	}
}
