---@meta
-- What the server and this plugin say to each other, beyond the protocol; the server's page of it is
-- docs/lsp-extensions.md.

---@class eval_ls.TestCase
---@field id string
---@field index integer its place among the suite's cases, from 0
---@field category string
---@field prompt string
---@field range lsp.Range of the id, quotes included
---@field caseRange lsp.Range of the whole case
---@field hash string

---@class eval_ls.TestSuite
---@field uri string
---@field label string
---@field hash string
---@field cases? eval_ls.TestCase[]

---@class eval_ls.RunParams
---@field suites { uri: string, cases?: string[] }[]
---@field target? string
---@field record? boolean

---@alias eval_ls.Status 'PASS'|'PARTIAL'|'FAIL'|'ERROR'

---@class eval_ls.CheckFailure
---@field check string
---@field message string
---@field range lsp.Range of the text that asked
---@field expected? string
---@field actual? string

---@class eval_ls.CaseVerdict
---@field id string
---@field range lsp.Range of the id, quotes included
---@field status? eval_ls.Status nothing where there is no transcript
---@field running boolean
---@field stale boolean the prompts have changed since
---@field softScore? number
---@field checks integer
---@field failures eval_ls.CheckFailure[]
---@field reason? string

---@class eval_ls.Summary
---@field pass integer
---@field partial integer
---@field fail integer
---@field error integer
---@field notRun integer
---@field running integer
---@field total integer

---@class eval_ls.Verdicts
---@field version? integer
---@field target string
---@field targets string[]
---@field summary eval_ls.Summary
---@field cases eval_ls.CaseVerdict[]

---@class eval_ls.RunEvent
---@field kind 'started'|'caseStarted'|'caseProgress'|'caseFinished'|'finished'
---@field run integer
---@field target? string of `started`
---@field items? { uri: string, case: string }[] of `started`
---@field uri? string of the events of a case
---@field case? string of the events of a case
---@field status? eval_ls.Status|'CANCELLED' of `caseFinished`
---@field cancelled? boolean of `finished`
---@field reason? string of `caseFinished` and `finished`
