package compare

import "math"

func mean(values []float64) float64 {
	sum := 0.0
	for _, x := range values {
		sum += x
	}
	return sum / float64(len(values))
}

// standardDeviation returns the standard deviation of a sample; 0 for less than two values.
func standardDeviation(values []float64) float64 {
	if len(values) < 2 {
		return 0
	}
	center, squares := mean(values), 0.0
	for _, x := range values {
		squares += (x - center) * (x - center)
	}
	return math.Sqrt(squares / float64(len(values)-1))
}

// quantile returns a quantile of sorted values, interpolated linearly.
func quantile(sorted []float64, p float64) float64 {
	at := min(max(p, 0), 1) * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (sorted[high]-sorted[low])*(at-float64(low))
}

// normal is the distribution function of the normal distribution.
func normal(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

// normalQuantile is its inverse.
func normalQuantile(p float64) float64 { return -math.Sqrt2 * math.Erfcinv(2*p) }

// signTest returns the two-sided p-value of the exact sign test.
func signTest(a, b int) float64 {
	n := a + b
	if n == 0 {
		return 1
	}
	logFactorial := func(k int) float64 {
		value, _ := math.Lgamma(float64(k) + 1)
		return value
	}
	tail := 0.0
	for k := range min(a, b) + 1 {
		tail += math.Exp(logFactorial(n) - logFactorial(k) - logFactorial(n-k) - float64(n)*math.Ln2)
	}
	return min(1, 2*tail)
}

// studentQuantile returns a quantile above the median of Student's t distribution.
func studentQuantile(p, freedom float64) float64 {
	low, high := 0.0, 1.0
	for student(high, freedom) < p {
		high *= 2
	}
	for range 100 {
		if middle := (low + high) / 2; student(middle, freedom) < p {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}

// student is the distribution function of Student's t distribution for t ≥ 0.
func student(t, freedom float64) float64 {
	return 1 - incompleteBeta(freedom/(freedom+t*t), freedom/2, 0.5)/2
}

// incompleteBeta is the regularized incomplete beta function.
func incompleteBeta(x, a, b float64) float64 {
	if x <= 0 {
		return 0
	}
	if x >= 1 {
		return 1
	}
	if x > (a+1)/(a+b+2) { // where the fraction converges slowly
		return 1 - incompleteBeta(1-x, b, a)
	}
	sum, _ := math.Lgamma(a + b)
	first, _ := math.Lgamma(a)
	second, _ := math.Lgamma(b)
	front := math.Exp(sum - first - second + a*math.Log(x) + b*math.Log1p(-x))
	return front * betaFraction(x, a, b) / a
}

// betaFraction evaluates the continued fraction of the incomplete beta function (Lentz's method).
func betaFraction(x, a, b float64) float64 {
	const tiny, precision, most = 1e-300, 1e-15, 1_000
	awayFromZero := func(v float64) float64 {
		if math.Abs(v) < tiny {
			return tiny
		}
		return v
	}
	c, d := 1.0, 1/awayFromZero(1-(a+b)*x/(a+1))
	value := d
	for n := 1.0; n <= most; n++ {
		even := n * (b - n) * x / ((a + 2*n - 1) * (a + 2*n))
		d, c = 1/awayFromZero(1+even*d), awayFromZero(1+even/c)
		value *= d * c
		odd := -(a + n) * (a + b + n) * x / ((a + 2*n) * (a + 2*n + 1))
		d, c = 1/awayFromZero(1+odd*d), awayFromZero(1+odd/c)
		value *= d * c
		if math.Abs(d*c-1) < precision {
			break
		}
	}
	return value
}
