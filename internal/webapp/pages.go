package webapp

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"slices"
	"strings"
)

// document is the page as it is at some paths.
type document struct {
	html []byte
	etag string
}

// pages are the page at each path that the build knows. A page names the files that only this path needs, so that a
// browser requests them together with those that all paths need, rather than once the application runs and finds out.
type pages struct {
	other document
	known []pageAt
}

type pageAt struct {
	pattern []string
	document
}

// announced returns the pages of a build: the page with the links for the paths in its pages.json, which web/chunks.ts
// writes.
func announced(files fs.FS, body, base []byte) (pages, error) {
	found := pages{other: newDocument(body)}
	text, err := fs.ReadFile(files, "pages.json")
	if errors.Is(err, fs.ErrNotExist) {
		return found, nil // the placeholder
	}
	if err != nil {
		return pages{}, err
	}
	var listed []struct {
		Path  string   `json:"path"`
		Files []string `json:"files"`
	}
	if err := json.Unmarshal(text, &listed); err != nil {
		return pages{}, fmt.Errorf("pages.json of the web application: %w", err)
	}
	for _, each := range listed {
		var links bytes.Buffer
		for _, file := range each.Files {
			fmt.Fprintf(&links, "<link rel=\"modulepreload\" crossorigin href=\"%s/%s\" nonce=\"%s\">\n",
				base, html.EscapeString(file), noncePlaceholder)
		}
		// Last in the head: what every page needs comes first.
		whole := bytes.Replace(body, []byte("</head>"), append(links.Bytes(), "</head>"...), 1)
		found.known = append(found.known, pageAt{strings.Split(each.Path, "/"), newDocument(whole)})
	}
	return found, nil
}

func newDocument(body []byte) document {
	sum := sha256.Sum256(body)
	return document{body, `"` + hex.EncodeToString(sum[:16]) + `"`}
}

// at returns the page at a path. Of several patterns that match, one that names a segment counts rather than one that
// allows any in its place.
func (p pages) at(path string) document {
	segments := strings.Split(path, "/")
	found, pattern := p.other, []string(nil)
	for _, each := range p.known {
		if matchesPattern(each.pattern, segments) && (pattern == nil || slices.Compare(each.pattern, pattern) > 0) {
			found, pattern = each.document, each.pattern
		}
	}
	return found
}

// matchesPattern reports whether a path matches a pattern, in which $name stands for one segment and $ for all that
// follow.
func matchesPattern(pattern, segments []string) bool {
	for i, part := range pattern {
		switch {
		case part == "$":
			return len(segments) > i
		case i >= len(segments) || !strings.HasPrefix(part, "$") && part != segments[i]:
			return false
		}
	}
	return len(segments) == len(pattern)
}
