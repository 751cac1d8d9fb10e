package media

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

// walker walks through valid JSON and collects replacements.
type walker struct {
	*extractor
	text  string
	at    int
	edits []edit
}

// edit replaces a part of the text.
type edit struct {
	from, to int
	with     string
}

func (w *walker) result() string {
	if len(w.edits) == 0 {
		return w.text
	}
	slices.SortFunc(w.edits, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
	var b strings.Builder
	done := 0
	for _, e := range w.edits {
		b.WriteString(w.text[done:e.from] + e.with)
		done = e.to
	}
	b.WriteString(w.text[done:])
	return b.String()
}

// next skips whitespace and returns the character at the current position.
func (w *walker) next() byte {
	w.at = jsontext.SkipSpace(w.text, w.at)
	return w.text[w.at]
}

// value walks through the value at the current position.
func (w *walker) value(depth int) {
	switch c := w.next(); {
	case (c == '{' || c == '[') && depth >= maxDepth:
		w.flat(depth)
	case c == '{':
		w.object(depth, false)
	case c == '[':
		w.at++
		for w.next() != ']' {
			w.value(depth + 1)
			if w.next() == ',' {
				w.at++
			}
		}
		w.at++
	case c == '"':
		w.string(w.literal(), depth)
	default: // a number, true, false or null
		w.at = jsontext.SkipValue(w.text, w.at)
	}
}

// flat walks through a value that is nested too deeply, examining only its strings.
func (w *walker) flat(depth int) {
	for open := 0; ; {
		switch w.text[w.at] {
		case '"':
			l := w.literal()
			if !jsontext.IsName(w.text, w.at) {
				w.string(l, depth)
			}
			continue
		case '{', '[':
			open++
		case '}', ']':
			if open--; open == 0 {
				w.at++
				return
			}
		}
		w.at++
	}
}

// literal is the position of a string, including its quotes.
type literal struct{ from, to int }

// literal reads the string at the current position.
func (w *walker) literal() literal {
	from := w.at
	w.at = jsontext.SkipString(w.text, from)
	return literal{from, w.at}
}

// meaning returns the unescaped value of a string.
func (w *walker) meaning(l literal) string { return jsontext.Unescape(w.text[l.from+1 : l.to-1]) }

func (w *walker) replace(l literal, with string) {
	w.edits = append(w.edits, edit{l.from, l.to, string(jsontext.AppendString(nil, with))})
}

// string extracts files from a string.
func (w *walker) string(l literal, depth int) {
	if !MayHold(w.text[l.from:l.to]) {
		return
	}
	before := w.meaning(l)
	if after := w.extractor.text(before, depth+1); after != before {
		w.replace(l, after)
	}
}

// description holds the members of an object that describe a file in it.
type description struct {
	inline              bool // it is a member called inline_data
	kind                string
	mediaType, mimeType string // media_type, mime_type
	mediaTypeJS         string // mediaType
	mimeTypeJS          string // mimeType
	data, content, file *literal
}

// described returns the string with the file and its content type; nil if the object does not describe a file.
func (d *description) described() (*literal, string) {
	switch {
	case d.inline:
		return d.data, cmp.Or(d.mimeType, d.mimeTypeJS)
	case d.kind == "base64":
		return d.data, d.mediaType
	case d.kind == "media":
		return d.data, d.mimeType
	case d.kind == "blob":
		return d.content, d.mimeType
	case d.kind == "file" && d.data != nil:
		return d.data, d.mediaTypeJS
	case d.kind == "file":
		return d.file, d.mediaTypeJS
	}
	return nil, ""
}

// object walks through an object. Names may be dotted paths, as in metadata; members whose paths differ only in the
// last name form an object.
func (w *walker) object(depth int, inline bool) {
	found := map[string]*description{}
	var held []literal // strings that may be files; processed when the whole object is known
	w.at++
	for w.next() != '}' {
		name := w.meaning(w.literal())
		w.next()
		w.at++ // the colon
		path, last := "", name
		if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
			path, last = name[:dot], name[dot+1:]
		}
		switch c := w.next(); {
		case c == '"':
			l := w.literal()
			d := found[path]
			if d == nil {
				d = &description{inline: inline && path == "" || isInline(path)}
				found[path] = d
			}
			if w.note(d, last, l) {
				held = append(held, l)
			} else {
				w.string(l, depth)
			}
		case c == '{' && depth+1 < maxDepth:
			w.object(depth+1, isInline(name))
		default:
			w.value(depth + 1)
		}
		if w.next() == ',' {
			w.at++
		}
	}
	w.at++
	files := w.files(found)
	for _, l := range held {
		if !slices.Contains(files, l) {
			w.string(l, depth)
		}
	}
}

// isInline reports whether a path ends in the name of a member that holds a file.
func isInline(path string) bool {
	last := path[strings.LastIndexByte(path, '.')+1:]
	return last == "inline_data" || last == "inlineData"
}

// note records a member that describes a file, and reports whether it may hold the file itself.
func (w *walker) note(d *description, name string, l literal) (holds bool) {
	switch name {
	case "type":
		d.kind = w.meaning(l)
	case "media_type":
		d.mediaType = w.meaning(l)
	case "mime_type":
		d.mimeType = w.meaning(l)
	case "mediaType":
		d.mediaTypeJS = w.meaning(l)
	case "mimeType":
		d.mimeTypeJS = w.meaning(l)
	case "data":
		d.data, holds = &l, true
	case "content":
		d.content, holds = &l, true
	case "image":
		d.file, holds = &l, true
	}
	return holds
}

// files extracts the described files and returns their positions.
func (w *walker) files(found map[string]*description) (taken []literal) {
	for _, path := range slices.Sorted(maps.Keys(found)) {
		l, contentType := found[path].described()
		if l == nil || !domain.IsMediaType(contentType) {
			continue
		}
		data := content(w.meaning(*l), contentType)
		if len(data) == 0 {
			continue
		}
		if reference := w.take(contentType, FromBytes, data); reference != "" {
			w.replace(*l, reference)
			taken = append(taken, *l)
		}
	}
	return taken
}
