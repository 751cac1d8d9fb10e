package mail

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

const (
	// maxWaiting is the maximum number of messages in an outbox.
	maxWaiting = 500
	// lastChance is how long sending the waiting messages may take when the server stops.
	lastChance = 5 * time.Second
)

// pauses are the delays between attempts. Greylisting servers expect another attempt after some minutes; links live for
// an hour.
var pauses = []time.Duration{10 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute}

// sender is a Sender, or a substitute in tests.
type sender interface {
	Check(ctx context.Context) error
	Send(ctx context.Context, m Message) error
	Server() string
}

// Outbox keeps messages in memory until they are sent or refused, or have failed too often. It sends one at a time.
type Outbox struct {
	sender  sender
	log     *slog.Logger
	results *prometheus.CounterVec
	wake    chan struct{}

	mu      sync.Mutex
	waiting []*letter // including the one being sent
}

// letter is a message with its delivery state. Only Run changes it.
type letter struct {
	Message
	tries int
	due   time.Time
}

// NewOutbox returns an outbox that counts the outcomes of messages. It starts no goroutines.
func NewOutbox(s sender, metrics prometheus.Registerer, log *slog.Logger) *Outbox {
	factory := promauto.With(metrics)
	o := &Outbox{sender: s, log: log, wake: make(chan struct{}, 1)}
	o.results = factory.NewCounterVec(prometheus.CounterOpts{
		Name: "almanac_mails_total", Help: "E-mails, by outcome.",
	}, []string{"result"})
	factory.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "almanac_mails_waiting", Help: "E-mails waiting to be sent.",
	}, func() float64 { return float64(len(o.all())) })
	return o
}

// Post queues a message, and reports whether there was room for it. It does not block.
func (o *Outbox) Post(m Message) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.waiting) >= maxWaiting {
		o.results.WithLabelValues("dropped").Inc()
		return false
	}
	o.waiting = append(o.waiting, &letter{Message: m})
	select {
	case o.wake <- struct{}{}:
	default: // Run will look anyway
	}
	return true
}

// Run sends messages until ctx is done, and then tries the waiting ones once more, within lastChance.
func (o *Outbox) Run(ctx context.Context) {
	// A message that is being sent when ctx ends is not interrupted: it might otherwise be sent twice.
	sending, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(lastChance, cancel) })()
	o.check(ctx)
	for ctx.Err() == nil {
		next := o.next()
		if next != nil && !next.due.After(time.Now()) {
			o.deliver(sending, next)
			continue
		}
		o.sleep(ctx, next)
	}
	for _, l := range o.all() {
		if sending.Err() == nil {
			o.deliver(sending, l)
		}
	}
	if left := len(o.all()); left > 0 {
		o.results.WithLabelValues("dropped").Add(float64(left))
		o.log.Warn("shutting down with unsent e-mails", "mails", left)
	}
}

// check tells the operator early on whether the mail server works.
func (o *Outbox) check(ctx context.Context) {
	switch err := o.sender.Check(ctx); {
	case err == nil:
		o.log.Info("the mail server accepts connections", "server", o.sender.Server())
	case ctx.Err() == nil:
		o.log.Warn("cannot use the mail server: check it, --smtp-url and --smtp-tls; e-mails are retried a few times and then dropped",
			"server", o.sender.Server(), "error", err)
	}
}

// all returns the waiting letters.
func (o *Outbox) all() []*letter {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.waiting)
}

// next returns the letter that is due first, or nil.
func (o *Outbox) next() *letter {
	waiting := o.all()
	if len(waiting) == 0 {
		return nil
	}
	return slices.MinFunc(waiting, func(a, b *letter) int { return a.due.Compare(b.due) })
}

// sleep returns when the next letter is due, when there is a new one, or when ctx is done.
func (o *Outbox) sleep(ctx context.Context, next *letter) {
	var due <-chan time.Time
	if next != nil {
		timer := time.NewTimer(time.Until(next.due))
		defer timer.Stop()
		due = timer.C
	}
	select {
	case <-o.wake:
	case <-due:
	case <-ctx.Done():
	}
}

// deliver tries to send a letter, and removes it unless it is to be retried.
func (o *Outbox) deliver(ctx context.Context, l *letter) {
	err := o.sender.Send(ctx, l.Message)
	l.tries++
	log := o.log.With("kind", l.Kind, "id", l.ID, "tries", l.tries)
	result := "sent"
	switch {
	case err == nil:
		log.Info("sent an e-mail")
	case Refused(err):
		result = "refused"
		log.Warn("the mail server rejected an e-mail", "error", err)
	case l.tries > len(pauses):
		result = "dropped"
		log.Error("cannot send an e-mail: dropping it", "error", err)
	default:
		l.due = time.Now().Add(pauses[l.tries-1])
		o.results.WithLabelValues("retried").Inc()
		log.Warn("cannot send an e-mail: retrying", "in", pauses[l.tries-1], "error", err)
		return
	}
	o.results.WithLabelValues(result).Inc()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.waiting = slices.DeleteFunc(o.waiting, func(other *letter) bool { return other == l })
}
