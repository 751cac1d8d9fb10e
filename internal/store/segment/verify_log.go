package segment

import (
	"io"
	"path/filepath"
)

// logCheck replays the logs of a table without keeping anything, and finds what is missing from them.
type logCheck[R any] struct {
	schema    *schema[R]
	state     *tableState
	directory string
	next      uint64 // the number of the next write
	found     faults
	lost      []lostWrites // what is missing, as far as it is known
	missing   []int        // log files
	damaged   []damagedLog
}

// damagedLog is a log file of which a part cannot be read, and the rest of it.
type damagedLog struct {
	number int
	rest   []byte // a log file, or nil if nothing is left
}

// check checks the logs of a snapshot.
func (c *logCheck[R]) check(moment *snapshot, w *walk) {
	for _, number := range moment.missing {
		c.found.add("log file %s is missing", filepath.Join(c.directory, logName(number)))
	}
	c.missing = moment.missing
	w.expect(len(moment.logs))
	for n, l := range moment.logs {
		w.step(l.file.Name())
		content := make([]byte, l.size)
		size, err := l.file.ReadAt(content, 0)
		if err != nil && err != io.EOF {
			c.found.add("cannot read log file %s: %v", l.file.Name(), err)
			continue
		}
		c.checkLog(l.file.Name(), l.number, content[:size], n == len(moment.logs)-1)
	}
	if last := c.state.after(c.next - 1); last < c.state.synced {
		c.found.add("the log %s ends too early: the writes from %d to %d are missing", newestLog(c.directory), last+1, c.state.synced)
		c.lost = append(c.lost, lostWrites{last + 1, c.state.synced})
	}
}

// checkLog checks one log. Its first write after the horizon must be the next one.
func (c *logCheck[R]) checkLog(path string, number int, content []byte, last bool) {
	known, named := c.state.logs[number]
	if last && !named && headMissing(content) {
		return // a server has just created it
	}
	m, err := markOf(path, content)
	if headErr := c.state.checkHead(path, number, content); headErr != nil {
		err = headErr
	}
	if err != nil {
		c.found.add("%v", err)
		if len(known) != len(m) { // without its mark nothing can be found in it
			c.damaged = append(c.damaged, damagedLog{number: number})
			return
		}
		m = mark(known)
	}
	rest, whole := logHeadOf(m), err == nil
	reader := &table[R]{schema: c.schema} // enough to read records
	for offset := logHead; offset < len(content); {
		payload, ok := frameAt(content, offset, m)
		if !ok {
			next := nextFrame(content, offset+1, m)
			if last && next < 0 && whole {
				break // incomplete, because of a crash or a running server, and never acknowledged
			}
			if whole {
				c.found.add("log file %s is damaged at offset %d", path, offset)
			}
			whole = false
			if next < 0 {
				break
			}
			offset = next
			continue
		}
		if err := c.checkFrame(reader, payload, path, offset); err != nil {
			c.found.add("log file %s, frame at offset %d: %v", path, offset, err)
			return // intact, but not readable for this version
		}
		end := offset + frameHeader + len(payload)
		rest = append(rest, content[offset:end]...)
		offset = end
	}
	if len(rest) == logHead {
		rest = nil
	}
	if !whole {
		c.damaged = append(c.damaged, damagedLog{number, rest})
	}
}

// checkFrame checks the records of a frame.
func (c *logCheck[R]) checkFrame(reader *table[R], payload []byte, path string, offset int) error {
	for d := (decoder{src: payload}); len(d.src) > 0; {
		record := d.bytes()
		if d.failed {
			return errRow
		}
		r, seq, err := reader.readRecord(record)
		if err != nil {
			return err
		}
		if seq > c.next {
			if last := c.state.after(c.next - 1); last < seq-1 {
				c.found.add("log file %s, frame at offset %d: the writes from %d to %d are missing: a log file or the end of the "+
					"manifest is lost", path, offset, last+1, seq-1)
				c.lost = append(c.lost, lostWrites{last + 1, seq - 1})
			}
			c.next = seq
		}
		if seq == c.next && (r.remove != nil || len(r.rows) > 0) { // otherwise it is the start of the file and not a write
			c.next++
		}
	}
	return nil
}
