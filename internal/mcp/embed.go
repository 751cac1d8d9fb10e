//go:build !packed

package mcp

import _ "embed"

//go:embed tools.json
var tools []byte

func embedded() []byte { return tools }
