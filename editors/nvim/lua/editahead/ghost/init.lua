---Ghost text at the cursor: chooses the backend that draws it, and maps keys while it is shown.
local config = require('editahead.config')
local keys = require('editahead.keys')
local text = require('editahead.text')

local M = {}

local backends = {} ---@type table<integer, table>

---@return table backend the module that draws
local function backend_module()
  local builtin = require('editahead.ghost.builtin')
  if config.get().ghost.backend == 'builtin' and builtin.available() then
    return builtin
  end
  return require('editahead.ghost.own')
end

---@param buf integer
---@return boolean
function M.visible(buf)
  return backends[buf] ~= nil and backends[buf].visible(buf)
end

---Accept what is shown.
---@param buf? integer
---@param part? 'word'|'line' accept only this part
---@return boolean accepted
function M.accept(buf, part)
  buf = buf or vim.api.nvim_get_current_buf()
  if not M.visible(buf) then
    return false
  end
  local cut = part == 'word' and text.first_word or part == 'line' and text.first_line or function(all)
    return all
  end
  return backends[buf].accept(buf, cut)
end

---Reject what is shown: its pattern is not offered again for a while.
---@param buf? integer
---@return boolean
function M.dismiss(buf)
  buf = buf or vim.api.nvim_get_current_buf()
  return M.visible(buf) and backends[buf].dismiss(buf)
end

---Show the next alternative to what is shown, or the previous one; request ghost text where none is shown.
---@param buf? integer
---@param count integer 1 or -1
---@return boolean
function M.cycle(buf, count)
  buf = buf or vim.api.nvim_get_current_buf()
  return backends[buf] ~= nil and backends[buf].cycle(buf, count)
end

---@return boolean whether a completion menu or a snippet needs the key
local function key_is_taken()
  return config.get().menu_visible() or vim.snippet.active()
end

---@param buf integer
---@return editahead.Binding[]
local function bindings(buf)
  local all, own = {}, config.get().ghost.keys
  keys.add(all, 'i', own.accept, 'accept the ghost text', function()
    return not key_is_taken() and M.accept(buf)
  end)
  keys.add(all, 'i', own.accept_word, 'accept a word of the ghost text', function()
    return M.accept(buf, 'word')
  end)
  keys.add(all, 'i', own.accept_line, 'accept a line of the ghost text', function()
    return M.accept(buf, 'line')
  end)
  keys.add(all, 'i', own.next, 'show the next alternative', function()
    return M.cycle(buf, 1)
  end)
  keys.add(all, 'i', own.previous, 'show the previous alternative', function()
    return M.cycle(buf, -1)
  end)
  keys.add(all, 'i', own.dismiss, 'reject the ghost text', function()
    return M.dismiss(buf)
  end)
  return all
end

---@param buf integer
local function changed(buf)
  if M.visible(buf) then
    require('editahead.next_edit').hide(buf) -- only one suggestion at a time
    keys.show(buf, 'ghost', bindings(buf))
  else
    keys.hide(buf, 'ghost')
  end
end

---@param buf integer
---@param group integer
function M.start(buf, group)
  if config.get().ghost.enabled and not backends[buf] then
    backends[buf] = backend_module()
    backends[buf].start(buf, group, changed)
  end
end

---@param buf integer
function M.hide(buf)
  if backends[buf] then
    backends[buf].hide(buf)
  end
end

---@param buf integer
function M.stop(buf)
  local backend = backends[buf]
  if backend then
    backends[buf] = nil
    backend.stop(buf)
    keys.hide(buf, 'ghost')
  end
end

return M
