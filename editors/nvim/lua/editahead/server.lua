---The server's process: started again when it ends by itself, and named once when it cannot be found.
local client_of = require('editahead.client')

local M = {}

local MOST, WITHIN = 3, 180 -- restarts by ourselves, seconds
local PAUSE = 100 -- milliseconds before a restart
local REPORTED = 1000 -- milliseconds in which Neovim has reported an end
local TERMINATED = 15 -- the signal by which Neovim itself ends a server

local restarts = {} ---@type integer[] when, in milliseconds
local reported = {} ---@type table<string, true> programs that were missed
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

---@return boolean whether our configuration is enabled
local function enabled()
  return vim.lsp.is_enabled ~= nil and vim.lsp.is_enabled(client_of.NAME)
end

---@return string? program the program of the server, if it cannot be run
function M.missing()
  local config = vim.lsp.config[client_of.NAME]
  local cmd = config and config.cmd
  local program = type(cmd) == 'table' and cmd[1] or nil
  return program and vim.fn.executable(program) == 0 and program or nil
end

---@param buf integer
---@return boolean whether the configuration is for this buffer
local function ours(buf)
  local config = vim.lsp.config[client_of.NAME]
  return config ~= nil
    and vim.bo[buf].buftype == ''
    and (not config.filetypes or vim.list_contains(config.filetypes, vim.bo[buf].filetype))
end

---Why no server serves a buffer for which one should run; nil for other buffers.
---@param buf integer
---@return string?
function M.absence(buf)
  if not enabled() or not ours(buf) then
    return nil
  end
  local program = M.missing()
  return program and ('no server (%s cannot be found)'):format(program) or ended
end

---Say once that the program is not there: Neovim itself starts nothing then, without a word.
---@param buf integer
function M.expect(buf)
  local program = enabled() and ours(buf) and M.missing()
  if program and not reported[program] then
    reported[program] = true
    warn(not_found(program))
  end
end

---Start the server of a client anew for these buffers.
---@param client vim.lsp.Client
---@param bufs integer[]
function M.start_again(client, bufs)
  ended = nil
  for _, buf in ipairs(bufs) do
    if vim.api.nvim_buf_is_loaded(buf) then
      vim.lsp.start(client.config, { bufnr = buf, reuse_client = function(other)
        return other.name == client.name and other.id ~= client.id and not other:is_stopped()
      end })
    end
  end
end

---Start where nothing runs: for all buffers that are open.
function M.start()
  ended, restarts = nil, {}
  local program = M.missing()
  if program then
    warn(not_found(program))
    return
  end
  vim.lsp.enable(client_of.NAME)
end

---Neovim reports the end with a text of several lines that waits for a key. We say it in one line, so that one is left out.
local function leave_out_report()
  local before = vim.notify
  local function filter(text, ...)
    if vim.startswith(text, ('Client %s quit with exit code'):format(client_of.NAME)) then
      return
    end
    return before(text, ...)
  end
  vim.notify = filter
  vim.defer_fn(function()
    if vim.notify == filter then -- else somebody put another in front meanwhile, which calls this one
      vim.notify = before
    end
  end, REPORTED)
end

---@return boolean whether we may start it once more
local function may_restart()
  local now = vim.uv.now()
  restarts = vim.tbl_filter(function(at)
    return now - at < WITHIN * 1000
  end, restarts)
  if #restarts == MOST then
    return false
  end
  restarts[#restarts + 1] = now
  return true
end

---For `on_exit`: what ends by itself is started again, up to three times in three minutes.
---@param code integer
---@param signal integer
---@param client_id integer
function M.exited(code, signal, client_id)
  local client = vim.lsp.get_client_by_id(client_id)
  if not client or (code == 0 and signal == 0) or signal == TERMINATED then
    return
  end
  local bufs = vim.tbl_keys(client.attached_buffers)
  leave_out_report()
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
        M.start_again(client, bufs)
      end, PAUSE)
    end
  end)
end

return M
