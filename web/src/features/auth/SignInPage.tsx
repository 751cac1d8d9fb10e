import { getRouteApi, Link } from '@tanstack/react-router'
import { useForm } from '@/shared/forms'
import { rememberedProject, useSession } from '@/shared/currentUser'
import { emailProblem } from '@/shared/lib/email'
import { projectPath } from '@/shared/lib/paths'
import { hasSessionEnded } from '@/shared/lib/sessionState'
import { safeReturnPath } from '@/shared/lib/url'
import { Callout, linkClass, PasswordField, TextField } from '@/shared/ui'
import { useSignIn } from './api/useSignIn'
import { AuthForm } from './AuthForm'
import { AuthLayout } from './AuthLayout'
import { signInProblem } from './model/signInProblem'
import { Providers } from './Providers'
import { Return } from './Return'

const route = getRouteApi('/auth/sign-in')

/** Signs in with a password or through a provider, then returns to the page the user wanted. */
export function SignInPage() {
  const session = useSession()
  const search = route.useSearch()
  const returnTo = safeReturnPath(search.returnTo ?? search.callbackUrl)
  const problem = signInProblem(search.error)
  if (session.user) {
    // Who wanted no page in particular goes on in the project where they were.
    const project = returnTo === '/' ? rememberedProject(session) : undefined
    return <Return to={project === undefined ? returnTo : projectPath(project, '')} />
  }
  if (session.setupNeeded) return <SetUpFirst />
  return (
    <AuthLayout title="Sign in">
      {problem && <Callout tone="danger">{problem}</Callout>}
      {!problem && hasSessionEnded() && (
        <Callout>
          Your session has ended: it expired, or was ended elsewhere. Sign in to go on where you
          were; what you had typed is kept.
        </Callout>
      )}
      <Providers returnTo={returnTo} />
      {session.passwordSignIn && <PasswordForm />}
      {!session.passwordSignIn && session.providers.length === 0 && (
        <Callout tone="warning">
          Nobody can sign in here: passwords are off and no provider is configured.
        </Callout>
      )}
    </AuthLayout>
  )
}

function PasswordForm() {
  const signIn = useSignIn()
  const form = useForm({
    initial: { email: '', password: '' },
    check: ({ email, password }) => ({
      email: emailProblem(email),
      password: password === '' ? 'Enter your password' : undefined,
    }),
    error: signIn.error,
  })
  return (
    <>
      <AuthForm
        action="Sign in"
        isPending={signIn.isPending}
        error={form.error}
        onSubmit={() =>
          form.submit(({ email, password }) => signIn.mutate({ email: email.trim(), password }))
        }
      >
        <TextField
          {...form.field('email')}
          label="Email"
          type="email"
          autoComplete="username"
          autoFocus
        />
        <PasswordField
          {...form.field('password')}
          label="Password"
          autoComplete="current-password"
        />
      </AuthForm>
      <Link to="/auth/forgot-password" className={linkClass}>
        Forgot your password?
      </Link>
    </>
  )
}

function SetUpFirst() {
  return (
    <AuthLayout title="Almanac is not set up yet">
      <p className="text-text-2">
        The server printed an address with a one-time token when it started. Open it to create the
        first owner. It is also in the server's log.
      </p>
      <p className="text-text-2">
        Lost it?{' '}
        <code className="rounded-sm bg-surface-2 px-1 font-mono text-sm">almanac users create</code>{' '}
        creates the owner from the command line.
      </p>
    </AuthLayout>
  )
}
