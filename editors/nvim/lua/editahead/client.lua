---Requests and notifications to the server.
local M = {}

M.NAME = 'editahead'

---@class editahead.OfferedItem An item that the server offered; `command.arguments[1]` identifies it.
---@field command? lsp.Command

---@param buf? integer
---@return vim.lsp.Client?
function M.get(buf)
  return vim.lsp.get_clients({ name = M.NAME, bufnr = buf })[1]
end

---Document, version and cursor position as request parameters.
---@param client vim.lsp.Client
---@param buf integer
---@param window? integer window that shows the buffer; default is the current one
---@return table
function M.place(client, buf, window)
  local params = vim.lsp.util.make_position_params(window or 0, client.offset_encoding)
  return {
    textDocument = { uri = params.textDocument.uri, version = vim.lsp.util.buf_versions[buf] },
    position = params.position,
  }
end

---Send a request. `on_result` is not called if it fails or is cancelled.
---@param client vim.lsp.Client
---@param method string
---@param params table
---@param buf integer
---@param on_result fun(result: table)
---@return fun() cancel does nothing after the answer has arrived
function M.request(client, method, params, buf, on_result)
  local open = true
  local sent, id = client:request(method, params, function(err, result)
    if open and not err and type(result) == 'table' then
      open = false
      on_result(result)
    end
    open = false
  end, buf)
  if not sent then
    open = false
  end
  return function()
    if open and id then
      open = false
      client:cancel_request(id)
    end
  end
end

---@param item editahead.OfferedItem
---@return string?
local function item_id(item)
  local arguments = item.command and item.command.arguments
  return arguments and arguments[1]
end

---The user accepted the item.
---@param client vim.lsp.Client
---@param item editahead.OfferedItem
---@param buf integer
function M.accept_item(client, item, buf)
  if item.command and not client:is_stopped() then
    client:exec_cmd(item.command, { bufnr = buf }, function() end)
  end
end

---@param client vim.lsp.Client
---@param method string
---@param item editahead.OfferedItem
---@param more? table
local function notify(client, method, item, more)
  local id = item_id(item)
  if id and not client:is_stopped() then
    local params = { item = { command = { arguments = { id } } } }
    client:notify(method, vim.tbl_extend('force', params, more or {}))
  end
end

---@param client vim.lsp.Client
---@param item editahead.OfferedItem
function M.reject_item(client, item)
  notify(client, 'editahead/didReject', item)
end

---@param client vim.lsp.Client
---@param item editahead.OfferedItem
function M.report_edit_shown(client, item)
  notify(client, 'textDocument/didShowInlineEdit', item)
end

---@param client vim.lsp.Client
---@param item editahead.OfferedItem
function M.report_ghost_shown(client, item)
  notify(client, 'textDocument/didShowCompletion', item)
end

---@param client vim.lsp.Client
---@param item editahead.OfferedItem
---@param length integer UTF-16 code units that were accepted so far
function M.report_partial_accept(client, item, length)
  notify(client, 'textDocument/didPartiallyAcceptCompletion', item, { acceptedLength = length })
end

---Send the client's settings after a change.
---@param client vim.lsp.Client
function M.send_settings(client)
  client:notify('workspace/didChangeConfiguration', { settings = client.settings })
end

---The server's settings of a client; the table may be changed in place.
---@param client vim.lsp.Client
---@return table
function M.settings(client)
  client.settings = client.settings or {}
  client.settings.editahead = client.settings.editahead or {}
  return client.settings.editahead
end

return M
