---Shows in a floating window every gate with its value, and what each surface would show.
local client_of = require('editahead.client')

local M = {}

local SURFACES = { { 'completion', 'completion' }, { 'inline', 'ghost text' }, { 'next_edit', 'next edit' } }

-- Labels of gates that passed; a closed gate is named by its reason.
local PASSED = {
  disabled = 'switched on',
  snoozed = 'not snoozed',
  language = 'language known',
  ['no-model'] = 'model loaded',
  ['comment-or-string'] = 'in code',
  excluded = 'not excluded',
  ['too-large'] = 'not too large',
  empty = 'something to offer',
  ['low-probability'] = 'likely enough',
  ['no-fit'] = 'fits',
  ['no-op'] = 'changes something',
  reversal = 'no reversal',
  ['parses-worse'] = 'parses',
  rejected = 'not rejected',
  stale = 'up to date',
  cancelled = 'still wanted',
  deadline = 'in time',
  ['breaks-code'] = 'keeps the code whole',
  failed = 'no failure',
  interruptions = 'within the budget',
}

---@param probability number
---@return string
local function percent(probability)
  return ('%d %%'):format(math.floor(100 * probability + 0.5))
end

---@param surface table
---@return string
local function shown(surface)
  local value = surface.value
  local what = ''
  if type(value) == 'table' and value[1] then
    what = value[1].label
  elseif type(value) == 'table' then
    what = value.insertText or value.text or value.newText or ''
  end
  what = vim.trim(tostring(what)):gsub('\n', ' ⏎ ') -- all of it: the window wraps
  local sure = surface.probability and percent(surface.probability) or ''
  return vim.trim(('%s  %s'):format(sure, what))
end

---What became of next edits in this session: a line for each source.
---@param sources table<string, table<string, integer>>
---@return string[]
local function counts(sources)
  local names = vim.tbl_keys(sources)
  table.sort(names)
  return vim.tbl_map(function(name)
    local parts = {}
    for _, what in ipairs({ 'shown', 'accepted', 'rejected' }) do
      parts[#parts + 1] = ('%s %d'):format(what, sources[name][what] or 0)
    end
    return ('  %-10s %s'):format(name, table.concat(parts, ', '))
  end, names)
end

---@param result table the answer of `editahead/explain`
---@return string[]
function M.lines(result)
  local lines = {}
  local models = table.concat(result.models or {}, ', ')
  lines[#lines + 1] = ('%s: %s'):format(result.languageId or '?', models == '' and 'no model' or models)
  lines[#lines + 1] = ''
  for _, pair in ipairs(SURFACES) do
    local surface = (result.surfaces or {})[pair[1]]
    if surface and surface.shown then
      local source = surface.source and (' (%s)'):format(surface.source) or ''
      lines[#lines + 1] = ('%-11s shown: %s%s'):format(pair[2], shown(surface), source)
    elseif surface then
      lines[#lines + 1] = ('%-11s quiet: %s (%s)'):format(pair[2], surface.reason or '', surface.detail or '')
    end
  end
  lines[#lines + 1] = ''
  for _, gate in ipairs(result.gates or {}) do
    local value = gate.value == nil and '' or tostring(gate.value)
    lines[#lines + 1] = ('%s %-20s %s'):format(gate.passed and '✓' or '✗', gate.passed and PASSED[gate.reason] or gate.reason, value)
  end
  local sources = (result.sources or {}).next_edit
  if sources and next(sources) then
    vim.list_extend(lines, { '', 'next edits since the server started, by source' })
    vim.list_extend(lines, counts(sources))
  end
  return vim.tbl_map(function(line)
    return (line:gsub('\n', ' '))
  end, lines)
end

---Explain the suggestions at the cursor.
function M.open()
  local buf = vim.api.nvim_get_current_buf()
  local client = client_of.get(buf)
  if not client then
    vim.notify('editahead: no server is running for this buffer (see :checkhealth editahead)', vim.log.levels.WARN)
    return
  end
  client_of.request(client, 'editahead/explain', client_of.place(client, buf), buf, function(result)
    if vim.api.nvim_get_current_buf() == buf then
      vim.lsp.util.open_floating_preview(M.lines(result), '', {
        border = 'rounded',
        title = ' editahead ',
        focus_id = 'editahead',
        wrap = true,
      })
    end
  end)
end

return M
