package tables

import (
	"strings"
	"testing"
)

func TestNotices(t *testing.T) {
	for _, c := range []Change{{}, {KindKey, "o", "p"}, {Kind: "a \"b\"\x00\xff"}} {
		want := c
		want.Kind = strings.ToValidUTF8(want.Kind, "\uFFFD")
		if got := ReadNotice(c.notice()); got != want {
			t.Errorf("%+v became %+v", c, got)
		}
	}
	for _, text := range []string{"", "null", "x", `{"kind":7}`, "[]", Change{KindKey, strings.Repeat("o", 9000), "p"}.notice()} {
		if got := ReadNotice(text); got != (Change{}) {
			t.Errorf("%q became %+v", text, got)
		}
	}
}
