package inherit

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unsafe"

	"almanac/internal/domain"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

const (
	// arrivalsAtOnce is about how many rows are followed in one step of a large backlog.
	arrivalsAtOnce = 50_000
	// tracesAtOnce is how many traces are read together.
	tracesAtOnce = 500
	// maxObservations is the maximum number of observations of a trace that hands something down: a client that sends a
	// root again and again must not have any number of observations written again and again.
	maxObservations = 20_000
	// largeFor is how long a trace with more observations is not looked at again, and maxLarge how many such traces are
	// remembered.
	largeFor = time.Minute
	maxLarge = 1000
)

// follow works on what arrived in a window. It returns the number up to which that is done, and calls reached with it on the
// way, since there may be hours of work.
func (j *Job) follow(ctx context.Context, window store.Window, reached func(done int64)) (done int64, err error) {
	for window.After < window.UpTo {
		traces, upTo, err := j.Store.Observations().Arrivals(ctx, window, arrivalsAtOnce)
		if err != nil {
			return window.After, fmt.Errorf("cannot read which traces arrived: %w", err)
		}
		if err := j.complete(ctx, traces); err != nil {
			return window.After, err
		}
		if upTo <= window.After {
			break // the rest is not there yet
		}
		window.After = upTo
		reached(upTo)
	}
	return window.After, nil
}

// complete completes the observations of traces.
func (j *Job) complete(ctx context.Context, traces []store.ArrivedTrace) error {
	projects := make(map[string][]string)
	for _, t := range traces {
		if t.TraceID != "" && !j.isLarge(t) {
			projects[t.ProjectID] = append(projects[t.ProjectID], t.TraceID)
		}
	}
	for _, project := range slices.Sorted(maps.Keys(projects)) {
		scope := domain.OfProject(project)
		for some := range slices.Chunk(projects[project], tracesAtOnce) {
			err := j.completeSome(ctx, scope, some)
			if err == nil || retryable(ctx, err) {
				if err != nil {
					return err
				}
				continue
			}
			// One that cannot be read or written must not keep the others from being completed.
			for _, id := range some {
				switch err := j.completeSome(ctx, scope, []string{id}); {
				case retryable(ctx, err):
					return err
				case err != nil:
					j.Log.Error("cannot complete the observations of a trace with its user, session, version and tags", "project", project,
						"trace", id, "error", err)
				}
			}
		}
	}
	return nil
}

// retryable reports whether something failed that works later, whatever it is about.
func retryable(ctx context.Context, err error) bool {
	for _, kind := range []error{store.ErrBusy, store.ErrUnavailable, store.ErrDiskFull, store.ErrClosed} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return err != nil && ctx.Err() != nil
}

// family is a trace that may hand something down.
type family struct {
	domain.Heirloom
	observations int
	// heirs has, for each set of values that were not sent, one observation, as far as it matters here; unequal is set if
	// others of the same set differ from it.
	heirs   [16]*domain.Observation
	unequal bool
}

// some stands for any value that was sent.
const some = "x"

var someTags = []string{some}

// heirOf returns what matters of an observation: which values were sent with it, and those that it has inherited. Sent
// ones can be of any size.
func heirOf(o *domain.Observation) domain.Observation {
	heir := domain.Observation{UserID: o.UserID, SessionID: o.SessionID, Version: o.Version, Tags: o.Tags, Inherited: o.Inherited}
	own := o.Own()
	for _, value := range []struct {
		sent string
		to   *string
	}{{own.UserID, &heir.UserID}, {own.SessionID, &heir.SessionID}, {own.Version, &heir.Version}} {
		if value.sent != "" {
			*value.to = some
		}
	}
	if len(own.Tags) > 0 {
		heir.Tags = someTags
	}
	return heir
}

// inheritsSame reports whether an observation, which lacks the same values as an heir, has also inherited the same.
func inheritsSame(heir, o *domain.Observation) bool {
	if o.Inherited == "" || o.Inherited != heir.Inherited {
		return o.Inherited == heir.Inherited
	}
	same := heirOf(o)
	return heir.SameInherited(&same)
}

// see adds an observation. It returns how many bytes of texts it keeps, besides what it hands down.
func (f *family) see(o *domain.Observation) (bytes int) {
	f.observations++
	f.See(o)
	lacks := o.Lacks()
	if lacks == 0 && o.Inherited == "" {
		return 0
	}
	switch heir := f.heirs[lacks]; {
	case heir == nil:
		kept := heirOf(o)
		kept = kept.Clone()
		heir, f.heirs[lacks] = &kept, &kept
		bytes = int(unsafe.Sizeof(*heir)) + len(heir.UserID) + len(heir.SessionID) + len(heir.Version)
		for _, tag := range heir.Tags {
			bytes += int(unsafe.Sizeof(tag)) + len(tag)
		}
	case !f.unequal:
		f.unequal = !inheritsSame(heir, o)
	}
	return bytes
}

// isComplete reports whether every observation has what it inherits.
func (f *family) isComplete() bool {
	if f.unequal {
		return false
	}
	for _, heir := range f.heirs {
		if heir == nil {
			continue
		}
		if probe := *heir; f.Give(&probe) {
			return false
		}
	}
	return true
}

// completeSome completes the observations of a few traces of a project. If one turns out to have too many observations, it
// is not read to its end, which may be far, and the others are completed one at a time.
func (j *Job) completeSome(ctx context.Context, scope domain.ProjectScope, ids []string) error {
	large, err := j.completeUnlessLarge(ctx, scope, ids)
	if large == "" || err != nil {
		return err
	}
	j.noteLarge(store.ArrivedTrace{ProjectID: scope.ProjectID(), TraceID: large})
	var failures []error
	for _, id := range ids {
		if id == large {
			continue
		}
		found, err := j.completeUnlessLarge(ctx, scope, []string{id})
		switch {
		case retryable(ctx, err):
			return err
		case err != nil:
			failures = append(failures, err)
		case found != "":
			j.noteLarge(store.ArrivedTrace{ProjectID: scope.ProjectID(), TraceID: id})
		}
	}
	return errors.Join(failures...)
}

// completeUnlessLarge completes the observations of a few traces of a project unless one of them has too many, which it
// returns.
func (j *Job) completeUnlessLarge(ctx context.Context, scope domain.ProjectScope, ids []string) (large string, err error) {
	held := memory.NewTally(ctx)
	defer held.Release()
	families := make(map[string]*family, len(ids))
	var f *family // of the row before, which is often of the same trace
	last := ""
	for row, err := range j.Store.Observations().Lookup(ctx, scope, store.Lookup{TraceIDs: ids}) {
		if err != nil {
			return "", fmt.Errorf("cannot read %d traces of project %s: %w", len(ids), scope.ProjectID(), err)
		}
		if f == nil || row.TraceID != last {
			if f = families[row.TraceID]; f == nil {
				f = new(family)
				families[strings.Clone(row.TraceID)] = f
			}
			last = strings.Clone(row.TraceID)
		}
		if f.observations == maxObservations {
			return last, nil
		}
		if err := held.Add(int64(f.see(row))); err != nil {
			return "", fmt.Errorf("cannot keep what %d traces of project %s hand down: %w", len(ids), scope.ProjectID(), err)
		}
	}
	var incomplete []string
	for id, f := range families {
		if !f.isComplete() {
			incomplete = append(incomplete, id)
		}
	}
	if len(incomplete) == 0 {
		return "", nil
	}
	slices.Sort(incomplete)
	if _, err := j.Store.Observations().Amend(ctx, scope, incomplete, func(o *domain.Observation) bool {
		return families[o.TraceID].Give(o)
	}); err != nil {
		return "", fmt.Errorf("cannot complete %d traces of project %s: %w", len(incomplete), scope.ProjectID(), err)
	}
	return "", nil
}

// isLarge reports whether a trace had too many observations a short time ago.
func (j *Job) isLarge(t store.ArrivedTrace) bool {
	seen, known := j.large[t]
	if known && time.Since(seen) > largeFor {
		delete(j.large, t)
		return false
	}
	return known
}

func (j *Job) noteLarge(t store.ArrivedTrace) {
	j.Log.Warn("a trace has too many observations to complete them with its user, session, version and tags", "project", t.ProjectID,
		"trace", t.TraceID, "most", maxObservations)
	if j.large == nil || len(j.large) >= maxLarge {
		j.large = make(map[store.ArrivedTrace]time.Time)
	}
	j.large[t] = time.Now()
}
