import { rowsAhead } from './start'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { limitHistoryCalls } from '@/shared/lib/historyCalls'
import { keepPageWithoutCode } from '@/shared/lib/missingCode'
import { applyPreferences } from '@/shared/lib/preferences'
import { App } from './App'
import { createAppRouter, createQueryClient, prefetchPage } from './router'
import './styles.css'

applyPreferences(document.documentElement)
limitHistoryCalls()
keepPageWithoutCode()
const queryClient = createQueryClient()
const router = createAppRouter(queryClient)
prefetchPage(queryClient, router, rowsAhead)
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no root')

createRoot(root).render(
  <StrictMode>
    <App queryClient={queryClient} router={router} />
  </StrictMode>,
)
