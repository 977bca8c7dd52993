-- Defines the command and the autocommands, so that `vim.lsp.enable('editahead')` alone is enough.

if vim.g.loaded_editahead then
  return
end
vim.g.loaded_editahead = true

if vim.fn.has('nvim-0.11') == 0 then
  vim.notify('editahead needs Neovim 0.11 or newer: update Neovim or remove the plugin', vim.log.levels.ERROR)
  return
end

vim.api.nvim_create_user_command('Editahead', function(call)
  require('editahead.commands').run(call)
end, {
  nargs = '*',
  bang = true,
  range = true,
  desc = 'editahead: next edits, the queue, and why nothing is shown',
  complete = function(lead, line)
    return require('editahead.commands').complete(lead, line)
  end,
})

require('editahead.attach').watch()
