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
  "const void*": "x",
  "void*": "x",
  "const char*": '"name"',
  "u32*": "ur",
  "const u32*": "cr",
  "f32*": "fr",
  "i32*": "ir",
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
    if (name.subject === "atomics" && type.endsWith("*")) return `(${type})x`;
    const argument = ARGUMENTS[type];
    if (argument === undefined) throw new Error(`no argument of type ${type}`);
    return argument;
  });
  return given.join(", ");
}

function callsOf(key: string, name: PreludeName): readonly string[] {
  const types = name.subject === "shuffle" ? SHUFFLE_TYPES : ACCESS_TYPES;
  const variants = name.template === "T" ? types : name.template === "N" ? ["1"] : [""];
  return variants.map((variant) => {
    const call = `${key}${variant ? `<${variant}>` : ""}(${argumentsOf(name, variant)})`;
    if (name.result === "void") return `  ${call};`;
    const type = name.result === "T" ? variant : name.result;
    return `  { const ${type} y = ${call}; tw_stg<${type}>(x, y); }`;
  });
}

/** A kernel named `calls` that calls the given names; its own accesses need `tw_ldg`, `tw_stg` and `tw_tid`. */
export function callText(keys: Iterable<string>): string {
  const calls = [...keys].flatMap((key) => {
    const name = PRELUDE_NAMES.get(key);
    if (name === undefined) throw new Error(`not in the prelude's table: ${key}`);
    return callsOf(key, name);
  });
  return [
    "TW_KERNEL(64) calls(u8* x, i32 i, u32 u, f32 f) {",
    "  u32 ur[4] = {u, u, u, u}, cr[4] = {u, u, u, u};",
    "  f32 fr[4] = {f, f, f, f};",
    "  i32 ir[4] = {i, i, i, i};",
    ...calls,
    "  for (i32 q = 0; q < 4; q++) tw_stg<f32>(x, fr[q] + (f32)(ur[q] + cr[q]) + (f32)ir[q]);",
    "}",
    "",
  ].join("\n");
}
