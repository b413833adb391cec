" Words of the job and plan dialects, and what all dialects share.
if exists('b:current_syntax')
  finish
endif

syntax match mlirOp /\<[a-z_][A-Za-z0-9_$]*\%(\.[A-Za-z_][A-Za-z0-9_$]*\)\+\>/
syntax match mlirNumber /\%([A-Za-z0-9_$.%@#]\)\@<!-\?\d\+\%(\.\d*\)\?\%([eE][-+]\?\d\+\)\?/
syntax match mlirElement /\%([A-Za-z_$.%@#]\)\@<!\<\%(bf16\|f16\|f32\|f64\|index\|[su]\?i\d\+\)\>/
syntax match mlirElement /x\zs\%(bf16\|f16\|f32\|f64\|index\|[su]\?i\d\+\)\ze>/
syntax match mlirType /![A-Za-z_][A-Za-z0-9_$.]*/
syntax match mlirAttribute /#[A-Za-z_][A-Za-z0-9_$.]*/
syntax match mlirSymbol /@\%([A-Za-z_][A-Za-z0-9_$.-]*\|"[^"]*"\)/
syntax match mlirValue /%[A-Za-z0-9_$.-]\+\%([#:]\d\+\)\?/
syntax match mlirLabel /\^[A-Za-z0-9_$.-]\+/
syntax keyword mlirType tensor memref vector
syntax keyword mlirConstant true false unit train predict dense array
syntax keyword mlirKeyword module attributes kind init schedule warmup to as private public
syntax region mlirString start=/"/ skip=/\\"/ end=/"/ oneline
syntax match mlirComment /\/\/.*$/

highlight default link mlirOp Function
highlight default link mlirNumber Number
highlight default link mlirElement Type
highlight default link mlirType Type
highlight default link mlirAttribute PreProc
highlight default link mlirSymbol Identifier
highlight default link mlirValue Identifier
highlight default link mlirLabel Label
highlight default link mlirConstant Constant
highlight default link mlirKeyword Keyword
highlight default link mlirString String
highlight default link mlirComment Comment

let b:current_syntax = 'mlir'
