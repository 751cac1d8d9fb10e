package wire

import "almanac/internal/domain"

// LLMConnection is a connection without its secrets.
type LLMConnection struct {
	domain.LLMConnection
	Stamps
}

// FromLLMConnection converts a connection.
func FromLLMConnection(l domain.LLMConnection) LLMConnection {
	return LLMConnection{l, stamps(l.CreatedAt, l.UpdatedAt)}
}
