package filter

// Operator compares a column with a condition's value.
type Operator string

// The operators, as clients write them.
const (
	Equal          Operator = "="
	NotEqual       Operator = "<>"
	Greater        Operator = ">"
	Less           Operator = "<"
	GreaterEqual   Operator = ">="
	LessEqual      Operator = "<="
	Contains       Operator = "contains"
	DoesNotContain Operator = "does not contain"
	StartsWith     Operator = "starts with"
	EndsWith       Operator = "ends with"
	Matches        Operator = "matches"
	AnyOf          Operator = "any of"
	NoneOf         Operator = "none of"
	AllOf          Operator = "all of"
	IsNull         Operator = "is null"
	IsNotNull      Operator = "is not null"
)

// Condition is a validated condition: its operator and the type of its value fit its column. Conditions are made by the
// constructors of this package. They are immutable and safe for concurrent use. R is the type of rows the condition
// applies to: domain.Observation, domain.Score or domain.TraceSummary.
type Condition[R any] struct {
	column   *Column[R]
	operator Operator
	value    Kind   // kind of the value that the column or metadata entry is compared with
	key      string // of metadata
	text     string
	texts    []string
	set      map[string]struct{} // texts, if there are many
	number   float64             // truncated to the decimals of the column
	numbers  []float64           // sorted, truncated likewise
	millis   int64
	boolean  bool
	phrase   *phrase // of matches

	alternatives, conjuncts, negated []Condition[R]
}

// Alternatives returns conditions of which a row must meet at least one to meet this condition, and by which rows may
// be easier to find; nil for most conditions. Unlike other conditions, they may search short texts for words. The
// caller must not modify the slice.
func (c *Condition[R]) Alternatives() []Condition[R] { return c.alternatives }

// Conjuncts returns conditions of which a row must meet all to meet this condition, or nil. The caller must not modify the
// slice.
func (c *Condition[R]) Conjuncts() []Condition[R] { return c.conjuncts }

// Negated returns conditions that a row meets all of unless it meets this condition, or nil. The caller must not modify
// the slice.
func (c *Condition[R]) Negated() []Condition[R] { return c.negated }

// Column returns the column that the condition applies to.
func (c *Condition[R]) Column() *Column[R] { return c.column }

// Operator returns the condition's operator.
func (c *Condition[R]) Operator() Operator { return c.operator }

// ValueKind returns the kind of the condition's value: Text, List (see Texts), Number, Time or Bool. It distinguishes
// conditions on metadata. Null operators have no value.
func (c *Condition[R]) ValueKind() Kind { return c.value }

// Key returns the metadata key that the condition applies to.
func (c *Condition[R]) Key() string { return c.key }

// Text returns the value of a condition on text.
func (c *Condition[R]) Text() string { return c.text }

// Texts returns the values of any of, none of and all of. The caller must not modify them.
func (c *Condition[R]) Texts() []string { return c.texts }

// Number returns the value of a condition on a number, truncated to the decimals of the column.
func (c *Condition[R]) Number() float64 { return c.number }

// Numbers returns the sorted values of any of and none of on a number. The caller must not modify them.
func (c *Condition[R]) Numbers() []float64 { return c.numbers }

// Millis returns the value of a condition on a time in milliseconds since 1970, rounded down.
func (c *Condition[R]) Millis() int64 { return c.millis }

// Bool returns the value of a condition on a boolean.
func (c *Condition[R]) Bool() bool { return c.boolean }

// Words returns the distinct words that a text must contain to meet a matches condition, at most MaxQueryWords. For
// long text they are in lower case, as EachFolded finds them; for metadata they are as EachWord finds them. The caller
// must not modify them.
func (c *Condition[R]) Words() []string {
	if c.phrase == nil {
		return nil
	}
	return c.phrase.words
}
