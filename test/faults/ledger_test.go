package faults

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
)

// Kinds of records.
const (
	observation = "observation"
	score       = "score"
	item        = "item"
	prompt      = "prompt"
	medium      = "medium"
)

// fact is what the ledger knows about a record.
type fact int

const (
	unknown  fact = iota // sent, with no response or one that promises nothing
	promised             // acknowledged, or seen after a restart: must exist from then on
	absent               // missing after a restart, or never sent completely: must not exist
)

// key names a record.
type key struct{ kind, id string }

// ledger records what was sent to a server and how it responded. Only ids are kept: the content of a record follows
// from its id.
type ledger struct {
	mu      sync.Mutex
	facts   map[key]fact
	batches [][]key // sent together; each exists completely or not at all
	refused int     // writes that were told to retry later
}

func newLedger() *ledger { return &ledger{facts: make(map[key]fact)} }

// begin adds records that are being sent together.
func (l *ledger) begin(kind string, ids ...string) []key {
	keys := make([]key, len(ids))
	l.mu.Lock()
	defer l.mu.Unlock()
	for n, id := range ids {
		keys[n] = key{kind, id}
		l.facts[keys[n]] = unknown
	}
	l.batches = append(l.batches, keys)
	return keys
}

// acknowledge marks records as promised, since their write succeeded.
func (l *ledger) acknowledge(keys []key) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, k := range keys {
		l.facts[k] = promised
	}
}

// deny marks records as absent, since they were never sent completely.
func (l *ledger) deny(keys []key) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, k := range keys {
		l.facts[k] = absent
	}
}

func (l *ledger) refuse() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.refused++
}

// tally holds the findings of a comparison.
type tally struct {
	acknowledged, lost, doubled, wrong int
	problems                           []string
}

func (t *tally) add(other tally) {
	t.acknowledged += other.acknowledged
	t.lost += other.lost
	t.doubled += other.doubled
	t.wrong += other.wrong
	t.problems = append(t.problems, other.problems...)
}

func (t *tally) complain(format string, args ...any) {
	if len(t.problems) < 20 {
		t.problems = append(t.problems, fmt.Sprintf(format, args...))
	}
}

// compare compares what was read, contents by key, with the ledger. After a restart nothing is in flight: what was not
// acknowledged either exists for good or is gone for good.
func (l *ledger) compare(found map[key][]string, restarted bool) (t tally) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for k, known := range l.facts {
		contents := found[k]
		if known == promised {
			t.acknowledged++
		}
		switch {
		case known == promised && len(contents) == 0:
			t.lost++
			t.complain("%s %s was acknowledged and is gone", k.kind, k.id)
		case known == absent && len(contents) > 0:
			t.wrong++
			t.complain("%s %s is there, and was not after a restart or was never sent whole", k.kind, k.id)
		case len(contents) > 1:
			t.doubled++
			t.complain("%s %s is there %d times", k.kind, k.id, len(contents))
		case len(contents) == 1 && contents[0] != contentOf(k.id):
			t.wrong++
			t.complain("%s %s has another content: %.60q instead of %.60q", k.kind, k.id, contents[0], contentOf(k.id))
		}
		if restarted && known == unknown {
			l.facts[k] = absent
			if len(contents) > 0 {
				l.facts[k] = promised
			}
		}
	}
	for k := range found {
		if _, sent := l.facts[k]; !sent {
			t.wrong++
			t.complain("%s %s is there and was never sent", k.kind, k.id)
		}
	}
	for _, batch := range l.batches {
		there := 0
		for _, k := range batch {
			if len(found[k]) > 0 {
				there++
			}
		}
		if there != 0 && there != len(batch) && l.facts[batch[0]] != promised {
			t.wrong++
			t.complain("%d of %d records of a batch are there, the first is %s %s", there, len(batch), batch[0].kind, batch[0].id)
		}
	}
	return t
}

// compareHarmed compares what a server with a damaged file returned with the ledger. Only kinds that could not be read
// to their end may miss something.
func (l *ledger) compareHarmed(found map[key][]string, failed map[string]bool) (t tally) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for k, contents := range found {
		switch known, sent := l.facts[k]; {
		case !sent || known == absent:
			t.wrong++
			t.complain("%s %s is there and should not be", k.kind, k.id)
		case len(contents) > 1:
			t.doubled++
			t.complain("%s %s is there %d times", k.kind, k.id, len(contents))
		case contents[0] != contentOf(k.id):
			t.wrong++
			t.complain("%s %s has another content: %.60q instead of %.60q", k.kind, k.id, contents[0], contentOf(k.id))
		}
	}
	for _, batch := range l.batches {
		there := 0
		for _, k := range batch {
			if len(found[k]) > 0 {
				there++
			}
		}
		if there == len(batch) || failed[batch[0].kind] || l.facts[batch[0]] != promised {
			continue
		}
		t.lost += len(batch) - there
		t.complain("%d of %d records of a batch are missing without an error, the first is %s %s", len(batch)-there, len(batch),
			batch[0].kind, batch[0].id)
	}
	return t
}

// promises returns how many records must exist.
func (l *ledger) promises() (count int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, known := range l.facts {
		if known == promised {
			count++
		}
	}
	return count
}

// sent returns the ids of all records of a kind.
func (l *ledger) sent(kind string) (ids []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for k := range l.facts {
		if k.kind == kind {
			ids = append(ids, k.id)
		}
	}
	slices.Sort(ids)
	return ids
}

// contentOf returns the content of the record with an id: some text, mostly short.
func contentOf(id string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(id))
	r := rand.New(rand.NewPCG(h.Sum64(), 1))
	size := 20 + r.IntN(300)
	if r.IntN(3) == 0 {
		size += r.IntN(8000)
	}
	var b strings.Builder
	b.WriteString(id)
	for b.Len() < size {
		fmt.Fprintf(&b, " %x", r.Uint32())
		if r.IntN(20) == 0 {
			b.WriteString(" \"größer\"\n")
		}
	}
	return b.String()
}
