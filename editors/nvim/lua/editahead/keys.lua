---Keys that are ours only while something is shown. What they did before is kept, done when we pass, and put back.
local M = {}

---@class editahead.Binding
---@field mode string
---@field lhs string
---@field press fun(): boolean? true when the key is used up; else it does what it did before
---@field description string

---@class editahead.Held
---@field before table what `maparg` said
---@field callback function
---@field presses table<string, fun(): boolean?> by owner

-- Who is asked first when two owners show something.
local ORDER = { 'ghost', 'next_edit', 'arrived' }

local held = {} ---@type table<integer, table<string, editahead.Held>>

---Do what the key did before we took it.
---@param lhs string
---@param before table
local function pass(lhs, before)
  if vim.tbl_isempty(before) then
    vim.api.nvim_feedkeys(vim.keycode(lhs), 'in', false)
    return
  end
  local keys = before.rhs or ''
  if before.callback then
    local result = before.callback()
    if before.expr ~= 1 or type(result) ~= 'string' then
      return
    end
    keys = result
  elseif before.expr == 1 then
    keys = tostring(vim.api.nvim_eval(before.rhs))
  end
  if before.expr ~= 1 or before.replace_keycodes == 1 then
    keys = vim.keycode((keys:gsub('<[Ss][Ii][Dd]>', ('<SNR>%d_'):format(before.sid or 0))))
  end
  vim.api.nvim_feedkeys(keys, before.noremap == 1 and 'in' or 'im', false)
end

---@param buf integer
---@param binding editahead.Binding
---@return editahead.Held
local function take(buf, binding)
  local mode, lhs = binding.mode, binding.lhs
  local before = vim.api.nvim_buf_call(buf, function()
    return vim.fn.maparg(lhs, mode, false, true)
  end)
  local hold = { before = before, presses = {} } ---@type editahead.Held
  hold.callback = function()
    for _, owner in ipairs(ORDER) do
      local press = hold.presses[owner]
      if press and press() then
        return
      end
    end
    pass(lhs, before)
  end
  vim.keymap.set(mode, lhs, hold.callback, { buffer = buf, nowait = true, silent = true, desc = binding.description })
  return hold
end

---@param buf integer
---@param mode string
---@param lhs string
---@param hold editahead.Held
local function give_back(buf, mode, lhs, hold)
  if not vim.api.nvim_buf_is_valid(buf) then
    return
  end
  vim.api.nvim_buf_call(buf, function()
    local now = vim.fn.maparg(lhs, mode, false, true)
    if now.buffer == 1 and now.callback == hold.callback then -- else somebody mapped it meanwhile: theirs stays
      vim.keymap.del(mode, lhs, { buffer = buf })
      if hold.before.buffer == 1 then
        vim.fn.mapset(mode, false, hold.before)
      end
    end
  end)
end

---Take the keys of an owner in a buffer. Keys that it holds already get the new meaning.
---@param buf integer
---@param owner 'ghost'|'next_edit'|'arrived'
---@param bindings editahead.Binding[]
function M.show(buf, owner, bindings)
  M.hide(buf, owner, bindings)
  held[buf] = held[buf] or {}
  for _, binding in ipairs(bindings) do
    local name = binding.mode .. ' ' .. binding.lhs
    held[buf][name] = held[buf][name] or take(buf, binding)
    held[buf][name].presses[owner] = binding.press
  end
end

---Give an owner's keys back.
---@param buf integer
---@param owner 'ghost'|'next_edit'|'arrived'
---@param except? editahead.Binding[] those that stay
function M.hide(buf, owner, except)
  local stay = {} ---@type table<string, boolean>
  for _, binding in ipairs(except or {}) do
    stay[binding.mode .. ' ' .. binding.lhs] = true
  end
  for name, hold in pairs(held[buf] or {}) do
    if not stay[name] and hold.presses[owner] then
      hold.presses[owner] = nil
      if next(hold.presses) == nil then
        held[buf][name] = nil
        local mode, lhs = name:match('^(%S+) (.*)$')
        give_back(buf, mode, lhs, hold)
      end
    end
  end
end

---A binding, unless its key is switched off.
---@param into editahead.Binding[]
---@param mode string
---@param lhs editahead.Key
---@param description string
---@param press fun(): boolean?
function M.add(into, mode, lhs, description, press)
  if lhs then
    into[#into + 1] = { mode = mode, lhs = lhs, press = press, description = 'editahead: ' .. description }
  end
end

return M
