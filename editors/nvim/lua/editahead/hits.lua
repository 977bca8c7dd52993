---Places that a user jumps to: diagnostics and hits of a search.
local M = {}

local SEARCH_TIMEOUT = 5 -- milliseconds for a pattern that is matched in the cursor's line

---Whether the cursor is at a hit of the last search, or at the start of a diagnostic.
---@param buf integer
---@return boolean
function M.is_at_hit(buf)
  local place = vim.api.nvim_win_get_cursor(0)
  local row, column = place[1], place[2]
  for _, diagnostic in ipairs(vim.diagnostic.get(buf, { lnum = row - 1 })) do
    if diagnostic.col == column then
      return true
    end
  end
  local pattern = vim.fn.getreg('/')
  if vim.v.hlsearch == 0 or pattern == '' then
    return false
  end
  local valid, hit = pcall(vim.fn.searchpos, pattern, 'cnW', row, SEARCH_TIMEOUT)
  return valid and hit[1] == row and hit[2] == column + 1
end

return M
