---Ghost text by Neovim's inline completion (0.12 and newer), with partial acceptance, our keys and stricter hiding.
local client_of = require('editahead.client')
local config = require('editahead.config')
local text = require('editahead.text')

local M = {}

local METHOD = 'textDocument/inlineCompletion'
local HANDOVER_TIMEOUT = 100 -- milliseconds; Neovim hands an item over in its next event loop turn

local started = {} ---@type table<integer, fun(buf: integer)>

---@class editahead.DrawnText What Neovim drew for an answer.
---@field row integer
---@field column integer
---@field before string the line up to the text
---@field text string

local drawings = {} ---@type table<integer, editahead.DrawnText>
local request_ticks = {} ---@type table<integer, integer> request: the buffer's changedtick

---@return boolean
function M.available()
  return vim.lsp.inline_completion ~= nil
end

---The namespace in which Neovim draws. No function tells whether something is shown.
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

---@param buf integer
---@return editahead.DrawnText? drawn what Neovim shows
local function drawing(buf)
  local drawn = namespace()
  local mark = drawn and vim.api.nvim_buf_get_extmarks(buf, drawn, 0, -1, { details = true, limit = 1 })[1]
  if not mark then
    return nil
  end
  local lines = { '' }
  for _, piece in ipairs(mark[4].virt_text or {}) do
    lines[1] = lines[1] .. piece[1]
  end
  for _, line in ipairs(mark[4].virt_lines or {}) do
    lines[#lines + 1] = line[1] and line[1][1] or ''
  end
  local before = (vim.api.nvim_buf_get_lines(buf, mark[2], mark[2] + 1, false)[1] or ''):sub(1, mark[3])
  return { row = mark[2], column = mark[3], before = before, text = table.concat(lines, '\n') }
end

---Whether the text before the cursor goes on as the answer does. Neovim cuts as many letters off as were typed, whatever they are.
---@param buf integer
---@return boolean
local function matches(buf)
  local drawn = drawings[buf]
  if not drawn or vim.api.nvim_get_current_buf() ~= buf then
    return true
  end
  local place = vim.api.nvim_win_get_cursor(0)
  local line = vim.api.nvim_buf_get_lines(buf, drawn.row, drawn.row + 1, false)[1] or ''
  return place[1] - 1 == drawn.row
    and place[2] >= drawn.column
    and line:sub(1, drawn.column) == drawn.before
    and vim.startswith(drawn.text, line:sub(drawn.column + 1, place[2]))
end

---Update the state after Neovim has handled the event.
---@param buf integer
---@param fresh? boolean whether the answer is for the current text; nil if there is no answer
local function refresh(buf, fresh)
  vim.schedule(function()
    if not started[buf] or not vim.api.nvim_buf_is_valid(buf) then
      return
    end
    if fresh then
      drawings[buf] = drawing(buf)
    end
    local drawn = namespace()
    if drawn and (fresh == false or config.get().menu_visible() or not matches(buf)) then
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
      refresh(buf)
    end,
  })
  vim.api.nvim_create_autocmd('LspRequest', {
    group = group,
    buffer = buf,
    callback = function(event)
      local request = event.data.request
      if request.method ~= METHOD then
        return
      elseif request.type == 'pending' then
        request_ticks[event.data.request_id] = vim.b[buf].changedtick
      elseif request.type == 'complete' then
        refresh(buf, request_ticks[event.data.request_id] == vim.b[buf].changedtick)
        request_ticks[event.data.request_id] = nil
      else
        request_ticks[event.data.request_id] = nil
      end
    end,
  })
end

---@param buf integer
function M.stop(buf)
  if started[buf] then
    started[buf], drawings[buf] = nil, nil
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
  refresh(buf)
end

---Insert the item's text, or its first part, at the cursor. Text typed since the request must be its beginning.
---@param buf integer
---@param item vim.lsp.inline_completion.Item
---@param part fun(text: string): string
---@return vim.lsp.inline_completion.Item? item for Neovim to insert if this function cannot
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
    return nil -- the text has changed: an outdated answer would go to the wrong place
  end
  local rest = item.insert_text:sub(#typed + 1)
  last = math.max(last, column)
  local taken = last == column and part(rest) or rest
  text.new_undo_step()
  text.put(buf, row, column, last, taken)
  if #taken == #rest then
    client_of.accept_item(client, item, buf)
  else
    client_of.report_partial_accept(client, item, vim.str_utfindex(typed .. taken, 'utf-16'))
  end
  return nil
end

---Pass the item that Neovim shows to `take`. Neovim hands it over asynchronously, so this waits for it.
---@param buf integer
---@param take fun(item: vim.lsp.inline_completion.Item): vim.lsp.inline_completion.Item?
---@return boolean whether there is an item
local function with_shown_item(buf, take)
  local done = false
  local found = vim.lsp.inline_completion.get({
    bufnr = buf,
    on_accept = function(item)
      done = true
      refresh(buf)
      return take(item)
    end,
  })
  if found then
    vim.wait(HANDOVER_TIMEOUT, function()
      return done
    end, 1)
  end
  return found
end

---@param buf integer
---@param part fun(text: string): string
---@return boolean
function M.accept(buf, part)
  return with_shown_item(buf, function(item)
    return insert(buf, item, part)
  end)
end

---Neovim requests ghost text automatically alone, and so gets a single one.
---@return boolean
function M.cycle()
  return false
end

---@param buf integer
---@return boolean
function M.dismiss(buf)
  return with_shown_item(buf, function(item)
    local client = vim.lsp.get_client_by_id(item.client_id)
    if client and client.name == client_of.NAME then
      client_of.reject_item(client, item)
    end
    return nil
  end)
end

return M
