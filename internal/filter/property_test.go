package filter

import (
	"testing"

	"pgregory.net/rapid"
)

func TestNoneOfIsNotAnyOf(t *testing.T) {
	name, tags, release := observationColumn(t, "name"), observationColumn(t, "tags"), observationColumn(t, "release")
	short := rapid.StringOfN(rapid.RuneFrom([]rune("ab")), 0, 2, -1)
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(short, 1, 2*manyTexts).Draw(t, "values")
		text, list := short.Draw(t, "text"), rapid.SliceOfN(short, 0, 3).Draw(t, "list")
		anyOf, noneOf := must(NewTexts(name, AnyOf, values)), must(NewTexts(name, NoneOf, values))
		if anyOf.MatchText(text, false) == noneOf.MatchText(text, false) {
			t.Fatalf("any of and none of %q agree on the text %q", values, text)
		}
		anyOf, noneOf = must(NewTexts(tags, AnyOf, values)), must(NewTexts(tags, NoneOf, values))
		if anyOf.MatchList(list) == noneOf.MatchList(list) {
			t.Fatalf("any of and none of %q agree on the list %q", values, list)
		}
		anyOf, noneOf = must(NewTexts(release, AnyOf, values)), must(NewTexts(release, NoneOf, values))
		if text != "" && anyOf.MatchText(text, false) == noneOf.MatchText(text, false) || noneOf.MatchText("", false) {
			t.Fatalf("none of %q on a column where empty is null", values)
		}
	})
}

// TestNumberPrecision checks that a stored number, however it was computed, equals the digits it stands for.
func TestNumberPrecision(t *testing.T) {
	cost, latency := observationColumn(t, "totalCost"), observationColumn(t, "latency")
	rapid.Check(t, func(t *rapid.T) {
		millis := rapid.Int64Range(-1e12, 1e12).Draw(t, "millis")
		equal := must(NewNumber(latency, Equal, float64(millis)/1000))
		if !equal.MatchNumber(float64(millis)/1000, false) || equal.MatchNumber(float64(millis+1)/1000, false) {
			t.Fatalf("%d ms do not equal themselves, or equal the next", millis)
		}
		// The price of tokens, summed in two parts.
		tokens, price := rapid.Int64Range(0, 1e6).Draw(t, "tokens"), rapid.Int64Range(1, 1e6).Draw(t, "price")
		part := rapid.Int64Range(0, tokens).Draw(t, "part")
		each := float64(price) / 1e10
		want := float64(tokens*price) / 1e10
		equal = must(NewNumber(cost, Equal, want))
		if sum := float64(part)*each + float64(tokens-part)*each; !equal.MatchNumber(sum, false) {
			t.Fatalf("a cost of %v does not equal %v", sum, want)
		}
	})
}
