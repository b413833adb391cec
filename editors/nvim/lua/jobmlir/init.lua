-- Starts job-lsp-server for buffers with MLIR.
local M = {}

-- Keys of `options`: cmd, the server and its arguments; on_attach, called with
-- the client and the number of each buffer; capabilities of the client.
function M.setup(options)
  options = options or {}
  local cmd = options.cmd or { 'job-lsp-server' }

  local function on_attach(client, buffer)
    vim.api.nvim_buf_set_option(buffer, 'omnifunc', 'v:lua.vim.lsp.omnifunc')
    if options.on_attach then
      options.on_attach(client, buffer)
    end
  end

  -- A server for each folder, as vim.lsp.start (Neovim 0.8) has them.
  local clients = {}

  local function start(buffer)
    local name = vim.api.nvim_buf_get_name(buffer)
    if name == '' or vim.api.nvim_buf_get_option(buffer, 'buftype') ~= '' then
      return
    end
    if vim.fn.executable(cmd[1]) == 0 then
      vim.notify('job-lsp-server: ' .. cmd[1] .. ' is no program', vim.log.levels.WARN)
      return
    end
    local folder = vim.fn.fnamemodify(name, ':p:h')
    local config = {
      name = 'job-lsp-server',
      cmd = cmd,
      root_dir = folder,
      on_attach = on_attach,
      capabilities = options.capabilities,
    }
    if vim.lsp.start then
      vim.lsp.start(config, { bufnr = buffer })
      return
    end
    local id = clients[folder]
    if not id or not vim.lsp.get_client_by_id(id) then
      id = vim.lsp.start_client(config)
      clients[folder] = id
    end
    if id then
      vim.lsp.buf_attach_client(buffer, id)
    end
  end

  local group = vim.api.nvim_create_augroup('jobmlir', { clear = true })
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = 'mlir',
    callback = function(event)
      start(event.buf)
    end,
  })
  -- Buffers that were opened before.
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer)
      and vim.api.nvim_buf_get_option(buffer, 'filetype') == 'mlir' then
      start(buffer)
    end
  end
end

return M
