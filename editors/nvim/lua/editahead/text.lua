---Text functions: differences, first word, insertion into a buffer. Columns are bytes.
local M = {}

---@param byte integer?
---@return boolean whether this is a continuation byte of UTF-8
local function is_continuation_byte(byte)
  return byte ~= nil and byte >= 0x80 and byte < 0xC0
end

---Number of bytes that two texts share at both ends; characters are not split.
---@param old string
---@param new string
---@return integer head, integer tail
function M.common(old, new)
  local most = math.min(#old, #new)
  local head = 0
  while head < most and old:byte(head + 1) == new:byte(head + 1) do
    head = head + 1
  end
  while head > 0 and (is_continuation_byte(old:byte(head + 1)) or is_continuation_byte(new:byte(head + 1))) do
    head = head - 1
  end
  local tail = 0
  while tail < most - head and old:byte(#old - tail) == new:byte(#new - tail) do
    tail = tail + 1
  end
  while tail > 0 and (is_continuation_byte(old:byte(#old - tail + 1)) or is_continuation_byte(new:byte(#new - tail + 1))) do
    tail = tail - 1
  end
  return head, tail
end

---@param character string
---@return boolean
local function is_word_character(character)
  return character:find('[%w_\128-\255]') ~= nil
end

---The same, with replacements widened to whole words.
---@param old string
---@param new string
---@return integer head, integer tail
function M.common_words(old, new)
  local head, tail = M.common(old, new)
  local cut = #old > head + tail and #new > head + tail -- a pure insertion may stay inside a word
  while cut and head > 0 and is_word_character(old:sub(head, head)) do
    head = head - 1
  end
  while cut and tail > 0 and is_word_character(old:sub(#old - tail + 1, #old - tail + 1)) do
    tail = tail - 1
  end
  return head, tail
end

---The first word with the whitespace before it, or the punctuation up to the next word; a line end is a word of its own.
---@param text string
---@return string
function M.first_word(text)
  return text:match('^\n[ \t]*')
    or text:match('^[ \t]*[%w_\128-\255]+')
    or text:match('^[ \t]*[^%w_\128-\255%s]+')
    or text:match('^[ \t]+')
    or text
end

---@param text string
---@return string the first line; with its line end, where the text begins with one
function M.first_line(text)
  return text:match('^\n?[^\n]+') or text
end

---The insertions that turn `old` into `new`.
---@param old string
---@param new string
---@return { [1]: integer, [2]: string }[]? pieces offset in `old`, and what is inserted there; nil if insertions are not enough
function M.insertions(old, new)
  local pieces, from = {}, 1
  for at = 1, #old do
    local found = new:find(old:sub(at, at), from, true)
    if not found then
      return nil
    end
    if found > from then
      pieces[#pieces + 1] = { at - 1, new:sub(from, found - 1) }
    end
    from = found + 1
  end
  if from <= #new then
    pieces[#pieces + 1] = { #old, new:sub(from) }
  end
  return pieces
end

---Replace part of a line; if the buffer is current, the cursor goes to the end of the new text.
---@param buf integer
---@param row integer from 0
---@param first integer
---@param last integer exclusive
---@param text string
---@return integer row, integer column of the end of the text
function M.put(buf, row, first, last, text)
  local lines = vim.split(text, '\n', { plain = true })
  vim.api.nvim_buf_set_text(buf, row, first, row, last, lines)
  local end_row = row + #lines - 1
  local end_column = (#lines == 1 and first or 0) + #lines[#lines]
  if vim.api.nvim_get_current_buf() == buf then
    vim.api.nvim_win_set_cursor(0, { end_row + 1, end_column })
  end
  return end_row, end_column
end

---Begin a new undo step.
function M.new_undo_step()
  vim.cmd('let &g:undolevels = &g:undolevels')
end

---@param client vim.lsp.Client
---@param buf integer
---@param position lsp.Position
---@return integer row, integer column in bytes; inside the buffer's text (its last line end counts as a line)
function M.position(client, buf, position)
  local line = vim.api.nvim_buf_get_lines(buf, position.line, position.line + 1, false)[1]
  if not line then
    return vim.api.nvim_buf_line_count(buf), 0
  end
  return position.line, vim.str_byteindex(line, client.offset_encoding, position.character, false)
end

return M
