-- Configuration for `vim.lsp.enable('editahead')`; change it with `vim.lsp.config('editahead', { ... })`.

---@type vim.lsp.Config
return {
  cmd = { 'editahead', '--stdio' },
  filetypes = { 'python', 'java', 'typescript', 'typescriptreact', 'javascript', 'javascriptreact', 'go', 'rust', 'csharp', 'c', 'cpp', 'markdown', 'html', 'vue', 'svelte' },
  root_markers = { '.git', 'pyproject.toml', 'setup.py', 'pom.xml', 'build.gradle', 'build.gradle.kts' },
  handlers = {
    didChangeStatus = function(_, result, context)
      require('editahead.status').update(context.client_id, result)
    end,
  },
  on_exit = function(...)
    require('editahead.server').exited(...)
  end,
  before_init = function(params, config)
    -- Some settings are read only from the initialization options, so all of them are sent there.
    local own = type(config.settings) == 'table' and config.settings.editahead or {}
    local given = type(params.initializationOptions) == 'table' and params.initializationOptions or {}
    local others = {}
    for _, client in ipairs(vim.lsp.get_clients()) do
      if client.name ~= config.name then
        others[#others + 1] = client.name
      end
    end
    local options = vim.tbl_extend('force', own, given)
    options.attachedClients = #others > 0 and others or nil
    params.initializationOptions = next(options) and options or vim.empty_dict()
    -- next_edit.lua goes to other buffers, opens files, and leads to places without a text
    local shows = { nextEditElsewhere = true, nextEditUnopened = true, nextEditPlaces = true }
    local able = { experimental = { editahead = shows } }
    params.capabilities = vim.tbl_deep_extend('force', params.capabilities or {}, able)
  end,
}
