package semconv

// nameIndex is a list of distinct names in order of insertion, with lookup by name. Lists are usually short, so a bit
// filter answers most lookups and a linear search the rest; a map is built only for long lists.
type nameIndex struct {
	names   []string
	filter  [4]uint64
	index   map[string]int
	indexed int // number of names in index
}

const (
	walkedNames    = 64
	keptIndexNames = 4096 // a larger map is released
)

// find returns the position of a name, or -1.
func (x *nameIndex) find(name string) int {
	word, bit := filterBit(name)
	if x.filter[word]&bit == 0 {
		return -1
	}
	return x.search(name)
}

// findOrAdd returns the position of a name, or adds it and returns -1.
func (x *nameIndex) findOrAdd(name string) int {
	word, bit := filterBit(name)
	if x.filter[word]&bit != 0 {
		if i := x.search(name); i >= 0 {
			return i
		}
	}
	x.filter[word] |= bit
	x.names = append(x.names, name)
	return -1
}

// search looks up a name without the filter.
func (x *nameIndex) search(name string) int {
	if len(x.names) <= walkedNames {
		for i, n := range x.names {
			if n == name {
				return i
			}
		}
		return -1
	}
	if x.index == nil {
		x.index = make(map[string]int, 2*walkedNames)
	}
	for ; x.indexed < len(x.names); x.indexed++ {
		x.index[x.names[x.indexed]] = x.indexed
	}
	if i, ok := x.index[name]; ok {
		return i
	}
	return -1
}

// add appends a name that is known to be absent.
func (x *nameIndex) add(name string) {
	word, bit := filterBit(name)
	x.filter[word] |= bit
	x.names = append(x.names, name)
}

// truncate removes all names but the first n. Filter bits stay set, which only costs time.
func (x *nameIndex) truncate(n int) {
	for ; x.indexed > n; x.indexed-- {
		delete(x.index, x.names[x.indexed-1])
	}
	clear(x.names[n:])
	x.names = x.names[:n]
}

func (x *nameIndex) reset() {
	if x.indexed > keptIndexNames {
		*x = nameIndex{}
		return
	}
	if x.indexed > 0 {
		clear(x.index)
		x.indexed = 0
	}
	clear(x.names)
	x.names = x.names[:0]
	x.filter = [4]uint64{}
}

func filterBit(name string) (word int, bit uint64) {
	n := len(name)
	if n == 0 {
		return 0, 1
	}
	h := uint(n) + 31*uint(name[n-1]) + 7*uint(name[n/2])
	return int(h >> 6 & 3), 1 << (h & 63)
}
