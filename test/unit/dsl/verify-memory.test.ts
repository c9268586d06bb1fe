/** [test/unit/dsl] The verifier on memory ops and on ops that own blocks: each broken rule is found and named. */
import { describe, expect, it } from "vitest";
import { violations } from "../../support/tile-ir-violations.ts";

describe("memory", () => {
  it.each([
    [
      "a load of an output",
      "  %10: f32 = load dst[at %i.0] fill 0",
      "TW9106 tensor dst does not allow a load | out | in or inout",
    ],
    [
      "a store to an input",
      "  store src[at %i.0, at %i.0] = %f.1",
      "TW9106 tensor src does not allow a store | in | out or inout",
    ],
    [
      "an atomic on an output",
      "  %10: f32 = atomic add dst[at %i.0] by %f.1",
      "TW9106 tensor dst does not allow a atomic | out | inout",
    ],
    [
      "an unknown tensor",
      "  %10: f32 = load nope[at %i.0] fill 0",
      "TW9105 no such tensor parameter | nope | a tensor parameter",
    ],
    [
      "too few indices",
      "  %10: f32 = load src[at %i.0] fill 0",
      "TW9103 tensor src needs one index a dim | 1 | 2",
    ],
    [
      "a float index",
      "  %10: f32 = load src[at %f.1, at %i.0] fill 0",
      "TW9102 an index has the wrong dtype | f32 | i32",
    ],
    [
      "a tile as start",
      "  %10: f32[A=4] = load src[at %i.0, span A=4 from %n.5] fill 0",
      "TW9103 the start of a span has other axes | i32[A=4] | i32",
    ],
    [
      "a float gather",
      "  %10: f32[A=4] = load src[gather %v.4, at %i.0] fill 0",
      "TW9102 a gather index has the wrong dtype | f32 | i32",
    ],
    [
      "an axis spanned twice",
      "  %10: f32[A=4, A=4] = load src[span A=4 from %i.0, span A=4 from %i.0] fill 0",
      "TW9103 an axis appears twice | %10: f32[A=4, A=4] | axis names unique",
    ],
    [
      "a loaded type that does not fit",
      "  %10: f32[A=4] = load src[at %i.0, span B=8 from %i.0] fill 0",
      "TW9103 the result has other axes | f32[A=4] | f32[B=8]",
    ],
    [
      "a mask with an alien axis",
      "  %10: f32[B=8] = load src[at %i.0, span B=8 from %i.0] mask %m.6 fill 0",
      "TW9103 the mask has an axis that the tile lacks | bool[A=4] | axes of the tile: B=8",
    ],
    [
      "a numeric mask",
      "  %10: f32[A=4] = load src[span A=4 from %i.0, at %i.0] mask %n.5 fill 0",
      "TW9102 the mask has the wrong dtype | i32 | bool",
    ],
    [
      "a stored value of another dtype",
      "  store dst[span A=4 from %i.0] = %n.5",
      "TW9102 the value has the wrong dtype | i32 | f32",
    ],
    [
      "a fractional fill of an int",
      "  %10: i32 = load both[at %i.0] fill 0.5",
      "TW9107 the fill is no i32 | 0.5 | an integer from -2147483648 to 2147483647",
    ],
  ])("finds %s", (_, lines, expected) => expect(violations(lines)).toEqual([expected]));

  it("finds an atomic on a narrow float", () => {
    const signature = "kernel k(t: inout f16[M]) dims(M)";
    expect(
      violations("  %10: f16 = const 1\n  %11: f16 = atomic add t[at %i.0] by %10", signature),
    ).toEqual(["TW9102 the value has the wrong dtype | f16 | f32, i32, u32"]);
  });

  it("passes one axis shared by two gathers, given once", () => {
    expect(violations("  %10: f32[A=4] = load src[gather %n.5, gather %n.5] fill 0")).toEqual([]);
  });
});

describe("blocks", () => {
  it.each([
    [
      "a loop that yields too little",
      "  %10: f32 = for %11: i32 = %i.0 to %i.0 step %i.0 carry (%12: f32 = %f.1) {\n  }",
      "TW9104 the number of yields of the loop is wrong | 0 | 1",
    ],
    [
      "a loop that yields another type",
      "  %10: f32 = for %11: i32 = %i.0 to %i.0 step %i.0 carry (%12: f32 = %f.1) {\n    yield %i.0\n  }",
      "TW9104 the type of yields of the loop is wrong at position 0 | i32 | f32",
    ],
    [
      "a carried value of another type",
      "  %10: f32 = for %11: i32 = %i.0 to %i.0 step %i.0 carry (%12: i32 = %f.1) {\n    yield %f.1\n  }",
      "TW9104 the type of carried values is wrong at position 0 | i32 | f32",
    ],
    [
      "a float bound",
      "  for %11: i32 = %i.0 to %f.1 step %i.0 {\n  }",
      "TW9102 a bound of the loop has the wrong dtype | f32 | i32",
    ],
    [
      "a counter that is no i32",
      "  for %11: u32 = %i.0 to %i.0 step %i.0 {\n  }",
      "TW9102 the counter has the wrong dtype | u32 | i32",
    ],
    [
      "a hint of zero",
      "  for %11: i32 = %i.0 to %i.0 step %i.0 stages 0 {\n  }",
      "TW9107 the hint stages is no count | 0 | an integer >= 1",
    ],
    [
      "an if on a tile",
      "  if %m.6 {\n  }",
      "TW9103 the condition has other axes | bool[A=4] | bool",
    ],
    [
      "a branch without its value",
      "  %10: f32 = if %b.2 {\n    yield %f.1\n  }",
      "TW9104 the number of yields of the other branch is wrong | 0 | 1",
    ],
    [
      "a while on a number",
      "  %10: i32 = while (%11: i32 = %i.0) max 5 {\n    yield %11\n  } do (%12: i32) {\n    yield %12\n  }",
      "TW9102 what the condition yields has the wrong dtype | i32 | bool",
    ],
    [
      "a while without limit",
      "  while () max 0 {\n    yield %b.2\n  } do () {\n  }",
      "TW9107 the limit of trips is no count | 0 | an integer >= 1",
    ],
    [
      "an if_any without the axis",
      "  %10: f32[A=4] = if_any %m.6 along A else (%v.4) {\n    yield %f.1\n  }",
      "TW9104 the type of yields of the body is wrong at position 0 | f32 | f32[A=4]",
    ],
    [
      "an if_any whose result lacks the axis",
      "  %10: f32 = if_any %m.6 along A else (%f.1) {\n    yield %f.1\n  }",
      "TW9103 a value lacks the axis A | %10: f32 | an axis A",
    ],
    [
      "an if_any that mixes rows",
      "  if_any %m.6 along A else () {\n    %10: f32 = reduce sum %v.4 over A\n  }",
      "TW9103 the body of if_any mixes rows of A | reduce | ops local to rows",
    ],
    [
      "an if_any that contracts rows",
      "  if_any %m.6 along A else () {\n    %10: f32 = dot %v.4, %v.4 over A\n  }",
      "TW9103 the body of if_any mixes rows of A | dot | ops local to rows",
    ],
    [
      "an if_any that renames rows",
      "  if_any %m.6 along A else () {\n    %10: f32[C=4] = rename %v.4\n  }",
      "TW9103 the body of if_any mixes rows of A | rename | ops local to rows",
    ],
    [
      "an if_any that stores",
      "  if_any %m.6 along A else () {\n    store dst[span A=4 from %i.0] = %v.4\n  }",
      "TW9106 the body of if_any writes memory | store | no store, no atomic",
    ],
  ])("finds %s", (_, lines, expected) => expect(violations(lines)).toEqual([expected]));
});
