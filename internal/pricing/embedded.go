//go:build !packed

package pricing

import _ "embed"

//go:embed prices.json
var prices []byte

func embeddedPrices() ([]byte, error) { return prices, nil }
