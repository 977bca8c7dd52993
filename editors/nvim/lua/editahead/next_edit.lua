---The next edit: asked for after a change, shown where it falls; one key jumps there and, there, applies it.
local arrived = require('editahead.arrived')
local change = require('editahead.change')
local client_of = require('editahead.client')
local config = require('editahead.config')
local jump = require('editahead.jump')
local keys = require('editahead.keys')
local preview = require('editahead.preview')
local text = require('editahead.text')

local M = {}

---@class editahead.Shown
---@field hunks editahead.Hunk[]
---@field row integer
---@field column integer
---@field item table the server's edit
---@field probability number
---@field target? integer the other buffer in which it stands
---@field jumped? integer[] where the last jump went: row from 1, column

---@class editahead.NextEditState
---@field shown? editahead.Shown
---@field cancel fun()
---@field timer uv.uv_timer_t
---@field quiet? string why the last question was answered with nothing

local states = {} ---@type table<integer, editahead.NextEditState>

---@param buf integer
---@return boolean whether a next edit may show now
local function welcome(buf)
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
    local theirs = config.get().menu_visible() or vim.snippet.active() or jump.indents(states[buf].shown)
    return not theirs and M.accept(buf)
  end)
  keys.add(all, 'n', own.reject, 'turn the next edit down', function()
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
  state.cancel()
  preview.clear(buf)
  if state.shown then
    state.shown = nil
    keys.hide(buf, 'next_edit')
    vim.cmd('redrawstatus')
  end
end

---Draw what is shown, where it stands in the buffer itself, and say where it is.
---@param buf integer
---@param shown editahead.Shown
local function show(buf, shown)
  arrived.leave(buf)
  states[buf].shown = shown
  if not shown.target then
    preview.show(buf, shown.hunks, shown.row)
  end
  preview.say(buf, preview.away(buf, shown.row, shown.target))
  keys.show(buf, 'next_edit', bindings(buf))
  vim.cmd('redrawstatus')
end

---Nothing follows: say what is left, where that is something.
---@param buf integer
local function nothing(buf)
  local left = M.remaining(buf)
  if welcome(buf) and not arrived.hold(buf, left or 'no more places') and left and vim.fn.mode() == 'n' then
    preview.say(buf, left)
  end
end

---@param buf integer
---@param client vim.lsp.Client
---@param result table
local function answered(buf, client, result)
  local state = states[buf]
  if not state then
    return
  end
  local item = result.edits and result.edits[1]
  state.quiet = not item and (result.detail or result.reason) or nil
  if not item then
    nothing(buf)
    return
  end
  local there = vim.uri_to_bufnr(item.textDocument.uri)
  local fits = states[there] and item.textDocument.version == vim.lsp.util.buf_versions[there]
  local hunks = fits and change.hunks(client, there, item.range, item.text) or {}
  if #hunks == 0 or not welcome(buf) then
    return
  end
  local row, column = change.start_of(hunks[1], vim.api.nvim_buf_line_count(there))
  local target = there ~= buf and there or nil
  local probability = item.probability or 0
  show(buf, { hunks = hunks, row = row, column = column, item = item, probability = probability, target = target })
  client_of.edit_shown(client, item)
end

local REST = 400 -- milliseconds without a key after which what was typed is taken as finished
local ask_soon ---@type fun(buf: integer, wait: integer, rested?: integer)

---Ask now.
---@param buf? integer
---@param rested? integer milliseconds without a key; a person who asks has rested
function M.ask(buf, rested)
  buf = buf or vim.api.nvim_get_current_buf()
  local state, client = states[buf], client_of.get(buf)
  if not state or not client or not welcome(buf) then
    return
  end
  M.hide(buf)
  local params = client_of.place(client, buf)
  rested = rested or REST
  params.context = { idle = rested >= REST }
  state.cancel = client_of.ask(client, 'editahead/nextEdit', params, buf, function(result)
    answered(buf, client, result)
    if rested < REST and not (result.edits and result.edits[1]) and states[buf] then
      ask_soon(buf, REST - rested, REST)
    end
  end)
end

---@param buf integer
---@param wait integer milliseconds
---@param rested? integer milliseconds without a key by then
ask_soon = function(buf, wait, rested)
  M.hide(buf)
  states[buf].timer:start(wait, 0, vim.schedule_wrap(function()
    if states[buf] and vim.api.nvim_buf_is_valid(buf) then
      M.ask(buf, rested or wait)
    end
  end))
end

---Jump to what is shown, or apply it when the cursor is there.
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
    jump.over(target, shown)
    show(target, shown)
    return true
  elseif not jump.there(shown) then
    jump.within(buf, shown)
    preview.say(buf, nil)
    return true
  end
  M.hide(buf)
  text.new_undo_step()
  local row, column = change.apply(buf, shown.hunks)
  vim.api.nvim_win_set_cursor(0, { row + 1, column })
  client_of.accepted(client, shown.item, buf)
  arrived.at(buf)
  ask_soon(buf, 0, REST)
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
  client_of.rejected(client, shown.item)
  M.hide(buf)
  return true
end

---@param buf integer
---@return editahead.Shown?
function M.shown(buf)
  return states[buf] and states[buf].shown
end

---Why the last question was answered with nothing.
---@param buf integer
---@return string?
function M.quiet(buf)
  return states[buf] and states[buf].quiet
end

---What the queue still holds without being sure, in words: `1 more, less sure`.
---@param buf integer
---@return string?
function M.remaining(buf)
  local quiet = M.quiet(buf)
  return quiet and quiet:match('^%d+ more.*') or nil
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
    ask_soon(buf, config.get().next_edit.debounce)
  end)
  on({ 'TextChangedI', 'TextChangedP' }, function()
    ask_soon(buf, config.get().next_edit.insert_debounce)
  end)
  on({ 'CursorMoved', 'CursorMovedI', 'WinScrolled' }, function()
    local shown = states[buf] and states[buf].shown
    arrived.moved(buf)
    if shown then
      preview.say(buf, preview.away(buf, shown.row, shown.target))
    elseif M.remaining(buf) and vim.fn.mode() == 'n' then
      preview.say(buf, nil)
    end
  end)
  on({ 'InsertEnter' }, function()
    if not config.get().next_edit.insert_mode then
      M.hide(buf)
    end
  end)
  on({ 'BufLeave' }, function()
    arrived.leave(buf)
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
