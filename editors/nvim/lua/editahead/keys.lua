---Keys that are mapped only while something is shown. Earlier mappings are kept, called where ours decline, and restored.
local M = {}

---@class editahead.Binding
---@field mode string
---@field lhs string
---@field press fun(): boolean? true if it handled the key; otherwise the earlier mapping runs
---@field description string

---@class editahead.HeldKey
---@field before table the earlier mapping, from `maparg`
---@field callback function
---@field presses table<string, fun(): boolean?> by owner

-- Owners in the order in which they may handle a key.
local ORDER = { 'ghost', 'next_edit', 'last_edit' }

local held = {} ---@type table<integer, table<string, editahead.HeldKey>>

---Run the earlier mapping of a key.
---@param lhs string
---@param before table
local function replay(lhs, before)
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
---@return editahead.HeldKey
local function hold_key(buf, binding)
  local mode, lhs = binding.mode, binding.lhs
  local before = vim.api.nvim_buf_call(buf, function()
    return vim.fn.maparg(lhs, mode, false, true)
  end)
  local held_key = { before = before, presses = {} } ---@type editahead.HeldKey
  held_key.callback = function()
    for _, owner in ipairs(ORDER) do
      local press = held_key.presses[owner]
      if press and press() then
        return
      end
    end
    replay(lhs, before)
  end
  vim.keymap.set(mode, lhs, held_key.callback, { buffer = buf, nowait = true, silent = true, desc = binding.description })
  return held_key
end

---@param buf integer
---@param mode string
---@param lhs string
---@param held_key editahead.HeldKey
local function restore(buf, mode, lhs, held_key)
  if not vim.api.nvim_buf_is_valid(buf) then
    return
  end
  vim.api.nvim_buf_call(buf, function()
    local now = vim.fn.maparg(lhs, mode, false, true)
    if now.buffer == 1 and now.callback == held_key.callback then -- otherwise it was mapped by someone else in the meantime, and that mapping stays
      vim.keymap.del(mode, lhs, { buffer = buf })
      if held_key.before.buffer == 1 then
        vim.fn.mapset(mode, false, held_key.before)
      end
    end
  end)
end

---Map the keys of an owner in a buffer; keys that it holds already get the new function.
---@param buf integer
---@param owner 'ghost'|'next_edit'|'last_edit'
---@param bindings editahead.Binding[]
function M.show(buf, owner, bindings)
  M.hide(buf, owner, bindings)
  held[buf] = held[buf] or {}
  for _, binding in ipairs(bindings) do
    local name = binding.mode .. ' ' .. binding.lhs
    held[buf][name] = held[buf][name] or hold_key(buf, binding)
    held[buf][name].presses[owner] = binding.press
  end
end

---Restore the keys of an owner.
---@param buf integer
---@param owner 'ghost'|'next_edit'|'last_edit'
---@param except? editahead.Binding[] keys to keep
function M.hide(buf, owner, except)
  local stay = {} ---@type table<string, boolean>
  for _, binding in ipairs(except or {}) do
    stay[binding.mode .. ' ' .. binding.lhs] = true
  end
  for name, held_key in pairs(held[buf] or {}) do
    if not stay[name] and held_key.presses[owner] then
      held_key.presses[owner] = nil
      if next(held_key.presses) == nil then
        held[buf][name] = nil
        local mode, lhs = name:match('^(%S+) (.*)$')
        restore(buf, mode, lhs, held_key)
      end
    end
  end
end

---Add a binding unless its key is false.
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
