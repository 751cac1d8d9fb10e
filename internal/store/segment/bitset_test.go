package segment

import (
	"testing"

	"pgregory.net/rapid"
)

// TestBitset compares with a map, and decodes what was encoded.
func TestBitset(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(1, 1000).Draw(t, "rows")
		want := make(map[int]bool)
		b := newBitset(rows)
		for _, row := range rapid.SliceOfN(rapid.IntRange(0, rows-1), 0, rows).Draw(t, "dead") {
			if got := b.add(row); got == want[row] {
				t.Fatalf("add(%d) = %v", row, got)
			}
			want[row] = true
		}
		read, err := readBitset(b.encode(), rows)
		if err != nil {
			t.Fatal(err)
		}
		for name, set := range map[string]*bitset{"set": b, "read": read, "clone": b.clone(rows)} {
			if set.len() != len(want) {
				t.Fatalf("%s: len = %d, want %d", name, set.len(), len(want))
			}
			for row := range rows {
				if set.has(row) != want[row] {
					t.Fatalf("%s: has(%d) = %v", name, row, set.has(row))
				}
			}
		}
	})
}

// TestBitsetNil tests the nil bitset of a row group without dead rows.
func TestBitsetNil(t *testing.T) {
	var none *bitset
	if none.has(5) || none.len() != 0 {
		t.Error("nil has something")
	}
	read, err := readBitset(none.encode(), 100)
	if err != nil || read != nil {
		t.Errorf("read %v, %v", read, err)
	}
	clone := none.clone(100)
	if !clone.add(99) || clone.len() != 1 {
		t.Error("the clone of nil takes nothing")
	}
}

// TestBitsetClone checks that changing a clone leaves the original unchanged, since a reader may hold it.
func TestBitsetClone(t *testing.T) {
	b := newBitset(10)
	b.add(3)
	clone := b.clone(10)
	clone.add(4)
	if b.has(4) || b.len() != 1 || !clone.has(3) || clone.len() != 2 {
		t.Errorf("original %+v, clone %+v", b, clone)
	}
}

func TestBitsetDamaged(t *testing.T) {
	for name, src := range map[string][]byte{
		"nothing":           {},
		"unknown kind":      {3},
		"row too large":     {1, 1, 100},
		"rows too large":    {1, 2, 99, 1},
		"count too large":   {1, 3, 1, 1},
		"no count":          {1},
		"huge difference":   {1, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1},
		"too few words":     {2, 0, 0, 0, 0, 0, 0, 0, 0},
		"too many words":    append([]byte{2}, make([]byte, 24)...),
		"a part of a word":  append([]byte{2}, make([]byte, 15)...),
		"endless uvarint":   {1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1},
		"count, and no end": {1, 0xff, 0xff, 0xff, 0xff, 0xf, 1},
	} {
		if b, err := readBitset(src, 100); err == nil {
			t.Errorf("%s: read %+v", name, b)
		}
	}
}

func FuzzReadBitset(f *testing.F) {
	b := newBitset(200)
	for _, row := range []int{0, 63, 64, 199} {
		b.add(row)
	}
	f.Add(b.encode(), 200)
	for row := range 150 {
		b.add(row)
	}
	f.Add(b.encode(), 200)
	f.Add([]byte{0}, 1)
	f.Fuzz(func(t *testing.T, src []byte, rows int) {
		if rows < 1 || rows > 1<<16 {
			return
		}
		b, err := readBitset(src, rows)
		if err != nil {
			return
		}
		for row := range rows {
			b.has(row)
		}
		again, err := readBitset(b.encode(), rows)
		if err != nil || again.len() != b.len() {
			t.Errorf("read %+v, and what it wrote is %+v, %v", b, again, err)
		}
	})
}
