---Ghost text by Neovim's own inline completion (0.12 and newer): we switch it on, and add words, keys and manners.
local client_of = require('editahead.client')
local config = require('editahead.config')
local text = require('editahead.text')

local M = {}

local METHOD = 'textDocument/inlineCompletion'
local MOMENT = 100 -- milliseconds at most, for what Neovim puts off to its next turn

local started = {} ---@type table<integer, fun(buf: integer)>

---@return boolean
function M.available()
  return vim.lsp.inline_completion ~= nil
end

---Where Neovim draws it. There is no call that tells whether it shows something.
---@return integer?
local function namespace()
  return vim.api.nvim_get_namespaces()['nvim.lsp.inline_completion']
end

---@param buf integer
---@return boolean
function M.visible(buf)
  local drawn = namespace()
  return drawn ~= nil
    and vim.api.nvim_buf_is_valid(buf)
    and vim.api.nvim_get_mode().mode:sub(1, 1) == 'i'
    and #vim.api.nvim_buf_get_extmarks(buf, drawn, 0, -1, { limit = 1 }) > 0
end

---Look again, after Neovim has done its part.
---@param buf integer
local function look(buf)
  vim.schedule(function()
    if not started[buf] or not vim.api.nvim_buf_is_valid(buf) then
      return
    end
    local drawn = namespace()
    if drawn and config.get().menu_visible() then
      vim.api.nvim_buf_clear_namespace(buf, drawn, 0, -1)
    end
    started[buf](buf)
  end)
end

---@param buf integer
---@param group integer
---@param changed fun(buf: integer)
function M.start(buf, group, changed)
  started[buf] = changed
  vim.lsp.inline_completion.enable(true, { bufnr = buf })
  local moves = { 'TextChangedI', 'CursorMovedI', 'TextChangedP', 'CompleteChanged', 'InsertLeave', 'BufLeave' }
  vim.api.nvim_create_autocmd(moves, {
    group = group,
    buffer = buf,
    callback = function()
      look(buf)
    end,
  })
  vim.api.nvim_create_autocmd('LspRequest', {
    group = group,
    buffer = buf,
    callback = function(event)
      local request = event.data.request
      if request.method == METHOD and request.type == 'complete' then
        look(buf)
      end
    end,
  })
end

---@param buf integer
function M.stop(buf)
  if started[buf] then
    started[buf] = nil
    if vim.api.nvim_buf_is_valid(buf) then
      vim.lsp.inline_completion.enable(false, { bufnr = buf })
    end
  end
end

---@param buf integer
function M.hide(buf)
  local drawn = namespace()
  if drawn then
    vim.api.nvim_buf_clear_namespace(buf, drawn, 0, -1)
  end
  look(buf)
end

---Put the item's text, or its first part, at the cursor. What was typed since it was asked for must be its beginning.
---@param buf integer
---@param item vim.lsp.inline_completion.Item
---@param part fun(text: string): string
---@return vim.lsp.inline_completion.Item? item for Neovim to insert, where we cannot
local function insert(buf, item, part)
  local client = vim.lsp.get_client_by_id(item.client_id)
  local readable, row, first, end_row, last = pcall(function()
    return item.range:to_extmark()
  end)
  if not client or type(item.insert_text) ~= 'string' or not readable then
    return item
  end
  local place = vim.api.nvim_win_get_cursor(0)
  local column = place[2]
  local line = vim.api.nvim_buf_get_lines(buf, row, row + 1, false)[1] or ''
  local typed = line:sub(first + 1, column)
  if place[1] - 1 ~= row or end_row ~= row or column < first or not vim.startswith(item.insert_text, typed) then
    return nil -- the text moved on: an older answer would go to the wrong place
  end
  local rest = item.insert_text:sub(#typed + 1)
  last = math.max(last, column)
  local taken = last == column and part(rest) or rest
  text.new_undo_step()
  text.put(buf, row, column, last, taken)
  if #taken == #rest then
    client_of.accepted(client, item, buf)
  else
    client_of.partly_accepted(client, item, vim.str_utfindex(typed .. taken, 'utf-16'))
  end
  return nil
end

---Have Neovim hand over what it shows. It does so a moment later: the next key has to wait for it.
---@param buf integer
---@param take fun(item: vim.lsp.inline_completion.Item): vim.lsp.inline_completion.Item?
---@return boolean whether there is something
local function asked(buf, take)
  local done = false
  local found = vim.lsp.inline_completion.get({
    bufnr = buf,
    on_accept = function(item)
      done = true
      look(buf)
      return take(item)
    end,
  })
  if found then
    vim.wait(MOMENT, function()
      return done
    end, 1)
  end
  return found
end

---@param buf integer
---@param part fun(text: string): string
---@return boolean
function M.accept(buf, part)
  return asked(buf, function(item)
    return insert(buf, item, part)
  end)
end

---@param buf integer
---@return boolean
function M.dismiss(buf)
  return asked(buf, function(item)
    local client = vim.lsp.get_client_by_id(item.client_id)
    if client and client.name == client_of.NAME then
      client_of.rejected(client, item)
    end
    return nil
  end)
end

return M
