---Starts the plugin in buffers to which the client `editahead` attaches. All autocommands are in one group.
local M = {}

local NAME = 'editahead'

local group = nil ---@type integer?
local attached = {} ---@type table<integer, true>

---@return boolean whether the autocommands exist
function M.watching()
  return group ~= nil
end

---@param client vim.lsp.Client
---@param buf integer
function M.attach(client, buf)
  if not group or attached[buf] or not vim.api.nvim_buf_is_loaded(buf) then
    return
  end
  attached[buf] = true
  require('editahead.preview').highlights()
  require('editahead.ghost').start(buf, group)
  require('editahead.next_edit').start(buf, group)
  if require('editahead.config').get().completion then
    require('editahead.completion').start(client, buf, group)
  end
  if require('editahead.config').get().merge then
    require('editahead.merge').start(buf, group)
  end
end

---@param buf integer
function M.detach(buf)
  if attached[buf] then
    attached[buf] = nil
    require('editahead.ghost').stop(buf)
    require('editahead.next_edit').stop(buf)
    require('editahead.completion').stop(buf)
    require('editahead.merge').stop(buf)
    if group then
      -- The plugin's own autocommands have no buffer and stay.
      vim.api.nvim_clear_autocmds({ group = group, buffer = buf })
    end
  end
end

---Create the autocommands and attach to buffers that have the client already; a second call does nothing.
function M.watch()
  if group then
    return
  end
  group = vim.api.nvim_create_augroup(NAME, { clear = true })
  vim.api.nvim_create_autocmd('LspAttach', {
    group = group,
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      if client and client.name == NAME then
        M.attach(client, event.buf)
        vim.schedule(require('editahead.tour').hint_once)
      end
    end,
  })
  vim.api.nvim_create_autocmd('LspDetach', {
    group = group,
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      if client and client.name == NAME then
        M.detach(event.buf)
      end
    end,
  })
  vim.api.nvim_create_autocmd({ 'BufUnload', 'BufWipeout' }, {
    group = group,
    callback = function(event)
      M.detach(event.buf)
    end,
  })
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    callback = function(event)
      vim.schedule(function() -- after a `vim.lsp.enable` in the same event
        if vim.api.nvim_buf_is_loaded(event.buf) then
          require('editahead.server').warn_if_missing(event.buf)
        end
      end)
    end,
  })
  vim.api.nvim_create_autocmd('ColorScheme', {
    group = group,
    callback = function()
      require('editahead.preview').highlights()
    end,
  })
  for _, client in ipairs(vim.lsp.get_clients({ name = NAME })) do
    for buf in pairs(client.attached_buffers) do
      M.attach(client, buf)
    end
  end
end

---Detach from all buffers and remove the autocommands.
function M.unwatch()
  for buf in pairs(attached) do
    M.detach(buf)
  end
  if group then
    vim.api.nvim_del_augroup_by_id(group)
    group = nil
  end
end

return M
