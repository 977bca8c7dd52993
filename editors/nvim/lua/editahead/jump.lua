---The cursor to a next edit, in its own buffer or in another one. The text stays as it is.
local preview = require('editahead.preview')

local M = {}

---@param shown editahead.Shown
---@return boolean whether the cursor stands where the edit is
function M.there(shown)
  local first, last = shown.hunks[1], shown.hunks[#shown.hunks]
  local here = vim.api.nvim_win_get_cursor(0)[1] - 1
  return not shown.target
    and here >= math.min(first.row, shown.row)
    and here <= math.max(last.row + #last.old - 1, shown.row)
end

---Whether the key indents, as always: in the indentation, but not where it has just jumped to.
---@param shown? editahead.Shown
---@return boolean
function M.indents(shown)
  local cursor = vim.api.nvim_win_get_cursor(0)
  local blank = vim.api.nvim_get_current_line():sub(1, cursor[2]):match('^%s*$') ~= nil
  return blank and not (shown and vim.deep_equal(shown.jumped, cursor))
end

---@param buf integer the current one
---@param shown editahead.Shown an edit of it
function M.within(buf, shown)
  vim.cmd("normal! m'")
  local far = preview.off_screen(buf, shown.row)
  vim.api.nvim_win_set_cursor(0, { shown.row + 1, shown.column })
  shown.jumped = vim.api.nvim_win_get_cursor(0)
  vim.cmd(far and 'normal! zvzz' or 'normal! zv')
end

---Go to the window that shows a buffer, or show it in this one.
---@param target integer
---@param shown editahead.Shown an edit of it
function M.over(target, shown)
  vim.cmd("normal! m'")
  local window = vim.fn.bufwinid(target)
  if window ~= -1 then
    vim.api.nvim_set_current_win(window)
  else
    vim.cmd(('hide buffer %d'):format(target)) -- the buffer that is left may have changes that are not saved
  end
  vim.api.nvim_win_set_cursor(0, { shown.row + 1, shown.column })
  shown.jumped = vim.api.nvim_win_get_cursor(0)
  vim.cmd('normal! zvzz')
end

return M
