//go:build packed

package pricing

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
)

//go:embed prices.json.gz
var prices []byte

func embeddedPrices() ([]byte, error) {
	unpacked, err := gzip.NewReader(bytes.NewReader(prices))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(unpacked)
}
