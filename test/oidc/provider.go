package main

import (
	"crypto/rand"
	"crypto/rsa"
	"html/template"
	"net/http"
	"net/url"

	"github.com/zitadel/oidc/v3/pkg/op"
)

// root is the path of the issuer: real issuers often have one.
const root = "/realm"

// newProvider returns a new provider without any state.
func newProvider(issuer, redirectURI string) (http.Handler, error) {
	home, err := url.Parse(redirectURI)
	if err != nil {
		return nil, err
	}
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, err
	}
	m := &memory{
		key: signingKey{rand.Text(), key},
		client: client{
			login: issuer + "/login?id=", redirectURI: redirectURI,
			afterSignOut: (&url.URL{Scheme: home.Scheme, Host: home.Host, Path: "/auth/sign-in"}).String(),
		},
		requests: make(map[string]*request), codes: make(map[string]string), tokens: make(map[string]*request),
		sessions: make(map[string]string),
	}
	config := &op.Config{CodeMethodS256: true, SupportedScopes: []string{"openid", "profile", "email", "groups"}}
	if _, err := rand.Read(config.CryptoKey[:]); err != nil {
		return nil, err
	}
	provider, err := op.NewProvider(config, m, op.StaticIssuer(issuer), op.WithAllowInsecure())
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle(root+"/", http.StripPrefix(root, provider))
	mux.Handle(root+"/login", &login{m, func(r *http.Request, id string) string {
		return op.AuthCallbackURL(provider)(op.ContextWithIssuer(r.Context(), issuer), id)
	}})
	return mux, nil
}

// login is the page that asks for a password, unless the browser already has a session.
type login struct {
	memory   *memory
	callback func(r *http.Request, id string) string
}

const sessionCookie = "provider-session"

var page = template.Must(template.New("page").Parse(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Sign in</title></head>
<body>
<h1>Sign in</h1>
<form method="post" action="{{.Action}}">
<p>{{.Problem}}</p>
<p><label>E-mail <input name="login" type="email" autocomplete="username"></label></p>
<p><label>Password <input name="password" type="password" autocomplete="current-password"></label></p>
<p><button type="submit">Sign in</button></p>
</form>
</body>
</html>
`))

func (l *login) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := r.URL.Query().Get("id")
	session, problem := "", ""
	if r.Method == http.MethodPost {
		if session = l.memory.signIn(r.PostFormValue("login"), r.PostFormValue("password")); session == "" {
			problem = "The address or the password is wrong."
		} else {
			http.SetCookie(w, &http.Cookie{Name: sessionCookie, Value: session, Path: root, HttpOnly: true, SameSite: http.SameSiteLaxMode})
		}
	} else if cookie, err := r.Cookie(sessionCookie); err == nil {
		session = cookie.Value
	}
	if l.memory.allow(id, session) {
		http.Redirect(w, r, l.callback(r, id), http.StatusSeeOther)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = page.Execute(w, map[string]string{"Action": r.URL.RequestURI(), "Problem": problem}) // ignored if the browser is gone
}
