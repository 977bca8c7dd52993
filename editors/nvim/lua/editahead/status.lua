---The state of the server as text, for a statusline and for `:checkhealth`.
local client_of = require('editahead.client')

local M = {}

---@class editahead.ServerStatus The last status that the server reported (`didChangeStatus`).
---@field busy boolean
---@field kind 'Normal'|'Inactive'|'Error'
---@field message string

local statuses = {} ---@type table<integer, editahead.ServerStatus>

---@param client_id integer
---@param status editahead.ServerStatus
function M.update(client_id, status)
  statuses[client_id] = status
  vim.cmd('redrawstatus')
end

---@param client vim.lsp.Client
---@return string
function M.of_client(client)
  local status = statuses[client.id]
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

---The state for a buffer; nil if no server should run for it.
---@param buf? integer
---@return string?
function M.of_buffer(buf)
  buf = (buf == nil or buf == 0) and vim.api.nvim_get_current_buf() or buf
  local client = client_of.get(buf)
  if not client then
    return require('editahead.server').missing_reason(buf)
  end
  local label, filetype = M.of_client(client), vim.bo[buf].filetype
  return label == 'ready' and switched_off(client, filetype) and filetype .. ' is switched off' or label
end

---For a statusline: `editahead`, with any unusual state and the place of the next edit.
---Empty if no server should run for the buffer.
---@param buf? integer
---@return string
function M.line(buf)
  buf = (buf == nil or buf == 0) and vim.api.nvim_get_current_buf() or buf
  local label = M.of_buffer(buf)
  if not label then
    return ''
  end
  local next_edit, preview = require('editahead.next_edit'), require('editahead.preview')
  local shown = next_edit.shown(buf)
  if shown then
    local percent = math.floor(100 * shown.probability + 0.5)
    local away = not shown.target and preview.off_screen(buf, shown.row)
    local arrow = shown.target and '→ ' or not away and '' or shown.row + 1 < vim.fn.line('w0') and '↑ ' or '↓ '
    local where = shown.target and ('%s:%d'):format(preview.file(shown.target), shown.row + 1)
    label = ('next edit %s%s (%d %%)'):format(arrow, where or ('line %d'):format(shown.row + 1), percent)
  elseif label == 'ready' then
    label = next_edit.remaining(buf) or label
  end
  return label == 'ready' and 'editahead' or 'editahead: ' .. label
end

return M
