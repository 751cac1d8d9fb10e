package usage

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"go.uber.org/goleak"

	"almanac/internal/domain"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// memory is a store that several keepers can share.
type memory struct {
	mu     sync.Mutex
	limits map[domain.LimitSubject]domain.Limits
	usage  map[domain.LimitSubject]domain.Usage
	fail   error
}

func newMemory() *memory {
	return &memory{limits: make(map[domain.LimitSubject]domain.Limits), usage: make(map[domain.LimitSubject]domain.Usage)}
}

func (m *memory) Limits(context.Context) (map[domain.LimitSubject]domain.Limits, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.limits), m.fail
}

func (m *memory) AddUsage(
	_ context.Context, latest int64, more map[domain.LimitSubject]domain.Usage,
) (map[domain.LimitSubject]domain.Usage, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return nil, m.fail
	}
	maps.DeleteFunc(m.usage, func(_ domain.LimitSubject, u domain.Usage) bool { return u.Minute > latest })
	sums := make(map[domain.LimitSubject]domain.Usage)
	for subject, u := range more {
		sum := m.usage[subject]
		advance(&sum, u.Minute, u.Day)
		if sum.Minute == u.Minute {
			sum.InMinute = sum.InMinute.Plus(u.InMinute)
		}
		if sum.Day == u.Day {
			sum.InDay = sum.InDay.Plus(u.InDay)
		}
		m.usage[subject], sums[subject] = sum, sum
	}
	return sums, nil
}

func (m *memory) UsageSince(_ context.Context, day int64) (map[domain.LimitSubject]domain.Usage, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	found := maps.Clone(m.usage)
	maps.DeleteFunc(found, func(_ domain.LimitSubject, u domain.Usage) bool { return u.Day < day })
	return found, m.fail
}

// bench is a tracker with its own clock.
type bench struct {
	*Tracker
	store *memory
	now   time.Time
}

func newBench(t *testing.T, store *memory, defaults map[domain.LimitLevel]domain.Limits) *bench {
	t.Helper()
	b := &bench{store: store, now: time.Date(2026, 5, 6, 23, 58, 30, 0, time.UTC)}
	b.Tracker = New(Options{
		Store: store, Defaults: defaults, Clock: func() time.Time { return b.now }, Metrics: prometheus.NewRegistry(),
		Log: slog.New(slog.DiscardHandler),
	})
	if err := b.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	return b
}

var (
	client  = domain.Consumer{KeyID: "k", ProjectID: "p", OrganizationID: "o"}
	request = domain.Amounts{1}
)

func spans(n int64) domain.Amounts { return domain.Amounts{0, n} }

// take calls Take several times and returns how often it succeeded.
func (b *bench) take(t *testing.T, consumer domain.Consumer, amounts domain.Amounts, times int) (taken int, last *Exceeded) {
	t.Helper()
	for range times {
		_, err := b.Reserve(consumer, amounts)
		if err == nil {
			taken++
			continue
		}
		if !errors.As(err, &last) {
			t.Fatal(err)
		}
	}
	return taken, last
}

func limitsOf(t *testing.T, text string) domain.Limits {
	t.Helper()
	var l domain.Limits
	if err := l.UnmarshalText([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return l
}

func TestNothingIsLimitedUnlessAsked(t *testing.T) {
	b := newBench(t, newMemory(), nil)
	if taken, _ := b.take(t, client, domain.Amounts{1, 1 << 40, 1 << 40}, 1000); taken != 1000 {
		t.Errorf("%d of 1000 requests", taken)
	}
	var none *Tracker
	taken, err := none.Reserve(client, request)
	if err != nil {
		t.Error(err)
	}
	taken.Undo()
}

func TestLimits(t *testing.T) {
	b := newBench(t, newMemory(), map[domain.LimitLevel]domain.Limits{
		domain.LevelProject: limitsOf(t, "requests=3/m,requests=5/d,spans=100/m"),
	})
	taken, refused := b.take(t, client, request, 10)
	if taken != 3 || refused.Limit != domain.RequestsPerMinute || refused.Level != domain.LevelProject || refused.Max != 3 ||
		refused.Remaining != 0 {
		t.Errorf("%d taken, refused with %+v", taken, refused)
	}
	if want := time.Date(2026, 5, 6, 23, 59, 0, 0, time.UTC); !refused.ResetAt.Equal(want) || refused.RetryAfter != 30*time.Second {
		t.Errorf("reset at %v, after %v", refused.ResetAt, refused.RetryAfter)
	}
	const text = "Rate limit exceeded: the project's limit of 3 requests per minute is reached. Try again after 2026-05-06T23:59:00Z."
	if refused.Error() != text {
		t.Errorf("%q, want %q", refused.Error(), text)
	}
	if other := (domain.Consumer{KeyID: "x", ProjectID: "y", OrganizationID: "o"}); func() int {
		n, _ := b.take(t, other, request, 1)
		return n
	}() != 1 {
		t.Error("another project is refused")
	}

	b.now = b.now.Add(time.Minute)
	taken, refused = b.take(t, client, request, 10)
	if taken != 2 || refused.Limit != domain.RequestsPerDay || !refused.ResetAt.Equal(time.Date(2026, 5, 7, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("a minute later %d taken, refused with %+v", taken, refused)
	}
	b.now = b.now.Add(time.Minute) // a new day
	if taken, _ = b.take(t, client, request, 10); taken != 3 {
		t.Errorf("on the next day %d taken", taken)
	}
	if n := testutil.ToFloat64(b.refused.WithLabelValues("project", "requestsPerMinute")); n != 14 {
		t.Errorf("%v refusals are counted, want 14", n)
	}
}

// TestAllOrNothing checks that an amount is refused as a whole, on all levels.
func TestAllOrNothing(t *testing.T) {
	b := newBench(t, newMemory(), map[domain.LimitLevel]domain.Limits{domain.LevelOrganization: limitsOf(t, "spans=10/d")})
	first, err := b.Reserve(client, spans(8))
	if err != nil {
		t.Fatal(err)
	}
	_, refused := b.take(t, client, spans(3), 1)
	if refused == nil || refused.Remaining != 2 || refused.Never {
		t.Fatalf("refused with %+v", refused)
	}
	for _, subject := range subjectsOf(client) {
		if used := b.Report(subject).Used[domain.SpansPerDay]; used != 8 {
			t.Errorf("%s: %d used", subject.Level, used)
		}
	}
	if _, err := b.Reserve(client, spans(2)); err != nil {
		t.Errorf("what is left: %v", err)
	}
	first.Undo()
	if used := b.Report(domain.LimitSubject{Level: domain.LevelKey, ID: "k"}).Used[domain.SpansPerDay]; used != 2 {
		t.Errorf("%d used after 8 came back", used)
	}
	if _, refused := b.take(t, client, spans(11), 1); refused == nil || !refused.Never {
		t.Errorf("more than the whole limit: %+v", refused)
	}
	b.now = b.now.Add(24 * time.Hour)
	if _, err := b.Reserve(client, spans(10)); err != nil {
		t.Error(err)
	}
	first.Undo() // counted yesterday
	if used := b.Report(domain.LimitSubject{Level: domain.LevelKey, ID: "k"}).Used[domain.SpansPerDay]; used != 10 {
		t.Errorf("%d used: what was of yesterday came back today", used)
	}
}

func TestOwnLimitsComeBeforeDefaults(t *testing.T) {
	store := newMemory()
	store.limits[domain.LimitSubject{Level: domain.LevelKey, ID: "k"}] = limitsOf(t, "requests=2/m")
	b := newBench(t, store, map[domain.LimitLevel]domain.Limits{domain.LevelKey: limitsOf(t, "requests=1/m,requests=3/d")})
	if taken, refused := b.take(t, client, request, 5); taken != 2 || refused.Level != domain.LevelKey || refused.Max != 2 {
		t.Errorf("%d taken, refused with %+v", taken, refused)
	}
	r := b.Report(domain.LimitSubject{Level: domain.LevelKey, ID: "k"})
	if r.Set.String() != "requests=2/m" || r.Limits.String() != "requests=2/m,requests=3/d" || r.Used[domain.RequestsPerMinute] != 2 {
		t.Errorf("report %+v", r)
	}
	store.limits[domain.LimitSubject{Level: domain.LevelKey, ID: "k"}] = limitsOf(t, "requests=3/m")
	if err := b.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	if taken, _ := b.take(t, client, request, 5); taken != 1 {
		t.Errorf("after a change %d more are taken", taken)
	}
}

func TestRestartKeepsTheDay(t *testing.T) {
	store := newMemory()
	daily := map[domain.LimitLevel]domain.Limits{domain.LevelProject: limitsOf(t, "requests=5/d")}
	b := newBench(t, store, daily)
	b.take(t, client, request, 4)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	b.Run(ctx) // syncs once more at the end
	again := newBench(t, store, daily)
	if taken, _ := again.take(t, client, request, 10); taken != 1 {
		t.Errorf("after a restart %d of the last one are taken", taken)
	}
	tomorrow := newBench(t, store, daily)
	tomorrow.now = tomorrow.now.Add(24 * time.Hour)
	if taken, _ := tomorrow.take(t, client, request, 10); taken != 5 {
		t.Errorf("on the next day %d are taken", taken)
	}
}

// TestServersShareCounts has two servers count for one project.
func TestServersShareCounts(t *testing.T) {
	store := newMemory()
	limited := map[domain.LimitLevel]domain.Limits{domain.LevelProject: limitsOf(t, "requests=10/m")}
	one, two := newBench(t, store, limited), newBench(t, store, limited)
	one.take(t, client, request, 4)
	two.take(t, client, request, 3)
	one.sync(t.Context())
	two.sync(t.Context())
	if used := two.Report(domain.LimitSubject{Level: domain.LevelProject, ID: "p"}).Used[domain.RequestsPerMinute]; used != 7 {
		t.Errorf("the second server knows of %d", used)
	}
	if taken, _ := two.take(t, client, request, 10); taken != 3 {
		t.Errorf("the second server takes %d more", taken)
	}
	one.take(t, client, request, 1) // before it learns of them
	two.sync(t.Context())
	one.sync(t.Context())
	if taken, _ := one.take(t, client, request, 10); taken != 0 {
		t.Errorf("the first server takes %d more", taken)
	}
	if sum := store.usage[domain.LimitSubject{Level: domain.LevelKey, ID: "k"}].InDay[0]; sum != 11 {
		t.Errorf("%d are written down", sum)
	}
}

func TestWhatCannotBeWrittenIsKept(t *testing.T) {
	store := newMemory()
	b := newBench(t, store, nil)
	b.take(t, client, request, 3)
	store.fail = errors.New("away")
	b.sync(t.Context())
	b.take(t, client, request, 2)
	store.fail = nil
	b.sync(t.Context())
	if sum := store.usage[domain.LimitSubject{Level: domain.LevelProject, ID: "p"}].InDay[0]; sum != 5 {
		t.Errorf("%d are written down", sum)
	}
}

func TestCountersAreBounded(t *testing.T) {
	b := newBench(t, newMemory(), nil)
	for n := range maxCounters / levels {
		id := strconv.Itoa(n)
		b.take(t, domain.Consumer{KeyID: id, ProjectID: id, OrganizationID: id}, request, 1)
	}
	b.sync(t.Context())
	b.now = b.now.Add(time.Minute)
	for n := range 10 {
		id := fmt.Sprint("new", n)
		b.take(t, domain.Consumer{KeyID: id, ProjectID: id, OrganizationID: id}, request, 1)
	}
	if len(b.counters) > 100 {
		t.Errorf("%d counters are kept", len(b.counters))
	}
}

// TestConcurrentTakes checks that concurrent calls together take exactly the limit.
func TestConcurrentTakes(t *testing.T) {
	b := newBench(t, newMemory(), map[domain.LimitLevel]domain.Limits{domain.LevelOrganization: limitsOf(t, "spans=1000/d")})
	var mu sync.Mutex
	total := int64(0)
	var work sync.WaitGroup
	for n := range 8 {
		work.Go(func() {
			for range 100 {
				amount := int64(1 + n%3)
				if _, err := b.Reserve(client, spans(amount)); err == nil {
					mu.Lock()
					total += amount
					mu.Unlock()
				}
			}
		})
	}
	done := make(chan struct{})
	var syncing sync.WaitGroup
	syncing.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				b.sync(t.Context())
			}
		}
	})
	work.Wait()
	close(done)
	syncing.Wait()
	b.sync(t.Context())
	sum := b.store.usage[domain.LimitSubject{Level: domain.LevelOrganization, ID: "o"}].InDay[1]
	if total > 1000 || total < 998 || sum != total {
		t.Errorf("%d are taken of 1000, %d written down", total, sum)
	}
}

func BenchmarkTake(b *testing.B) {
	for _, limited := range []bool{false, true} {
		b.Run(fmt.Sprintf("limited=%v", limited), func(b *testing.B) {
			defaults := map[domain.LimitLevel]domain.Limits{}
			if limited {
				defaults[domain.LevelProject] = domain.Limits{1 << 40, 1 << 40, 1 << 40, 1 << 40, 1 << 40, 1 << 40}
			}
			k := New(Options{Store: newMemory(), Defaults: defaults, Metrics: prometheus.NewRegistry()})
			b.ReportAllocs()
			for b.Loop() {
				if _, err := k.Reserve(client, request); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
