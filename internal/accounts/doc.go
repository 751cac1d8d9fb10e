// Package accounts lets people in: passwords, sessions, the first owner, invitations and forgotten passwords. It knows nothing of
// HTTP; identity providers start sessions here, too.
package accounts
