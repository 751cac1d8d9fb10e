import { Inbox, Plus, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import {
  densityPreference,
  themePreference,
  type Density,
  type Theme,
} from '@/shared/lib/preferences'
import { usePreference } from '@/shared/lib/preference'
import {
  Badge,
  Button,
  Callout,
  Checkbox,
  CodeBlock,
  ComboBox,
  ConfirmDialog,
  CopyButton,
  Dialog,
  Duration,
  EmptyState,
  ErrorState,
  ExternalLink,
  IconButton,
  KeyHint,
  Menu,
  Money,
  ObservationType,
  PageHeader,
  PasswordField,
  Secret,
  SegmentedControl,
  Select,
  Skeleton,
  Switch,
  Tabs,
  TextField,
  Time,
  toast,
  Tokens,
  type Option,
  type Tone,
} from '@/shared/ui'
import { GalleryCharts } from './GalleryCharts'
import { GalleryControls } from './GalleryControls'
import { GalleryDiff } from './GalleryDiff'
import { GalleryEditor } from './GalleryEditor'
import { GalleryForms } from './GalleryForms'
import { GalleryQuery } from './GalleryQuery'
import { GalleryResults, GalleryTable } from './GalleryTable'
import { GalleryValues } from './GalleryValues'

const tones: Tone[] = ['neutral', 'accent', 'success', 'warning', 'danger']
const roles: Option[] = [
  { id: 'owner', label: 'Owner', description: 'Everything' },
  { id: 'admin', label: 'Admin', description: 'Everything but deleting the project' },
  { id: 'viewer', label: 'Viewer', description: 'Reads' },
]
const types = [
  'SPAN',
  'GENERATION',
  'EVENT',
  'AGENT',
  'TOOL',
  'CHAIN',
  'RETRIEVER',
  'EVALUATOR',
  'EMBEDDING',
  'GUARDRAIL',
]
const surfaces = [
  'bg-surface-0',
  'bg-surface-1',
  'bg-surface-2',
  'bg-surface-3',
  'bg-accent',
  'bg-accent-soft',
  'bg-danger',
  'bg-warning',
  'bg-success',
]
const themes: Option<Theme>[] = [
  { id: 'system', label: 'System' },
  { id: 'light', label: 'Light' },
  { id: 'dark', label: 'Dark' },
]
const densities: Option<Density>[] = [
  { id: 'compact', label: 'Compact' },
  { id: 'normal', label: 'Normal' },
  { id: 'comfortable', label: 'Comfortable' },
]
const moment = '2026-01-15T09:30:00.120Z'

/** Every part of the design system, for people who add pages and for screenshot tests. */
export function GalleryPage() {
  const [role, setRole] = useState<string | null>('admin')
  const [reads, setReads] = useState(true)
  const [open, setOpen] = useState<'dialog' | 'confirm' | undefined>(undefined)
  const theme = usePreference(themePreference)
  const density = usePreference(densityPreference)
  const close = () => setOpen(undefined)
  return (
    <main className="mx-auto flex max-w-5xl flex-col gap-6 p-6">
      <PageHeader
        title="Gallery"
        description="Every part of the design system."
        badge={<Badge tone="accent">development</Badge>}
        actions={
          <>
            <SegmentedControl
              label="Theme"
              options={themes}
              value={theme}
              onChange={themePreference.set}
            />
            <SegmentedControl
              label="Density"
              options={densities}
              value={density}
              onChange={densityPreference.set}
            />
          </>
        }
      />
      <Part title="Colours">
        {surfaces.map((name) => (
          <span key={name} className="flex items-center gap-2 text-sm text-text-2">
            <span className={`size-8 rounded-md border border-border ${name}`} />
            {name.slice(3)}
          </span>
        ))}
      </Part>
      <Part title="Text">
        <span className="text-2xl">Largest</span>
        <span className="text-xl">Title</span>
        <span className="text-lg">Heading</span>
        <span>Body text 1</span>
        <span className="text-text-2">Text 2</span>
        <span className="text-text-3">Text 3</span>
        <span className="font-mono text-sm">Mono 0O1lI</span>
        <ExternalLink href="https://example.com/">Link</ExternalLink>
        <KeyHint keys="Mod K" />
      </Part>
      <Part title="Observation types">
        {types.map((type) => (
          <ObservationType key={type} type={type} />
        ))}
      </Part>
      <Part title="Buttons">
        <Button variant="primary">Create key</Button>
        <Button icon={<Plus aria-hidden />}>New project</Button>
        <Button variant="ghost">Cancel</Button>
        <Button variant="danger">Delete project</Button>
        <Button isDisabled>Disabled</Button>
        <Button isPending>Saving</Button>
        <Button size="sm">Small</Button>
        <IconButton label="Delete" icon={<Trash2 aria-hidden />} />
        <CopyButton text="copied from the gallery" />
        <CopyButton text="copied from the gallery" withWords />
        <Menu
          label="Actions"
          trigger={<Button>Menu</Button>}
          actions={[
            { id: 'rename', label: 'Rename', onAction: () => {} },
            {
              id: 'delete',
              label: 'Delete',
              isDanger: true,
              startsGroup: true,
              onAction: () => {},
            },
          ]}
        />
      </Part>
      <Part title="Fields">
        <div className="grid w-full gap-4 sm:grid-cols-2">
          <TextField label="Name" defaultValue="Ada" description="As others see it" />
          <TextField label="Email" defaultValue="ada" error="Enter an email address" />
          <PasswordField label="Password" defaultValue="correct horse" />
          <Select label="Role" options={roles} value={role} onChange={setRole} />
          <ComboBox label="Model" options={roles} placeholder="Type to filter" />
          <TextField label="Note" rows={3} placeholder="What is it for?" />
          <Checkbox isSelected={reads} onChange={setReads} description="Can be undone">
            Read traces
          </Checkbox>
          <Checkbox isSelected={false} isIndeterminate onChange={setReads}>
            Some of them
          </Checkbox>
          <Switch defaultSelected>Live</Switch>
          <Switch>Off</Switch>
        </div>
      </Part>
      <Part title="Words about things">
        {tones.map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
        <Time at={moment} />
        <Time at={moment} absolute />
        <Money amount={0.0000123} />
        <Money amount={1204.5} />
        <Duration milliseconds={1234} />
        <Duration milliseconds={125_000} />
        <Tokens count={12_345} />
      </Part>
      <Part title="Callouts">
        <div className="flex w-full flex-col gap-2">
          {tones.map((tone) => (
            <Callout key={tone} tone={tone} title={`A callout, ${tone}`}>
              One sentence that says what to do.
            </Callout>
          ))}
        </div>
      </Part>
      <Part title="Overlays">
        <Button onPress={() => setOpen('dialog')}>Dialog</Button>
        <Button onPress={() => setOpen('confirm')}>Confirm</Button>
        <Button onPress={() => toast('Key created', { description: 'It is used from now on.' })}>
          Toast
        </Button>
        <Button onPress={() => toast('The key could not be created', { tone: 'danger' })}>
          Error toast
        </Button>
      </Part>
      <Part title="Code">
        <div className="grid w-full min-w-0 gap-3 *:min-w-0">
          <CodeBlock
            label="example"
            code={'curl -u "$PUBLIC:$SECRET" https://almanac.example/api/public/v2/observations'}
          />
          <Secret label="Secret key" value="sk-lf-00000000-0000-0000-0000-000000000000" />
        </div>
      </Part>
      <Part title="Tabs">
        <Tabs
          label="Example"
          tabs={[
            { id: 'one', label: 'One', content: 'The first panel' },
            { id: 'two', label: 'Two', content: 'The second panel' },
          ]}
        />
      </Part>
      <Part title="States">
        <div className="grid w-full gap-3 sm:grid-cols-2">
          <EmptyState
            icon={<Inbox aria-hidden />}
            title="No keys yet"
            action={<Button variant="primary">Create key</Button>}
          >
            Programs send traces with a key.
          </EmptyState>
          <ErrorState
            title="Couldn’t load keys"
            message="The server cannot be reached."
            onRetry={() => {}}
          />
          <Skeleton className="h-6" />
        </div>
      </Part>
      <Part title="Editor">
        <GalleryEditor />
      </Part>
      <Part title="Difference">
        <GalleryDiff />
      </Part>
      <Part title="Forms and streams">
        <GalleryForms />
      </Part>
      <Part title="Query bar">
        <GalleryQuery />
      </Part>
      <Part title="More fields">
        <GalleryControls />
      </Part>
      <Part title="Charts">
        <GalleryCharts />
      </Part>
      <Part title="Table">
        <GalleryTable />
        <GalleryResults />
      </Part>
      <Part title="Values">
        <GalleryValues />
      </Part>
      <Dialog title="New key" isOpen={open === 'dialog'} onClose={close}>
        <TextField label="Note" autoFocus />
      </Dialog>
      <ConfirmDialog
        title="Delete project"
        isOpen={open === 'confirm'}
        onClose={close}
        onConfirm={close}
        action="Delete project"
        typed="production"
      >
        All traces, scores and prompts of <strong>production</strong> are deleted. This cannot be
        undone.
      </ConfirmDialog>
    </main>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <h2 className="border-b border-border pb-1 text-lg font-medium">{title}</h2>
      <div className="flex flex-wrap items-center gap-3">{children}</div>
    </section>
  )
}
