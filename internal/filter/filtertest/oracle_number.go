package filtertest

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
)

// all means that all decimals of a column count.
const all = -1

// decimals returns the number of decimals that count in a column.
func decimals(column string) int {
	switch {
	case slices.Contains([]string{"latency", "timeToFirstToken", "inputTokens", "outputTokens", "totalTokens"}, column):
		return 3
	case slices.Contains([]string{"inputCost", "outputCost", "totalCost", "tokensPerSecond"}, column):
		return 12
	}
	return all
}

// number matches a decimal number: digits, a point, an exponent.
var number = regexp.MustCompile(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$`)

func rational(value any) *big.Rat {
	r, ok := new(big.Rat).SetString(fmt.Sprint(value))
	if !ok {
		panic(fmt.Sprintf("%v is no number", value))
	}
	return r
}

// truncated drops further decimals.
func truncated(r *big.Rat, decimals int) *big.Rat {
	if decimals == all {
		return r
	}
	scale := power(decimals)
	quotient := new(big.Int).Quo(new(big.Int).Mul(r.Num(), scale), r.Denom()) // toward zero
	return new(big.Rat).SetFrac(quotient, scale)
}

// rounded rounds to decimals, halves away from zero.
func rounded(r *big.Rat, decimals int) *big.Rat {
	if decimals == all || r.IsInt() {
		return r
	}
	half := new(big.Rat).SetFrac(big.NewInt(int64(r.Sign())), new(big.Int).Mul(big.NewInt(2), power(decimals)))
	return truncated(new(big.Rat).Add(r, half), decimals)
}

func power(decimals int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
}
