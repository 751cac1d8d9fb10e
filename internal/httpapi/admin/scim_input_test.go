package admin

import (
	"encoding/json"
	"strings"
	"testing"

	"almanac/internal/decode"
)

func FuzzParseSCIMFilter(f *testing.F) {
	f.Add(`userName eq "a@b.c"`)
	f.Add(`userName  eq "\u0000"`)
	f.Fuzz(func(t *testing.T, filter string) {
		name, ok := parseSCIMFilter(filter)
		if !ok {
			return
		}
		quoted, err := json.Marshal(name)
		if err != nil {
			t.Fatal(err)
		}
		if again, ok := parseSCIMFilter("userName eq " + string(quoted)); !ok || again != name {
			t.Fatalf("%q of %q became %q, %v", name, filter, again, ok)
		}
	})
}

func TestParseSCIMFilter(t *testing.T) {
	for filter, want := range map[string]string{
		`userName eq "a@b.c"`:      "a@b.c",
		` username  EQ   "A@b.c" `: "A@b.c",
		`userName eq "a\"b\u0041"`: `a"bA`,
		`userName eq ""`:           "",
	} {
		if got, ok := parseSCIMFilter(filter); !ok || got != want {
			t.Errorf("parseSCIMFilter(%s) = %q, %v; want %q", filter, got, ok, want)
		}
	}
	for _, filter := range []string{
		"", " ", "userName", "userName eq", `userName eq a`, `userName eq 'a'`, `userName eq null`, `userName eq "a`,
		`userName eq "a" and active eq true`,
		`userName ne "a"`, `emails eq "a"`, `userName pr`, `(userName eq "a")`, `userName eq "a" "b"`,
	} {
		if got, ok := parseSCIMFilter(filter); ok {
			t.Errorf("parseSCIMFilter(%s) = %q", filter, got)
		}
	}
}

// TestSCIMBooleans includes booleans that identity providers send as strings.
func TestSCIMBooleans(t *testing.T) {
	for text, want := range map[string]bool{
		`true`: true, `false`: false, `"True"`: true, `"False"`: false, `"true"`: true, `"FALSE"`: false,
	} {
		v := decode.NewBody([]byte(text))
		if got := readSCIMBool(v); got != want || v.Err() != nil {
			t.Errorf("%s is %v, %v", text, got, v.Err())
		}
	}
	for _, text := range []string{`"yes"`, `""`, `1`, `null`} {
		v := decode.NewBody([]byte(text))
		if readSCIMBool(v); v.Err() == nil {
			t.Errorf("%s is a boolean", text)
		}
	}
}

// FuzzSCIMBodies feeds arbitrary input to the readers of SCIM bodies, which must not panic or accept a malformed
// address.
func FuzzSCIMBodies(f *testing.F) {
	f.Add(`{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],"userName":"a@b.c","roles":[{"value":"NONE"}],"name":{"formatted":"x"}}`)
	f.Add(`{"schemas":["urn:ietf:params:scim:api:messages:2.0:PatchOp"],"Operations":[{"op":"replace","value":{"active":false}}]}`)
	f.Add(`"{\"userName\":\"a@b.c\"}"`)
	f.Fuzz(func(t *testing.T, body string) {
		read := func() decode.Value {
			if decode.CheckJSON([]byte(body)) != nil {
				return scimBody(decode.NewText(body))
			}
			return scimBody(decode.NewBody([]byte(body)))
		}
		if in, err := readNewSCIMUser(read()); err == nil && (in.email == "" || in.email != strings.ToLower(in.email)) {
			t.Fatalf("%q became %+v", body, in)
		}
		_, _ = readSCIMUser(read())
		_, _ = readSCIMPatch(read())
	})
}
