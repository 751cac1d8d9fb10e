// Package api embeds the OpenAPI description of the HTTP API and its interactive reference.
package api

import (
	"bytes"
	"compress/gzip"
	"embed"
	"errors"
	"io"
	"io/fs"
)

//go:embed openapi.yaml
var description []byte

// Description returns the OpenAPI description of the public API.
func Description() []byte { return description }

//go:embed reference/index.html reference/start.js all:reference/dist
var reference embed.FS

// ReferenceFile returns a file of the interactive reference. The viewer itself comes from an npm package and is
// embedded only if Node was available at build time; otherwise ReferenceFile returns fs.ErrNotExist for its files. Its
// large files are embedded gzipped.
func ReferenceFile(name string) ([]byte, error) {
	if name == "index.html" || name == "start.js" {
		return fs.ReadFile(reference, "reference/"+name)
	}
	packed, err := fs.ReadFile(reference, "reference/dist/"+name+".gz")
	if errors.Is(err, fs.ErrNotExist) {
		return fs.ReadFile(reference, "reference/dist/"+name)
	}
	if err != nil {
		return nil, err
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(unpacked)
}

// HasReference reports whether the viewer is embedded.
func HasReference() bool {
	_, err := fs.Stat(reference, "reference/dist/swagger-ui-bundle.js.gz")
	return err == nil
}
