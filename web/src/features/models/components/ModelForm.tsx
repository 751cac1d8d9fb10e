import { Plus } from 'lucide-react'
import { SubmitForm, UnsavedChanges, useForm } from '@/shared/forms'
import { Button, Select, TextField } from '@/shared/ui'
import {
  draftProblems,
  newTier,
  toRequest,
  units,
  type Draft,
  type TierDraft,
} from '../model/draft'
import type { NewModel } from '../api/useModels'
import { TierEditor } from './TierEditor'

type ModelFormProps = {
  initial: Draft
  action: string
  isPending: boolean
  error: unknown
  onSave: (model: NewModel) => void
  onCancel: () => void
}

/** The form for a new or existing definition. */
export function ModelForm({ initial, action, isPending, error, onSave, onCancel }: ModelFormProps) {
  const form = useForm<Draft>({ initial, check: draftProblems, error, draft: { name: 'model' } })
  const tiers = form.values.pricingTiers
  const setTiers = (next: TierDraft[]) => form.change({ pricingTiers: next })
  const problem = form.errorAt('pricingTiers')
  return (
    <SubmitForm
      action={action}
      isPending={isPending}
      error={form.error}
      onSubmit={() => form.submit((draft) => onSave(toRequest(draft)))}
      onClose={onCancel}
    >
      <UnsavedChanges form={form} />
      <div className="grid max-w-3xl gap-4 sm:grid-cols-2">
        <TextField {...form.field('modelName')} label="Name" maxLength={500} autoComplete="off" />
        <Select {...form.field('unit')} label="Unit" options={units} />
        <TextField
          {...form.field('matchPattern')}
          label="Matches"
          mono
          maxLength={2000}
          autoComplete="off"
          spellCheck="false"
          description="A regular expression (RE2) that is searched for in the names that applications send. (?i) ignores case."
        />
        <TextField
          {...form.field('startDate')}
          label="From"
          type="date"
          description="Applies to observations from this date (UTC). Leave empty to apply to all."
        />
      </div>
      {tiers.map((tier, index) => (
        <TierEditor
          key={tier.key}
          tier={tier}
          isDefault={index === 0}
          onChange={(next) => setTiers(tiers.map((each) => (each === tier ? next : each)))}
          onRemove={() => setTiers(tiers.filter((each) => each !== tier))}
        />
      ))}
      {problem !== undefined && (
        <p role="alert" className="text-danger">
          {problem}
        </p>
      )}
      <div>
        <Button
          size="sm"
          icon={<Plus aria-hidden />}
          onPress={() => setTiers([...tiers, newTier(tiers[0], `Tier ${tiers.length + 1}`)])}
        >
          Add a tier
        </Button>
      </div>
    </SubmitForm>
  )
}
