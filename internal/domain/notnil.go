package domain

// NotNil returns an empty list for nil, which JSON would show as null.
func NotNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
