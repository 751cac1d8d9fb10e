package memory

import "context"

type leaseKey struct{}

// With returns a context whose work takes its memory from a lease.
func With(ctx context.Context, l *Lease) context.Context {
	return context.WithValue(ctx, leaseKey{}, l)
}

// Of returns the lease of a context; nil, which bounds nothing, if it has none: work of the server itself is bounded by other means.
func Of(ctx context.Context) *Lease {
	l, _ := ctx.Value(leaseKey{}).(*Lease)
	return l
}
