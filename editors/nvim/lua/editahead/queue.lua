---The places where an edit that you repeat would go on, as a quickfix list to step through and to apply from.
local client_of = require('editahead.client')
local config = require('editahead.config')
local text = require('editahead.text')

local M = {}

local TITLE = 'editahead: the same change elsewhere'
local TRIES, PAUSE = 5, 100 -- questions, milliseconds

---@param message string
local function say(message)
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

---@return boolean whether the quickfix list is ours
local function current()
  return vim.fn.getqflist({ title = 0 }).title == TITLE
end

local origin = nil ---@type integer? the buffer from which the queue was asked for

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
    say('no server runs for this buffer (see :checkhealth editahead)')
  end
end

---@param items table[]
---@return boolean whether every place is one of the text as it is now
local function fresh(items)
  return vim.iter(items):all(function(item)
    return vim.lsp.util.buf_versions[vim.uri_to_bufnr(item.uri)] == item.version
  end)
end

---Ask. Neovim sends the changes of other buffers a little later than a question, so an older answer is asked for again.
---@param client vim.lsp.Client
---@param buf integer
---@param answered fun(items: table[], detail?: string)
---@param tries? integer
local function fetch(client, buf, answered, tries)
  local window = vim.fn.bufwinid(buf)
  local params = { textDocument = { uri = vim.uri_from_bufnr(buf) }, position = { line = 0, character = 0 } }
  if window ~= -1 then
    params = client_of.place(client, buf, window)
  end
  params.context = { idle = true } -- a person asks: what was typed is finished
  client_of.ask(client, 'editahead/nextEdits', params, buf, function(result)
    local items = result.items or {}
    if fresh(items) or tries == TRIES then
      answered(items, result.detail)
      return
    end
    vim.defer_fn(function()
      if not client:is_stopped() and vim.api.nvim_buf_is_loaded(buf) then
        fetch(client, buf, answered, (tries or 1) + 1)
      end
    end, PAUSE)
  end)
end

---@param client vim.lsp.Client
---@param items table[]
---@param action ' '|'r' a new list, or the same anew
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
        if current() then
          act()
        end
      end, { buffer = window_buf, nowait = true, desc = 'editahead: ' .. description })
    end
  end
  key(own.apply, 'apply this change', M.apply)
  key(own.apply_all, 'apply all sure changes', function()
    M.apply({ all = true })
  end)
  key(own.reject, 'turn this change down', M.reject)
end

---Ask for the places and open them as a quickfix list.
function M.open()
  with_client(function(buf, client)
    origin = buf
    fetch(client, buf, function(items, detail)
      if #items == 0 then
        say('no other places: ' .. (detail or 'no edit is repeated'))
        return
      end
      fill(client, items, ' ')
      vim.cmd('botright copen')
      map(vim.api.nvim_get_current_buf())
    end)
  end)
end

---Ask again, where our list is still the current one.
local function refresh()
  with_client(function(buf, client)
    fetch(client, buf, function(items)
      if current() then
        fill(client, items, 'r')
        if #items == 0 then
          say('done: no more places')
        end
      end
    end)
  end)
end

---@param asked { all?: boolean, first?: integer, last?: integer }
---@return table[] items
local function chosen(asked)
  local list = vim.fn.getqflist({ items = 0, idx = 0 })
  local here = vim.bo.buftype == 'quickfix' and vim.api.nvim_win_get_cursor(0)[1] or list.idx
  local first, last = asked.first or here, asked.last or asked.first or here
  local items = {}
  for i, found in ipairs(list.items) do
    local item = type(found.user_data) == 'table' and found.user_data or nil
    if item and (asked.all and item.sure or not asked.all and i >= first and i <= last) then
      items[#items + 1] = item
    end
  end
  return items
end

---Apply places of the list: that of the cursor, some by their numbers, or all that are sure.
---@param asked? { all?: boolean, first?: integer, last?: integer }
function M.apply(asked)
  if not current() then
    say('there is no queue: :Editahead queue opens one')
    return
  end
  local items = chosen(asked or {})
  local by_buffer, applied, stale = {}, 0, 0
  for _, item in ipairs(items) do
    local buf = vim.uri_to_bufnr(item.uri)
    if vim.lsp.util.buf_versions[buf] == item.version then
      by_buffer[buf] = by_buffer[buf] or {}
      table.insert(by_buffer[buf], item)
    else
      stale = stale + 1
    end
  end
  local client = client_of.get()
  for buf, mine in pairs(client and by_buffer or {}) do
    text.new_undo_step()
    local edits = vim.tbl_map(function(item)
      return { range = item.range, newText = item.newText }
    end, mine)
    vim.lsp.util.apply_text_edits(edits, buf, client.offset_encoding)
    for _, item in ipairs(mine) do
      client_of.accepted(client, item, buf)
      applied = applied + 1
    end
  end
  if stale > 0 then
    say(('%d changed meanwhile: the list is new, try again'):format(stale))
  elseif applied == 0 then
    say('nothing to apply: no place here' .. (asked and asked.all and ' is sure enough' or ''))
  end
  refresh()
end

---Turn the place under the cursor down.
function M.reject()
  local client = client_of.get()
  for _, item in ipairs(current() and client and chosen({}) or {}) do
    client_of.rejected(client, item)
  end
  refresh()
end

return M
