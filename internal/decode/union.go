package decode

import "slices"

// Union reads a value as the first of several variants that it fits. If it fits none but has the right types for
// exactly one, the issues of that variant are recorded; otherwise a single issue lists what each variant found wrong.
func Union[T any](v Value, variants ...func(Value) T) T {
	var (
		found = make([][]Issue, 0, len(variants))
		near  [][]Issue
	)
	for _, read := range variants {
		apart := Value{raw: v.raw, issues: new(Issues)}
		value := read(apart)
		issues := apart.issues
		if len(issues.list) == 0 {
			return value
		}
		found = append(found, issues.list)
		if !issues.Has("invalid_type", "invalid_value", "invalid_union") {
			near = append(near, issues.list)
		}
	}
	if len(near) == 1 {
		for _, issue := range near[0] {
			issue.Path = slices.Concat(v.path, issue.Path)
			v.issues.Add(issue)
		}
	} else {
		v.issues.Add(NoVariant(v.path, found...))
	}
	var none T
	return none
}
