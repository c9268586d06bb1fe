/** [codegen/c-family] The names that C++ text must not declare. */
import { PRELUDE_RESERVED } from "../targets/cuda/prelude-abi.ts";
import type { NameRules } from "../text/names.ts";

/** @source C++20 [lex.key] and [lex.digraph] */
const KEYWORDS =
  "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl concept const " +
  "consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete do double dynamic_cast " +
  "else enum explicit export extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr " +
  "operator or or_eq private protected public register reinterpret_cast requires return short signed sizeof static static_assert " +
  "static_cast struct switch template this thread_local throw true try typedef typeid typename union unsigned using virtual void " +
  "volatile wchar_t while xor xor_eq";

/** Macros and variables that CUDA, HIP or the C library put in the way of any declaration. */
const ENVIRONMENT =
  "threadIdx blockIdx blockDim gridDim warpSize linux unix NULL INFINITY NAN assert";

export const C_NAME_RULES: NameRules = {
  reserved: new Set([...KEYWORDS.split(" "), ...ENVIRONMENT.split(" "), ...PRELUDE_RESERVED]),
  reservedPrefixes: ["tw_", "TW_"],
};

/** Functions of the global scope that a kernel must not be named after; a local variable may hide them. */
export const ENTRY_CLASHES: ReadonlySet<string> = new Set(
  (
    "main abort abs acos acosh asin asinh atan atan2 atanh atomicAdd cbrt ceil copysign cos cosh div erf erfc exp exp2 expm1 fabs " +
    "fdim floor fma fmax fmin fmod free gamma hypot index isnan j0 j1 jn ldexp lgamma log log10 log1p log2 max malloc min norm " +
    "pow printf remainder rhypot rint rnorm round rsqrt scalbn select signbit sin sinh sqrt tan tanh tgamma trunc y0 y1 yn"
  ).split(" "),
);
