package semconv

import (
	"almanac/internal/ingest/otlp"
	"almanac/internal/jsontext"
)

// flatWriter writes the members of a flattened object: its keys are dotted paths and no value is an object. The first
// of equal keys wins.
type flatWriter struct {
	dst    []byte
	path   []byte // current path, JSON-escaped
	paths  nameIndex
	leaves int  // number of values of the current object
	limit  int  // maximum length of dst for the current object
	growth int  // how much flattening may still add beyond twice the length of the objects
	texts  bool // all values become strings
}

// begin starts a new object after what is already in dst.
func (w *flatWriter) begin(dst []byte) {
	w.dst, w.growth = dst, maxGrowth
	w.paths.reset()
}

// entry writes a key and its value. An object is flattened to one member per value, or written as a string if it would
// become too large.
func (w *flatWriter) entry(prefix string, x *entry) {
	w.path = append(w.path[:0], prefix...)
	w.path = jsontext.AppendEscaped(w.path, x.key)
	switch {
	case x.json.isObject():
		length, paths, path := len(w.dst), len(w.paths.names), len(w.path)
		expected := length + 2*len(x.json)
		w.leaves, w.limit = 0, expected+w.growth
		if _, ok := w.object(string(x.json), 0); ok {
			w.growth -= max(0, len(w.dst)-expected)
			return
		}
		w.paths.truncate(paths)
		w.dst, w.path = w.dst[:length], w.path[:path]
		if w.name() {
			w.dst = jsontext.AppendString(w.dst, string(x.json))
		}
	case x.json != "":
		w.leaf(x.json)
	default:
		if w.name() {
			w.value(x.value)
		}
	}
}

// object writes the values of the object at i and returns where it ends; false if it is too large.
func (w *flatWriter) object(s string, i int) (end int, ok bool) {
	own := len(w.path)
	for i++; ; {
		at, more := nextItem(s, i)
		if !more {
			return at + 1, true
		}
		end := jsontext.SkipString(s, at)
		w.path = append(w.path[:own], '.')
		w.path = jsontext.AppendNormalized(w.path, s[at+1:end-1])
		at = jsontext.SkipSpace(s, jsontext.SkipSpace(s, end)+1)
		if s[at] == '{' {
			if i, ok = w.object(s, at); !ok {
				return 0, false
			}
			continue
		}
		i = jsontext.SkipValue(s, at)
		w.leaf(jsonText(s[at:i]))
		if w.leaves++; w.leaves > maxLeaves || len(w.dst) > w.limit {
			return 0, false
		}
	}
}

// nextItem returns the start of the next member after the brace or member that ends at i.
func nextItem(s string, i int) (at int, more bool) {
	at = jsontext.SkipSpace(s, i)
	if at < len(s) && s[at] == ',' {
		at = jsontext.SkipSpace(s, at+1)
	}
	return at, at < len(s) && s[at] != '}'
}

func (w *flatWriter) leaf(j jsonText) {
	switch {
	case !w.name():
	case !w.texts || j.isString():
		w.dst = appendJSON(w.dst, j)
	case j.isNull():
		w.dst = append(w.dst, '"', '"')
	default:
		w.dst = jsontext.AppendString(w.dst, j.text())
	}
}

func (w *flatWriter) value(v *otlp.Value) {
	switch {
	case !w.texts || isText(v):
		w.dst = appendValue(w.dst, v)
	case !notNull(v):
		w.dst = append(w.dst, '"', '"')
	default:
		w.dst = jsontext.AppendString(w.dst, string(appendValue(nil, v)))
	}
}

// name writes the path as a member name and returns true, unless that name exists already.
func (w *flatWriter) name() bool {
	if w.paths.find(jsontext.View(w.path)) >= 0 {
		return false
	}
	w.dst = append(appendComma(w.dst), '"')
	from := len(w.dst)
	w.dst = append(w.dst, w.path...)
	w.paths.add(jsontext.View(w.dst[from:]))
	w.dst = append(w.dst, '"', ':')
	return true
}

// resource writes the attributes of a resource.
func (w *flatWriter) resource(a *attrs) {
	for i := range a.list {
		w.entry("resourceAttributes.", &entry{key: a.list[i].name, value: a.list[i].value})
	}
}

// scope writes the name, version and attributes of a scope.
func (w *flatWriter) scope(s *otlp.Scope, a *attrs) {
	if s.Name != "" {
		w.entry("scope.", &entry{key: "name", value: &otlp.Value{Kind: otlp.KindText, Text: s.Name}})
	}
	if s.Version != "" {
		w.entry("scope.", &entry{key: "version", value: &otlp.Value{Kind: otlp.KindText, Text: s.Version}})
	}
	for i := range s.Extra {
		w.entry("scope.", &entry{key: s.Extra[i].Key, value: &s.Extra[i].Value})
	}
	for i := range a.list {
		w.entry("scope.attributes.", &entry{key: a.list[i].name, value: a.list[i].value})
	}
}
