package segment

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"almanac/internal/disk"
	"almanac/internal/store"
)

// A delete or a replacement has to look up rows in segments. If a row group cannot be read, the write is acknowledged
// nevertheless, and what it has to remove from that row group is deferred: until it is done, reads of the row group
// fail. As long as the write is in the log, replaying it defers the removal again; the manifest has every deferred
// removal before its horizon passes the write. Removals are tried again every minute, when the table is opened, and by
// Repair.

// deferredRemoval is a delete or replacement that was not applied to a row group yet.
type deferredRemoval struct {
	Segment int    `json:"segment"`
	Group   int    `json:"group"`
	Record  []byte `json:"record"` // as in the log, without a sequence number
}

// deferredBytes limits what a table remembers in this way, which takes memory and space in the manifest. It takes
// hundreds of thousands of failures to get there, or few deletes of very many rows. Then writes of projects that have
// rows in these row groups are refused, because none may be forgotten; other projects are not affected.
const deferredBytes = 64 << 20

// deferredRemovals are the removals that a table has yet to apply. The mutex of the table protects them.
type deferredRemovals struct {
	all     map[groupName]map[string]bool // sets of records
	unsaved []deferredRemoval             // those that are not in the manifest yet
	applied []groupName                   // those that are done, but still in the manifest
	bytes   atomic.Int64
	count   atomic.Int64
}

// load adds those of a manifest.
func (d *deferredRemovals) load(state *tableState) {
	for name, records := range state.deferred {
		for record := range records {
			d.add(name, []byte(record))
		}
	}
	d.unsaved = nil
}

func (d *deferredRemovals) add(name groupName, record []byte) {
	if d.all == nil {
		d.all = make(map[groupName]map[string]bool)
	}
	if d.all[name] == nil {
		d.all[name] = make(map[string]bool)
	}
	if d.all[name][string(record)] {
		return
	}
	d.all[name][string(record)] = true
	d.unsaved = append(d.unsaved, deferredRemoval{name.Segment, name.Group, record})
	d.bytes.Add(int64(len(record)))
	d.count.Add(1)
}

// done forgets the removals of a row group, which were applied.
func (d *deferredRemovals) done(name groupName) {
	for record := range d.all[name] {
		d.bytes.Add(-int64(len(record)))
		d.count.Add(-1)
	}
	delete(d.all, name)
	d.unsaved = slices.DeleteFunc(d.unsaved, func(r deferredRemoval) bool { return groupName{r.Segment, r.Group} == name })
	d.applied = append(d.applied, name)
}

// addTo adds the changes that are not in the manifest yet to an edit. Call saved when it took effect.
func (d *deferredRemovals) addTo(e *edit) {
	e.Applied, e.Deferred = append(e.Applied, d.applied...), append(e.Deferred, d.unsaved...)
}

func (d *deferredRemovals) saved() { d.applied, d.unsaved = nil, nil }

// checkDeferred returns an error if too much is deferred to accept writes of a project, which may have to be deferred as
// well.
func (t *table[R]) checkDeferred(project string) error {
	if t.deferred.bytes.Load() <= deferredBytes {
		return nil
	}
	for _, g := range t.current.Load().groups {
		if _, ok := g.rangeOf(project); ok && g.stale != nil {
			return fmt.Errorf("%w: %d deletes and replacements in table %s wait for files that cannot be read; run almanac doctor --repair",
				store.ErrBusy, t.deferred.count.Load(), t.schema.table)
		}
	}
	return nil
}

func (g *rowGroup[R]) name() groupName { return groupName{g.file.number, g.ordinal} }

// current returns an error if the row group may have rows that were replaced or deleted.
func (g liveGroup[R]) current() error {
	if g.stale != nil {
		return fmt.Errorf("segment %s may contain rows that were replaced or deleted, because looking them up failed: %w",
			g.file.path, g.stale)
	}
	return nil
}

// postpone defers a removal from row group n.
func (k *tombstoner[R]) postpone(n int, record []byte, err error) {
	live := k.own(n)
	if live.stale == nil {
		live.stale = err
		k.table.options.Log.Error("cannot look up rows to replace or delete; reads of this segment fail until that is done",
			"table", k.table.schema.table, "segment", segmentName(live.file.number), "error", err)
	}
	k.table.deferred.add(live.name(), record)
}

// catchUp applies the deferred removals of row group n, and reports whether that is done.
func (k *tombstoner[R]) catchUp(n int) bool {
	name := k.version.groups[n].name()
	if len(k.table.deferred.all[name]) == 0 {
		return false
	}
	for record := range k.table.deferred.all[name] {
		if err := k.removeRecorded(n, []byte(record)); err != nil {
			k.own(n).stale = err
			return false
		}
	}
	k.own(n).stale = nil
	k.table.deferred.done(name)
	return true
}

// removeRecorded applies one deferred removal to row group n.
func (k *tombstoner[R]) removeRecorded(n int, record []byte) (err error) {
	defer k.table.onFault(&err)()
	if record[0] == recordReplace {
		d := decoder{src: record[recordSeq+8:]}
		project, key, ids := d.text(), d.text(), make(map[string]bool)
		for _, id := range d.texts() {
			ids[id] = true
		}
		if d.failed {
			return errRow
		}
		return k.replaceKeyed(n, project, key, ids)
	}
	r, _, err := k.table.readRecord(record)
	if err != nil {
		return err
	}
	if r.remove == nil {
		return fmt.Errorf("a deferred removal is of unknown kind %d", record[0])
	}
	_, err = k.removeFrom(n, r.project, r.remove)
	return err
}

// catchUpAll applies all deferred removals that can be applied by now to the version under construction, and returns
// the number of row groups for which that is done.
func (k *tombstoner[R]) catchUpAll() int {
	done := 0
	for n := range k.version.groups {
		if k.catchUp(n) {
			done++
		}
	}
	return done
}

// retryDeferred tries deferred removals again: the files may be readable by now.
func (t *table[R]) retryDeferred() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.deferred.all) == 0 || t.failure() != nil {
		return nil
	}
	v := *t.current.Load()
	k := &tombstoner[R]{table: t, version: &v}
	done := k.catchUpAll()
	if done == 0 {
		return nil
	}
	t.options.Log.Info("applied deletes and replacements that could not be applied before", "table", t.schema.table, "row_groups", done)
	err := t.commitEdit(edit{Dead: t.dirtyRows(&v)})
	t.publish(&v) // even if it is not in the manifest yet: the next edit, or the next start, repeats it
	return err
}

// repairDeferred applies deferred removals to a table that nobody has open, and returns the segments concerned.
func repairDeferred[R any](d disk.Disk, s *schema[R], directory string) (segments []string, err error) {
	options := Options{disk: d}.withDefaults()
	state, content, err := loadManifest(directory)
	if err != nil || len(state.deferred) == 0 {
		return nil, err
	}
	t := &table[R]{
		schema: s, directory: directory, options: options, cache: newCache(options.CacheBytes, 0), dirty: make(map[*rowGroup[R]]bool),
		state: state,
	}
	v := new(version[R])
	t.current.Store(v)
	for _, number := range state.segments {
		if !state.defersIn(number) {
			continue
		}
		live, err := t.openLive(number, state)
		if err != nil {
			continue // it was reported
		}
		v.groups = append(v.groups, live...)
	}
	t.deferred.load(state)
	k := &tombstoner[R]{table: t, version: v}
	for n := range v.groups {
		if path := v.groups[n].file.path; k.catchUp(n) && !slices.Contains(segments, path) {
			segments = append(segments, path)
		}
	}
	if len(segments) == 0 {
		return nil, nil
	}
	if t.manifest, _, err = openManifest(directory, options); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, t.manifest.close()) }()
	if t.manifest.all > int64(len(content)) {
		return nil, fmt.Errorf("%s has an incomplete end: start the server, which applies what is deferred", t.manifest.file.Name())
	}
	return segments, t.commitEdit(edit{Dead: t.dirtyRows(v)})
}

// defersIn reports whether a segment has deferred removals.
func (s *tableState) defersIn(segment int) bool {
	for name := range s.deferred {
		if name.Segment == segment {
			return true
		}
	}
	return false
}
