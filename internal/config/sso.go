package config

import "errors"

// SSO holds the options of single sign-on.
type SSO struct {
	SSOProviders string `name:"sso-providers" help:"JSON file with the OpenID Connect identity providers that people can sign in with: a list of {\"id\", \"name\", \"issuer\", \"clientId\", \"clientSecret\" or \"clientSecretFile\", …}. See docs/sign-in.md for all fields and for recipes." placeholder:"FILE" group:"Single sign-on"`

	SSOIssuer       string `name:"sso-issuer" help:"Issuer of one more identity provider, configured without a file. Its id is \"custom\"; it does not create accounts." placeholder:"URL" also:"AUTH_CUSTOM_ISSUER" group:"Single sign-on"`
	SSOClientID     string `name:"sso-client-id" help:"Client id of this application at the provider of --sso-issuer." placeholder:"ID" also:"AUTH_CUSTOM_CLIENT_ID" group:"Single sign-on"`
	SSOClientSecret Secret `name:"sso-client-secret" help:"Client secret of this application at that provider." placeholder:"SECRET" also:"AUTH_CUSTOM_CLIENT_SECRET" group:"Single sign-on"`
	SSOName         string `name:"sso-name" help:"Name of that provider on the sign-in page." default:"Single sign-on" placeholder:"NAME" also:"AUTH_CUSTOM_NAME" group:"Single sign-on"`

	DisablePasswordSignIn bool `help:"Allow sign-in only through identity providers." also:"AUTH_DISABLE_USERNAME_PASSWORD" group:"Single sign-on"`
}

func (s SSO) validateSSO() error {
	switch {
	case (s.SSOIssuer == "") != (s.SSOClientID == ""):
		return errors.New("--sso-issuer and --sso-client-id must be set together")
	case s.SSOClientSecret != "" && s.SSOIssuer == "":
		return errors.New("--sso-client-secret requires --sso-issuer, which is not set")
	case s.DisablePasswordSignIn && s.SSOProviders == "" && s.SSOIssuer == "":
		return errors.New("--disable-password-sign-in requires --sso-providers or --sso-issuer: otherwise nobody could sign in")
	}
	return nil
}
