//go:build packed

package mcp

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
)

// make build packs it, as it is long and seldom asked for.
//
//go:embed tools.json.gz
var tools []byte

func embedded() []byte {
	unpacked, err := gzip.NewReader(bytes.NewReader(tools))
	if err != nil {
		panic("BUG: the embedded list of tools does not unpack: " + err.Error())
	}
	content, err := io.ReadAll(unpacked)
	if err != nil {
		panic("BUG: the embedded list of tools does not unpack: " + err.Error())
	}
	return content
}
