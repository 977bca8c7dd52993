---Ghost text drawn by this plugin. Neovim's inline completion (0.12) waits 200 ms for a pause; this asks after 40 ms.
local client_of = require('editahead.client')
local config = require('editahead.config')
local text = require('editahead.text')

local M = {}

local METHOD = 'textDocument/inlineCompletion'
local INVOKED, AUTOMATIC = 1, 2
local namespace = vim.api.nvim_create_namespace('editahead.ghost')
local number_namespace = vim.api.nvim_create_namespace('editahead.ghost.number')

---@class editahead.Ghost
---@field row integer
---@field first integer byte column where the text goes
---@field last integer byte column up to which it replaces; equal to `first` for a pure insertion
---@field insert string the text that remains
---@field taken integer UTF-16 code units that were accepted or typed already
---@field line string the line as it is
---@field item table the server's item

---@class editahead.GhostState
---@field ghost? editahead.Ghost
---@field cancel fun()
---@field timer uv.uv_timer_t
---@field changed fun(buf: integer) called when ghost text appears or disappears
---@field choices? editahead.Ghost[] the shown ghost text and its alternatives, once the user asked for them

local states = {} ---@type table<integer, editahead.GhostState>

---@param buf integer
---@return string line, integer row, integer column
local function cursor(buf)
  local position = vim.api.nvim_win_get_cursor(0)
  local row = position[1] - 1
  return vim.api.nvim_buf_get_lines(buf, row, row + 1, false)[1] or '', row, position[2]
end

---@param buf integer
---@param ghost editahead.Ghost
local function draw(buf, ghost)
  vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  local lines = vim.split(ghost.insert, '\n', { plain = true })
  local below = {} ---@type [string, string][][]
  for i = 2, #lines do
    below[#below + 1] = { { lines[i], 'EditaheadGhost' } }
  end
  local replaced = ghost.line:sub(ghost.first + 1, ghost.last)
  local pieces = text.insertions(replaced, lines[1])
  if not pieces then -- not insertions alone: the new text overlays the old
    local over = { virt_text = { { lines[1], 'EditaheadGhost' } }, virt_text_pos = 'overlay' }
    vim.api.nvim_buf_set_extmark(buf, namespace, ghost.row, ghost.first, over)
  end
  for _, piece in ipairs(pieces or {}) do
    local inline = { virt_text = { { piece[2], 'EditaheadGhost' } }, virt_text_pos = 'inline', hl_mode = 'combine' }
    vim.api.nvim_buf_set_extmark(buf, namespace, ghost.row, ghost.first + piece[1], inline)
  end
  if #below > 0 then
    vim.api.nvim_buf_set_extmark(buf, namespace, ghost.row, ghost.first, { virt_lines = below })
  end
end

---@param buf integer
---@param ghost? editahead.Ghost
local function set(buf, ghost)
  local state = states[buf]
  if not state or (not ghost and not state.ghost) then
    return
  end
  state.ghost, state.choices = ghost, nil
  vim.api.nvim_buf_clear_namespace(buf, number_namespace, 0, -1)
  if ghost then
    draw(buf, ghost)
  else
    vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  end
  state.changed(buf)
end

---The remaining ghost text after the user typed its beginning.
---@param ghost editahead.Ghost
---@param line string
---@param row integer
---@param column integer
---@return editahead.Ghost?
local function remainder(ghost, line, row, column)
  if row ~= ghost.row or column < ghost.first or ghost.last ~= ghost.first then
    return nil
  end
  local typed = line:sub(ghost.first + 1, column)
  local same = line:sub(1, ghost.first) == ghost.line:sub(1, ghost.first)
    and line:sub(column + 1) == ghost.line:sub(ghost.last + 1)
  if not same or #typed >= #ghost.insert or not vim.startswith(ghost.insert, typed) then
    return nil
  end
  local left = vim.deepcopy(ghost)
  left.first, left.last, left.line, left.insert = column, column, line, ghost.insert:sub(#typed + 1)
  left.taken = ghost.taken + vim.str_utfindex(typed, 'utf-16')
  return left
end

---An answer's item as ghost text; nil if it cannot be shown at the cursor.
---@param buf integer
---@param client vim.lsp.Client
---@param item table
---@return editahead.Ghost?
local function ghost_of(buf, client, item)
  local line, row, column = cursor(buf)
  if type(item.insertText) ~= 'string' then
    return nil
  end
  local first, last = column, column
  if item.range then
    local start_row, end_row
    start_row, first = text.position(client, buf, item.range.start)
    end_row, last = text.position(client, buf, item.range['end'])
    if start_row ~= row or end_row ~= row or first > column then
      return nil
    end
  end
  local ghost = { row = row, first = first, last = last, insert = item.insertText, line = line, item = item, taken = 0 }
  if first == column then
    return ghost
  elseif last ~= column then
    return nil
  end
  local begun = vim.deepcopy(ghost) -- an answer that begins before the cursor
  begun.last, begun.line = first, line:sub(1, first) .. line:sub(last + 1)
  return remainder(begun, line, row, column)
end

---@param buf integer
---@param tick integer
---@return boolean whether an answer to a request made at `tick` may be shown
local function may_show(buf, tick)
  local here = states[buf] and vim.api.nvim_get_current_buf() == buf and vim.api.nvim_get_mode().mode:sub(1, 1) == 'i'
  return here and vim.b[buf].changedtick == tick and not config.get().menu_visible()
end

---@param buf integer
---@param tick integer
---@param client vim.lsp.Client
---@param result table
local function on_result(buf, tick, client, result)
  if not may_show(buf, tick) then
    return
  end
  local item = (result.items or result)[1]
  set(buf, item and ghost_of(buf, client, item))
  if states[buf].ghost then
    client_of.report_ghost_shown(client, item)
  end
end

---Show the ghost text `count` further in the list, with its number.
---@param buf integer
---@param client vim.lsp.Client
---@param choices editahead.Ghost[]
---@param count integer
local function show_choice(buf, client, choices, count)
  local shown, at = states[buf].ghost, 0
  for index, choice in ipairs(choices) do
    if shown and choice.insert == shown.insert then
      at = index
      break
    end
  end
  if shown and at == 0 then
    table.insert(choices, 1, shown)
    at = 1
  end
  local index = at == 0 and 1 or (at - 1 + count) % #choices + 1
  local ghost = choices[index]
  set(buf, ghost)
  states[buf].choices = choices
  local number = { { ('  %d/%d'):format(index, #choices), 'EditaheadHint' } }
  vim.api.nvim_buf_set_extmark(buf, number_namespace, ghost.row, 0, { virt_text = number, virt_text_pos = 'eol' })
  client_of.report_ghost_shown(client, ghost.item)
end

---Show the next alternative, or the previous one; request ghost text where none is shown.
---@param buf integer
---@param count integer 1 or -1
---@return boolean requested
function M.cycle(buf, count)
  local state, client = states[buf], client_of.get(buf)
  if not state or not client or vim.api.nvim_get_mode().mode:sub(1, 1) ~= 'i' then
    return false
  elseif state.choices then
    show_choice(buf, client, state.choices, count)
    return true
  end
  state.timer:stop()
  state.cancel()
  local tick = vim.b[buf].changedtick
  local params = client_of.place(client, buf)
  params.context = { triggerKind = INVOKED }
  local _, row, column = cursor(buf)
  state.cancel = client_of.request(client, METHOD, params, buf, function(result)
    local _, now_row, now_column = cursor(buf)
    if now_row ~= row or now_column ~= column or not may_show(buf, tick) then
      return
    end
    local choices = {} ---@type editahead.Ghost[]
    for _, item in ipairs(result.items or result) do
      choices[#choices + 1] = ghost_of(buf, client, item)
    end
    if #choices > 0 then
      show_choice(buf, client, choices, count)
    end
  end)
  return true
end

---@param buf integer
local function request(buf)
  local state, client = states[buf], client_of.get(buf)
  if not state or not client or vim.api.nvim_get_current_buf() ~= buf then
    return
  end
  if vim.api.nvim_get_mode().mode:sub(1, 1) ~= 'i' or vim.fn.reg_executing() ~= '' then
    return
  end
  state.cancel()
  local tick = vim.b[buf].changedtick
  local params = client_of.place(client, buf)
  params.context = { triggerKind = AUTOMATIC }
  local _, row, column = cursor(buf)
  state.cancel = client_of.request(client, METHOD, params, buf, function(result)
    local _, now_row, now_column = cursor(buf)
    if now_row == row and now_column == column then
      on_result(buf, tick, client, result)
    end
  end)
end

---@param buf integer
local function follow_text(buf)
  local state = states[buf]
  if not state then
    return
  end
  state.cancel()
  if state.ghost then
    local line, row, column = cursor(buf)
    local menu = config.get().menu_visible()
    set(buf, not menu and remainder(state.ghost, line, row, column) or nil)
  end
end

---@param buf integer
local function request_soon(buf)
  local state = states[buf]
  if state then
    state.timer:start(config.get().ghost.debounce, 0, vim.schedule_wrap(function()
      request(buf)
    end))
  end
end

---@param buf integer
function M.hide(buf)
  local state = states[buf]
  if state then
    state.timer:stop()
    state.cancel()
    set(buf, nil)
  end
end

---@param buf integer
---@param group integer
---@param changed fun(buf: integer)
function M.start(buf, group, changed)
  M.stop(buf)
  states[buf] = { timer = assert(vim.uv.new_timer()), cancel = function() end, changed = changed }
  local function on(events, callback)
    vim.api.nvim_create_autocmd(events, { group = group, buffer = buf, callback = callback })
  end
  on({ 'TextChangedI', 'InsertEnter' }, function()
    follow_text(buf)
    request_soon(buf)
  end)
  on('CursorMovedI', function()
    follow_text(buf)
  end)
  on({ 'InsertLeave', 'BufLeave', 'CompleteChanged' }, function()
    vim.schedule(function()
      M.hide(buf)
    end)
  end)
end

---@param buf integer
function M.stop(buf)
  local state = states[buf]
  if state then
    if vim.api.nvim_buf_is_valid(buf) then
      M.hide(buf)
    end
    state.timer:close()
    states[buf] = nil
  end
end

---@param buf integer
---@return boolean
function M.visible(buf)
  return states[buf] ~= nil and states[buf].ghost ~= nil
end

---Accept the ghost text, or its first part.
---@param buf integer
---@param part fun(text: string): string
---@return boolean accepted
function M.accept(buf, part)
  local state, client = states[buf], client_of.get(buf)
  local ghost = state and state.ghost
  if not state or not ghost or not client then
    return false
  end
  local line, cursor_row, cursor_column = cursor(buf)
  if line ~= ghost.line or cursor_row ~= ghost.row or cursor_column ~= ghost.first then
    -- Keys arrived before their events: the typed text must be the beginning.
    local left = remainder(ghost, line, cursor_row, cursor_column)
    if not left then
      M.hide(buf)
      return false
    end
    ghost = left
  end
  local taken = ghost.last == ghost.first and part(ghost.insert) or ghost.insert
  state.cancel()
  local whole = #taken == #ghost.insert
  if whole then
    set(buf, nil)
  end
  text.new_undo_step()
  local row, column = text.put(buf, ghost.row, ghost.first, ghost.last, taken)
  if whole then
    client_of.accept_item(client, ghost.item, buf)
    return true
  end
  local left = vim.deepcopy(ghost)
  left.row, left.first, left.last, left.insert = row, column, column, ghost.insert:sub(#taken + 1)
  left.line = cursor(buf)
  left.taken = ghost.taken + vim.str_utfindex(taken, 'utf-16')
  set(buf, left)
  client_of.report_partial_accept(client, ghost.item, left.taken)
  return true
end

---Reject the ghost text.
---@param buf integer
---@return boolean
function M.dismiss(buf)
  local client, ghost = client_of.get(buf), states[buf] and states[buf].ghost
  if not client or not ghost then
    return false
  end
  client_of.reject_item(client, ghost.item)
  M.hide(buf)
  return true
end

return M
