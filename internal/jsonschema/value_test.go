package jsonschema

import (
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMembersKeepTheirOrder(t *testing.T) {
	t.Parallel()
	v := parse([]byte(`{"b":1,"a":2,"b":3}`))
	if diff := cmp.Diff([]string{"b", "a"}, v.names); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := v.member("b").text; got != "3" {
		t.Errorf("the last of two members counts: got %s", got)
	}
	if got := v.member("none"); got != nil {
		t.Errorf("got %v for no member", got)
	}
}

func TestSchemaIsSharedByGoroutines(t *testing.T) {
	t.Parallel()
	s := compiled(t, typicalSchema)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				if found := s.Validate([]byte(typicalValue)); found != nil {
					t.Errorf("violations %v", found)
				}
				if found := s.Validate([]byte(`{"messages":[{"role":"x"}]}`)); len(found) != 3 {
					t.Errorf("violations %v, want 3", found)
				}
			}
		})
	}
	group.Wait()
}
