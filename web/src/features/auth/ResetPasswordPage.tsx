import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ApiError } from '@/shared/api'
import { useForm } from '@/shared/forms'
import { linkClass, PasswordField, toast } from '@/shared/ui'
import { useResetPassword } from './api/usePasswordReset'
import { AuthForm } from './AuthForm'
import { AuthLayout } from './AuthLayout'
import { passwordProblem, shortestPassword } from './model/checks'

const route = getRouteApi('/auth/reset-password')

/** Sets a new password with the token of a link. */
export function ResetPasswordPage() {
  const { token } = route.useSearch()
  const reset = useResetPassword()
  const navigate = useNavigate()
  const form = useForm({
    initial: { password: '' },
    check: ({ password }) => ({ password: passwordProblem(password) }),
    error: reset.error,
  })
  const isUsed = reset.error instanceof ApiError && reset.error.status === 404
  if (!token || isUsed) {
    return (
      <AuthLayout title="This link no longer works">
        <p className="text-text-2">Password reset links work once and expire soon.</p>
        <Link to="/auth/forgot-password" className={linkClass}>
          Ask for a new one
        </Link>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout title="Set a new password" description="All sessions of your account are ended.">
      <AuthForm
        action="Set password"
        // The link works only once: the form stays pending until the next page is shown.
        isPending={reset.isPending || reset.isSuccess}
        error={form.error}
        onSubmit={() =>
          form.submit(({ password }) =>
            reset.mutate(
              { token, password },
              {
                onSuccess: () => {
                  toast('Your new password is set. Sign in with it.')
                  void navigate({ to: '/auth/sign-in', replace: true })
                },
              },
            ),
          )
        }
      >
        <PasswordField
          {...form.field('password')}
          label="New password"
          autoComplete="new-password"
          autoFocus
          description={`At least ${shortestPassword} characters`}
        />
      </AuthForm>
    </AuthLayout>
  )
}
