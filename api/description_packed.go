//go:build packed

package api

import (
	_ "embed"
	"sync"
)

// make build packs it: it is long, and seldom asked for.
//
//go:embed openapi.yaml.gz
var packed []byte

// Description returns the OpenAPI description of everything that is served.
var Description = sync.OnceValue(func() []byte {
	description, err := unpack(packed)
	if err != nil {
		panic("BUG: the embedded description does not unpack: " + err.Error())
	}
	return description
})
