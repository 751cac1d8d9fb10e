package config

import "errors"

// SSO holds the options of single sign-on.
type SSO struct {
	SSOProviders string `name:"sso-providers" help:"JSON file with the identity providers that people can sign in with, by OpenID Connect: a list of {\"id\", \"name\", \"issuer\", \"clientId\", \"clientSecret\" or \"clientSecretFile\", …}. docs/sign-in.md has all fields, and recipes." placeholder:"FILE" group:"Single sign-on"`

	SSOIssuer       string `name:"sso-issuer" help:"Issuer of one further identity provider, for those who need no file. Its id is \"custom\"; it creates no accounts." placeholder:"URL" also:"AUTH_CUSTOM_ISSUER" group:"Single sign-on"`
	SSOClientID     string `name:"sso-client-id" help:"Id of this application at the provider of --sso-issuer." placeholder:"ID" also:"AUTH_CUSTOM_CLIENT_ID" group:"Single sign-on"`
	SSOClientSecret Secret `name:"sso-client-secret" help:"Secret of this application at that provider." placeholder:"SECRET" also:"AUTH_CUSTOM_CLIENT_SECRET" group:"Single sign-on"`
	SSOName         string `name:"sso-name" help:"What the sign-in page calls that provider." default:"Single sign-on" placeholder:"NAME" also:"AUTH_CUSTOM_NAME" group:"Single sign-on"`

	DisablePasswordSignIn bool `help:"Let people sign in through identity providers only." also:"AUTH_DISABLE_USERNAME_PASSWORD" group:"Single sign-on"`
}

func (s SSO) validateSSO() error {
	switch {
	case (s.SSOIssuer == "") != (s.SSOClientID == ""):
		return errors.New("--sso-issuer and --sso-client-id are needed together")
	case s.SSOClientSecret != "" && s.SSOIssuer == "":
		return errors.New("--sso-client-secret is for --sso-issuer, which is not set")
	case s.DisablePasswordSignIn && s.SSOProviders == "" && s.SSOIssuer == "":
		return errors.New("--disable-password-sign-in leaves nobody a way in: it needs --sso-providers or --sso-issuer")
	}
	return nil
}
