package explore

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/memory"
	"almanac/internal/store"
	"almanac/internal/traces"
)

// Tree is a trace as columns: everything that its picture needs, and no long text. Rows are in the order of their start.
type Tree struct {
	Trace *domain.TraceSummary
	// Names, Types, Levels and Models are what the numbers of Name, Type, Level and Model stand for.
	Names, Types, Levels, Models Dictionary

	ID           []string
	Parent       []int   // the place of the parent; -1 for none
	Start, End   []int64 // microseconds since the first start; the end is -1 if there is none
	Name, Type   []int
	Level, Model []int // the model is -1 if there is none
	Cost         []domain.OptFloat
	InputTokens  []int64
	OutputTokens []int64
	Scores       []int
}

// Dictionary numbers texts in the order in which they come.
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

// node is a row on its way into a tree.
type node struct {
	id, parent               string
	start, end               domain.Micros
	name, kind, level, model int
	cost                     domain.OptFloat
	input, output            int64
}

// nodeBytes is what a row takes on its way and in a tree, beside its ids.
const nodeBytes = 300

// Tree returns a trace; nil if there is none of that id.
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
		if last := len(nodes) - 1; last >= 0 && nodes[last].parent == n.parent { // siblings stand side by side, mostly
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

// fill makes columns of nodes. It returns their places by their ids.
func (t *Tree) fill(nodes []node) map[string]int {
	count := len(nodes)
	places := make(map[string]int, count)
	for n := range nodes {
		places[nodes[n].id] = n
	}
	t.ID, t.Parent, t.Start, t.End = make([]string, count), make([]int, count), make([]int64, count), make([]int64, count)
	t.Name, t.Type, t.Level, t.Model = make([]int, count), make([]int, count), make([]int, count), make([]int, count)
	t.Cost, t.InputTokens, t.OutputTokens, t.Scores = make([]domain.OptFloat, count), make([]int64, count), make([]int64, count), make([]int, count)
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

// cutCycles makes a root of one row of every circle of parents: the earliest.
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
		if at >= 0 && state[at] == onPath { // a circle
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
