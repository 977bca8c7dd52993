---The next edit: requested after a change, shown at its place; one key jumps there, then applies it.
local last_edit = require('editahead.last_edit')
local change = require('editahead.change')
local client_of = require('editahead.client')
local config = require('editahead.config')
local hits = require('editahead.hits')
local jump = require('editahead.jump')
local keys = require('editahead.keys')
local preview = require('editahead.preview')
local text = require('editahead.text')

local M = {}

---@class editahead.ShownEdit
---@field hunks editahead.Hunk[] none for a place whose text the user has to write
---@field message? string what such a place asks for
---@field learned? boolean whether a model expects an edit at the place: its message stands at the cursor's line
---@field row integer
---@field column integer
---@field item table the server's edit
---@field probability number
---@field target? integer the other buffer that contains it
---@field unopened? boolean whether that buffer's file has yet to be opened
---@field jumped? integer[] target of the last jump: row from 1, column from 0

---@class editahead.NextEditState
---@field shown? editahead.ShownEdit
---@field cancel fun()
---@field timer uv.uv_timer_t
---@field place_wait? integer milliseconds without a key until a place is requested, while that is pending
---@field no_edit_reason? string why the last request had no result
---@field searched_at? string changedtick and row of the last diagnostic or search hit at which an edit was requested
---@field arriving? boolean the file was opened for its next edit: the cursor goes there once it is known

local states = {} ---@type table<integer, editahead.NextEditState>

---@param buf integer
---@return boolean whether a next edit may be shown now
local function may_show(buf)
  local mode = vim.api.nvim_get_mode().mode
  if vim.api.nvim_get_current_buf() ~= buf or vim.fn.reg_executing() ~= '' or not vim.bo[buf].modifiable then
    return false
  end
  if mode:sub(1, 1) == 'i' then
    local busy = config.get().menu_visible() or vim.snippet.active() or require('editahead.ghost').visible(buf)
    return config.get().next_edit.insert_mode and not busy
  end
  return mode == 'n' or mode:sub(1, 2) == 'ni'
end

---@param buf integer
---@return editahead.Binding[]
local function bindings(buf)
  local all, own = {}, config.get().next_edit.keys
  keys.add(all, 'n', own.accept, 'jump to the next edit, or apply it', function()
    return M.accept(buf)
  end)
  keys.add(all, 'i', own.accept, 'jump to the next edit, or apply it', function()
    local theirs = config.get().menu_visible() or vim.snippet.active() or jump.key_indents(states[buf].shown)
    return not theirs and M.accept(buf)
  end)
  keys.add(all, 'n', own.reject, 'reject the next edit', function()
    return vim.v.count == 0 and M.reject(buf)
  end)
  return all
end

---@param buf integer
function M.hide(buf)
  local state = states[buf]
  if not state then
    return
  end
  state.timer:stop()
  state.place_wait = nil
  state.cancel()
  preview.clear(buf)
  if state.shown then
    state.shown = nil
    keys.hide(buf, 'next_edit')
    vim.cmd('redrawstatus')
  end
end

---@param buf integer
---@param shown editahead.ShownEdit
---@return string? hint after the cursor's line
local function hint_of(buf, shown)
  return preview.place_hint(buf, shown.row, shown.target, shown.learned and shown.message or nil)
end

---Show an edit: its preview if it is in this buffer, a hint, and the keys.
---@param buf integer
---@param shown editahead.ShownEdit
local function show(buf, shown)
  last_edit.release(buf)
  states[buf].shown = shown
  if not shown.target and shown.message then
    preview.show_place(buf, shown.row, not shown.learned and shown.message or nil)
  elseif not shown.target then
    preview.show(buf, shown.hunks, shown.row)
  end
  preview.show_hint(buf, hint_of(buf, shown))
  keys.show(buf, 'next_edit', bindings(buf))
  vim.cmd('redrawstatus')
end

---There is no next edit: name the places that are left.
---@param buf integer
local function show_nothing(buf)
  local left = M.remaining(buf)
  if may_show(buf) and not last_edit.hold_key(buf, left or 'no more places') and left and vim.fn.mode() == 'n' then
    preview.show_hint(buf, left)
  end
end

---@param buf integer
---@param client vim.lsp.Client
---@param result table
local function on_result(buf, client, result)
  local state = states[buf]
  if not state then
    return
  end
  local item = result.edits and result.edits[1]
  state.no_edit_reason = not item and (result.detail or result.reason) or nil
  if not item then
    show_nothing(buf)
    return
  end
  local there = vim.uri_to_bufnr(item.textDocument.uri)
  local version = item.textDocument.version
  if version == nil or version == vim.NIL then -- the file is not open
    if there ~= buf and not states[there] and may_show(buf) then
      local row, probability = item.range.start.line, item.probability or 0
      local place = { hunks = {}, row = row, column = 0, item = item, probability = probability }
      show(buf, vim.tbl_extend('error', place, { target = there, unopened = true }))
      client_of.report_edit_shown(client, item)
    end
    return
  end
  local fits = states[there] and item.textDocument.version == vim.lsp.util.buf_versions[there]
  local message = item.jump and (item.message or '') or nil
  local hunks = fits and not message and change.hunks(client, there, item.range, item.text) or {}
  if not fits or (#hunks == 0 and not message) or not may_show(buf) then
    return
  end
  local row, column ---@type integer, integer
  if message then
    row, column = text.position(client, there, item.range.start)
  else
    row, column = change.start_of(hunks[1], vim.api.nvim_buf_line_count(there))
  end
  show(buf, {
    hunks = hunks,
    message = message,
    learned = message and item.source == 'place',
    row = row,
    column = column,
    item = item,
    probability = item.probability or 0,
    target = there ~= buf and there or nil,
  })
  client_of.report_edit_shown(client, item)
  if state.arriving and there == buf then
    jump.to_edit(buf, state.shown)
  end
  state.arriving = nil
end

local IDLE_AFTER = 400 -- milliseconds without a key after which typing counts as finished
local request_soon ---@type fun(buf: integer, wait: integer, rested?: integer)

---Request a place once the user has rested for longer; what is shown until then stays. An edit goes first here, too.
---@param buf integer
---@param wait integer milliseconds without a key or a move of the cursor
local function request_place_soon(buf, wait)
  local state = states[buf]
  state.place_wait = wait
  state.timer:start(wait, 0, vim.schedule_wrap(function()
    local client = client_of.get(buf)
    if states[buf] ~= state or not client or not vim.api.nvim_buf_is_valid(buf) or not may_show(buf) then
      return
    end
    state.place_wait = nil
    local params = client_of.place(client, buf)
    params.context = { idle = true }
    state.cancel = client_of.request(client, 'editahead/nextEdit', params, buf, function(result)
      if result.edits and result.edits[1] then
        on_result(buf, client, result)
      elseif result.placeAfterMs then
        request_place_soon(buf, result.placeAfterMs)
      end
    end)
  end))
end

---Request the next edit now.
---@param buf? integer
---@param rested? integer milliseconds without a key; default IDLE_AFTER
---@param invoked? boolean the user requests it, which ends a pause after unwanted suggestions
function M.request(buf, rested, invoked)
  buf = buf or vim.api.nvim_get_current_buf()
  local state, client = states[buf], client_of.get(buf)
  if not state or not client or not may_show(buf) then
    return
  end
  M.hide(buf)
  local params = client_of.place(client, buf)
  rested = rested or IDLE_AFTER
  params.context = { idle = rested >= IDLE_AFTER, triggerKind = invoked and 1 or nil }
  state.cancel = client_of.request(client, 'editahead/nextEdit', params, buf, function(result)
    on_result(buf, client, result)
    if rested < IDLE_AFTER and not (result.edits and result.edits[1]) and states[buf] then
      request_soon(buf, IDLE_AFTER - rested, IDLE_AFTER)
    elseif result.placeAfterMs and states[buf] then
      request_place_soon(buf, result.placeAfterMs)
    end
  end)
end

---@param buf integer
---@param wait integer milliseconds
---@param rested? integer milliseconds without a key by then
request_soon = function(buf, wait, rested)
  M.hide(buf)
  states[buf].timer:start(wait, 0, vim.schedule_wrap(function()
    if states[buf] and vim.api.nvim_buf_is_valid(buf) then
      M.request(buf, rested or wait)
    end
  end))
end

---The cursor has moved: after a jump to a diagnostic or a search hit, request the next edit there, once for each text and row.
---@param buf integer
local function follow_search(buf)
  local state = states[buf]
  local is_waiting = state and state.timer:is_active() and not state.place_wait
  if not state or state.shown or is_waiting or vim.fn.mode() ~= 'n' then
    return
  end
  local here = ('%d:%d'):format(vim.b[buf].changedtick, vim.api.nvim_win_get_cursor(0)[1])
  if state.searched_at ~= here and hits.is_at_hit(buf) then
    state.searched_at = here
    request_soon(buf, config.get().next_edit.debounce, IDLE_AFTER)
  end
end

---The cursor is at a place whose text the user has to write: the next press goes on to the one after it.
---@param buf integer
---@param client vim.lsp.Client
---@param shown editahead.ShownEdit
local function arrived(buf, client, shown)
  M.hide(buf)
  client_of.accept_item(client, shown.item, buf)
  request_soon(buf, 0, IDLE_AFTER)
end

---Open the file of an edit and show the edit there, once the server knows the file.
---@param buf integer
---@param tries integer
local function arrive(buf, tries)
  if states[buf] and client_of.get(buf) then
    states[buf].arriving = true
    M.request(buf)
  elseif tries > 0 then
    vim.defer_fn(function()
      arrive(buf, tries - 1)
    end, 50)
  end
end

---Jump to the edit, or apply it if the cursor is there.
---@param buf? integer
---@return boolean done false when nothing is shown
function M.accept(buf)
  buf = buf or vim.api.nvim_get_current_buf()
  local state, client = states[buf], client_of.get(buf)
  local shown = state and state.shown
  if not shown or not client then
    return false
  end
  local target = shown.target
  if target then
    M.hide(buf)
    shown.target = nil
    jump.to_buffer(target, shown)
    if shown.unopened then
      arrive(target, 40)
    elseif shown.message then
      arrived(target, client, shown)
    else
      show(target, shown)
    end
    return true
  elseif not jump.cursor_at(shown) then
    jump.to_edit(buf, shown)
    preview.show_hint(buf, nil)
    if shown.message then
      arrived(buf, client, shown)
    end
    return true
  end
  M.hide(buf)
  text.new_undo_step()
  local row, column = change.apply(buf, shown.hunks)
  vim.api.nvim_win_set_cursor(0, { row + 1, column })
  client_of.accept_item(client, shown.item, buf)
  last_edit.edit_applied(buf)
  request_soon(buf, 0, IDLE_AFTER)
  return true
end

---Reject what is shown: its pattern is not offered again for a while.
---@param buf? integer
---@return boolean
function M.reject(buf)
  buf = buf or vim.api.nvim_get_current_buf()
  local client, shown = client_of.get(buf), states[buf] and states[buf].shown
  if not client or not shown then
    return false
  end
  client_of.reject_item(client, shown.item)
  M.hide(buf)
  return true
end

---@param buf integer
---@return editahead.ShownEdit?
function M.shown(buf)
  return states[buf] and states[buf].shown
end

---Why the last request had no result.
---@param buf integer
---@return string?
function M.no_edit_reason(buf)
  return states[buf] and states[buf].no_edit_reason
end

---How many places are left: `1 more, less sure`, `2 calls of open_file lack encoding`.
---@param buf integer
---@return string?
function M.remaining(buf)
  local reason = M.no_edit_reason(buf)
  return reason and reason:match('^%d+ %l.*') or nil
end

---@param buf integer
---@param group integer
function M.start(buf, group)
  if not config.get().next_edit.enabled or states[buf] then
    return
  end
  states[buf] = { timer = assert(vim.uv.new_timer()), cancel = function() end }
  local function on(events, callback)
    vim.api.nvim_create_autocmd(events, { group = group, buffer = buf, callback = callback })
  end
  on({ 'TextChanged', 'InsertLeave' }, function()
    request_soon(buf, config.get().next_edit.debounce)
  end)
  on({ 'TextChangedI', 'TextChangedP' }, function()
    request_soon(buf, config.get().next_edit.insert_debounce)
  end)
  on({ 'CursorMoved', 'CursorMovedI', 'WinScrolled' }, function()
    local shown = states[buf] and states[buf].shown
    last_edit.cursor_moved(buf)
    follow_search(buf)
    if states[buf] and states[buf].place_wait then
      request_place_soon(buf, states[buf].place_wait) -- whoever moves knows where to go
    end
    if shown then
      preview.show_hint(buf, hint_of(buf, shown))
    elseif M.remaining(buf) and vim.fn.mode() == 'n' then
      preview.show_hint(buf, nil)
    end
  end)
  on({ 'InsertEnter' }, function()
    if not config.get().next_edit.insert_mode then
      M.hide(buf)
    end
  end)
  on({ 'BufLeave' }, function()
    last_edit.release(buf)
    M.hide(buf)
  end)
end

---@param buf integer
function M.stop(buf)
  local state = states[buf]
  if state then
    M.hide(buf)
    state.timer:close()
    states[buf] = nil
  end
end

return M
