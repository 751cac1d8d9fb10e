import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError, messageOf } from '@/api'
import { Button, Callout, linkClass, PasswordField, toast } from '@/ui'
import { useResetPassword } from './api/usePasswordReset'
import { AuthLayout } from './AuthLayout'
import { passwordProblem, shortestPassword } from './model/checks'

const route = getRouteApi('/auth/reset-password')

/** Sets a new password with the token of a link. */
export function ResetPasswordPage() {
  const { token } = route.useSearch()
  const [password, setPassword] = useState('')
  const [wasTried, setTried] = useState(false)
  const reset = useResetPassword()
  const navigate = useNavigate()
  const problem = passwordProblem(password)
  const isUsed = reset.error instanceof ApiError && reset.error.status === 404
  if (!token || isUsed) {
    return (
      <AuthLayout title="This link does not work any more">
        <p className="text-text-2">Links to a new password work once and for a short time.</p>
        <Link to="/auth/forgot-password" className={linkClass}>
          Ask for a new one
        </Link>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout title="Set a new password" description="All sessions of your account are ended.">
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (problem !== undefined) return
          reset.mutate(
            { token, password },
            {
              onSuccess: () => {
                toast('Your new password is set. Sign in with it.')
                void navigate({ to: '/auth/sign-in', replace: true })
              },
            },
          )
        }}
      >
        <PasswordField
          label="New password"
          autoComplete="new-password"
          autoFocus
          description={`At least ${shortestPassword} characters`}
          value={password}
          onChange={setPassword}
          error={wasTried ? problem : undefined}
        />
        {reset.isError && <Callout tone="danger">{messageOf(reset.error)}</Callout>}
        <Button type="submit" variant="primary" size="lg" isPending={reset.isPending}>
          Set password
        </Button>
      </form>
    </AuthLayout>
  )
}
