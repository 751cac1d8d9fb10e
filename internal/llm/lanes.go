package llm

import (
	"context"
	"sync"
	"time"
)

const (
	// maxQueue is how many calls may wait for their turn with one connection.
	maxQueue = 200
	// maxLaneWait is how long a call waits because too many began in the last minute.
	maxLaneWait = time.Minute
	// sweptLanes is the number of lanes from which those that are not in use are looked for and forgotten.
	sweptLanes = 256
)

// lanes limit the calls of each connection. Only connections with calls in the last minute have a lane.
type lanes struct {
	atOnce, perMinute int

	mu     sync.Mutex
	lanes  map[string]*lane
	sweep  int           // the number of lanes at which unused ones are removed
	ticker time.Duration // between two calls, on average
}

// lane is the way of one connection to its provider.
type lane struct {
	turns   chan struct{} // one for each call in progress
	waiting int
	users   int       // calls in progress and waiting
	free    time.Time // when all calls that began would have begun one after the other
}

func newLanes(atOnce, perMinute int) *lanes {
	return &lanes{
		atOnce: atOnce, perMinute: perMinute, lanes: make(map[string]*lane), sweep: sweptLanes,
		ticker: time.Minute / time.Duration(perMinute),
	}
}

// enter waits until a call may begin. The caller must leave the lane.
func (s *lanes) enter(ctx context.Context, key string, wait func(context.Context, time.Duration) error) error {
	l, err := s.use(key)
	if err != nil {
		return err
	}
	select {
	case l.turns <- struct{}{}:
	case <-ctx.Done():
		s.stopWaiting(key, l)
		return &Error{Kind: Canceled, Message: "The call ended while it waited for its turn.", cause: ctx.Err()}
	}
	delay := s.reserve(l, time.Now())
	if delay > maxLaneWait {
		s.leave(key)
		return &Error{
			Kind: Busy, RetryAfter: delay,
			Message: "Too many calls began with this connection. Try again in " + delay.Round(time.Second).String() + ".",
		}
	}
	if delay > 0 {
		if err := wait(ctx, delay); err != nil {
			s.leave(key)
			return &Error{Kind: Canceled, Message: "The call ended while it waited for its turn.", cause: err}
		}
	}
	return nil
}

// use returns the lane of a connection, in which the caller then waits.
func (s *lanes) use(key string) (*lane, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.lanes[key]
	if l == nil {
		s.forget(time.Now())
		l = &lane{turns: make(chan struct{}, s.atOnce)}
		s.lanes[key] = l
	}
	if l.waiting >= maxQueue {
		return nil, &Error{Kind: Busy, Message: "Too many calls wait for this connection. Try again when some have ended."}
	}
	l.waiting++
	l.users++
	return l, nil
}

// reserve takes a place among the calls of a minute, and returns how long to wait for it. Calls may come all at once after
// a pause.
func (s *lanes) reserve(l *lane, now time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	l.waiting--
	start := l.free
	if start.Before(now) {
		start = now
	}
	delay := start.Add(s.ticker).Sub(now) - time.Minute
	if delay <= maxLaneWait {
		l.free = start.Add(s.ticker)
	}
	return max(0, delay)
}

func (s *lanes) stopWaiting(key string, l *lane) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l.waiting--
	s.drop(key, l)
}

// leave ends a call.
func (s *lanes) leave(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.lanes[key]
	<-l.turns
	s.drop(key, l)
}

func (s *lanes) drop(key string, l *lane) {
	if l.users--; l.users == 0 && !l.free.After(time.Now()) {
		delete(s.lanes, key)
	}
}

// forget removes lanes that are not in use, if there are many.
func (s *lanes) forget(now time.Time) {
	if len(s.lanes) < s.sweep {
		return
	}
	for key, l := range s.lanes {
		if l.users == 0 && !l.free.After(now) {
			delete(s.lanes, key)
		}
	}
	s.sweep = max(sweptLanes, 2*len(s.lanes))
}
