---Draws a next edit: the removed text marked, the inserted text beside or below it, a sign, and a hint if it is off screen.
local config = require('editahead.config')

local M = {}

local namespace = vim.api.nvim_create_namespace('editahead.next_edit')
local hints = vim.api.nvim_create_namespace('editahead.hint')

local LINKS = {
  EditaheadGhost = 'NonText',
  EditaheadDelete = 'DiffDelete',
  EditaheadAdd = 'DiffAdd',
  EditaheadSign = 'DiagnosticSignHint',
  EditaheadHint = 'DiagnosticVirtualTextHint',
}

---Define highlight groups that neither colour scheme nor user has defined.
function M.highlights()
  for name, link in pairs(LINKS) do
    vim.api.nvim_set_hl(0, name, { link = link, default = true })
  end
end

---@param lines string[]
---@return [string, string][][]
local function added(lines)
  return vim.tbl_map(function(line)
    return { { line == '' and ' ' or line, 'EditaheadAdd' } }
  end, lines)
end

---@param buf integer
---@param hunk editahead.Hunk
local function draw(buf, hunk)
  local inline, row = hunk.inline, hunk.row
  if inline then
    vim.api.nvim_buf_set_extmark(buf, namespace, row, inline.first, {
      end_col = inline.last,
      hl_group = inline.last > inline.first and 'EditaheadDelete' or nil,
    })
    if inline.insert ~= '' then
      vim.api.nvim_buf_set_extmark(buf, namespace, row, inline.last, {
        virt_text = { { inline.insert, 'EditaheadAdd' } },
        virt_text_pos = 'inline',
      })
    end
    return
  end
  for i, line in ipairs(hunk.old) do
    vim.api.nvim_buf_set_extmark(buf, namespace, row + i - 1, 0, { end_col = #line, hl_group = 'EditaheadDelete' })
  end
  if #hunk.new > 0 then
    local first = #hunk.old == 0 and row == 0 -- there is no line above to attach it to
    vim.api.nvim_buf_set_extmark(buf, namespace, first and 0 or row + #hunk.old - 1, 0, {
      virt_lines = added(hunk.new),
      virt_lines_above = first,
    })
  end
end

---@param buf integer
---@param row integer
local function draw_sign(buf, row)
  local sign = config.get().next_edit.sign
  if sign then
    vim.api.nvim_buf_set_extmark(buf, namespace, row, 0, { sign_text = sign, sign_hl_group = 'EditaheadSign' })
  end
end

---@param buf integer
---@param hunks editahead.Hunk[]
---@param row integer where the sign goes
function M.show(buf, hunks, row)
  M.clear(buf)
  for _, hunk in ipairs(hunks) do
    draw(buf, hunk)
  end
  draw_sign(buf, row)
end

---Show a place whose text the user has to write: a sign, and after its line what it asks for, unless a hint says so.
---@param buf integer
---@param row integer
---@param message? string
function M.show_place(buf, row, message)
  M.clear(buf)
  if message then
    vim.api.nvim_buf_set_extmark(buf, namespace, row, 0, {
      virt_text = { { '  ' .. message, 'EditaheadHint' } },
      virt_text_pos = 'eol',
      hl_mode = 'combine',
    })
  end
  draw_sign(buf, row)
end

---Show a hint after the cursor's line, unless hints are switched off; nil removes it.
---@param buf integer the current one
---@param text? string
function M.show_hint(buf, text)
  vim.api.nvim_buf_clear_namespace(buf, hints, 0, -1)
  if not text or not config.get().next_edit.hint then
    return
  end
  vim.api.nvim_buf_set_extmark(buf, hints, vim.api.nvim_win_get_cursor(0)[1] - 1, 0, {
    virt_text = { { '  ' .. text, 'EditaheadHint' } },
    virt_text_pos = 'eol',
    hl_mode = 'combine',
  })
end

---Hint for an edit that the current window does not show, nil if it does; and for a place with a reason, wherever it is.
---@param buf integer the current one
---@param row integer
---@param target? integer the other buffer that contains the edit
---@param reason? string
---@return string?
function M.place_hint(buf, row, target, reason)
  local arrow = row + 1 > vim.api.nvim_win_get_cursor(0)[1] and '↓' or '↑'
  local place = target and ('%s:%d'):format(M.file(target), row + 1) or ('line %d'):format(row + 1)
  if reason then
    return ('%s %s: %s'):format(target and '→' or arrow, place, reason)
  elseif target or M.off_screen(buf, row) then
    return ('%s next edit: %s'):format(target and '→' or arrow, place)
  end
end

---@param buf integer
---@return string the file's name, with its folder if the current file has the same name
function M.file(buf)
  local path, here = vim.api.nvim_buf_get_name(buf), vim.api.nvim_buf_get_name(0)
  local same = vim.fs.basename(path) == vim.fs.basename(here)
  return same and vim.fn.fnamemodify(path, ':~:.') or vim.fs.basename(path)
end

---@param buf integer
---@param row integer
---@return boolean whether the current window shows the buffer, but not that line
function M.off_screen(buf, row)
  if vim.api.nvim_get_current_buf() ~= buf then
    return false
  end
  return row + 1 < vim.fn.line('w0') or row + 1 > vim.fn.line('w$')
end

---@param buf integer
function M.clear(buf)
  if vim.api.nvim_buf_is_valid(buf) then
    vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
    vim.api.nvim_buf_clear_namespace(buf, hints, 0, -1)
  end
end

return M
