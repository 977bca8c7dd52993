---Moves the cursor to a next edit, in the same buffer or in another one.
local preview = require('editahead.preview')

local M = {}

---@param shown editahead.ShownEdit
---@return boolean whether the cursor is at the edit
function M.cursor_at(shown)
  local first, last = shown.hunks[1], shown.hunks[#shown.hunks]
  if not first then
    return false -- a place without an edit: the key always jumps
  end
  local here = vim.api.nvim_win_get_cursor(0)[1] - 1
  return not shown.target
    and here >= math.min(first.row, shown.row)
    and here <= math.max(last.row + #last.old - 1, shown.row)
end

---Whether the key indents as usual: in leading whitespace, except at the target of the last jump.
---@param shown? editahead.ShownEdit
---@return boolean
function M.key_indents(shown)
  local cursor = vim.api.nvim_win_get_cursor(0)
  local blank = vim.api.nvim_get_current_line():sub(1, cursor[2]):match('^%s*$') ~= nil
  return blank and not (shown and vim.deep_equal(shown.jumped, cursor))
end

---@param buf integer the current one
---@param shown editahead.ShownEdit an edit of it
function M.to_edit(buf, shown)
  vim.cmd("normal! m'")
  local far = preview.off_screen(buf, shown.row)
  vim.api.nvim_win_set_cursor(0, { shown.row + 1, shown.column })
  shown.jumped = vim.api.nvim_win_get_cursor(0)
  vim.cmd(far and 'normal! zvzz' or 'normal! zv')
end

---Go to the window that shows the buffer, or show it in the current one.
---@param target integer
---@param shown editahead.ShownEdit an edit of it
function M.to_buffer(target, shown)
  vim.cmd("normal! m'")
  vim.bo[target].buflisted = true
  local window = vim.fn.bufwinid(target)
  if window ~= -1 then
    vim.api.nvim_set_current_win(window)
  else
    vim.cmd(('hide buffer %d'):format(target)) -- the current buffer may have unsaved changes
  end
  vim.api.nvim_win_set_cursor(0, { shown.row + 1, shown.column })
  shown.jumped = vim.api.nvim_win_get_cursor(0)
  vim.cmd('normal! zvzz')
end

return M
