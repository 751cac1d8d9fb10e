package lru_test

import (
	"slices"
	"testing"

	"almanac/internal/lru"
)

func TestCache(t *testing.T) {
	var dropped []string
	if _, ok := lru.New[string, int](1, nil).Oldest(); ok {
		t.Error("something is in an empty cache")
	}
	c := lru.New(100, func(key string, _ int) { dropped = append(dropped, key) })
	for n, key := range []string{"a", "b", "c", "d"} {
		if !c.Put(key, n, 25) {
			t.Errorf("%s takes a quarter of the budget and is not kept", key)
		}
	}
	if c.Put("large", 1, 26) {
		t.Error("a value of more than a quarter of the budget is kept")
	}
	if value, ok := c.Get("a"); value != 0 || !ok {
		t.Errorf("a is %d, %t", value, ok)
	}
	if key, ok := c.Oldest(); key != "b" || !ok {
		t.Errorf("the oldest is %q, %t", key, ok)
	}
	c.Put("e", 4, 10)
	if _, ok := c.Get("b"); ok || !slices.Equal(dropped, []string{"b"}) || c.Bytes() != 85 {
		t.Errorf("dropped %v, %d bytes are left, and b is there: %t", dropped, c.Bytes(), ok)
	}
	c.Put("a", 10, 5)
	if value, _ := c.Get("a"); value != 10 || c.Bytes() != 65 {
		t.Errorf("a is %d after it was replaced, and all take %d bytes", value, c.Bytes())
	}
	if c.Put("a", 11, 26); c.Bytes() != 60 {
		t.Errorf("a large value in place of another leaves %d bytes", c.Bytes())
	}
	c.Remove("c")
	c.Remove("nothing")
	c.RemoveFunc(func(key string) bool { return key == "d" })
	if _, ok := c.Get("e"); !ok || c.Bytes() != 10 || !slices.Equal(dropped, []string{"b", "a", "a", "c", "d"}) {
		t.Errorf("what was removed left %d bytes; dropped %v", c.Bytes(), dropped)
	}
}
