---The subcommands of `:Editahead`.
local client_of = require('editahead.client')

local M = {}

---@param message string
---@param level? integer
local function inform(message, level)
  vim.notify('editahead: ' .. message, level or vim.log.levels.INFO)
end

---@return vim.lsp.Client? client a message says so if there is none
local function client_here()
  local client = client_of.get(0) or client_of.get()
  if not client then
    inform('no server is running here (see :checkhealth editahead)', vim.log.levels.WARN)
  end
  return client
end

---Hide everything that is shown in the current buffer.
local function clear()
  local buf = vim.api.nvim_get_current_buf()
  require('editahead.next_edit').hide(buf)
  require('editahead.ghost').hide(buf)
end

-- Arguments of `toggle`, and the server's setting that each switches.
local SWITCHES = { completion = 'completion', ghost = 'inlineCompletion', next_edit = 'nextEdit' }

---@param what? string a surface, a language identifier, or nothing for all
local function toggle(what)
  local client = client_here()
  if not client then
    return
  end
  local settings = client_of.settings(client)
  local table_, key = settings, what and SWITCHES[what] or 'enabled'
  if what and not SWITCHES[what] then
    settings.languages = settings.languages or {}
    table_, key = settings.languages, what
  end
  table_[key] = table_[key] == false
  client_of.send_settings(client)
  clear()
  inform(('%s is %s'):format(what or 'prediction', table_[key] and 'on' or 'off'))
end

---@param minutes? string
local function snooze(minutes)
  local client = client_here()
  if not client then
    return
  end
  local number = tonumber(minutes)
  if minutes and not number then
    inform(('%q is not a number of minutes'):format(minutes), vim.log.levels.WARN)
    return
  end
  local command = { title = 'Snooze', command = 'editahead.snooze', arguments = number and { number } or nil }
  client:exec_cmd(command, { bufnr = 0 }, function(err, result)
    if err then
      inform(err.message, vim.log.levels.WARN)
    elseif result.minutes == 0 then
      inform('snoozing has ended')
    else
      inform(('snoozed for %g minutes; `:Editahead snooze 0` ends it'):format(result.minutes))
    end
  end)
  clear()
end

---Start recording to a new file, or stop. The server writes the file.
---@param file? string a path, or `stop`
---@param anonymised boolean without code
local function record(file, anonymised)
  local client = client_here()
  if not client then
    return
  elseif not file then
    inform('give a file to record to, or `stop`', vim.log.levels.WARN)
    return
  end
  local stop = file == 'stop'
  local command = { title = 'Record', command = 'editahead.record' }
  if stop then
    command.command = 'editahead.stop-recording'
  else
    command.arguments = { vim.fn.fnamemodify(vim.fn.expand(file), ':p'), anonymised }
  end
  client:exec_cmd(command, { bufnr = 0 }, function(err, result)
    if err then
      inform(err.message, vim.log.levels.WARN)
    elseif stop and type(result) ~= 'table' then
      inform('no recording is running')
    elseif stop then
      inform(('%d events were recorded to %s'):format(result.events, result.path))
    else
      inform(('recording to %s%s; `:Editahead record stop` ends it'):format(
        result.path, result.anonymised and ', without code' or ''))
    end
  end)
end

local function restart()
  local client = client_of.get(0) or client_of.get()
  if not client then
    require('editahead.server').start()
    return
  end
  local bufs = vim.tbl_keys(client.attached_buffers)
  client:stop()
  local timer = assert(vim.uv.new_timer())
  local tries = 0
  timer:start(20, 50, vim.schedule_wrap(function()
    tries = tries + 1
    if timer:is_closing() then
      return
    elseif client:is_stopped() and not vim.lsp.get_client_by_id(client.id) then
      timer:close()
      require('editahead.server').restart_client(client, bufs)
    elseif tries == 60 then -- three seconds
      client:stop(true)
    end
  end))
end

local function next_edit()
  local edits = require('editahead.next_edit')
  if not edits.accept() then
    edits.request(nil, nil, true)
  end
end

---Show the scoreboard: what became of suggestions.
local function stats()
  local client = client_here()
  if not client then
    return
  end
  client_of.request(client, 'editahead/stats', vim.empty_dict(), vim.api.nvim_get_current_buf(), function(result)
    vim.cmd('botright new')
    local buf = vim.api.nvim_get_current_buf()
    vim.api.nvim_buf_set_lines(buf, 0, -1, false, vim.split(vim.trim(result.scoreboard.text), '\n'))
    vim.bo[buf].buftype, vim.bo[buf].bufhidden, vim.bo[buf].modifiable = 'nofile', 'wipe', false
    vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = buf, nowait = true })
  end)
end

local function log()
  local path = vim.lsp.log.get_filename and vim.lsp.log.get_filename() or vim.lsp.get_log_path()
  local client = client_of.get()
  local cmd = client and client.config.cmd
  for i, argument in ipairs(type(cmd) == 'table' and cmd or {}) do
    path = argument:match('^%-%-log%-file=(.+)') or (argument == '--log-file' and cmd[i + 1]) or path
  end
  vim.cmd.tabedit(vim.fn.fnameescape(path))
  vim.cmd('normal! G')
end

---The server's command line with `doctor` in place of `--stdio`.
---@return string[]
function M.doctor_command()
  local cmd = vim.lsp.config.editahead.cmd
  local command = {}
  for _, argument in ipairs(type(cmd) == 'table' and cmd or { 'editahead' }) do
    if argument == '--stdio' then
      break
    end
    command[#command + 1] = argument
  end
  command[#command + 1] = 'doctor'
  return command
end

local function doctor()
  local command = M.doctor_command()
  vim.cmd('botright new')
  if pcall(vim.fn.jobstart, command, { term = true }) then
    return
  end
  vim.cmd('bwipeout!')
  inform(('%s cannot be started (see :checkhealth editahead)'):format(command[1]), vim.log.levels.WARN)
end

---@type table<string, fun(call: table, argument?: string)>
local SUBCOMMANDS = {
  explain = function()
    require('editahead.explain').open()
  end,
  queue = function()
    require('editahead.queue').open()
  end,
  apply = function(call, argument)
    if call.range > 0 then
      require('editahead.queue').apply({ first = call.line1, last = call.line2 })
    else
      require('editahead.queue').apply({ all = call.bang, first = tonumber(argument) })
    end
  end,
  undo = function()
    require('editahead.queue').undo()
  end,
  next = next_edit,
  accept = function()
    if not require('editahead.next_edit').accept() then
      inform('no next edit is shown')
    end
  end,
  reject = function()
    if not require('editahead.next_edit').reject() then
      inform('no next edit is shown')
    end
  end,
  toggle = function(_, argument)
    toggle(argument)
  end,
  snooze = function(_, argument)
    snooze(argument)
  end,
  record = function(call, argument)
    record(argument, call.bang)
  end,
  restart = restart,
  stats = stats,
  tour = function()
    require('editahead.tour').open()
  end,
  log = log,
  doctor = doctor,
  enable = function()
    require('editahead').enable()
  end,
  disable = function()
    require('editahead').disable()
  end,
  status = function()
    local reason = require('editahead.next_edit').no_edit_reason(vim.api.nvim_get_current_buf())
    local label = require('editahead.status').of_buffer(0) or 'no server is running for this buffer'
    inform(label .. (reason and '; no next edit: ' .. reason or ''))
  end,
}

---@param lead string
---@param line string
---@return string[]
function M.complete(lead, line)
  local words = vim.tbl_keys(SUBCOMMANDS)
  if line:match('^%S+%s+toggle%s') then
    words = vim.list_extend(vim.tbl_keys(SWITCHES), { vim.bo.filetype })
  elseif line:match('^%S+%s+record%s') then
    return vim.list_extend(vim.startswith('stop', lead) and { 'stop' } or {}, vim.fn.getcompletion(lead, 'file'))
  elseif line:match('^%S+%s+%S+%s') then
    words = {}
  end
  table.sort(words)
  return vim.tbl_filter(function(word)
    return vim.startswith(word, lead)
  end, words)
end

---@param call table the arguments of a user command
function M.run(call)
  local name = call.fargs[1] or 'status'
  if not SUBCOMMANDS[name] then
    inform(('%q is not a command: try :Editahead and <Tab>'):format(name), vim.log.levels.WARN)
    return
  end
  SUBCOMMANDS[name](call, call.fargs[2])
end

return M
