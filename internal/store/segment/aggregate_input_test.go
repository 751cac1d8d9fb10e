package segment

import (
	"slices"
	"testing"
)

func TestGather(t *testing.T) {
	page := []int64{10, 11, 12, 13, 14, 15}
	for _, c := range []struct {
		picked []int32
		want   []int64
	}{
		{nil, nil},
		{[]int32{3}, []int64{13}},
		{[]int32{0, 1, 2, 3, 4, 5}, page},
		{[]int32{2, 3, 4}, []int64{12, 13, 14}},
		{[]int32{0, 5}, []int64{10, 15}},
		{[]int32{1, 2, 4}, []int64{11, 12, 14}},
	} {
		if got := gather(c.picked, page, make([]int64, len(page))); !slices.Equal(got, c.want) {
			t.Errorf("at %v there is %v, want %v", c.picked, got, c.want)
		}
	}
}
