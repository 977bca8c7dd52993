---Absorbs one more press of the accept key after the last of several next edits, so that it does not indent.
local config = require('editahead.config')
local keys = require('editahead.keys')
local preview = require('editahead.preview')

local M = {}

---@class editahead.AppliedEdit Where the last edit was applied.
---@field tick integer the buffer's changedtick at that time
---@field row integer
---@field column integer
---@field held boolean whether the key is held

local applied = {} ---@type table<integer, editahead.AppliedEdit>

---@param buf integer
---@return boolean whether neither text nor cursor has changed since
local function unchanged(buf)
  local at = applied[buf]
  if not at or vim.api.nvim_get_current_buf() ~= buf then
    return false
  end
  local cursor = vim.api.nvim_win_get_cursor(0)
  return at.tick == vim.api.nvim_buf_get_changedtick(buf) and at.row == cursor[1] and at.column == cursor[2]
end

---An edit was applied, and the cursor is at its end.
---@param buf integer
function M.edit_applied(buf)
  M.release(buf)
  local cursor = vim.api.nvim_win_get_cursor(0)
  applied[buf] =
    { tick = vim.api.nvim_buf_get_changedtick(buf), row = cursor[1], column = cursor[2], held = false }
end

---No edit follows: hold the key for one press if neither text nor cursor has changed since the last one.
---@param buf integer
---@param text string the hint
---@return boolean held
function M.hold_key(buf, text)
  if not unchanged(buf) then
    return false
  end
  local bindings, accept = {}, config.get().next_edit.keys.accept
  local function press()
    local theirs = not unchanged(buf) or vim.fn.mode() == 'i' and (config.get().menu_visible() or vim.snippet.active())
    M.release(buf)
    return not theirs
  end
  keys.add(bindings, 'n', accept, 'no further edit (absorbs one press)', press)
  keys.add(bindings, 'i', accept, 'no further edit (absorbs one press)', press)
  keys.show(buf, 'last_edit', bindings)
  applied[buf].held = true
  preview.show_hint(buf, text)
  return true
end

---Release the key if text or cursor has changed.
---@param buf integer
function M.cursor_moved(buf)
  if applied[buf] and not unchanged(buf) then
    M.release(buf)
  end
end

---@param buf integer
function M.release(buf)
  local at = applied[buf]
  applied[buf] = nil
  if at and at.held and vim.api.nvim_buf_is_valid(buf) then
    keys.hide(buf, 'last_edit')
    preview.clear(buf)
  end
end

return M
