/** [test/support] Text that calls every name of the prelude once, made from its table, for compilers to judge. Never run. */
import { PRELUDE_NAMES, type PreludeName } from "../../codegen/targets/cuda/prelude-names.ts";

/** An argument of each type that the table uses; `x` is a global buffer, `r` registers. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  i32: "i",
  u32: "u",
  f32: "f",
  bool: "u > 3",
  T: "f",
  tw_f16: "(tw_f16)u",
  tw_bf16: "(tw_bf16)u",
  tw_f8e4m3: "(tw_f8e4m3)u",
  tw_f8e5m2: "(tw_f8e5m2)u",
  tw_f8e8m0: "(tw_f8e8m0)u",
  tw_f4e2m1: "(tw_f4e2m1)u",
  tw_nf4: "(tw_nf4)u",
  u64: "(u64)u",
  "const void*": "x",
  "void*": "x",
  "const char*": '"name"',
  "u32*": "ur",
  "const u32*": "cr",
  "f32*": "fr",
  "const f32*": "fr",
  "i32*": "ir",
  "const tw_tensor_map*": "&map",
};

/** Where a compile-time integer may not be 1. */
const INTEGERS: Readonly<Record<string, string>> = {
  tw_wgmma_desc: "128",
  tw_setmaxnreg_inc: "232",
  tw_setmaxnreg_dec: "232",
};

/** Widths that a templated access is called with. */
const ACCESS_TYPES = [
  "u8",
  "u16",
  "u32",
  "f32",
  "tw_u32x2",
  "tw_f32x2",
  "tw_i32x4",
  "tw_u32x4",
] as const;
const SHUFFLE_TYPES = ["f32", "i32", "u32", "u16", "bool"] as const;

function argumentsOf(name: PreludeName, T: string): string {
  const given = name.params.map((param) => {
    const type = param.slice(0, param.lastIndexOf(" "));
    if (type === "T") return `${T}()`;
    const isGlobal = name.subject === "atomics" || param.endsWith(" counter");
    if (isGlobal && type.endsWith("*")) return `(${type})x`;
    const argument = ARGUMENTS[type];
    if (argument === undefined) throw new Error(`no argument of type ${type}`);
    return argument;
  });
  return given.join(", ");
}

/** In the order that ptxas wants; without it there is a note for each. */
function wgmmaCall(key: string, call: string): string {
  const [keep, d] = key.includes("s32") ? ["tw_wgmma_keep_s32", "ir"] : ["tw_wgmma_keep", "fr"];
  const count = Number(/m64n(\d+)k/.exec(key)?.[1]) / 2;
  const around = `tw_wgmma_commit(); tw_wgmma_wait<0>(); ${keep}<${count}>(${d})`;
  return `  tw_wgmma_fence(); ${call}; ${around};`;
}

function callsOf(key: string, name: PreludeName): readonly string[] {
  const types = name.subject === "shuffle" ? SHUFFLE_TYPES : ACCESS_TYPES;
  const variants =
    name.template === "T" ? types : name.template === "N" ? [INTEGERS[key] ?? "1"] : [""];
  return variants.map((variant) => {
    const call = `${key}${variant ? `<${variant}>` : ""}(${argumentsOf(name, variant)})`;
    if (key.startsWith("tw_wgmma_m64")) return wgmmaCall(key, call);
    if (name.result === "void") return `  ${call};`;
    const type = name.result === "T" ? variant : name.result;
    return `  { const ${type} y = ${call}; tw_stg<${type}>(x, y); }`;
  });
}

/**
 * A kernel named `calls` that calls the given names; its own accesses need `tw_ldg`, `tw_stg` and `tw_tid`. Its fragments are as
 * large as the largest wgmma needs, and it takes a tensor map, only where names want that.
 */
export function callText(keys: Iterable<string>): string {
  const names = [...keys].map((key) => {
    const name = PRELUDE_NAMES.get(key);
    if (name === undefined) throw new Error(`not in the prelude's table: ${key}`);
    return [key, name] as const;
  });
  const takesMap = names.some(([, { subject }]) => subject === "tensor-copy");
  const takesMany = names.some(([, { subject }]) => subject === "wgmma");
  const head = takesMany ? "TW_KERNEL_PER_SM(128, 1)" : "TW_KERNEL(128)";
  const takesWaves = names.some(([, { subject }]) => subject === "matrix-amd");
  const registers = takesMany ? 128 : takesWaves ? 16 : 4;
  const words = takesWaves ? 8 : 4;
  // Clang drops a product that is overwritten; what ptxas says of wgmma depends on what follows it.
  const at = (part: number): string => (takesWaves ? `x + 4 * (q + ${part * registers})` : "x");
  const zeros = Array.from({ length: words }, () => "u").join(", ");
  // Both kinds of fragments at once would not fit into a thread's registers.
  const integers = names.filter(([, { params }]) => params.includes("i32* d"));
  const others = names.filter(([, { params }]) => !params.includes("i32* d"));
  return [
    `${head} calls(u8* x, i32 i, u32 u, f32 f${takesMap ? ", TW_TENSOR_MAP map" : ""}) {`,
    `  u32 ur[${words}] = {${zeros}}, cr[${words}] = {${zeros}};`,
    `  f32 fr[${registers}];`,
    `  for (i32 q = 0; q < ${registers}; q++) fr[q] = f;`,
    ...others.flatMap(([key, name]) => callsOf(key, name)),
    `  for (i32 q = 0; q < ${registers}; q++) tw_stg<f32>(${at(0)}, fr[q]);`,
    `  i32 ir[${registers}];`,
    `  for (i32 q = 0; q < ${registers}; q++) ir[q] = i;`,
    ...integers.flatMap(([key, name]) => callsOf(key, name)),
    `  for (i32 q = 0; q < ${registers}; q++) tw_stg<i32>(${at(1)}, ir[q]);`,
    `  for (i32 q = 0; q < ${words}; q++) tw_stg<u32>(${at(2)}, ur[q] + cr[q]);`,
    "}",
    "",
  ].join("\n");
}
