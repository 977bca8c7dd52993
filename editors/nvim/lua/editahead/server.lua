---Restarts the server's process when it ends unexpectedly, and warns once if its program cannot be found.
local client_of = require('editahead.client')

local M = {}

local MAX_RESTARTS, RESTART_WINDOW = 3, 180 -- automatic restarts, seconds
local RESTART_DELAY = 100 -- milliseconds before a restart
local REPORT_WINDOW = 1000 -- milliseconds within which Neovim reports the exit
local SIGTERM = 15 -- Neovim stops servers with it

local restarts = {} ---@type integer[] when, in milliseconds
local reported = {} ---@type table<string, true> missing programs that were reported
local ended = nil ---@type string? why the last server ended, when none was started in its place

---@param message string at most 57 cells: one that reaches the place of 'showcmd' on a screen of 80 would ask for a key
local function warn(message)
  vim.cmd.redraw() -- or the message about the opened file and ours make two lines, which wait for a key as well
  vim.notify('editahead: ' .. message, vim.log.levels.WARN)
end

---@param program string
---@return string
local function not_found(program)
  return ('%s cannot be found (:checkhealth editahead)'):format(vim.fs.basename(program))
end

---@return boolean whether the configuration `editahead` is enabled
local function enabled()
  return vim.lsp.is_enabled ~= nil and vim.lsp.is_enabled(client_of.NAME)
end

---@return string? program the server's program, if it is not executable
function M.missing()
  local config = vim.lsp.config[client_of.NAME]
  local cmd = config and config.cmd
  local program = type(cmd) == 'table' and cmd[1] or nil
  return program and vim.fn.executable(program) == 0 and program or nil
end

---@param buf integer
---@return boolean whether the configuration is for this buffer
local function serves(buf)
  local config = vim.lsp.config[client_of.NAME]
  return config ~= nil
    and vim.bo[buf].buftype == ''
    and (not config.filetypes or vim.list_contains(config.filetypes, vim.bo[buf].filetype))
end

---Why no server is attached to a buffer of its file types; nil for other buffers.
---@param buf integer
---@return string?
function M.missing_reason(buf)
  if not enabled() or not serves(buf) then
    return nil
  end
  local program = M.missing()
  return program and ('no server (%s cannot be found)'):format(program) or ended
end

---Warn once that the program is missing; Neovim itself reports nothing then.
---@param buf integer
function M.warn_if_missing(buf)
  local program = enabled() and serves(buf) and M.missing()
  if program and not reported[program] then
    reported[program] = true
    warn(not_found(program))
  end
end

---Restart the server of a client for these buffers.
---@param client vim.lsp.Client
---@param bufs integer[]
function M.restart_client(client, bufs)
  ended = nil
  for _, buf in ipairs(bufs) do
    if vim.api.nvim_buf_is_loaded(buf) then
      vim.lsp.start(client.config, { bufnr = buf, reuse_client = function(other)
        return other.name == client.name and other.id ~= client.id and not other:is_stopped()
      end })
    end
  end
end

---Start the server for all open buffers when none is running.
function M.start()
  ended, restarts = nil, {}
  local program = M.missing()
  if program then
    warn(not_found(program))
    return
  end
  vim.lsp.enable(client_of.NAME)
end

---Neovim reports the exit in several lines and waits for a key; the plugin reports it in one line instead.
local function suppress_exit_report()
  local before = vim.notify
  local function filter(text, ...)
    if vim.startswith(text, ('Client %s quit with exit code'):format(client_of.NAME)) then
      return
    end
    return before(text, ...)
  end
  vim.notify = filter
  vim.defer_fn(function()
    if vim.notify == filter then -- otherwise vim.notify was wrapped again in the meantime, and the wrapper calls this one
      vim.notify = before
    end
  end, REPORT_WINDOW)
end

---@return boolean whether another automatic restart is allowed
local function may_restart()
  local now = vim.uv.now()
  restarts = vim.tbl_filter(function(at)
    return now - at < RESTART_WINDOW * 1000
  end, restarts)
  if #restarts == MAX_RESTARTS then
    return false
  end
  restarts[#restarts + 1] = now
  return true
end

---Handler of `on_exit`: restarts a server that ended unexpectedly, up to three times in three minutes.
---@param code integer
---@param signal integer
---@param client_id integer
function M.exited(code, signal, client_id)
  local client = vim.lsp.get_client_by_id(client_id)
  if not client or (code == 0 and signal == 0) or signal == SIGTERM then
    return
  end
  local bufs = vim.tbl_keys(client.attached_buffers)
  suppress_exit_report()
  vim.schedule(function()
    local why = signal ~= 0 and ('signal %d'):format(signal) or ('exit %d'):format(code)
    if not client.initialized then
      ended = ('the server does not start (%s)'):format(why)
      warn(ended .. ': see :Editahead log')
    elseif not may_restart() then
      ended = ('the server keeps ending (%s)'):format(why)
      warn(ended .. ': see :Editahead log')
    else
      warn(('the server ended (%s) and was started again'):format(why))
      vim.defer_fn(function()
        M.restart_client(client, bufs)
      end, RESTART_DELAY)
    end
  end)
end

return M
