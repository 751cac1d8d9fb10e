import { Link } from '@tanstack/react-router'
import { AtSign, Bell, CheckCheck, CircleX, FileCheck } from 'lucide-react'
import { NextPageError, QueryView, toastFailure } from '@/shared/errors'
import { useInbox, useReadInbox, useUnread, type InboxEntry } from '@/shared/inbox'
import { cx } from '@/shared/lib/cx'
import { Button, EmptyState, linkClass, Page, PageHeader, Time } from '@/shared/ui'
import { targetOf, textOf } from './model/entry'

/** What the user is told in all projects, newest first. */
export function InboxPage() {
  const inbox = useInbox()
  const read = useReadInbox()
  const unread = useUnread()
  const entries = inbox.data?.pages.flatMap((page) => page.data)
  const newest = entries?.[0]
  return (
    <Page>
      <div className="flex w-full max-w-3xl flex-col">
        <PageHeader
          title="Inbox"
          description="Comments that mention you, and your exports when they are done or have failed. The newest 500 of the last 90 days."
          actions={
            <Button
              icon={<CheckCheck aria-hidden />}
              isDisabled={!newest || unread === 0}
              isPending={read.isPending}
              onPress={() =>
                newest &&
                read.mutate(
                  { upTo: newest.id },
                  { onError: toastFailure('The inbox could not be changed') },
                )
              }
            >
              Mark all as read
            </Button>
          }
        />
        <QueryView query={{ ...inbox, data: entries }} what="the inbox" skeleton="h-40 w-full">
          {(list) =>
            list.length === 0 ? (
              <EmptyState icon={<Bell aria-hidden />} title="Nothing yet">
                When somebody mentions you in a comment with @, or an export of yours is done, it
                appears here.
              </EmptyState>
            ) : (
              <ol aria-label="Inbox" className="flex min-w-0 flex-col divide-y divide-border">
                {list.map((entry) => (
                  <Entry
                    key={entry.id}
                    entry={entry}
                    onRead={() => {
                      if (!entry.read) read.mutate({ ids: [entry.id] })
                    }}
                  />
                ))}
              </ol>
            )
          }
        </QueryView>
        {inbox.isFetchNextPageError ? (
          <NextPageError query={inbox} />
        ) : (
          inbox.hasNextPage && (
            <Button
              className="mt-3 self-start"
              isPending={inbox.isFetchingNextPage}
              onPress={() => void inbox.fetchNextPage()}
            >
              Show older
            </Button>
          )
        )}
      </div>
    </Page>
  )
}

function Entry({ entry, onRead }: { entry: InboxEntry; onRead: () => void }) {
  const { title, detail } = textOf(entry)
  const target = targetOf(entry)
  const Icon = entry.comment ? AtSign : entry.export?.state === 'failed' ? CircleX : FileCheck
  return (
    <li className="flex min-w-0 items-start gap-2.5 py-2.5">
      <Icon
        aria-hidden
        className={cx(
          'mt-0.5 size-4 shrink-0',
          entry.export?.state === 'failed' ? 'text-danger' : 'text-text-3',
        )}
      />
      <div className="flex min-w-0 flex-1 flex-col">
        {target ? (
          <Link
            {...target}
            onClick={onRead}
            className={cx(linkClass, 'min-w-0 break-words', !entry.read && 'font-medium')}
          >
            {title}
          </Link>
        ) : (
          <span className={cx('min-w-0 break-words', !entry.read && 'font-medium')}>{title}</span>
        )}
        {detail !== '' && (
          <p
            dir="auto"
            className="line-clamp-3 text-sm break-words whitespace-pre-wrap text-text-2"
          >
            {detail.slice(0, 1000)}
          </p>
        )}
        <p className="flex min-w-0 flex-wrap gap-x-2 text-sm text-text-3">
          <bdi className="truncate">{entry.projectName.slice(0, 100)}</bdi>
          <Time at={entry.createdAt} />
        </p>
      </div>
      {!entry.read && (
        <span className="flex shrink-0 items-center gap-1.5 text-sm text-text-2">
          <span aria-hidden className="size-2 rounded-full bg-accent" />
          <span>New</span>
        </span>
      )}
    </li>
  )
}
