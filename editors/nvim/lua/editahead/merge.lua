---One completion menu of all servers of a buffer, sorted by the probabilities of ours.
---
---Neovim appends the lists of several servers to each other. While this is on, each of them waits for the
---probabilities of its items (`editahead/rank`), and the joined list is sorted before it is shown. Items stay those of
---their server: what an accepted one inserts, documents or imports is up to that server.
local client_of = require('editahead.client')
local config = require('editahead.config')
local merge_answers = require('editahead.merge_answers')

local M = {}

M.timeout = 150 -- milliseconds after which items are shown without what was awaited for them

local METHOD = 'textDocument/completion'
local MAX_LABELS = 10000 -- of one request

local joined = {} ---@type table<integer, table<integer, true>> other clients in the menu, by buffer
local wrapped = {} ---@type table<vim.lsp.Client, true> clients whose `request` is ours
local probabilities = setmetatable({}, { __mode = 'k' }) ---@type table<table, number> by item

---@param item lsp.CompletionItem of any server
---@param own boolean whether it is ours
---@return number
function M.probability(item, own)
  local data = item.data
  return probabilities[item] or (own and type(data) == 'table' and tonumber(data.probability)) or 0
end

---@param item table an item of a completion menu (|complete-items|)
---@return table? item of the server, integer? client_id
local function origin(item)
  local lsp = vim.tbl_get(item, 'user_data', 'nvim', 'lsp')
  return lsp and lsp.completion_item, lsp and lsp.client_id
end

---The name that an item inserts: of a call or a snippet, what stands before its brackets.
---@param item lsp.CompletionItem
---@return string
function M.name_of(item)
  local text = vim.tbl_get(item, 'textEdit', 'newText') or item.insertText or item.label
  return vim.fn.matchstr(text, [[^\k\+]])
end

---Sort a menu: a completely typed name first, then by probability; what nobody expects stays behind, in its order.
---Of one name that several servers offer, the item of another server stays, which may know its type.
---@param items table[]
---@param typed string what stands before the cursor
---@param own integer? client of editahead
---@return table[]
function M.sorted(items, typed, own)
  local rows, by_name = {}, {} ---@type table[], table<string, table>
  for order, item in ipairs(items) do
    local of_server, client_id = origin(item)
    local ours = client_id ~= nil and client_id == own
    local known = of_server and M.probability(of_server, ours) or 0
    local name = of_server and M.name_of(of_server) or item.word
    local row = { item = item, p = known, order = order, ours = ours, full = typed ~= '' and item.word == typed }
    local other = name ~= '' and by_name[name] or nil
    if not other or other.ours == ours then
      rows[#rows + 1] = row
      by_name[name] = other or row
    elseif ours then
      other.p = math.max(other.p, known)
      other.note = item.menu
    else
      other.item, other.ours, other.note = item, false, other.item.menu
      other.p = math.max(other.p, known)
    end
  end
  table.sort(rows, function(a, b)
    if a.full ~= b.full then
      return a.full
    end
    if a.p ~= b.p then
      return a.p > b.p
    end
    return a.order < b.order
  end)
  return vim.tbl_map(function(row)
    if row.note and (row.item.menu or '') == '' then
      row.item.menu = row.note
    end
    return row.item
  end, rows)
end

---Call what Neovim does with the last answer, with its menu sorted before it is shown.
---@param buf integer
---@param handler fun(...)
local function show(buf, handler, ...)
  local complete = vim.fn.complete
  vim.fn.complete = function(column, items)
    local line = vim.api.nvim_get_current_line()
    local typed = line:sub(column, vim.api.nvim_win_get_cursor(0)[2])
    local own = client_of.get(buf)
    return complete(column, M.sorted(items, typed, own and own.id))
  end
  local done, fault = pcall(handler, ...)
  vim.fn.complete = complete
  if not done then
    error(fault, 0)
  end
end

---Ask for the probabilities of another server's items. `ready` is called once, with or without them.
---@param buf integer
---@param place table where the items were asked for
---@param result any
---@param ready fun()
function M.rank(buf, place, result, ready)
  local items = type(result) == 'table' and (result.items or result) or {}
  local client = client_of.get(buf)
  if not client or #items == 0 or #items > MAX_LABELS then
    return ready()
  end
  local once = merge_answers.once(ready)
  local labels = vim.tbl_map(M.name_of, items)
  place.labels = labels
  local sent = client:request('editahead/rank', place, function(err, answer)
    local found = not err and type(answer) == 'table' and answer.probabilities
    for at, probability in ipairs(type(found) == 'table' and found or {}) do
      probabilities[items[at]] = probability
    end
    once()
  end, buf)
  if not sent then
    return once()
  end
  vim.defer_fn(once, M.timeout)
end

---@param client vim.lsp.Client
local function wrap(client)
  if wrapped[client] then
    return
  end
  wrapped[client] = true
  local request = client.request
  client.request = function(self, method, params, handler, buf)
    local at = buf or 0
    at = at == 0 and vim.api.nvim_get_current_buf() or at
    if method ~= METHOD or not handler or not joined[at] then
      return request(self, method, params, handler, buf)
    end
    if not config.get().completion then
      return request(self, method, params, merge_answers.handler(self, at, handler), buf)
    end
    local ours = client_of.get(at)
    local place = ours and ours.id ~= self.id and client_of.place(ours, at) or nil
    return request(self, method, params, function(err, result, ...)
      local more = { ... }
      local function go_on()
        show(at, handler, err, result, unpack(more))
      end
      if place and not err then
        M.rank(at, place, result, go_on)
      else
        go_on()
      end
    end, buf)
  end
end

---Another server is asked wherever ours is, besides its own characters.
---@param client vim.lsp.Client
---@param ours vim.lsp.Client
local function share_triggers(client, ours)
  local provider = client.server_capabilities.completionProvider
  if type(provider) == 'table' then
    local characters = vim.list_extend({}, provider.triggerCharacters or {})
    for _, character in ipairs(vim.tbl_get(ours.server_capabilities, 'completionProvider', 'triggerCharacters') or {}) do
      if not vim.list_contains(characters, character) then
        characters[#characters + 1] = character
      end
    end
    provider.triggerCharacters = characters
  end
end

---Take a client of the buffer into the menu.
---@param client vim.lsp.Client
---@param buf integer
local function join(client, buf)
  if client:supports_method(METHOD) then
    wrap(client)
    if client.name ~= client_of.NAME and not joined[buf][client.id] then
      joined[buf][client.id] = true
      if not config.get().completion then
        return
      end
      local ours = client_of.get(buf)
      if ours then
        share_triggers(client, ours)
      end
      vim.lsp.completion.enable(true, client.id, buf, { autotrigger = true })
    end
  end
end

---@param buf integer
---@param group integer
function M.start(buf, group)
  joined[buf] = {}
  for _, client in ipairs(vim.lsp.get_clients({ bufnr = buf })) do
    join(client, buf)
  end
  vim.api.nvim_create_autocmd('LspAttach', {
    group = group,
    buffer = buf,
    callback = function(event)
      local client = joined[buf] and vim.lsp.get_client_by_id(event.data.client_id)
      if client then
        join(client, buf)
      end
    end,
  })
  -- Neovim 0.11 waits for ever for the list of a server that has ended.
  vim.api.nvim_create_autocmd('LspDetach', {
    group = group,
    buffer = buf,
    callback = function(event)
      local id = event.data.client_id
      if joined[buf] and joined[buf][id] then
        joined[buf][id] = nil
        merge_answers.forget(buf, id)
        vim.lsp.completion.enable(false, id, buf)
      end
    end,
  })
end

---@param buf integer
function M.stop(buf)
  for client_id in pairs(joined[buf] or {}) do
    if vim.api.nvim_buf_is_loaded(buf) and vim.lsp.get_client_by_id(client_id) then
      vim.lsp.completion.enable(false, client_id, buf)
    end
  end
  joined[buf] = nil
  merge_answers.forget(buf)
  if next(joined) == nil then
    for client in pairs(wrapped) do
      client.request = nil -- the class's own again
    end
    wrapped = {}
  end
end

return M
