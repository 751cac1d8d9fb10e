package compare

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

func TestValues(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	d := Values(
		[]float64{0.5, 0.5, 0.5, nan, 1, nan},
		[]float64{0.7, 0.5, 0.1, 1, nan, nan}, Options{Direction: Higher})
	if d.Paired != 3 || d.OnlyBaseline != 1 || d.OnlyCandidate != 1 || d.Improved != 1 || d.Regressed != 1 || d.Unchanged != 1 {
		t.Errorf("counts: %+v", d)
	}
	if d.Method != PairedT || d.Verdict != TooFew || d.SignP != 1 {
		t.Errorf("three pairs: %+v", d)
	}
	near(t, "estimate", d.Estimate, -0.2/3)
	near(t, "baseline", d.Baseline, 0.5)
	near(t, "candidate", d.Candidate, 1.3/3)
}

func TestNothingToCompare(t *testing.T) {
	t.Parallel()
	d := Values([]float64{math.NaN()}, []float64{1}, Options{Direction: Higher})
	if d != (Difference{OnlyCandidate: 1, SignP: 1, Verdict: TooFew}) {
		t.Errorf("no pair: %+v", d)
	}
	d = Values([]float64{1}, []float64{3}, Options{Direction: Lower})
	if d.Method != NoInterval || d.Estimate != 2 || d.Regressed != 1 {
		t.Errorf("one pair has no interval: %+v", d)
	}
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	baseline, candidate := make([]float64, 200), make([]float64, 200)
	for n := range candidate {
		baseline[n], candidate[n] = float64(n%7), float64(n%7)+0.5+float64(n%3)/10
	}
	for _, c := range []struct {
		a, b      []float64
		direction Direction
		want      Verdict
	}{
		{baseline, candidate, Higher, Better},
		{baseline, candidate, Lower, Worse},
		{candidate, baseline, Higher, Worse},
		{candidate, baseline, Lower, Better},
		{baseline, baseline, Higher, Unclear},
		{baseline[:19], candidate[:19], Higher, TooFew},
		{baseline[:20], candidate[:20], Higher, Better},
	} {
		if d := Values(c.a, c.b, Options{Direction: c.direction, Seed: 1}); d.Verdict != c.want {
			t.Errorf("%d pairs, %d: %+v, want %s", len(c.a), c.direction, d, c.want)
		}
	}
}

// A bootstrap of the same runs must give the same interval each time, and one that hardly depends on the seed.
func TestBootstrapRepeats(t *testing.T) {
	t.Parallel()
	a, b := made(400)
	first := Values(a, b, Options{Direction: Higher, Seed: 1})
	if again := Values(a, b, Options{Direction: Higher, Seed: 1}); again != first {
		t.Errorf("%+v, then %+v", first, again)
	}
	other := Values(a, b, Options{Direction: Higher, Seed: 2})
	if first.Method != Bootstrap || math.Abs(other.Low-first.Low) > 0.02*(first.High-first.Low) {
		t.Errorf("%+v with another seed: %+v", first, other)
	}
}

func TestRatios(t *testing.T) {
	t.Parallel()
	d := Values([]float64{100, 200, 400, 0, 100}, []float64{200, 400, 800, 5, 0}, Options{Direction: Lower, Ratio: true, Tolerance: 0.05})
	if d.Paired != 3 || d.LeftOut != 2 || d.Regressed != 3 {
		t.Errorf("counts: %+v", d)
	}
	near(t, "ratio", d.Estimate, 2)
	near(t, "low", d.Low, 2)
	for _, c := range []struct {
		candidate float64
		want      int
	}{{104, 0}, {106, -1}, {96, 0}, {94, 1}} {
		if got := Change(100, c.candidate, Options{Direction: Lower, Tolerance: 0.05}); got != c.want {
			t.Errorf("100 to %v: %d, want %d", c.candidate, got, c.want)
		}
	}
}

func TestLabels(t *testing.T) {
	t.Parallel()
	is := func(text string) Label { return Label{Text: text, Known: true} }
	c := Labels(
		[]Label{is("good"), is("good"), is("bad"), is("bad"), {}, is("x"), {Known: true, Mixed: true}, {}},
		[]Label{is("good"), is("bad"), is("good"), is("good"), is("good"), {}, is("good"), {}})
	if c.Paired != 4 || c.Changed != 3 || c.Mixed != 1 || c.OnlyBaseline != 1 || c.OnlyCandidate != 1 {
		t.Errorf("counts: %+v", c)
	}
	if len(c.Transitions) != 3 || c.Transitions[0] != (Transition{From: "bad", To: "good", Items: 2}) {
		t.Errorf("transitions: %+v", c.Transitions)
	}
}

// Two candidates with six measures of 1,000 items each are compared in less than a second.
func TestSpeed(t *testing.T) {
	a, b := made(1000)
	start := time.Now()
	for range 12 {
		Values(a, b, Options{Direction: Higher, Seed: 3})
	}
	took := time.Since(start)
	t.Log(took)
	if took > 5*time.Second { // generous: the machine may be busy
		t.Errorf("comparing takes %s", took)
	}
}

func made(n int) (a, b []float64) {
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		x := r.Float64()
		a, b = append(a, x), append(b, x+r.ExpFloat64()/10-0.08)
	}
	return a, b
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}
