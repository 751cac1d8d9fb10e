/**
 * The message for the error code that the server put into the URL when single sign-on failed. The code itself is never
 * shown: anybody can craft a link to this page.
 */
export function signInProblem(code: string | undefined): string | undefined {
  if (!code) return undefined
  return sentences.get(code) ?? 'Sign-in failed. Try again.'
}

const sentences = new Map([
  ['sso_too_often', 'Too many people are signing in from your network. Try again in a moment.'],
  ['sso_unavailable', 'The identity provider cannot be reached. Try again in a moment.'],
  [
    'sso_stale',
    'This sign-in took too long, was finished already, or was started in another browser. Try again.',
  ],
  ['sso_declined', 'The identity provider did not let you sign in.'],
  [
    'sso_invalid',
    "The identity provider's response was rejected. If it happens again, contact your administrator: the server's log says why.",
  ],
  [
    'sso_email_unverified',
    'The identity provider does not say that your email address is verified.',
  ],
  ['sso_email_domain', 'Email addresses of your domain cannot be used here.'],
  [
    'sso_claims_missing',
    'The identity provider left out your groups, which decide what you may do. Contact your administrator.',
  ],
  ['sso_no_account', 'There is no account for you here. Ask a teammate to invite you.'],
  ['sso_account_disabled', 'Your account is disabled. Contact your administrator.'],
  [
    'sso_other_identity',
    'The account with your email address belongs to someone else at the identity provider. Contact your administrator.',
  ],
  [
    'sso_no_public_url',
    'Single sign-on is not set up for this address: the server needs --public-url.',
  ],
  [
    'insecure_connection',
    'Sign-in requires HTTPS, but this connection is not encrypted. The operator can set up TLS, or allow it with --insecure-http.',
  ],
])
