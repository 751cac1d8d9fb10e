// Package accounts implements user accounts: passwords, sessions, the first owner, invitations and password resets. It
// is independent of HTTP; sign-ins through identity providers also start their sessions here.
package accounts
