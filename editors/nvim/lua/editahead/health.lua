---`:checkhealth editahead`: Neovim, the server, its buffers, and other servers that show ghost text.
local client_of = require('editahead.client')

local M = {}

local DOCTOR_TIMEOUT = 60000 -- milliseconds

local function neovim()
  vim.health.start('Neovim')
  if vim.fn.has('nvim-0.11') == 0 then
    vim.health.error('Neovim is older than 0.11', 'Update Neovim.')
    return
  end
  local builtin = require('editahead.ghost.builtin').available()
  local backend = require('editahead.config').get().ghost.backend
  local drawn_by = (builtin and backend == 'builtin') and "by Neovim's inline completion" or 'by this plugin'
  vim.health.ok(('Neovim %s; ghost text is drawn %s'):format(tostring(vim.version()), drawn_by))
  if backend == 'builtin' and not builtin then
    vim.health.warn("ghost.backend is 'builtin', but this Neovim has no inline completion", 'Leave it at auto.')
  end
end

local function server()
  vim.health.start('Server')
  local settings = vim.lsp.config.editahead
  if not settings then
    vim.health.error('There is no lsp/editahead.lua on the runtime path', 'Install the plugin by its folder editors/nvim.')
    return
  end
  local command = require('editahead.commands').doctor_command()
  if vim.fn.executable(command[1]) == 0 then
    vim.health.error(('%s cannot be found'):format(command[1]), {
      "Install it: `pip install .` in editahead's repository; or name it: vim.lsp.config('editahead', { cmd = { '/path/to/editahead', '--stdio' } })",
    })
    return
  end
  local started, run = pcall(vim.system, command, { text = true, timeout = DOCTOR_TIMEOUT })
  local result = started and run:wait() or { code = -1, stdout = '', stderr = tostring(run) }
  local said = vim.split(vim.trim((result.stdout or '') .. (result.stderr or '')), '\n')
  if result.code == 0 then
    vim.health.ok(table.concat(command, ' ') .. ' found no problems')
  else
    vim.health.error(('%s ended with %d'):format(table.concat(command, ' '), result.code), said)
  end
end

local function clients()
  vim.health.start('Buffers')
  local found = vim.lsp.get_clients({ name = client_of.NAME })
  if #found == 0 then
    local on = vim.lsp.is_enabled and vim.lsp.is_enabled('editahead')
    vim.health.info(on and 'Enabled; no file of its types is open.' or "Not enabled: call require('editahead').setup()")
  end
  for _, client in ipairs(found) do
    local names = vim.tbl_map(vim.api.nvim_buf_get_name, vim.tbl_keys(client.attached_buffers))
    local said = require('editahead.status').of_client(client)
    vim.health.ok(('%s (client %d): %s'):format(said, client.id, table.concat(names, ', ')))
  end
  if not require('editahead.attach').watching() then
    vim.health.info('Switched off: `:Editahead enable` brings it back.')
  end
end

local function neighbours()
  vim.health.start('Neighbours')
  local others = {}
  for _, client in ipairs(vim.lsp.get_clients()) do
    if client.name ~= client_of.NAME and client:supports_method('textDocument/inlineCompletion') then
      others[#others + 1] = client.name
    end
  end
  if #others > 0 then
    vim.health.warn(
      'Other servers also show ghost text: ' .. table.concat(others, ', '),
      "Switch one off, for instance with require('editahead').setup({ ghost = { enabled = false } })."
    )
  else
    vim.health.ok('No other server shows ghost text.')
  end
end

function M.check()
  neovim()
  server()
  clients()
  neighbours()
end

return M
