package segment

import "io"

// verifyLogs replays the logs of a snapshot without keeping anything.
func verifyLogs[R any](s *schema[R], moment *snapshot, w *walk, found *faults) {
	w.expect(len(moment.logs))
	next := moment.state.horizon + 1 // writes up to the horizon may or may not be in the logs
	for n, l := range moment.logs {
		w.step(l.file.Name())
		content := make([]byte, l.size)
		size, err := l.file.ReadAt(content, 0)
		if err != nil && err != io.EOF {
			found.add("cannot read log file %s: %v", l.file.Name(), err)
			continue
		}
		next = verifyLog(s, l.file.Name(), content[:size], n == len(moment.logs)-1, next, found)
	}
}

// verifyLog checks one log. Its first write after the horizon must have the sequence number next. It returns the number
// with which the next log must continue.
func verifyLog[R any](s *schema[R], path string, content []byte, last bool, next uint64, found *faults) uint64 {
	if last && headMissing(content) {
		return next // a server has just created it
	}
	m, err := markOf(path, content)
	if err != nil {
		found.add("%v", err)
		return next
	}
	reader := &table[R]{schema: s} // enough to read records
	for offset := logHead; offset < len(content); {
		payload, ok := frameAt(content, offset, m)
		if !ok {
			if !last || frameFollows(content, offset+1, m) {
				found.add("log file %s is damaged at offset %d", path, offset)
			}
			return next // otherwise incomplete, because of a crash or a running server, and never acknowledged
		}
		for d := (decoder{src: payload}); len(d.src) > 0; {
			record := d.bytes()
			if d.failed {
				found.add("log file %s has an invalid frame at offset %d", path, offset)
				return next
			}
			r, seq, err := reader.readRecord(record)
			if err != nil {
				found.add("log file %s, frame at offset %d: %v", path, offset, err)
				return next
			}
			if seq > next {
				found.add("log file %s, frame at offset %d: the writes from %d to %d are missing: a log file or the end of the manifest is lost", path, offset, next, seq-1)
				next = seq
			}
			if seq == next && (r.remove != nil || len(r.rows) > 0) { // otherwise it is the start of the file and not a write
				next++
			}
		}
		offset += frameHeader + len(payload)
	}
	return next
}
