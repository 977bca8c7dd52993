---The server as this plugin sees it: which client it is, how to ask it, and how to tell it what became of an offer.
local M = {}

M.NAME = 'editahead'

---@class editahead.Offer What every item of the server carries: `command.arguments[1]` names it.
---@field command? lsp.Command

---@param buf? integer
---@return vim.lsp.Client?
function M.get(buf)
  return vim.lsp.get_clients({ name = M.NAME, bufnr = buf })[1]
end

---The document, its version and the cursor, as the server counts.
---@param client vim.lsp.Client
---@param buf integer
---@param window? integer shows the buffer; the current one when not given
---@return table
function M.place(client, buf, window)
  local params = vim.lsp.util.make_position_params(window or 0, client.offset_encoding)
  return {
    textDocument = { uri = params.textDocument.uri, version = vim.lsp.util.buf_versions[buf] },
    position = params.position,
  }
end

---Ask; `answered` gets the result, and nothing at all when the question failed or was cancelled.
---@param client vim.lsp.Client
---@param method string
---@param params table
---@param buf integer
---@param answered fun(result: table)
---@return fun() cancel does nothing once the answer is there
function M.ask(client, method, params, buf, answered)
  local open = true
  local sent, id = client:request(method, params, function(err, result)
    if open and not err and type(result) == 'table' then
      open = false
      answered(result)
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

---@param item editahead.Offer
---@return string?
local function name_of(item)
  local arguments = item.command and item.command.arguments
  return arguments and arguments[1]
end

---The user took the item.
---@param client vim.lsp.Client
---@param item editahead.Offer
---@param buf integer
function M.accepted(client, item, buf)
  if item.command and not client:is_stopped() then
    client:exec_cmd(item.command, { bufnr = buf }, function() end)
  end
end

---@param client vim.lsp.Client
---@param method string
---@param item editahead.Offer
---@param more? table
local function tell(client, method, item, more)
  local name = name_of(item)
  if name and not client:is_stopped() then
    local params = { item = { command = { arguments = { name } } } }
    client:notify(method, vim.tbl_extend('force', params, more or {}))
  end
end

---@param client vim.lsp.Client
---@param item editahead.Offer
function M.rejected(client, item)
  tell(client, 'editahead/didReject', item)
end

---@param client vim.lsp.Client
---@param item editahead.Offer
function M.edit_shown(client, item)
  tell(client, 'textDocument/didShowInlineEdit', item)
end

---@param client vim.lsp.Client
---@param item editahead.Offer
function M.ghost_shown(client, item)
  tell(client, 'textDocument/didShowCompletion', item)
end

---@param client vim.lsp.Client
---@param item editahead.Offer
---@param length integer UTF-16 units of the text that are taken by now
function M.partly_accepted(client, item, length)
  tell(client, 'textDocument/didPartiallyAcceptCompletion', item, { acceptedLength = length })
end

---Send the client's settings again, after they were changed.
---@param client vim.lsp.Client
function M.configured(client)
  client:notify('workspace/didChangeConfiguration', { settings = client.settings })
end

---The server's settings of a client, to be changed in place.
---@param client vim.lsp.Client
---@return table
function M.settings(client)
  client.settings = client.settings or {}
  client.settings.editahead = client.settings.editahead or {}
  return client.settings.editahead
end

return M
