//go:build !packed

package api

import _ "embed"

//go:embed openapi.yaml
var description []byte

// Description returns the OpenAPI description of everything that is served.
func Description() []byte { return description }
