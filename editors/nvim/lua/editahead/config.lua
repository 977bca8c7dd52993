---The user's options. Wrong values are named in one message and replaced by their defaults.
local M = {}

---A key, or false for none.
---@alias editahead.Key string|false

---@class editahead.GhostConfig
---@field enabled boolean
---@field backend 'auto'|'builtin'|'own' `auto` is `own`; `builtin`: Neovim's inline completion (0.12)
---@field debounce integer milliseconds from the last key to the request (`own`; Neovim's waits 200)
---@field keys table<'accept'|'accept_word'|'accept_line'|'next'|'previous'|'dismiss', editahead.Key> insert mode

---@class editahead.NextEditConfig
---@field enabled boolean
---@field insert_mode boolean also show next edits in insert mode, when you pause
---@field debounce integer milliseconds from a change in normal mode to the request
---@field insert_debounce integer the same in insert mode
---@field hint boolean a hint after the cursor's line while the place is off screen
---@field sign string|false the sign at the place, at most two cells
---@field keys table<'accept'|'reject', editahead.Key> `accept` jumps, then applies

---@class editahead.QueueConfig
---@field keys table<'apply'|'apply_all'|'reject'|'undo', editahead.Key> in the quickfix window of the queue

---@class editahead.Config
---@field server vim.lsp.Config handed to `vim.lsp.config('editahead', ...)`
---@field completion boolean show completions with Neovim's own menu; false leaves them to a completion plugin
---@field merge boolean one menu of all servers of the buffer, sorted by probability; also for a completion plugin
---@field ghost editahead.GhostConfig
---@field next_edit editahead.NextEditConfig
---@field queue editahead.QueueConfig
---@field menu_visible fun(): boolean whether a completion menu is open; then keys and ghost text are left to it

---@return boolean
local function menu_visible()
  if vim.fn.pumvisible() == 1 then
    return true
  end
  local cmp, blink = package.loaded['cmp'], package.loaded['blink.cmp']
  return (type(cmp) == 'table' and cmp.visible ~= nil and cmp.visible() == true)
    or (type(blink) == 'table' and blink.is_visible ~= nil and blink.is_visible() == true)
end

---@type editahead.Config
M.defaults = {
  server = {},
  completion = false,
  merge = false,
  ghost = {
    enabled = true,
    backend = 'auto',
    debounce = 40,
    keys = {
      accept = '<Tab>',
      accept_word = '<C-Right>',
      accept_line = false,
      next = '<M-]>',
      previous = '<M-[>',
      dismiss = '<C-]>',
    },
  },
  next_edit = {
    enabled = true,
    insert_mode = true,
    debounce = 60,
    insert_debounce = 400,
    hint = true,
    sign = '»',
    keys = { accept = '<Tab>', reject = '<Esc>' },
  },
  queue = { keys = { apply = 'a', apply_all = 'A', reject = 'x', undo = 'u' } },
  menu_visible = menu_visible,
}

---@type editahead.Config
local current = vim.deepcopy(M.defaults)

-- Options that are checked by more than the type of their default.
local RULES = {
  ['ghost.backend'] = { 'auto, builtin or own', function(value)
    return value == 'auto' or value == 'builtin' or value == 'own'
  end },
  ['next_edit.sign'] = { 'a text of one or two cells, or false', function(value)
    return value == false or (type(value) == 'string' and value ~= '' and vim.fn.strdisplaywidth(value) <= 2)
  end },
}

---@param path string
---@param default any
---@return string expected, fun(value: any): boolean
local function rule(path, default)
  if RULES[path] then
    return RULES[path][1], RULES[path][2]
  elseif path:find('%.keys%.') then
    return 'a key or false', function(value)
      return value == false or (type(value) == 'string' and value ~= '')
    end
  elseif type(default) == 'number' then
    return 'milliseconds, 0 or more', function(value)
      return type(value) == 'number' and value >= 0 and value % 1 == 0
    end
  end
  return 'a ' .. type(default), function(value)
    return type(value) == type(default)
  end
end

---@param given any
---@param defaults table
---@param path string
---@param faults string[]
---@return table
local function merged(given, defaults, path, faults)
  local result = vim.deepcopy(defaults)
  for key, value in pairs(given) do
    local at = path == '' and tostring(key) or path .. '.' .. tostring(key)
    local default = defaults[key]
    if default == nil then
      faults[#faults + 1] = at .. ' is not an option'
    elseif at == 'server' and type(value) == 'table' then
      result.server = value
    elseif type(default) == 'table' and type(value) == 'table' then
      result[key] = merged(value, default, at, faults)
    else
      local expected, fits = rule(at, default)
      if fits(value) then
        result[key] = value
      else
        faults[#faults + 1] = ('%s must be %s'):format(at, expected)
      end
    end
  end
  return result
end

---Set the user's options. Faults are reported in one message and replaced by defaults.
---@param options? table
---@return string[] faults
function M.set(options)
  local faults = {} ---@type string[]
  if options ~= nil and type(options) ~= 'table' then
    faults[1], options = 'setup takes a table', nil
  end
  current = merged(options or {}, M.defaults, '', faults)
  if #faults > 0 then
    table.sort(faults)
    vim.notify('editahead: ' .. table.concat(faults, '; ') .. ' (see :help editahead-options)', vim.log.levels.WARN)
  end
  return faults
end

---@return editahead.Config
function M.get()
  return current
end

return M
