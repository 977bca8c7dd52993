---Further places of a repeated edit, as a quickfix list from which they can be applied.
local client_of = require('editahead.client')
local config = require('editahead.config')
local group_undo = require('editahead.group_undo')
local text = require('editahead.text')

local M = {}

local TITLE = 'editahead: the same change elsewhere'
local MAX_TRIES, RETRY_DELAY = 5, 100 -- requests, milliseconds between them

---@param message string
local function inform(message)
  vim.notify('editahead: ' .. message, vim.log.levels.INFO)
end

---@param client vim.lsp.Client
---@param item table an item of `editahead/nextEdits`
---@return vim.quickfix.entry
local function entry(client, item)
  local buf = vim.uri_to_bufnr(item.uri)
  local row, first = text.position(client, buf, item.range.start)
  local end_row, last = text.position(client, buf, item.range['end'])
  local line = vim.api.nvim_buf_get_lines(buf, row, row + 1, false)[1] or ''
  local first_new = vim.split(item.newText, '\n', { plain = true })[1]
  local old = end_row == row and line:sub(first + 1, last) or line:sub(first + 1) .. ' ...'
  local change = old == '' and '+ ' .. first_new or first_new == '' and '- ' .. old or old .. ' → ' .. first_new
  return {
    bufnr = buf,
    lnum = row + 1,
    col = first + 1,
    end_lnum = end_row + 1,
    end_col = last + 1,
    type = item.sure and 'I' or 'N',
    text = ('%2d %%  %s  in  %s'):format(math.floor(100 * item.probability + 0.5), change, vim.trim(line)),
    user_data = item,
  }
end

---@return boolean whether the quickfix list was made here
local function is_ours()
  return vim.fn.getqflist({ title = 0 }).title == TITLE
end

local origin = nil ---@type integer? the buffer from which the queue was opened

---@param fill fun(buf: integer, client: vim.lsp.Client)
local function with_client(fill)
  local buf = vim.api.nvim_get_current_buf()
  local client = client_of.get(buf)
  if not client and origin and vim.api.nvim_buf_is_loaded(origin) then -- from the quickfix window
    buf, client = origin, client_of.get(origin)
  end
  if client then
    fill(buf, client)
  else
    inform('no server is running for this buffer (see :checkhealth editahead)')
  end
end

---Load the files that are not open, so that the server knows them.
---@param items table[]
local function load_unopened(items)
  for _, item in ipairs(items) do
    if item.version == nil or item.version == vim.NIL then
      local buf = vim.uri_to_bufnr(item.uri)
      vim.bo[buf].buflisted = true
      vim.fn.bufload(buf)
    end
  end
end

---@param items table[]
---@return boolean whether all places belong to the current versions of their buffers
local function fresh(items)
  return vim.iter(items):all(function(item)
    return vim.lsp.util.buf_versions[vim.uri_to_bufnr(item.uri)] == item.version
  end)
end

---Request the places. Neovim sends changes of other buffers slightly later than requests, so an outdated answer is requested again.
---@param client vim.lsp.Client
---@param buf integer
---@param on_result fun(items: table[], detail?: string)
---@param tries? integer
local function fetch(client, buf, on_result, tries)
  local window = vim.fn.bufwinid(buf)
  local params = { textDocument = { uri = vim.uri_from_bufnr(buf) }, position = { line = 0, character = 0 } }
  if window ~= -1 then
    params = client_of.place(client, buf, window)
  end
  params.context = { idle = true } -- requested by the user: typing is finished
  client_of.request(client, 'editahead/nextEdits', params, buf, function(result)
    local items = result.items or {}
    if fresh(items) or tries == MAX_TRIES then
      on_result(items, result.detail)
      return
    end
    load_unopened(items)
    vim.defer_fn(function()
      if not client:is_stopped() and vim.api.nvim_buf_is_loaded(buf) then
        fetch(client, buf, on_result, (tries or 1) + 1)
      end
    end, RETRY_DELAY)
  end)
end

---@param client vim.lsp.Client
---@param items table[]
---@param action ' '|'r' create a list, or replace it
local function fill(client, items, action)
  local entries = vim.tbl_map(function(item)
    return entry(client, item)
  end, items)
  local at = action == 'r' and vim.fn.getqflist({ idx = 0 }).idx or 1
  vim.fn.setqflist({}, action, { title = TITLE, items = entries })
  if #entries > 0 then
    vim.fn.setqflist({}, 'a', { idx = math.min(at, #entries) })
  end
end

---@param window_buf integer the quickfix window's buffer
local function map(window_buf)
  local own = config.get().queue.keys
  local function key(lhs, description, act)
    if lhs then
      vim.keymap.set('n', lhs, function()
        if is_ours() then
          act()
        end
      end, { buffer = window_buf, nowait = true, desc = 'editahead: ' .. description })
    end
  end
  key(own.apply, 'apply this change', M.apply)
  key(own.apply_all, 'apply all changes that are likely enough', function()
    M.apply({ all = true })
  end)
  key(own.reject, 'reject this change', M.reject)
  key(own.undo, 'undo what was applied last, in all files', M.undo)
end

---Request the places and open them as a quickfix list.
function M.open()
  with_client(function(buf, client)
    origin = buf
    fetch(client, buf, function(items, detail)
      if #items == 0 then
        inform('no other places: ' .. (detail or 'no repeated edit'))
        return
      end
      fill(client, items, ' ')
      vim.cmd('botright copen')
      map(vim.api.nvim_get_current_buf())
    end)
  end)
end

---Request the places again if the list is still the current one.
local function refresh()
  with_client(function(buf, client)
    fetch(client, buf, function(items)
      if is_ours() then
        fill(client, items, 'r')
        if #items == 0 then
          inform('done: no more places')
        end
      end
    end)
  end)
end

---@param selection { all?: boolean, first?: integer, last?: integer }
---@return table[] items
local function selected(selection)
  local list = vim.fn.getqflist({ items = 0, idx = 0 })
  local here = vim.bo.buftype == 'quickfix' and vim.api.nvim_win_get_cursor(0)[1] or list.idx
  local first, last = selection.first or here, selection.last or selection.first or here
  local items = {}
  for i, found in ipairs(list.items) do
    local item = type(found.user_data) == 'table' and found.user_data or nil
    if item and (selection.all and item.sure or not selection.all and i >= first and i <= last) then
      items[#items + 1] = item
    end
  end
  return items
end

---Apply places as one step, and say so if they are in several files.
---@param client vim.lsp.Client
---@param items table[]
local function apply_items(client, items)
  local by_buffer = {} ---@type table<integer, lsp.TextEdit[]>
  for _, item in ipairs(items) do
    local buf = vim.uri_to_bufnr(item.uri)
    by_buffer[buf] = by_buffer[buf] or {}
    table.insert(by_buffer[buf], { range = item.range, newText = item.newText })
  end
  local problem = group_undo.apply(by_buffer, client.offset_encoding)
  if problem then
    inform(problem)
    return
  end
  for _, item in ipairs(items) do
    client_of.accept_item(client, item, vim.uri_to_bufnr(item.uri))
  end
  local files = vim.tbl_count(by_buffer)
  if files > 1 then
    inform(('applied to %d places in %d files: :Editahead undo takes all back, :wall writes them'):format(#items, files))
  end
end

---Apply places of the list: the one at the cursor, some by number, or all that are likely enough. If one has changed since, none.
---@param selection? { all?: boolean, first?: integer, last?: integer }
function M.apply(selection)
  if not is_ours() then
    inform('there is no queue; :Editahead queue opens it')
    return
  end
  local items = selected(selection or {})
  local client = client_of.get()
  if #items == 0 or not client then
    inform('nothing to apply: no place' .. (selection and selection.all and ' is likely enough' or ' here'))
  elseif not fresh(items) then
    inform('places have changed: nothing was applied; the list was updated, try again')
  else
    apply_items(client, items)
  end
  refresh()
end

---Take back what was applied last, in all files.
function M.undo()
  inform(group_undo.undo())
  if is_ours() then
    refresh()
  end
end

---Reject the place under the cursor.
function M.reject()
  local client = client_of.get()
  for _, item in ipairs(is_ours() and client and selected({}) or {}) do
    client_of.reject_item(client, item)
  end
  refresh()
end

return M
