import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components'
import type { ReactNode } from 'react'

type TabsProps<K extends string> = {
  label: string
  tabs: readonly { id: K; label: ReactNode; content: ReactNode }[]
  value?: K
  onChange?: (id: K) => void
}

/** Panels, one at a time. Pass value and onChange if the tab belongs in the URL. */
export function Tabs<K extends string>({ label, tabs, value, onChange }: TabsProps<K>) {
  return (
    <AriaTabs
      selectedKey={value}
      onSelectionChange={(key) => {
        const tab = tabs.find((candidate) => candidate.id === key)
        if (tab) onChange?.(tab.id)
      }}
      className="flex min-w-0 flex-col"
    >
      <TabList aria-label={label} className="flex gap-4 overflow-x-auto border-b border-border">
        {tabs.map((tab) => (
          <Tab
            key={tab.id}
            id={tab.id}
            className="-mb-px flex h-8 cursor-default items-center whitespace-nowrap border-b-2 border-transparent text-text-3 hover:text-text-1 data-selected:border-accent data-selected:text-text-1"
          >
            {tab.label}
          </Tab>
        ))}
      </TabList>
      {tabs.map((tab) => (
        <TabPanel key={tab.id} id={tab.id} className="min-w-0 pt-3">
          {tab.content}
        </TabPanel>
      ))}
    </AriaTabs>
  )
}
