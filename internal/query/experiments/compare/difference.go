package compare

import (
	"math"
	"slices"
)

// Direction says which values are better.
type Direction int8

// The directions.
const (
	Higher Direction = 1
	Lower  Direction = -1
)

// Verdict is what the interval says about a difference.
type Verdict string

// The verdicts.
const (
	Better  Verdict = "better"
	Worse   Verdict = "worse"
	Unclear Verdict = "unclear" // the interval includes no difference
	TooFew  Verdict = "too-few" // too few pairs for a verdict
)

// Method is how an interval was found.
type Method string

// The methods.
const (
	NoInterval Method = ""
	PairedT    Method = "paired-t"
	Bootstrap  Method = "bootstrap"
)

const (
	// MinVerdict is the number of pairs from which on there is a verdict.
	MinVerdict = 20
	// minBootstrap is the number of pairs from which on the bootstrap is used: with fewer, its intervals are too narrow.
	minBootstrap = 30
	// maxBootstrap is the number of pairs up to which the bootstrap is used. With more, the mean is distributed so close
	// to normally that both methods give the same interval, and resampling would take seconds.
	maxBootstrap = 5_000
	// Resamples is the number of resamples of the bootstrap.
	Resamples = 10_000

	confidence = 0.95
)

// Options say how values are compared.
type Options struct {
	Direction Direction
	// Ratio compares by ratio, for values such as durations whose spread grows with them. Values that are not positive
	// have none, and are counted as left out.
	Ratio bool
	// Tolerance is the relative difference up to which two values count as unchanged.
	Tolerance float64
	// Seed makes repeated comparisons of the same runs agree.
	Seed uint64
}

// Difference is how the values of one measure differ between two runs.
type Difference struct {
	Paired, OnlyBaseline, OnlyCandidate int
	// LeftOut counts the pairs without a ratio; they do not count as paired.
	LeftOut                        int
	Improved, Regressed, Unchanged int

	// Baseline and Candidate are the means over the pairs.
	Baseline, Candidate float64
	// Estimate is the mean difference, or the mean ratio (geometric). Low and High are its 95 % confidence interval
	// unless Method is NoInterval.
	Estimate, Low, High float64
	Method              Method
	// SignP is the p-value of the exact sign test on improved and regressed items, which for booleans is McNemar's exact
	// test. It is 1 if there are none.
	SignP   float64
	Verdict Verdict
}

// Values compares values of the same items in the same order: the mean of each item's repetitions, or NaN if the run has
// no value for the item.
func Values(baseline, candidate []float64, o Options) Difference {
	var d Difference
	differences := make([]float64, 0, len(baseline))
	for n, b := range baseline {
		c := candidate[n]
		switch {
		case math.IsNaN(b) && math.IsNaN(c):
		case math.IsNaN(c):
			d.OnlyBaseline++
		case math.IsNaN(b):
			d.OnlyCandidate++
		case o.Ratio && (b <= 0 || c <= 0):
			d.LeftOut++
		default:
			d.count(Change(b, c, o))
			d.Baseline, d.Candidate = d.Baseline+b, d.Candidate+c
			if o.Ratio {
				differences = append(differences, math.Log(c)-math.Log(b))
			} else {
				differences = append(differences, c-b)
			}
		}
	}
	d.SignP = signTest(d.Improved, d.Regressed)
	d.Verdict = TooFew
	if d.Paired == 0 {
		return d
	}
	d.Baseline, d.Candidate = d.Baseline/float64(d.Paired), d.Candidate/float64(d.Paired)
	d.Estimate = mean(differences)
	d.interval(differences, o.Seed)
	d.judge(o.Direction)
	if o.Ratio {
		d.Estimate, d.Low, d.High = math.Exp(d.Estimate), math.Exp(d.Low), math.Exp(d.High)
	}
	return d
}

// Change returns 1 if the candidate's value is better than the baseline's, -1 if it is worse, and 0 if it is neither.
func Change(baseline, candidate float64, o Options) int {
	if math.Abs(candidate-baseline) <= o.Tolerance*math.Abs(baseline) {
		return 0
	}
	if (candidate > baseline) == (o.Direction == Higher) {
		return 1
	}
	return -1
}

func (d *Difference) count(change int) {
	d.Paired++
	switch change {
	case 1:
		d.Improved++
	case -1:
		d.Regressed++
	default:
		d.Unchanged++
	}
}

func (d *Difference) interval(differences []float64, seed uint64) {
	n := len(differences)
	deviation := standardDeviation(differences)
	d.Low, d.High = d.Estimate, d.Estimate
	switch {
	case n < 2:
	case n < minBootstrap || n > maxBootstrap || deviation == 0:
		d.Method = PairedT
		margin := studentQuantile((1+confidence)/2, float64(n-1)) * deviation / math.Sqrt(float64(n))
		d.Low, d.High = d.Estimate-margin, d.Estimate+margin
	default:
		d.Method = Bootstrap
		d.Low, d.High = bootstrap(differences, d.Estimate, seed)
	}
}

func (d *Difference) judge(direction Direction) {
	switch {
	case d.Paired < MinVerdict:
	case d.Low > 0 && direction == Higher || d.High < 0 && direction == Lower:
		d.Verdict = Better
	case d.Low > 0 || d.High < 0:
		d.Verdict = Worse
	default:
		d.Verdict = Unclear
	}
}

// bootstrap returns the bias-corrected and accelerated interval (BCa) of the mean. Resampling pairs of values is the same
// as resampling their differences.
func bootstrap(differences []float64, estimate float64, seed uint64) (low, high float64) {
	means := make([]float64, Resamples)
	random := splitMix(seed)
	for n := range means {
		means[n] = random.resampledMean(differences)
	}
	slices.Sort(means)
	// Sums in another order are not equal to the last digit.
	near := 1e-9 * (math.Abs(means[0]) + math.Abs(means[len(means)-1]))
	below, _ := slices.BinarySearch(means, estimate-near)
	upTo, _ := slices.BinarySearch(means, estimate+near)
	share := float64(below+upTo) / 2 / Resamples
	bias := normalQuantile(min(max(share, 0.5/Resamples), 1-0.5/Resamples))
	// The jackknife of a mean has a closed form.
	var squares, cubes float64
	for _, x := range differences {
		e := x - estimate
		squares, cubes = squares+e*e, cubes+e*e*e
	}
	acceleration := cubes / (6 * math.Pow(squares, 1.5))
	at := func(p float64) float64 {
		z := bias + normalQuantile(p)
		return quantile(means, normal(bias+z/(1-acceleration*z)))
	}
	return at((1 - confidence) / 2), at((1 + confidence) / 2)
}

// splitMix is the generator SplitMix64: small, fast, and the same on every machine.
type splitMix uint64

func (s *splitMix) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// resampledMean returns the mean of as many values as there are, drawn with replacement. Each number that the generator
// makes draws two; the bias of drawing by multiplication is below one in a million for as many values as are resampled.
func (s *splitMix) resampledMean(values []float64) float64 {
	n, sum := uint64(len(values)), 0.0
	left := len(values)
	for ; left > 1; left -= 2 {
		z := s.next()
		sum += values[(z>>32)*n>>32] + values[(z&math.MaxUint32)*n>>32]
	}
	if left == 1 {
		sum += values[(s.next()>>32)*n>>32]
	}
	return sum / float64(n)
}
