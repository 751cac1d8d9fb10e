package decode

import (
	"encoding/json"
	"testing"
)

func TestUnion(t *testing.T) {
	type shape struct{ circle, square float64 }
	circle := func(v Value) shape {
		o := v.Object()
		o.Field("kind").Enum("circle")
		r := o.Field("radius").Number()
		if r < 0 {
			o.Field("radius").Reject(Violation(o.Field("radius").Path(), "negative"))
		}
		return shape{circle: r}
	}
	square := func(v Value) shape { return shape{square: v.Object().Field("side").Number()} }
	tests := []struct {
		name, body string
		want       shape
		issues     string
	}{
		{"the first", `{"kind":"circle","radius":1,"side":2}`, shape{circle: 1}, ""},
		{"the second", `{"kind":"other","side":2}`, shape{square: 2}, ""},
		{
			"right types, wrong value: the issues of that one", `{"kind":"circle","radius":-1}`,
			shape{},
			`[{"code":"custom","path":["shape","radius"],"message":"negative"}]`,
		},
		{
			"none", `{"kind":"circle"}`,
			shape{},
			`[{"code":"invalid_union","errors":[` +
				`[{"expected":"number","code":"invalid_type","path":["radius"],"message":"Invalid input: expected number, received undefined"}],` +
				`[{"expected":"number","code":"invalid_type","path":["side"],"message":"Invalid input: expected number, received undefined"}]` +
				`],"path":["shape"],"message":"Invalid input"}]`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			body := NewBody([]byte(`{"shape":` + test.body + `}`)).Object()
			if got := Union(body.Field("shape"), circle, square); got != test.want {
				t.Errorf("Union = %v, want %v", got, test.want)
			}
			issues := ""
			if len(body.value.issues.list) > 0 {
				raw, err := json.Marshal(body.value.issues.list)
				if err != nil {
					t.Fatal(err)
				}
				issues = string(raw)
			}
			if issues != test.issues {
				t.Errorf("issues\n got %s\nwant %s", issues, test.issues)
			}
		})
	}
}
