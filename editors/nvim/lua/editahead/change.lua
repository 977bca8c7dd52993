---Splits an edit into hunks, as small as they can be drawn and applied. Rows and columns count from 0.
local text = require('editahead.text')

local M = {}

---@class editahead.Hunk
---@field row integer first old line
---@field old string[]
---@field new string[]
---@field inline? editahead.InlineChange if one line becomes one line by a single change inside it

---@class editahead.InlineChange
---@field first integer byte column in the old line
---@field last integer exclusive
---@field insert string

local diff = (vim.text and vim.text.diff or vim.diff) --[[@as function]]

---@param lines string[]
---@return string
local function join(lines)
  return #lines == 0 and '' or table.concat(lines, '\n') .. '\n'
end

---The old lines that an edit touches, and what they become.
---@param client vim.lsp.Client
---@param buf integer
---@param range lsp.Range
---@param new string
---@return integer row, string[] old, string[] new
local function affected_lines(client, buf, range, new)
  local count = vim.api.nvim_buf_line_count(buf)
  local start_row, first = text.position(client, buf, range.start)
  local end_row, last = text.position(client, buf, range['end'])
  local old = vim.api.nvim_buf_get_lines(buf, start_row, math.min(end_row, count - 1) + 1, false)
  local past = end_row >= count -- the server counts one more line, behind the last line end
  if past then
    old[#old + 1] = ''
  end
  local made = (old[1] or ''):sub(1, first) .. new .. (old[#old] or ''):sub(last + 1)
  local becomes = vim.split(made, '\r?\n')
  if past then
    old[#old] = nil
    if becomes[#becomes] == '' then
      becomes[#becomes] = nil
    end
  end
  return start_row, old, becomes
end

---@param old string
---@param new string
---@return editahead.InlineChange? change nil if the lines have too little in common to show the change inside the line
local function inline_change(old, new)
  local head, tail = text.common_words(old, new)
  local removed, added = #old - head - tail, #new - head - tail
  local same = #vim.trim(old:sub(1, head) .. old:sub(#old - tail + 1))
  if same * 2 < math.min(removed, added) or vim.trim(old) == '' then
    return nil
  end
  return { first = head, last = #old - tail, insert = new:sub(head + 1, #new - tail) }
end

---@param client vim.lsp.Client
---@param buf integer
---@param range lsp.Range
---@param new string
---@return editahead.Hunk[] hunks none if the edit changes nothing
function M.hunks(client, buf, range, new)
  local row, old, becomes = affected_lines(client, buf, range, new)
  local hunks = {} ---@type editahead.Hunk[]
  local function add(old_at, old_count, new_at, new_count)
    local hunk = { row = row + old_at - 1 }
    hunk.old = vim.list_slice(old, old_at, old_at + old_count - 1)
    hunk.new = vim.list_slice(becomes, new_at, new_at + new_count - 1)
    if old_count == 1 and new_count == 1 then
      hunk.inline = inline_change(hunk.old[1], hunk.new[1])
    end
    hunks[#hunks + 1] = hunk
  end
  for _, found in ipairs(diff(join(old), join(becomes), { result_type = 'indices', linematch = true })) do
    local old_at, old_count, new_at, new_count = found[1], found[2], found[3], found[4]
    if old_count == 0 then
      old_at = old_at + 1 -- an insertion is reported at the line before it
    end
    if old_count == new_count then
      for i = 0, old_count - 1 do
        add(old_at + i, 1, new_at + i, 1)
      end
    else
      add(old_at, old_count, new_at, new_count)
    end
  end
  return hunks
end

---The position to which the cursor jumps for a hunk.
---@param hunk editahead.Hunk
---@param count integer lines of the buffer
---@return integer row, integer column
function M.start_of(hunk, count)
  if hunk.inline then
    return hunk.row, hunk.inline.first
  end
  local row = #hunk.old == 0 and hunk.row > 0 and hunk.row - 1 or hunk.row
  return math.min(row, count - 1), 0
end

---Apply hunks, last one first. Only differing text is replaced, so that extmarks beside it stay.
---@param buf integer
---@param hunks editahead.Hunk[]
---@return integer row, integer column the end of the last change
function M.apply(buf, hunks)
  local row, column, shift = 0, 0, 0
  for _, hunk in ipairs(hunks) do
    row, column = hunk.row + shift + math.max(#hunk.new, 1) - 1, #(hunk.new[#hunk.new] or '')
    if hunk.inline then
      column = hunk.inline.first + #hunk.inline.insert
    end
    shift = shift + #hunk.new - #hunk.old
  end
  for i = #hunks, 1, -1 do
    local hunk, inline = hunks[i], hunks[i].inline
    if inline then
      vim.api.nvim_buf_set_text(buf, hunk.row, inline.first, hunk.row, inline.last, { inline.insert })
    else
      vim.api.nvim_buf_set_lines(buf, hunk.row, hunk.row + #hunk.old, false, hunk.new)
    end
  end
  return math.min(row, vim.api.nvim_buf_line_count(buf) - 1), column
end

return M
