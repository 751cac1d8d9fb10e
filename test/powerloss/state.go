package powerloss

import (
	"os"
	"path/filepath"
	"slices"

	"almanac/internal/disk"
)

// node is a file or a directory.
type node struct {
	directory bool
	// For a file: the content on disk, and the versions since, the newest last.
	synced   []byte
	versions [][]byte
	// For a directory: the names as programs see them, and those on disk.
	names, kept map[string]*node
}

// newest returns the content of a file as programs see it.
func (n *node) newest() []byte {
	if len(n.versions) > 0 {
		return n.versions[len(n.versions)-1]
	}
	return n.synced
}

// entry is a name in a directory.
type entry struct {
	directory *node
	name      string
}

// naming is a change of names that may not be on disk yet: one removed, one added, or both.
type naming struct {
	gone, come entry
	node       *node
}

func (n *naming) entries() []entry {
	all := make([]entry, 0, 2)
	for _, e := range []entry{n.gone, n.come} {
		if e.directory != nil {
			all = append(all, e)
		}
	}
	return all
}

// apply applies the change to the names returned by a function.
func (n *naming) apply(names func(*node) map[string]*node) {
	if n.gone.directory != nil {
		delete(names(n.gone.directory), n.gone.name)
	}
	if n.come.directory != nil {
		names(n.come.directory)[n.come.name] = n.node
	}
}

func seen(n *node) map[string]*node   { return n.names }
func onDisk(n *node) map[string]*node { return n.kept }

// state is a directory at one moment: as programs see it, and as it is on disk.
type state struct {
	root    *node
	pending []naming
	open    map[*disk.File]*node
}

func newDirectory() *node {
	return &node{directory: true, names: map[string]*node{}, kept: map[string]*node{}}
}

// stateAt returns the directory after a number of changes, without the syncs of one site.
func (r *Recorder) stateAt(at int, without disk.Site) *state {
	s := &state{root: newDirectory(), open: map[*disk.File]*node{}}
	paths := make([]string, 0, len(r.base))
	for path := range r.base {
		paths = append(paths, path)
	}
	slices.Sort(paths) // a directory comes before its content
	for _, path := range paths {
		n := newDirectory()
		if content := r.base[path]; content != nil {
			n = &node{synced: content}
		}
		e := s.find(path)
		e.directory.names[e.name], e.directory.kept[e.name] = n, n
	}
	for n := range r.changes[:at] {
		c := &r.changes[n]
		if c.Site == "" || c.Site != without {
			s.apply(c)
		}
	}
	return s
}

// find returns the entry of a path.
func (s *state) find(path string) entry {
	directory := s.root
	parent, name := filepath.Split(path)
	if parent != "" {
		e := s.find(filepath.Clean(parent))
		directory = e.directory.names[e.name]
	}
	return entry{directory, name}
}

// look returns the node of a path.
func (s *state) look(path string) *node {
	if path == "." {
		return s.root
	}
	e := s.find(path)
	return e.directory.names[e.name]
}

// name records a change of names.
func (s *state) name(n naming) {
	n.apply(seen)
	s.pending = append(s.pending, n)
}

func (s *state) apply(c *disk.Change) {
	switch c.Kind {
	case disk.Open:
		at := s.find(c.Path)
		file := at.directory.names[at.name]
		if file == nil {
			file = new(node)
			s.name(naming{come: at, node: file})
		} else if c.Flag&os.O_TRUNC != 0 {
			file.versions = append(file.versions, nil)
		}
		s.open[c.File] = file
	case disk.Write:
		file := s.open[c.File]
		content := slices.Clone(file.newest())
		if end := int(c.Offset) + len(c.Data); end > len(content) {
			content = append(content, make([]byte, end-len(content))...)
		}
		copy(content[c.Offset:], c.Data)
		file.versions = append(file.versions, content)
	case disk.Truncate:
		file := s.open[c.File]
		content := slices.Clone(file.newest())
		if int(c.Size) <= len(content) {
			content = content[:c.Size]
		} else {
			content = append(content, make([]byte, int(c.Size)-len(content))...)
		}
		file.versions = append(file.versions, content)
	case disk.Sync:
		file := s.open[c.File]
		if c.File == nil {
			file = s.look(c.Path)
			file.versions = append(file.versions, c.Data)
		}
		file.synced, file.versions = file.newest(), nil
	case disk.Rename:
		from := s.find(c.Path)
		s.name(naming{gone: from, come: s.find(c.To), node: from.directory.names[from.name]})
	case disk.Link:
		s.name(naming{come: s.find(c.To), node: s.look(c.Path)})
	case disk.Remove:
		s.name(naming{gone: s.find(c.Path)})
	case disk.Mkdir:
		s.name(naming{come: s.find(c.Path), node: newDirectory()})
	case disk.SyncDirectory:
		s.syncNames(s.look(c.Path))
	}
}

// syncNames brings the changes of names in a directory to disk, together with those they depend on.
func (s *state) syncNames(directory *node) {
	var rest, done []naming
	needed := map[entry]bool{}
	for _, n := range slices.Backward(s.pending) {
		with := false
		for _, e := range n.entries() {
			with = with || e.directory == directory || needed[e]
		}
		if !with {
			rest = append(rest, n)
			continue
		}
		for _, e := range n.entries() {
			needed[e] = true
		}
		done = append(done, n)
	}
	slices.Reverse(rest)
	slices.Reverse(done)
	for i := range done {
		done[i].apply(onDisk)
	}
	s.pending = rest
}
