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

// Condition is a checked condition: its operator and the type of its value fit its column. Conditions are made by the
// constructors of this package and cannot be changed; copies of one are alike and may be used by many goroutines. R is
// the kind of row it is about: domain.Observation or domain.Score.
type Condition[R any] struct {
	column   *Column[R]
	operator Operator
	value    Kind   // of what the column or the metadata entry is compared with
	key      string // of metadata
	text     string
	texts    []string
	set      map[string]struct{} // texts, if they are many
	number   float64             // cut to the decimals of the column
	numbers  []float64           // sorted, likewise
	millis   int64
	boolean  bool
	phrase   *phrase // of matches

	alternatives []Condition[R]
}

// Alternatives returns conditions one of which a row must meet to meet this one, and which may be easier to find rows by; nothing for most
// conditions. Unlike others, they may search short texts for words. The caller must not change them.
func (c *Condition[R]) Alternatives() []Condition[R] { return c.alternatives }

// Column returns the column that the condition is about.
func (c *Condition[R]) Column() *Column[R] { return c.column }

// Operator returns the condition's operator.
func (c *Condition[R]) Operator() Operator { return c.operator }

// ValueKind returns what the condition's value is: Text, List (see Texts), Number, Time or Bool. It tells conditions on
// metadata apart; null operators have no value.
func (c *Condition[R]) ValueKind() Kind { return c.value }

// Key returns the metadata key that the condition is about.
func (c *Condition[R]) Key() string { return c.key }

// Text returns the value of a condition on text.
func (c *Condition[R]) Text() string { return c.text }

// Texts returns the values of any of, none of and all of. The caller must not change them.
func (c *Condition[R]) Texts() []string { return c.texts }

// Number returns the value of a condition on a number, cut to the decimals of the column.
func (c *Condition[R]) Number() float64 { return c.number }

// Numbers returns the values of any of and none of on a number, in order. The caller must not change them.
func (c *Condition[R]) Numbers() []float64 { return c.numbers }

// Millis returns the value of a condition on a time in milliseconds since 1970, rounded down.
func (c *Condition[R]) Millis() int64 { return c.millis }

// Bool returns the value of a condition on a boolean.
func (c *Condition[R]) Bool() bool { return c.boolean }

// Words returns the words that a text must hold for a matches condition, at most MaxQueryWords, each once. Of long text
// they are in lower case, as EachFolded finds them; of metadata they are as EachWord finds them. The caller must not
// change them.
func (c *Condition[R]) Words() []string {
	if c.phrase == nil {
		return nil
	}
	return c.phrase.words
}
