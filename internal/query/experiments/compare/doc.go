// Package compare tells how the items of two runs differ, and how sure that is.
//
// The unit is the item: what an item got in several repetitions is averaged first, so that repetitions are never taken
// for independent items. Both runs are compared on the items that both have; the others are counted.
package compare
