---How things stand, in a few words: for a statusline, and for `:checkhealth`.
local client_of = require('editahead.client')

local M = {}

---@class editahead.Told What the server said last (`didChangeStatus`).
---@field busy boolean
---@field kind 'Normal'|'Inactive'|'Error'
---@field message string

local told = {} ---@type table<integer, editahead.Told>

---@param client_id integer
---@param status editahead.Told
function M.told(client_id, status)
  told[client_id] = status
  vim.cmd('redrawstatus')
end

---@param client vim.lsp.Client
---@return string
function M.of(client)
  local status = told[client.id]
  if not client.initialized or not status then
    return 'starting'
  elseif status.message ~= '' then
    return status.message
  end
  return status.busy and 'loading' or 'ready'
end

---@param client vim.lsp.Client
---@param filetype string
---@return boolean whether the settings switch this language off
local function switched_off(client, filetype)
  local languages = client_of.settings(client).languages or {}
  local on = languages[filetype]
  if on == nil then
    on = languages['*']
  end
  return on == false
end

---How things stand for a buffer; nil where no server should run.
---@param buf? integer
---@return string?
function M.of_buffer(buf)
  buf = (buf == nil or buf == 0) and vim.api.nvim_get_current_buf() or buf
  local client = client_of.get(buf)
  if not client then
    return require('editahead.server').absence(buf)
  end
  local said, filetype = M.of(client), vim.bo[buf].filetype
  return said == 'ready' and switched_off(client, filetype) and filetype .. ' is switched off' or said
end

---For a statusline: `editahead`, with what is not as usual, and where the next edit is.
---Empty where no server should serve the buffer.
---@param buf? integer
---@return string
function M.line(buf)
  buf = (buf == nil or buf == 0) and vim.api.nvim_get_current_buf() or buf
  local said = M.of_buffer(buf)
  if not said then
    return ''
  end
  local next_edit, preview = require('editahead.next_edit'), require('editahead.preview')
  local shown = next_edit.shown(buf)
  if shown then
    local percent = math.floor(100 * shown.probability + 0.5)
    local away = not shown.target and preview.off_screen(buf, shown.row)
    local arrow = shown.target and '→ ' or not away and '' or shown.row + 1 < vim.fn.line('w0') and '↑ ' or '↓ '
    local where = shown.target and ('%s:%d'):format(preview.file(shown.target), shown.row + 1)
    said = ('next edit %s%s (%d %%)'):format(arrow, where or ('line %d'):format(shown.row + 1), percent)
  elseif said == 'ready' then
    said = next_edit.remaining(buf) or said
  end
  return said == 'ready' and 'editahead' or 'editahead: ' .. said
end

return M
