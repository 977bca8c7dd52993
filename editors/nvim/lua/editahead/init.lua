---Public functions of the plugin; `:help editahead` documents them.
local M = {}

---Set options and start. Without it, `vim.lsp.enable('editahead')` starts with the defaults.
---@param options? table see |editahead-options|
function M.setup(options)
  local config = require('editahead.config')
  config.set(options)
  if next(config.get().server) then
    vim.lsp.config('editahead', config.get().server)
  end
  -- Attached buffers get the new options, too.
  require('editahead.attach').unwatch()
  M.enable()
end

---Start the server for its file types and show its suggestions.
function M.enable()
  require('editahead.attach').watch()
  vim.lsp.enable('editahead')
  require('editahead.server').warn_if_missing(vim.api.nvim_get_current_buf())
end

---Stop the server and undo all that was set up; |editahead.enable()| brings it back.
function M.disable()
  require('editahead.attach').unwatch()
  vim.lsp.enable('editahead', false)
  for _, client in ipairs(vim.lsp.get_clients({ name = 'editahead' })) do
    client:stop()
  end
end

---Jump to the next edit that is shown, or apply it when the cursor is there.
---@return boolean done false when nothing is shown, so that a mapping of yours can do something else
function M.accept_edit()
  return require('editahead.next_edit').accept()
end

---@return boolean done
function M.reject_edit()
  return require('editahead.next_edit').reject()
end

---Accept the ghost text that is shown.
---@param part? 'word'|'line' accept only this part
---@return boolean done
function M.accept_ghost(part)
  return require('editahead.ghost').accept(nil, part)
end

---@return boolean done
function M.dismiss_ghost()
  return require('editahead.ghost').dismiss()
end

---Show the next alternative ghost text; request ghost text where none is shown.
---@param count? integer -1 for the previous one; default 1
---@return boolean done false outside insert mode and with `backend = 'builtin'`
function M.cycle_ghost(count)
  return require('editahead.ghost').cycle(nil, count or 1)
end

---State of the server and place of the next edit, for a statusline.
---@param buf? integer
---@return string
function M.status(buf)
  return require('editahead.status').line(buf)
end

return M
