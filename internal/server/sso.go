package server

import (
	"fmt"

	"almanac/internal/access/oidc"
	"almanac/internal/access/secretbox"
	"almanac/internal/config"
)

// customProvider is the id of the provider configured by options instead of the file.
const customProvider = "custom"

// openSignOn returns the identity providers from the file and the options.
func openSignOn(options config.SSO, secrets *secretbox.Box) (*oidc.SignOn, error) {
	providers, err := oidc.Load(options.SSOProviders)
	if err != nil {
		return nil, err
	}
	if options.SSOIssuer != "" {
		providers = append(providers, oidc.Settings{
			ID: customProvider, Name: options.SSOName, Issuer: options.SSOIssuer,
			ClientID: options.SSOClientID, ClientSecret: options.SSOClientSecret.Reveal(),
		})
	}
	signOn, err := oidc.New(providers, oidc.Options{Secrets: secrets})
	if err != nil {
		return nil, fmt.Errorf("single sign-on: %w", err)
	}
	if options.DisablePasswordSignIn && len(providers) == 0 {
		return nil, fmt.Errorf("--disable-password-sign-in: there is no provider in %s, so nobody could sign in", options.SSOProviders)
	}
	return signOn, nil
}
