autocmd BufRead,BufNewFile *.mlir setfiletype mlir
