import { Plus, Trash2 } from 'lucide-react'
import { Button, IconButton, TextField } from '@/shared/ui'
import { newCondition, newPrice, type TierDraft } from '../model/draft'
import { ConditionEditor } from './ConditionEditor'

type TierEditorProps = {
  tier: TierDraft
  isDefault: boolean
  onChange: (tier: TierDraft) => void
  onRemove: () => void
}

/** Prices and when they apply. The first tier is the default, which applies when no other does. */
export function TierEditor({ tier, isDefault, onChange, onRemove }: TierEditorProps) {
  return (
    <fieldset className="flex max-w-3xl flex-col gap-3 rounded-md border border-border p-3">
      <legend className="px-1 text-sm font-medium text-text-2">
        {isDefault ? 'Prices' : tier.name}
      </legend>
      <div className="flex items-end gap-2">
        <TextField
          label="Name of the tier"
          value={tier.name}
          onChange={(name) => onChange({ ...tier, name })}
          maxLength={100}
          className="min-w-0 flex-1"
        />
        {!isDefault && (
          <IconButton
            label={`Remove tier ${tier.name}`}
            icon={<Trash2 aria-hidden />}
            onPress={onRemove}
          />
        )}
      </div>
      {isDefault ? (
        <p className="text-sm text-text-3">
          The default: applies when no other tier’s conditions are met.
        </p>
      ) : (
        <div className="flex flex-col gap-2">
          <p className="text-sm text-text-3">Applies when all of these are met:</p>
          {tier.conditions.map((condition) => (
            <ConditionEditor
              key={condition.key}
              condition={condition}
              onChange={(next) =>
                onChange({
                  ...tier,
                  conditions: tier.conditions.map((each) => (each === condition ? next : each)),
                })
              }
              onRemove={() =>
                onChange({
                  ...tier,
                  conditions: tier.conditions.filter((each) => each !== condition),
                })
              }
            />
          ))}
          <div>
            <Button
              size="sm"
              variant="ghost"
              icon={<Plus aria-hidden />}
              onPress={() =>
                onChange({ ...tier, conditions: [...tier.conditions, newCondition()] })
              }
            >
              Add a condition
            </Button>
          </div>
        </div>
      )}
      {tier.prices.map((price) => {
        const change = (next: Partial<typeof price>) =>
          onChange({
            ...tier,
            prices: tier.prices.map((each) => (each === price ? { ...each, ...next } : each)),
          })
        return (
          <div key={price.key} className="flex items-end gap-2">
            <TextField
              label="Usage"
              value={price.usage}
              onChange={(usage) => change({ usage })}
              placeholder="input"
              mono
              autoComplete="off"
              className="min-w-0 flex-1"
            />
            <TextField
              label="Dollars per million"
              value={price.perMillion}
              onChange={(perMillion) => change({ perMillion })}
              inputMode="decimal"
              placeholder="2.50"
              autoComplete="off"
              className="min-w-0 flex-1"
            />
            <IconButton
              label={`Remove the price of ${price.usage}`}
              icon={<Trash2 aria-hidden />}
              onPress={() =>
                onChange({ ...tier, prices: tier.prices.filter((each) => each !== price) })
              }
            />
          </div>
        )
      })}
      <div>
        <Button
          size="sm"
          variant="ghost"
          icon={<Plus aria-hidden />}
          onPress={() => onChange({ ...tier, prices: [...tier.prices, newPrice()] })}
        >
          Add a price
        </Button>
      </div>
    </fieldset>
  )
}
