import { LogOut } from 'lucide-react'
import { toastFailure } from '@/shared/errors'
import { useSession, useUser } from '@/shared/currentUser'
import { Button, Page, PageHeader, Section, toast } from '@/shared/ui'
import { useEndSignIn } from './api/useAccount'
import { Appearance } from './components/Appearance'
import { NameForm } from './components/NameForm'
import { PasswordForm } from './components/PasswordForm'
import { SignIns } from './components/SignIns'

/** The user's own account: name, password, sessions, and appearance. */
export function AccountPage() {
  const user = useUser()
  const { passwordSignIn, version } = useSession()
  const end = useEndSignIn()
  return (
    <Page>
      <div className="flex w-full max-w-4xl flex-col">
        <PageHeader title="Account" />
        <Section title="You">
          <NameForm />
        </Section>
        <Section title="Password">
          {user.hasPassword && passwordSignIn ? (
            <PasswordForm />
          ) : (
            <p className="text-text-2">
              {passwordSignIn
                ? 'You sign in through a provider and have no password here.'
                : 'On this server, people sign in through a provider; there are no passwords.'}
            </p>
          )}
        </Section>
        <Section
          title="Sessions"
          description="Where you are signed in. Sign out of any session you do not recognize, then change your password."
          actions={
            <Button
              icon={<LogOut aria-hidden />}
              isPending={end.isPending}
              onPress={() =>
                end.mutate('others', {
                  onSuccess: () => toast('All other sessions were signed out'),
                  onError: toastFailure('The sessions could not be ended'),
                })
              }
            >
              Sign out all others
            </Button>
          }
        >
          <SignIns />
        </Section>
        <Section title="Appearance" description="Remembered in this browser.">
          <Appearance />
        </Section>
        <p className="pt-2 text-sm text-text-3">Almanac {version}</p>
      </div>
    </Page>
  )
}
