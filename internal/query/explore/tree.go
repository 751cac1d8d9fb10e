package explore

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/limits/memory"
	"almanac/internal/query/traces"
	"almanac/internal/store"
)

// Tree is a trace in columnar form: everything needed to draw it, without long texts. Rows are ordered by start.
type Tree struct {
	Trace *domain.TraceSummary
	// Names, Types, Levels and Models are the dictionaries for Name, Type, Level and Model.
	Names, Types, Levels, Models Dictionary

	ID           []string
	Parent       []int   // index of the parent; -1 for none
	Start, End   []int64 // microseconds since the first start; End is -1 if unset
	Name, Type   []int
	Level, Model []int // Model is -1 if unset
	Cost         []domain.OptFloat
	InputTokens  []int64
	OutputTokens []int64
	Scores       []int
}

// Dictionary numbers strings in order of first appearance.
type Dictionary struct {
	Texts []string
	known map[string]int
}

func (d *Dictionary) number(text string) int {
	n, ok := d.known[text]
	if !ok {
		if d.known == nil {
			d.known = make(map[string]int)
		}
		n = len(d.Texts)
		text = strings.Clone(text)
		d.known[text] = n
		d.Texts = append(d.Texts, text)
	}
	return n
}

// node is a row while a tree is being built.
type node struct {
	id, parent               string
	start, end               domain.Micros
	name, kind, level, model int
	cost                     domain.OptFloat
	input, output            int64
}

// nodeBytes is the approximate memory of a row while building and in the tree, without its ids.
const nodeBytes = 300

// Tree returns a trace, or nil if it does not exist.
func (e *Explorer) Tree(ctx context.Context, traceID string) (*Tree, error) {
	t := new(Tree)
	held := memory.NewTally(ctx)
	var nodes []node
	assembly := new(traces.Assembly)
	for o, err := range e.Store.Observations().Lookup(ctx, e.Scope, store.Lookup{TraceIDs: []string{traceID}}) {
		if err != nil {
			return nil, err
		}
		if err := held.Add(int64(len(o.ID)+len(o.ParentID)) + nodeBytes); err != nil {
			return nil, err
		}
		assembly.Add(o)
		if o.IsTraceRecord() {
			continue
		}
		n := node{
			id: strings.Clone(o.ID), parent: o.SentParentID(), start: o.StartTime, end: o.EndTime,
			name: t.Names.number(o.Name), kind: t.Types.number(o.Type), level: t.Levels.number(cmp.Or(o.Level, "DEFAULT")), model: -1,
			cost: o.TotalCost, input: o.InputTokens, output: o.OutputTokens,
		}
		if o.Model != "" {
			n.model = t.Models.number(o.Model)
		}
		if last := len(nodes) - 1; last >= 0 && nodes[last].parent == n.parent { // siblings are mostly adjacent
			n.parent = nodes[last].parent
		} else {
			n.parent = strings.Clone(n.parent)
		}
		nodes = append(nodes, n)
	}
	if assembly.Rows() == 0 {
		return nil, nil
	}
	if err := e.Traces.Mark(ctx, map[string]*traces.Assembly{traceID: assembly}); err != nil {
		return nil, err
	}
	t.Trace = assembly.Summary()
	slices.SortFunc(nodes, func(a, b node) int { return cmp.Or(cmp.Compare(a.start, b.start), strings.Compare(a.id, b.id)) })
	places := t.fill(nodes)
	t.cutCycles()
	return t, e.countScores(ctx, t, traceID, places)
}

// fill turns nodes into columns. It returns the index of each node by id.
func (t *Tree) fill(nodes []node) map[string]int {
	count := len(nodes)
	places := make(map[string]int, count)
	for n := range nodes {
		places[nodes[n].id] = n
	}
	t.ID, t.Parent, t.Start, t.End = make([]string, count), make([]int, count), make([]int64, count), make([]int64, count)
	t.Name, t.Type, t.Level, t.Model = make([]int, count), make([]int, count), make([]int, count), make([]int, count)
	t.Cost, t.InputTokens, t.OutputTokens, t.Scores = make([]domain.OptFloat, count), make([]int64, count), make([]int64, count),
		make([]int, count)
	for i := range nodes {
		n := &nodes[i]
		t.ID[i], t.Parent[i], t.Start[i], t.End[i] = n.id, -1, int64(n.start-t.Trace.Timestamp), -1
		if parent, ok := places[n.parent]; ok && n.parent != "" {
			t.Parent[i] = parent
		}
		if n.end != 0 {
			t.End[i] = int64(n.end - t.Trace.Timestamp)
		}
		t.Name[i], t.Type[i], t.Level[i], t.Model[i] = n.name, n.kind, n.level, n.model
		t.Cost[i], t.InputTokens[i], t.OutputTokens[i] = n.cost, n.input, n.output
	}
	return places
}

// cutCycles breaks every cycle of parents by making its earliest row a root.
func (t *Tree) cutCycles() {
	const unknown, onPath, sound = 0, 1, 2
	state := make([]uint8, len(t.ID))
	var path []int
	for start := range t.ID {
		at := start
		path = path[:0]
		for at >= 0 && state[at] == unknown {
			state[at] = onPath
			path = append(path, at)
			at = t.Parent[at]
		}
		if at >= 0 && state[at] == onPath { // a cycle
			earliest := at
			for n := t.Parent[at]; n != at; n = t.Parent[n] {
				earliest = min(earliest, n)
			}
			t.Parent[earliest] = -1
		}
		for _, n := range path {
			state[n] = sound
		}
	}
}

// countScores counts the scores of each row.
func (e *Explorer) countScores(ctx context.Context, t *Tree, traceID string, places map[string]int) error {
	for s, err := range e.Store.Scores().Lookup(ctx, e.Scope, store.Lookup{TraceIDs: []string{traceID}}) {
		if err != nil {
			return err
		}
		if at, ok := places[s.ObservationID]; ok && s.ObservationID != "" {
			t.Scores[at]++
		}
	}
	return nil
}
