---The tour: a page of five steps to try out, and a hint that is shown once.
local config = require('editahead.config')

local M = {}

---@return string file whose presence says that the hint was shown
local function marker()
  return vim.fs.joinpath(vim.fn.stdpath('state') --[[@as string]], 'editahead-hint-shown')
end

---Show once per installation which key accepts what is shown.
function M.hint_once()
  if vim.uv.fs_stat(marker()) then
    return
  end
  vim.fn.mkdir(vim.fs.dirname(marker()), 'p')
  local file = io.open(marker(), 'w')
  if not file then -- it would be shown each time
    return
  end
  file:close()
  vim.cmd.redraw() -- otherwise this and the message about the opened file wait for a key
  local key = config.get().ghost.keys.accept
  local first = key and ('%s accepts what is shown; '):format(key) or ''
  vim.notify(('editahead: %sfor a tour, :Editahead tour'):format(first), vim.log.levels.INFO)
end

---@return table<string, string> keys as the user has them
local function keys()
  local own = config.get()
  local all = {
    accept = own.ghost.keys.accept,
    accept_word = own.ghost.keys.accept_word,
    dismiss = own.ghost.keys.dismiss,
    edit_accept = own.next_edit.keys.accept,
    edit_reject = own.next_edit.keys.reject,
    apply = own.queue.keys.apply,
    apply_all = own.queue.keys.apply_all,
    reject = own.queue.keys.reject,
  }
  return vim.tbl_map(function(key)
    return key or '(no key)'
  end, all)
end

---Open a copy of the page, so that it is served like any file and can be changed.
function M.open()
  local page = vim.api.nvim_get_runtime_file('tutor/editahead.py', false)[1]
  if not page then
    vim.notify('editahead: tutor/editahead.py is not on the runtime path', vim.log.levels.WARN)
    return
  end
  local own = keys()
  local lines = vim.tbl_map(function(line)
    return (line:gsub('{([%l_]+)}', own))
  end, vim.fn.readfile(page))
  local folder = vim.fn.tempname()
  vim.fn.mkdir(folder, 'p')
  local copy = vim.fs.joinpath(folder, 'tour.py')
  vim.fn.writefile(lines, copy)
  vim.cmd.tabedit(vim.fn.fnameescape(copy))
end

return M
