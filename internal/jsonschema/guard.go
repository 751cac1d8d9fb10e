package jsonschema

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

const (
	// The budget for checking a value: a fixed part, plus more for larger values. One unit is about a hundred nanoseconds.
	baseBudget    = 1_000_000
	budgetPerByte = 4

	visitCost      = 4  // visiting a value
	partCost       = 3  // having the library apply rules to it
	failureCost    = 2  // recording a violation
	comparisonCost = 8  // comparing two values, which may be numbers
	longNumberCost = 40 // the same for a number with many digits or an exponent
	bytesPerUnit   = 64
	lookupsPerUnit = 4
	depthPerUnit   = 16 // the library searches the active schemas for cycles

	// Maximum nesting of active schemas. Only infinite recursion gets this deep.
	maxDepth = 2_000

	// Maximum total bytes of paths in the recorded violations: names, and thus paths, can be long.
	maxNoted = 100_000
)

// way is the way in which a part of a schema is applied.
type way uint8

const (
	plain     way = iota // failures are violations
	trial                // failures may not matter, if another alternative matches
	quiet                // only whether it matches is relevant
	names                // the same, for member names
	reference            // like plain, but shared with other schemas
)

type part struct {
	schema *jsonschema.Schema
	way    way
}

// guard is a proxy for a schema. The library calls it with every value that the schema is applied to; it charges the
// cost to the budget of the run, and then has the library apply the rules of the schema, which are in its parts.
type guard struct {
	checker *checker
	self    *jsonschema.Schema // has the guard but no rules
	named   bool               // it is the target of references
	never   bool               // the schema false
	cost    int                // fixed cost of a visit, besides what depends on the value
	unique  bool

	types  typeSet
	enum   []any
	limits []limit
	parts  []part

	condition, then, otherwise *jsonschema.Schema
}

// checker holds the current run, since the library does not pass on data of a run.
type checker struct {
	mu  sync.Mutex
	run *run
}

// run is the check of one value.
type run struct {
	budget int
	depth  int
	trials int             // nesting of parts whose violations may not matter
	quiet  int             // nesting of parts where only the result matters
	names  int             // nesting of parts applied to member names
	active map[active]bool // referenced schemas that are being applied

	found   []Violation
	noted   int                         // total bytes of the paths in found
	kept    int                         // number of violations that may not matter
	dropped *jsonschema.ValidationError // placeholder for errors that are already recorded or unwanted
}

// active is a schema and the depth of the value it is applied to; member names have the location of their object.
type active struct {
	schema *jsonschema.Schema
	depth  int
	name   bool
}

// stop is the reason why a run ends early.
type stop uint8

const (
	exhausted stop = iota + 1 // the budget is spent
	enough                    // the maximum number of violations is reached
)

func (c *checker) check(root *jsonschema.Schema, v any, size int) (found []Violation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := &run{
		budget: baseBudget + budgetPerByte*size, active: map[active]bool{},
		dropped: &jsonschema.ValidationError{ErrorKind: &noted{}},
	}
	c.run = r
	defer func() {
		c.run = nil
		switch why := recover(); why {
		case nil:
		case exhausted:
			found = []Violation{{Message: "schema is too complex for this value", Keyword: "schema"}}
		case enough:
			found = sorted(r.found)
		default:
			panic(why)
		}
	}()
	if root.Validate(v) == nil {
		return nil
	}
	return sorted(r.found)
}

// spend charges units to the budget.
func (r *run) spend(units int) {
	if r.budget -= units; r.budget < 0 {
		panic(exhausted)
	}
}

// Validate applies the schema to a value.
func (g *guard) Validate(ctx *jsonschema.ValidatorContext, v any) {
	r := g.checker.run
	if r.depth++; r.depth > maxDepth {
		panic(exhausted)
	}
	r.spend(g.costOf(v) + r.depth/depthPerUnit)
	here := active{g.self, len(ctx.ValueLocation()), r.names > 0}
	if g.named {
		r.active[here] = true
	}
	broken := g.checkScalar(ctx, v)
	parts, condition := g.parts, g.condition
	if !g.types.has(v) {
		broken = append(broken, rule{"type", "must be " + strings.Join(g.types.names, ",")})
		parts, condition = nil, nil
	}
	var errs []*jsonschema.ValidationError
	for _, p := range parts {
		if p.way == reference && r.active[active{p.schema, here.depth, here.name}] {
			panic(exhausted) // it would recurse forever
		}
		errs = append(errs, r.apply(ctx, p, v)...)
	}
	if condition != nil {
		branch := g.then
		if len(r.apply(ctx, part{condition, quiet}, v)) > 0 {
			branch = g.otherwise
		}
		if branch != nil {
			errs = append(errs, r.apply(ctx, part{branch, plain}, v)...)
		}
	}
	if g.named {
		delete(r.active, here)
	}
	r.depth--
	if len(broken)+len(errs) > 0 {
		ctx.AddErr(r.note(ctx.ValueLocation(), broken, errs))
	}
}

// costOf returns the cost of applying the rules to a value, without that of parts that have their own guard.
func (g *guard) costOf(v any) int {
	cost := visitCost + g.cost + partCost*len(g.parts)
	switch v := v.(type) {
	case string:
		cost += len(v) / bytesPerUnit
	case json.Number:
		if !isShort(v.String()) {
			cost += longNumberCost * (1 + g.cost/comparisonCost + len(g.limits))
		}
	case map[string]any:
		cost += len(v) / lookupsPerUnit
	case []any:
		cost += len(v) / lookupsPerUnit
		if g.unique {
			// The library compares all pairs of items of a short list, and hashes the items of a long one.
			const short = 20
			comparisons := 1
			if len(v) <= short {
				comparisons = max(1, (len(v)-1)/2)
			}
			cost += comparisonCost * sizeOf(v) * comparisons
		}
	}
	return cost
}

// typeSet is a set of types. Integers are numbers with an additional condition.
type typeSet struct {
	names   []string
	kinds   kinds // 0 if every type is allowed
	integer bool  // numbers must be integers
}

func newTypeSet(names []string) typeSet {
	set := typeSet{names: names, integer: slices.Contains(names, "integer") && !slices.Contains(names, "number")}
	for _, name := range names {
		set.kinds |= typeNames[name]
	}
	return set
}

func (s *typeSet) has(v any) bool {
	var is kinds
	switch v := v.(type) {
	case nil:
		is = null
	case bool:
		is = boolean
	case json.Number:
		if is = number; s.integer && s.kinds&number != 0 && !isInteger(v.String()) {
			return false
		}
	case string:
		is = text
	case []any:
		is = array
	case map[string]any:
		is = object
	}
	return s.kinds == 0 || s.kinds&is != 0
}

// sizeOf counts the values in a value, plus one for every 64 bytes of strings.
func sizeOf(v any) int {
	size := 1
	switch v := v.(type) {
	case string:
		size += len(v) / bytesPerUnit
	case json.Number:
		if !isShort(v.String()) {
			size += longNumberCost / comparisonCost
		}
	case []any:
		for _, item := range v {
			size += sizeOf(item)
		}
	case map[string]any:
		for _, item := range v {
			size += sizeOf(item)
		}
	}
	return size
}

// rule is a violated rule and its message.
type rule struct{ keyword, message string }

// checkScalar checks rules that the library lacks, implements slowly, or implements for numbers other than
// JavaScript's.
func (g *guard) checkScalar(ctx *jsonschema.ValidatorContext, v any) (broken []rule) {
	if g.never {
		broken = append(broken, rule{"false schema", "boolean schema is false"})
	}
	if g.enum != nil && !slices.ContainsFunc(g.enum, func(allowed any) bool {
		same, err := ctx.Equals(v, allowed)
		return err == nil && same
	}) {
		broken = append(broken, rule{"enum", "must be equal to one of the allowed values"})
	}
	n, ok := v.(json.Number)
	if !ok {
		return broken
	}
	for _, l := range g.limits {
		if !l.met(n.String()) {
			broken = append(broken, rule{l.keyword, l.message})
		}
	}
	return broken
}

// apply has the library apply a part of a schema. It returns at most one error.
func (r *run) apply(ctx *jsonschema.ValidatorContext, p part, v any) []*jsonschema.ValidationError {
	trials, inNames, silent, kept := r.trials, r.names, r.quiet, r.kept
	switch p.way {
	case trial:
		r.trials++
	case names:
		r.names++
		r.quiet++
	case quiet:
		r.quiet++
	}
	err := ctx.Validate(p.schema, v, nil)
	r.trials, r.names, r.quiet = trials, inNames, silent
	var failed *jsonschema.ValidationError
	if !errors.As(err, &failed) {
		r.kept = kept
		return nil
	}
	return []*jsonschema.ValidationError{failed}
}

// noted holds violations extracted from errors of the library.
type noted struct {
	kind.Group
	list []Violation
}

// note collects the violated rules at a location and the violations in errs, and returns an error to replace them.
// Unless they may turn out not to matter, they become results of the run, which ends when there are enough of them. The
// number of those kept in the meantime is bounded as well.
func (r *run) note(at []string, broken []rule, errs []*jsonschema.ValidationError) *jsonschema.ValidationError {
	r.spend(failureCost)
	if r.quiet > 0 {
		return r.dropped
	}
	var list []Violation
	for _, b := range broken {
		list = r.add(list, at, b.keyword, b.message)
	}
	for _, err := range errs {
		list = r.flatten(list, err)
	}
	if r.trials > 0 && len(list) > 0 {
		return &jsonschema.ValidationError{ErrorKind: &noted{list: list}}
	}
	for _, v := range list {
		r.found = append(r.found, v)
		if r.noted += len(v.Path); len(r.found) >= maxViolations || r.noted > maxNoted {
			panic(enough)
		}
	}
	return r.dropped
}
