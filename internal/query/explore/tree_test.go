package explore

import (
	"testing"

	"pgregory.net/rapid"
)

// TestCutCycles checks that every row leads to a root, whatever the parents, and that rows outside of cycles keep their
// parent.
func TestCutCycles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(1, 12).Draw(t, "rows")
		before := make([]int, count)
		for n := range before {
			before[n] = rapid.IntRange(-1, count-1).Draw(t, "parent")
		}
		tree := &Tree{ID: make([]string, count), Parent: append([]int(nil), before...)}
		tree.cutCycles()
		for n := range before {
			at := n
			for steps := 0; at >= 0; steps++ {
				if steps > count {
					t.Fatalf("%d leads into a circle: %v", n, tree.Parent)
				}
				at = tree.Parent[at]
			}
			inCircle, earliest := false, n
			at = before[n]
			for steps := 0; at >= 0 && steps <= count && !inCircle; steps++ {
				inCircle, earliest = at == n, min(earliest, at)
				at = before[at]
			}
			if want := before[n]; inCircle && earliest == n {
				if tree.Parent[n] != -1 {
					t.Fatalf("the earliest of a circle, %d, has a parent: %v of %v", n, tree.Parent, before)
				}
			} else if tree.Parent[n] != want {
				t.Fatalf("%d has another parent: %v of %v", n, tree.Parent, before)
			}
		}
	})
}
