/** [codegen/targets/wgsl] The names that WGSL text must not declare. */
import type { NameRules } from "../../text/names.ts";

/** @source WGSL, "Keyword Summary" */
const KEYWORDS =
  "alias break case const const_assert continue continuing default diagnostic discard else enable false fn for if let loop override " +
  "requires return struct switch true var while";

/** @source WGSL, "Reserved Words" */
const RESERVED =
  "NULL Self abstract active alignas alignof as asm asm_fragment async attribute auto await become cast catch class co_await " +
  "co_return co_yield coherent column_major common compile compile_fragment concept const_cast consteval constexpr constinit crate " +
  "debugger decltype delete demote demote_to_helper do dynamic_cast enum explicit export extends extern external fallthrough filter " +
  "final finally friend from fxgroup get goto groupshared highp impl implements import inline instanceof interface layout lowp macro " +
  "macro_rules match mediump meta mod module move mut mutable namespace new nil noexcept noinline nointerpolation non_coherent " +
  "noncoherent noperspective null nullptr of operator package packoffset partition pass patch pixelfragment precise precision " +
  "premerge priv protected pub public readonly ref regardless register reinterpret_cast require resource restrict self set shared " +
  "sizeof smooth snorm static static_assert static_cast std subroutine super target template this thread_local throw trait try type " +
  "typedef typeid typename typeof union unless unorm unsafe unsized use using varying virtual volatile wgsl where with writeonly yield";

/** Types, functions and values of the language that emitted text uses; a local of that name would hide them. */
const USED =
  "array atomic bool f32 f16 i32 u32 vec2 vec3 vec4 ptr function private workgroup uniform storage read write read_write abs " +
  "arrayLength atomicAdd atomicAnd atomicCompareExchangeWeak atomicLoad atomicMax atomicMin atomicOr atomicStore bitcast ceil " +
  "countLeadingZeros exp exp2 extractBits floor fma inverseSqrt log log2 max min round select sign sqrt storageBarrier subgroupShuffle " +
  "subgroupShuffleXor trunc workgroupBarrier workgroupUniformLoad";

export const WGSL_NAME_RULES: NameRules = {
  reserved: new Set([KEYWORDS, RESERVED, USED].flatMap((words) => words.split(" "))),
  reservedPrefixes: ["tw_", "Tw"],
};
