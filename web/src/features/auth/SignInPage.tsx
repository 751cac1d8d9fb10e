import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf } from '@/api'
import { useSession } from '@/features/session'
import { safeReturnPath } from '@/lib/url'
import { Button, Callout, linkClass, PasswordField, TextField } from '@/ui'
import { useSignIn } from './api/useSignIn'
import { AuthLayout } from './AuthLayout'
import { emailProblem } from './model/checks'
import { signInProblem } from './model/signInProblem'
import { Providers } from './Providers'
import { Return } from './Return'

const route = getRouteApi('/auth/sign-in')

/** Signs in with a password or through a provider, then returns to where the person wanted to go. */
export function SignInPage() {
  const session = useSession()
  const search = route.useSearch()
  const returnTo = safeReturnPath(search.returnTo ?? search.callbackUrl)
  const problem = signInProblem(search.error)
  if (session.user) return <Return to={returnTo} />
  if (session.setupNeeded) return <SetUpFirst />
  return (
    <AuthLayout title="Sign in">
      {problem && <Callout tone="danger">{problem}</Callout>}
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
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [wasTried, setTried] = useState(false)
  const signIn = useSignIn()
  const problem = emailProblem(email)
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (problem === undefined && password !== '') {
          signIn.mutate({ email: email.trim(), password })
        }
      }}
    >
      <TextField
        label="E-mail"
        type="email"
        name="email"
        autoComplete="username"
        autoFocus
        value={email}
        onChange={setEmail}
        error={wasTried ? problem : undefined}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        error={wasTried && password === '' ? 'Enter your password' : undefined}
      />
      {signIn.isError && <Callout tone="danger">{messageOf(signIn.error)}</Callout>}
      <Button type="submit" variant="primary" size="lg" isPending={signIn.isPending}>
        Sign in
      </Button>
      <Link to="/auth/forgot-password" className={linkClass}>
        Forgot your password?
      </Link>
    </form>
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
