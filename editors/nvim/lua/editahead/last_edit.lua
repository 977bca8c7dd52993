---After an accepted edit that no other follows: one more press of its key changes nothing and says that it was the last.
local config = require('editahead.config')
local keys = require('editahead.keys')
local preview = require('editahead.preview')

local M = {}

---@class editahead.Arrival Where the last edit was applied.
---@field tick integer the buffer's changes by then
---@field row integer
---@field column integer
---@field held boolean whether the key is ours now

local arrivals = {} ---@type table<integer, editahead.Arrival>

---@param buf integer
---@return boolean whether nothing was changed and the cursor was not moved since
local function still(buf)
  local at = arrivals[buf]
  if not at or vim.api.nvim_get_current_buf() ~= buf then
    return false
  end
  local cursor = vim.api.nvim_win_get_cursor(0)
  return at.tick == vim.api.nvim_buf_get_changedtick(buf) and at.row == cursor[1] and at.column == cursor[2]
end

---An edit was applied, and the cursor stands behind it.
---@param buf integer
function M.at(buf)
  M.leave(buf)
  local cursor = vim.api.nvim_win_get_cursor(0)
  arrivals[buf] =
    { tick = vim.api.nvim_buf_get_changedtick(buf), row = cursor[1], column = cursor[2], held = false }
end

---Nothing follows: hold the key for one press, if the user is still where the last edit was applied.
---@param buf integer
---@param words string what is said
---@return boolean held
function M.hold(buf, words)
  if not still(buf) then
    return false
  end
  local bindings, accept = {}, config.get().next_edit.keys.accept
  local function press()
    local theirs = not still(buf) or vim.fn.mode() == 'i' and (config.get().menu_visible() or vim.snippet.active())
    M.leave(buf)
    return not theirs
  end
  keys.add(bindings, 'n', accept, 'nothing, once: there is no further edit', press)
  keys.add(bindings, 'i', accept, 'nothing, once: there is no further edit', press)
  keys.show(buf, 'arrived', bindings)
  arrivals[buf].held = true
  preview.say(buf, words)
  return true
end

---Give the key back, once the user has gone on.
---@param buf integer
function M.moved(buf)
  if arrivals[buf] and not still(buf) then
    M.leave(buf)
  end
end

---@param buf integer
function M.leave(buf)
  local at = arrivals[buf]
  arrivals[buf] = nil
  if at and at.held and vim.api.nvim_buf_is_valid(buf) then
    keys.hide(buf, 'arrived')
    preview.clear(buf)
  end
end

return M
