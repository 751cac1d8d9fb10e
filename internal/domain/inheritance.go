package domain

import (
	"slices"
	"strings"
)

// Inherited is a set of values that an observation has from its trace, because the client sent none with it.
type Inherited uint8

// The values that can be inherited.
const (
	InheritsUser Inherited = 1 << iota
	InheritsSession
	InheritsVersion
	InheritsTags
	inheritsAll = InheritsUser | InheritsSession | InheritsVersion | InheritsTags
)

// The limits of what a trace hands down, in bytes and in tags: a single span must not make every other span of its trace
// large. Longer texts are not handed down; of the tags, the first in order are that have no more bytes together.
const (
	MaxInheritedText = 4096
	MaxInheritedTags = 100
)

// inheritedNames are the names of the stored columns of each set, by which other programs that read stored rows know what
// is inherited.
var inheritedNames = func() (names [inheritsAll + 1]string) {
	for set := range names {
		var columns []string
		for n, column := range []string{"user_id", "session_id", "version", "tags"} {
			if set>>n&1 != 0 {
				columns = append(columns, column)
			}
		}
		names[set] = strings.Join(columns, " ")
	}
	return names
}()

// Inherits returns the values that the row has from its trace.
func (o *Observation) Inherits() Inherited {
	if o.Inherited == "" {
		return 0
	}
	return Inherited(max(0, slices.Index(inheritedNames[:], o.Inherited))) //nolint:gosec // there are 16
}

// OwnValues are those of the values that can be inherited which the client sent with an observation.
type OwnValues struct {
	UserID, SessionID, Version string
	Tags                       []string
}

// Own returns the values that the client sent with the row.
func (o *Observation) Own() OwnValues {
	own := OwnValues{o.UserID, o.SessionID, o.Version, o.Tags}
	if o.Inherited == "" {
		return own
	}
	inherits := o.Inherits()
	if inherits&InheritsUser != 0 {
		own.UserID = ""
	}
	if inherits&InheritsSession != 0 {
		own.SessionID = ""
	}
	if inherits&InheritsVersion != 0 {
		own.Version = ""
	}
	if inherits&InheritsTags != 0 {
		own.Tags = nil
	}
	return own
}

// Lacks returns the values that the client did not send with the row.
func (o *Observation) Lacks() Inherited {
	own := o.Own()
	return own.lacking()
}

// SameInherited reports whether another row has the same values.
func (o *Observation) SameInherited(other *Observation) bool {
	return o.UserID == other.UserID && o.SessionID == other.SessionID && o.Version == other.Version && slices.Equal(o.Tags, other.Tags)
}

// DropInherited leaves the row with what the client sent. Whoever changes a stored row begins with that.
func (o *Observation) DropInherited() {
	if o.Inherited != "" {
		own := o.Own()
		o.UserID, o.SessionID, o.Version, o.Tags, o.Inherited = own.UserID, own.SessionID, own.Version, own.Tags, ""
	}
}

// Sent returns the row as the client sent it, without what it has inherited: the row itself if that is nothing, or else a
// copy that shares its texts.
func (o *Observation) Sent() *Observation {
	if o.Inherited == "" {
		return o
	}
	sent := *o
	sent.DropInherited()
	return &sent
}

// Heirloom is what a trace hands down to those of its observations that were sent without: its user, its session, its
// version and its tags, as the summary of the trace has them. Its zero value has seen no observation.
type Heirloom struct {
	user, session, version bequest
	tags                   map[string]struct{}
	tagBytes               int
	sorted                 []string // the tags that are handed down; nil if they changed since
	lacks                  Inherited
}

// bequest is a text, of which only the beginning is kept if it is too long to be handed down, and where it is from.
type bequest struct {
	text   string
	rank   int
	millis int64
	id     []byte // written over by each newer row
}

// take takes a text unless there is one from a source that outranks this one or, of the same rank, from a newer row.
func (b *bequest) take(o *Observation, text string, rank int) {
	if text == "" {
		return
	}
	millis := o.StartTime.Millis()
	if b.text != "" && (b.rank > rank || b.rank == rank && (b.millis > millis || b.millis == millis && string(b.id) >= o.ID)) {
		return
	}
	b.rank, b.millis, b.id = rank, millis, append(b.id[:0], o.ID...)
	if text = text[:min(len(text), MaxInheritedText+1)]; b.text != text {
		b.text = strings.Clone(text)
	}
}

// handedDown returns the text unless it is too long.
func (b *bequest) handedDown() string {
	if len(b.text) > MaxInheritedText {
		return ""
	}
	return b.text
}

// See takes what a row of the trace was sent with. Rows can come in any order. It keeps no reference to the row.
func (h *Heirloom) See(o *Observation) {
	// What was sent for the trace itself outweighs its observations; of a version, those of older clients mean less.
	const ofTrace, ofObservation, ofOlder = 2, 1, 0
	rank := ofObservation
	if o.IsTraceRecord() {
		rank = ofTrace
	}
	own := o.Own()
	h.user.take(o, own.UserID, rank)
	h.session.take(o, own.SessionID, rank)
	if o.IsIngested() {
		rank = ofOlder
	}
	h.version.take(o, own.Version, rank)
	h.seeTags(own.Tags)
	h.lacks |= own.lacking()
}

func (h *Heirloom) seeTags(tags []string) {
	for _, tag := range tags {
		if _, known := h.tags[tag]; known || len(tag) > MaxInheritedText {
			continue
		}
		if h.tags == nil {
			h.tags = make(map[string]struct{}, min(len(tags), MaxInheritedTags))
		}
		h.tags[strings.Clone(tag)] = struct{}{}
		h.tagBytes += len(tag)
		if h.sorted = nil; len(h.tags) > 4*MaxInheritedTags || h.tagBytes > 4*MaxInheritedText {
			h.forgetTags()
		}
	}
}

// forgetTags forgets the tags that cannot be handed down any more, whatever else is seen. The first of these in order is
// kept: after it come others that cannot.
func (h *Heirloom) forgetTags() {
	all, handed := h.sortedTags()
	clear(h.tags)
	h.tagBytes = 0
	for _, tag := range all[:min(handed+1, len(all))] {
		h.tags[tag] = struct{}{}
		h.tagBytes += len(tag)
	}
}

// lacking returns the values that were not sent.
func (v *OwnValues) lacking() (lacks Inherited) {
	if v.UserID == "" {
		lacks |= InheritsUser
	}
	if v.SessionID == "" {
		lacks |= InheritsSession
	}
	if v.Version == "" {
		lacks |= InheritsVersion
	}
	if len(v.Tags) == 0 {
		lacks |= InheritsTags
	}
	return lacks
}

// Tags returns the tags that are handed down, in order. The caller must not change them.
func (h *Heirloom) Tags() []string {
	if h.sorted == nil && len(h.tags) > 0 {
		all, handed := h.sortedTags()
		h.sorted = slices.Clip(all[:handed])
	}
	return h.sorted
}

// sortedTags returns all tags, in order, and how many of them are handed down.
func (h *Heirloom) sortedTags() (all []string, handed int) {
	all = make([]string, 0, len(h.tags))
	for tag := range h.tags {
		all = append(all, tag)
	}
	slices.Sort(all)
	bytes := 0
	for handed < len(all) && handed < MaxInheritedTags {
		if bytes += len(all[handed]); bytes > MaxInheritedText {
			break
		}
		handed++
	}
	return all, handed
}

// Give gives a row what it lacks, and takes from it what it has inherited if the trace does not have that (any more). It
// reports whether that changed the row, which shares the memory of the heirloom.
func (h *Heirloom) Give(o *Observation) (changed bool) {
	own := o.Own()
	if own.lacking()&h.has() == 0 && o.Inherited == "" {
		return false
	}
	given, inherits := own, Inherited(0)
	give := func(to *string, from *bequest, set Inherited) {
		if *to != "" {
			return
		}
		if *to = from.handedDown(); *to != "" {
			inherits |= set
		}
	}
	give(&given.UserID, &h.user, InheritsUser)
	give(&given.SessionID, &h.session, InheritsSession)
	give(&given.Version, &h.version, InheritsVersion)
	if tags := h.Tags(); len(own.Tags) == 0 && len(tags) > 0 {
		given.Tags, inherits = tags, inherits|InheritsTags
	}
	if o.Inherited == inheritedNames[inherits] && o.UserID == given.UserID && o.SessionID == given.SessionID &&
		o.Version == given.Version && slices.Equal(o.Tags, given.Tags) {
		return false
	}
	o.UserID, o.SessionID, o.Version, o.Tags = given.UserID, given.SessionID, given.Version, given.Tags
	o.Inherited = inheritedNames[inherits]
	return true
}

// has returns the values that some row was sent with.
func (h *Heirloom) has() Inherited {
	lacks := (&OwnValues{UserID: h.user.text, SessionID: h.session.text, Version: h.version.text}).lacking()
	if len(h.tags) > 0 {
		lacks &^= InheritsTags
	}
	return inheritsAll &^ lacks
}

// HandDown gives each of some new rows what it lacks and others of the same trace among them have. Rows of clients that
// send these values with every span, or with none, cost a look at each.
func HandDown(rows []Observation) {
	if !someLack(rows) {
		return
	}
	traces := make(map[string]*Heirloom)
	var last *Heirloom // rows of a trace are often next to each other
	of := func(n int) *Heirloom {
		if n > 0 && rows[n].TraceID == rows[n-1].TraceID {
			return last
		}
		last = traces[rows[n].TraceID]
		return last
	}
	for n := range rows {
		h := of(n)
		if h == nil {
			h = new(Heirloom)
			traces[rows[n].TraceID], last = h, h
		}
		h.See(&rows[n])
	}
	for n := range rows {
		if h := of(n); h.lacks&h.has() != 0 {
			h.Give(&rows[n])
		}
	}
}

// someLack reports whether some row has a value that another one lacks.
func someLack(rows []Observation) bool {
	some, lack := Inherited(0), Inherited(0)
	for n := range rows {
		lacks := (&OwnValues{rows[n].UserID, rows[n].SessionID, rows[n].Version, rows[n].Tags}).lacking()
		lack, some = lack|lacks, some|^lacks
	}
	return some&lack&inheritsAll != 0
}
