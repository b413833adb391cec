# The rows of docs/generated/JobKernels.md from the lines of
# job-list-implementations, sorted. Fails where an op has no implementation on a
# target.

function quote(word) { return "`" word "`" }

# append(TEXTS, OP AND TARGET, TEXT): TEXT once, separated by a comma.
function append(texts, key, text) {
  if (seen[key, text]++)
    return
  if (key in texts)
    text = texts[key] ", " text
  texts[key] = text
}

# The cell of an op and a target.
function describe(op, target,    key, text, i, function_key) {
  key = op " " target
  for (i = 1; i <= num_functions; ++i) {
    function_key = key " " functions[i]
    if (function_key in types)
      text = text "; " quote(functions[i]) " (" types[function_key] ")"
  }
  if (key in parts)
    text = text "; kernel of " parts[key] ", or these ops"
  if (key in others)
    text = text "; " others[key]
  return substr(text, 3)
}

BEGIN {
  title["elements"] = "kernel, element by element"
  title["reduction"] = "kernel, reduction"
  title["access"] = "read by the kernels that use it"
  title["loops"] = "kernel, loops over items"
}
$2 == "op" { ops[++num_ops] = $1; next }
{ key = $1 " " $2 }
$3 in title { append(others, key, title[$3]) }
$3 == "parts" { append(parts, key, quote(substr($4, 5))) }
$3 == "pass" { append(others, key, "replaced by " quote($4)) }
$3 == "plan" { append(others, key, quote($4)) }
$3 == "library" {
  if (!known[$4]++)
    functions[++num_functions] = $4
  append(types, key " " $4, $5)
}
END {
  print "| op | CPU | GPU |\n|---|---|---|"
  for (i = 1; i <= num_ops; ++i) {
    row = "| " quote(ops[i])
    first = ""
    for (j = 1; j <= 2; ++j) {
      target = j == 1 ? "cpu" : "cuda"
      cell = describe(ops[i], target)
      if (cell == "") {
        print "expects a kernel, a function of a library or a pass for " \
          ops[i] " on " target " but got none" >"/dev/stderr"
        failed = 1
      }
      row = row " | " (j == 2 && cell == first ? "the same" : cell)
      first = cell
    }
    print row " |"
  }
  exit failed
}
