---Edits of several buffers that one command takes back. Neovim itself keeps an undo history for each buffer alone.
local text = require('editahead.text')

local M = {}

---@class editahead.UndoPoint
---@field buf integer
---@field before integer number of the undo state before the edits
---@field after integer the same behind them

local last = {} ---@type editahead.UndoPoint[]

---@param buf integer
---@return integer number of the buffer's undo state
local function state_of(buf)
  return vim.fn.undotree(buf).seq_cur
end

---@param buf integer
---@return string
local function name_of(buf)
  return vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buf), ':~:.')
end

---Apply edits as one step of undo in each buffer. Either all are applied or, if a buffer cannot be changed, none.
---@param by_buffer table<integer, lsp.TextEdit[]>
---@param encoding 'utf-8'|'utf-16'|'utf-32' of the positions
---@return string? problem why nothing was applied
function M.apply(by_buffer, encoding)
  for buf in pairs(by_buffer) do
    if not vim.bo[buf].modifiable then
      return ("%s cannot be modified ('modifiable' is off); nothing was applied"):format(name_of(buf))
    end
  end
  last = {}
  for buf, edits in pairs(by_buffer) do
    vim.api.nvim_buf_call(buf, text.new_undo_step) -- a buffer that is not current ends no step by itself
    local before = state_of(buf)
    vim.lsp.util.apply_text_edits(edits, buf, encoding)
    vim.api.nvim_buf_call(buf, text.new_undo_step)
    last[#last + 1] = { buf = buf, before = before, after = state_of(buf) }
  end
end

---Take back the last edits that were applied, in all their buffers; those that have changed since are left alone and named.
---@return string message
function M.undo()
  local undone, left = 0, {} ---@type integer, string[]
  for _, point in ipairs(last) do
    local loaded = vim.api.nvim_buf_is_loaded(point.buf)
    if loaded and state_of(point.buf) == point.after and vim.bo[point.buf].modifiable then
      vim.api.nvim_buf_call(point.buf, function()
        vim.cmd(('silent undo %d'):format(point.before))
      end)
      undone = undone + 1
    elseif not loaded or state_of(point.buf) ~= point.before then
      left[#left + 1] = vim.api.nvim_buf_is_valid(point.buf) and name_of(point.buf) or 'a deleted buffer'
    end
  end
  if #last == 0 or (undone == 0 and #left == 0) then
    last = {}
    return 'there is nothing to undo'
  end
  last = {}
  local message = ('undone in %d file%s'):format(undone, undone == 1 and '' or 's')
  table.sort(left)
  return #left == 0 and message or ('%s; changed since and left alone: %s'):format(message, table.concat(left, ', '))
end

return M
