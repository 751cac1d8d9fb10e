// Package api holds the description of the HTTP API and the pages that show it.
package api

import (
	"embed"
	"io/fs"
)

// Description is the OpenAPI description of everything that is served.
//
//go:embed openapi.yaml
var Description []byte

//go:embed reference/index.html reference/start.js all:reference/dist
var reference embed.FS

// ReferenceFile returns a file of the interactive reference. The viewer itself comes from an npm package and is there
// only if the program was built with Node at hand; fs.ErrNotExist otherwise.
func ReferenceFile(name string) ([]byte, error) {
	if name == "index.html" || name == "start.js" {
		return fs.ReadFile(reference, "reference/"+name)
	}
	return fs.ReadFile(reference, "reference/dist/"+name)
}

// HasReference says whether the viewer is there.
func HasReference() bool {
	_, err := ReferenceFile("swagger-ui-bundle.js")
	return err == nil
}
