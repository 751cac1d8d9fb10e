import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { QueryView } from '@/shared/errors'
import { ConfirmChange, UnsavedChanges, useForm } from '@/shared/forms'
import { GuardedPage, NeedsRole } from '@/shared/roles'
import { useProject } from '@/shared/currentUser'
import { Button, Checkbox, FormLayout, PasswordField, Select, TextField, toast } from '@/shared/ui'
import { BlobStatus } from './BlobStatus'
import {
  useBlobStorage,
  useDeleteBlobStorage,
  useSaveBlobStorage,
  type BlobStorage,
} from './api/useBlobStorage'
import {
  blobProblems,
  blobRequest,
  fileTypes,
  frequencies,
  modes,
  toValues,
  types,
  type BlobValues,
} from './model/values'

/** Where the project is exported to. */
export function BlobStoragePage() {
  const { project, can } = useProject()
  const settings = useBlobStorage(project.id, can('integrations:read'))
  return (
    <GuardedPage
      frame="settings"
      title="Blob storage"
      description="Exports the project's observations and scores to your bucket."
      permission="integrations:read"
      doing="see where the project is exported to"
    >
      <div className="flex flex-col gap-4">
        <QueryView query={settings} what="the settings" skeleton="h-8 w-80">
          {(stored) => (
            <>
              {stored !== null && (
                // A test says nothing about settings that were saved after it.
                <BlobStatus key={`status ${stored.updatedAt}`} stored={stored} />
              )}
              <BlobForm key={stored?.createdAt ?? 'new'} stored={stored} />
            </>
          )}
        </QueryView>
      </div>
    </GuardedPage>
  )
}

function BlobForm({ stored }: { stored: BlobStorage | null }) {
  const { project, can } = useProject()
  const save = useSaveBlobStorage(project.id)
  const remove = useDeleteBlobStorage()
  const [isOpen, setOpen] = useState(false)
  const form = useForm<BlobValues>({
    initial: toValues(stored),
    check: (values) => blobProblems(values, stored !== null),
    error: save.error,
    draft: { name: 'blob storage', secrets: ['secretAccessKey'] },
  })
  const { values } = form
  // The server disables an export that cannot succeed. The checkbox follows; everything else stays as typed.
  const [wasEnabled, setWasEnabled] = useState(stored?.enabled)
  if (stored && stored.enabled !== wasEnabled) {
    setWasEnabled(stored.enabled)
    form.follow({ enabled: stored.enabled })
  }
  const isAzure = values.type === 'AZURE_BLOB_STORAGE'
  const mayWrite = can('integrations:write')
  return (
    <FormLayout
      wide
      error={form.error}
      onSubmit={() =>
        form.submit((next) =>
          save.mutate(blobRequest(project.id, next), {
            onSuccess: () => {
              form.reset({ ...next, secretAccessKey: '' })
              toast('Export settings saved')
            },
          }),
        )
      }
      actions={
        <NeedsRole doing="change exports" permission="integrations:write">
          <Button type="submit" variant="primary" isPending={save.isPending}>
            Save
          </Button>
          {stored !== null && (
            <Button icon={<Trash2 aria-hidden />} onPress={() => setOpen(true)}>
              Remove
            </Button>
          )}
        </NeedsRole>
      }
    >
      <UnsavedChanges form={form} />
      <div className="grid max-w-3xl gap-4 sm:grid-cols-2">
        <Select {...form.field('type')} label="Storage" options={types} isDisabled={!mayWrite} />
        <TextField
          {...form.field('bucketName')}
          label={isAzure ? 'Container' : 'Bucket'}
          maxLength={255}
          autoComplete="off"
          isDisabled={!mayWrite}
        />
        {values.type !== 'S3' && (
          <TextField
            {...form.field('endpoint')}
            label={isAzure ? 'Address (optional)' : 'Address'}
            type="url"
            placeholder="https://…"
            autoComplete="off"
            isDisabled={!mayWrite}
          />
        )}
        <TextField
          {...form.field('region')}
          label="Region"
          maxLength={100}
          autoComplete="off"
          isDisabled={!mayWrite}
        />
        <TextField
          {...form.field('accessKeyId')}
          label={isAzure ? 'Account name' : 'Access key id'}
          description={
            values.type === 'S3'
              ? "If empty, the credentials of the server's host are used, if its operator allows that."
              : undefined
          }
          autoComplete="off"
          isDisabled={!mayWrite}
        />
        <PasswordField
          {...form.field('secretAccessKey')}
          label={isAzure ? 'Account key' : 'Secret access key'}
          description={stored === null ? undefined : 'Leave it empty to keep the stored one.'}
          autoComplete="off"
          isDisabled={!mayWrite}
        />
        <TextField
          {...form.field('prefix')}
          label="Prefix (optional)"
          placeholder="almanac/"
          maxLength={1000}
          autoComplete="off"
          isDisabled={!mayWrite}
        />
        <Select
          {...form.field('exportFrequency')}
          label="How often"
          options={frequencies}
          isDisabled={!mayWrite}
        />
        <Select
          {...form.field('fileType')}
          label="Files"
          options={fileTypes}
          isDisabled={!mayWrite}
        />
        <Select {...form.field('exportMode')} label="What" options={modes} isDisabled={!mayWrite} />
        {values.exportMode === 'FROM_CUSTOM_DATE' && (
          <TextField
            {...form.field('exportStartDate')}
            label="From (UTC)"
            type="date"
            isDisabled={!mayWrite}
          />
        )}
      </div>
      <div className="flex flex-col gap-2">
        <Checkbox
          isSelected={values.enabled}
          onChange={(enabled) => form.change({ enabled })}
          isDisabled={!mayWrite}
        >
          Enabled
        </Checkbox>
        <Checkbox
          isSelected={values.compressed}
          onChange={(compressed) => form.change({ compressed })}
          isDisabled={!mayWrite}
        >
          Compress files
        </Checkbox>
        {!isAzure && (
          <Checkbox
            isSelected={values.forcePathStyle}
            onChange={(forcePathStyle) => form.change({ forcePathStyle })}
            isDisabled={!mayWrite}
          >
            Path-style bucket URLs (required by MinIO)
          </Checkbox>
        )}
      </div>
      <ConfirmChange
        title="Remove the export?"
        action="Remove"
        change={remove}
        variables={isOpen ? project.id : undefined}
        onClose={() => setOpen(false)}
        onDone={() => toast('Export removed')}
      >
        The settings and credentials are deleted. Exported files are kept.
      </ConfirmChange>
    </FormLayout>
  )
}
