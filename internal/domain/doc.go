// Package domain holds the plain types shared by all other packages. It does no I/O and depends on no other package of
// the module but jsontext.
package domain
