import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf } from '@/api'
import { useSession } from '@/features/session'
import { projectPath } from '@/lib/paths'
import { Button, Callout, linkClass, PasswordField, TextField } from '@/ui'
import { rememberKeys } from '@/features/keys'
import { useSetUp } from './api/useSetUp'
import { AuthLayout } from './AuthLayout'
import { emailProblem, nameProblem, passwordProblem, shortestPassword } from './model/checks'

const route = getRouteApi('/setup')

/** Creates the first owner with the token that the server printed, then leads to the project. */
export function SetUpPage() {
  const { token } = route.useSearch()
  const session = useSession()
  if (!session.setupNeeded) {
    return (
      <AuthLayout title="Already set up">
        <p className="text-text-2">
          This server has an owner. The address for the set-up worked once.
        </p>
        <Link to="/" className={linkClass}>
          {session.user ? 'Go to your projects' : 'Sign in'}
        </Link>
      </AuthLayout>
    )
  }
  if (!token) {
    return (
      <AuthLayout title="A token is missing">
        <p className="text-text-2">
          Open the whole address that the server printed when it started, with everything after the
          question mark.
        </p>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout
      title="Set up Almanac"
      description="You will be the first owner. Everything stays on this server."
    >
      <SetUpForm token={token} />
    </AuthLayout>
  )
}

function SetUpForm({ token }: { token: string }) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [wasTried, setTried] = useState(false)
  const setUp = useSetUp()
  const navigate = useNavigate()
  const problems = {
    name: nameProblem(name),
    email: emailProblem(email),
    password: passwordProblem(password),
  }
  const isReady =
    problems.name === undefined && problems.email === undefined && problems.password === undefined
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (!isReady) return
        setUp.mutate(
          { token, name: name.trim(), email: email.trim(), password },
          {
            onSuccess: (first) => {
              if (first.projectId !== null && first.keys) rememberKeys(first.projectId, first.keys)
              void navigate({
                to: first.projectId === null ? '/' : projectPath(first.projectId, ''),
                replace: true,
              })
            },
          },
        )
      }}
    >
      <TextField
        label="Your name"
        name="name"
        autoComplete="name"
        autoFocus
        value={name}
        onChange={setName}
        error={wasTried ? problems.name : undefined}
      />
      <TextField
        label="E-mail"
        type="email"
        name="email"
        autoComplete="username"
        value={email}
        onChange={setEmail}
        error={wasTried ? problems.email : undefined}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="new-password"
        description={`At least ${shortestPassword} characters`}
        value={password}
        onChange={setPassword}
        error={wasTried ? problems.password : undefined}
      />
      {setUp.isError && <Callout tone="danger">{messageOf(setUp.error)}</Callout>}
      <Button type="submit" variant="primary" size="lg" isPending={setUp.isPending}>
        Create the owner
      </Button>
    </form>
  )
}
