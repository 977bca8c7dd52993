---Answers of several servers for a completion plugin, which makes its own menu of them.
---
---`sortText` of all items follows their probabilities (`editahead/rank`), and our answer waits for the others, to leave
---out the names that they have: their items know types and documentation.
local client_of = require('editahead.client')

local M = {}

---What another server offers for the word at the cursor; `names` is nil while it has not answered.
---@class editahead.OtherAnswer
---@field place string
---@field names? table<string, true>

local answers = {} ---@type table<integer, table<integer, editahead.OtherAnswer>> by buffer and client
local waiting = {} ---@type table<integer, fun()> by buffer: looks again whether our answer still has to wait

---@param act fun()
---@return fun() the same, but only its first call does something
function M.once(act)
  local open = true
  return function()
    if open then
      open = false
      act()
    end
  end
end

---@return table the module that requires this one
local function merge()
  return require('editahead.merge')
end

---@return string the row, and where the word before the cursor begins
local function word_place()
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  return row .. ':' .. vim.fn.match(vim.api.nvim_get_current_line():sub(1, column), [[\k*$]])
end

---@param item lsp.CompletionItem
---@param probability number
local function sort_by(item, probability)
  local own = type(item.sortText) == 'string' and item.sortText or item.label
  item.sortText = ('%05d %s'):format(math.floor((1 - probability) * 99999), own)
end

---Sort the items of another server, and remember their names.
---@param buf integer
---@param answer editahead.OtherAnswer
---@param items lsp.CompletionItem[]
local function remember(buf, answer, items)
  answer.names = {}
  for _, item in ipairs(items) do
    answer.names[merge().name_of(item)] = true
    sort_by(item, merge().probability(item, false))
  end
  if waiting[buf] then
    waiting[buf]()
  end
end

---Call `ready` when every other server has answered for this word, or after the timeout.
---@param buf integer
---@param place string
---@param ready fun()
local function await_others(buf, place, ready)
  local once = M.once(function()
    waiting[buf] = nil
    ready()
  end)
  waiting[buf] = function()
    for _, answer in pairs(answers[buf] or {}) do
      if answer.place == place and not answer.names then
        return
      end
    end
    once()
  end
  waiting[buf]()
  if waiting[buf] then
    vim.defer_fn(once, merge().timeout)
  end
end

---Sort our items, and leave out those that another server has for this word.
---@param buf integer
---@param place string
---@param items lsp.CompletionItem[]
---@return lsp.CompletionItem[]
local function without_others(buf, place, items)
  local left = {}
  for _, item in ipairs(items) do
    local elsewhere = vim.iter(vim.tbl_values(answers[buf] or {})):any(function(answer)
      return answer.place == place and answer.names ~= nil and answer.names[merge().name_of(item)] ~= nil
    end)
    if not elsewhere then
      sort_by(item, merge().probability(item, true))
      left[#left + 1] = item
    end
  end
  return left
end

---The answer's handler for a completion plugin, which makes a menu of the answers by itself.
---@param client vim.lsp.Client
---@param buf integer
---@param handler fun(...)
---@return fun(...)
function M.handler(client, buf, handler)
  local place, ours = word_place(), client_of.get(buf)
  if client.name == client_of.NAME then
    return function(err, result, ...)
      local more = { ... }
      await_others(buf, place, function()
        if type(result) == 'table' and result.items then
          result.items = without_others(buf, place, result.items)
        end
        handler(err, result, unpack(more))
      end)
    end
  end
  local answer = { place = place } ---@type editahead.OtherAnswer
  answers[buf] = answers[buf] or {}
  answers[buf][client.id] = answer
  local at = ours and client_of.place(ours, buf)
  return function(err, result, ...)
    local more = { ... }
    local items = not err and type(result) == 'table' and (result.items or result) or {}
    local function go_on()
      remember(buf, answer, items)
      handler(err, result, unpack(more))
    end
    if at then
      merge().rank(buf, at, result, go_on)
    else
      go_on()
    end
  end
end

---@param buf integer
---@param client_id? integer all clients by default
function M.forget(buf, client_id)
  if client_id and answers[buf] then
    answers[buf][client_id] = nil
  elseif not client_id then
    answers[buf], waiting[buf] = nil, nil
  end
end

return M
