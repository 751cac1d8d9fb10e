// Package domain holds the plain types every other package speaks in. It does no I/O and imports nothing of ours.
package domain
