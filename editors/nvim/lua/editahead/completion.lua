---Completions in Neovim's own menu, with a local 'completeopt' that inserts nothing by itself.
local M = {}

-- 'completeopt' by default selects the first item, which puts it into the text; these two words do so as well.
local INSERTS = { longest = true, preinsert = true }

local setting = false -- while we set the option ourselves
local before = {} ---@type table<integer, string> the local value of each buffer before ours

---@param wanted string 'completeopt' as its user has it
---@return string the same, with a menu from the first item on and without text that nobody chose
function M.options(wanted)
  local words = vim.tbl_filter(function(word)
    return word ~= '' and word ~= 'menu' and word ~= 'menuone' and not INSERTS[word]
  end, vim.split(wanted, ',', { trimempty = true }))
  if not (vim.list_contains(words, 'noselect') or vim.list_contains(words, 'noinsert')) then
    table.insert(words, 'noselect')
  end
  return table.concat(vim.list_extend({ 'menuone' }, words), ',')
end

---@param buf integer
---@param value string
local function set(buf, value)
  setting = true
  vim.api.nvim_set_option_value('completeopt', value, { buf = buf })
  setting = false
end

---@param buf integer
local function apply(buf)
  set(buf, M.options(before[buf] ~= '' and before[buf] or vim.go.completeopt))
end

---`:set completeopt` takes the local value away, `:setlocal` replaces it: ours is put over either.
---@param buf integer
---@return boolean? gone whether there is nothing left to watch
local function option_set(buf)
  if not before[buf] or not vim.api.nvim_buf_is_loaded(buf) then
    return true
  end
  if setting then
    return
  end
  if vim.api.nvim_get_current_buf() == buf and vim.v.option_command ~= 'setglobal' then
    before[buf] = vim.v.option_command == 'setlocal' and vim.v.option_new or ''
  end
  vim.schedule(function()
    if before[buf] and vim.api.nvim_buf_is_loaded(buf) then
      apply(buf)
    end
  end)
end

---Letters ask for a menu as well: by itself Neovim asks only after what the server names, which is the dot.
---@param client vim.lsp.Client
local function ask_at_letters(client)
  local provider = client.server_capabilities.completionProvider
  if type(provider) ~= 'table' or vim.list_contains(provider.triggerCharacters or {}, 'a') then
    return
  end
  local letters = vim.split('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_', '')
  provider.triggerCharacters = vim.list_extend(letters, provider.triggerCharacters or {})
end

---@param client vim.lsp.Client
---@param buf integer
---@param group integer
function M.start(client, buf, group)
  before[buf] = vim.api.nvim_get_option_value('completeopt', { buf = buf, scope = 'local' })
  apply(buf)
  vim.api.nvim_create_autocmd('OptionSet', {
    group = group,
    pattern = 'completeopt',
    callback = function()
      return option_set(buf)
    end,
  })
  ask_at_letters(client)
  vim.lsp.completion.enable(true, client.id, buf, { autotrigger = true })
end

---@param buf integer
function M.stop(buf)
  if before[buf] then
    if vim.api.nvim_buf_is_loaded(buf) then
      set(buf, before[buf])
    end
    before[buf] = nil
  end
end

return M
