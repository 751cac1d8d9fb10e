package memory

import "context"

type leaseKey struct{}

// With returns a context with a lease for the memory used in it.
func With(ctx context.Context, l *Lease) context.Context {
	return context.WithValue(ctx, leaseKey{}, l)
}

// Of returns the lease of a context; nil, which bounds nothing, if it has none: what the store itself does, such as
// merging, is bounded by other means.
func Of(ctx context.Context) *Lease {
	l, _ := ctx.Value(leaseKey{}).(*Lease)
	return l
}
