"""Prints a plan of pairs of kernels, each kernel another one: the second of a
pair can be an epilogue of the first one, and a copy comes before each pair."""

PAIRS = 50
SHAPE = "1024x512xf32"
TENSOR = f"tensor<{SHAPE}>"


def buffer(role):
    return f"memref<{SHAPE}, #plan.space<{role}>>"


print("#all = affine_map<(d0, d1) -> (d0, d1)>")
for i in range(2 * PAIRS):
    print(f"""plan.executable @kernel_{i} {{
  func.func @body(%x: {TENSOR}, %y: {TENSOR}) -> {TENSOR} {{
    %0 = linalg.generic {{indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}} ins(%x : {TENSOR}) outs(%y : {TENSOR}) {{
    ^bb0(%a: f32, %b: f32):
      %c = arith.constant {i}.5 : f32
      %1 = arith.addf %a, %c : f32
      linalg.yield %1 : f32
    }} -> {TENSOR}
    return %0 : {TENSOR}
  }}
}}""")
print(f"""plan.program @p kind predict {{
  %x = plan.input 0 "x" {{offset = 0 : i64}} : {buffer("inputs")}
  %y = plan.output 0 "y" {{offset = 0 : i64}} : {buffer("outputs")}
  %a = plan.alloc {{offset = 0 : i64}} : {buffer("arena")}
  %b = plan.alloc {{offset = 2097152 : i64}} : {buffer("arena")}""")
for i in range(PAIRS):
    source, role = ("%x", "inputs") if i == 0 else ("%y", "outputs")
    print(f"""  plan.copy {source} to %a : {buffer(role)} to {buffer("arena")}
  plan.dispatch @kernel_{2 * i} ins(%a : {buffer("arena")}) outs(%b : {buffer("arena")})
  plan.dispatch @kernel_{2 * i + 1} ins(%b : {buffer("arena")}) outs(%y : {buffer("outputs")})""")
print("  plan.return\n}")
