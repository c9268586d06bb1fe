/** [test/types] Mistakes that tsc must report, each with our sentence; checked by `tsc -p test`, never run. */
import {
  argmax,
  cast,
  dot,
  exp,
  gather,
  iota,
  kernel,
  load,
  out,
  pid,
  rename,
  scalar,
  store,
  sum,
  tensor,
  tile,
  zeros,
} from "../../dsl/language.ts";

export const mistakes = kernel(
  {
    name: "mistakes",
    dtypes: { T: ["f32", "f16"] },
    params: {
      a: tensor("f16", "M", "K"),
      b: tensor("bf16", "N", "K"),
      c: out("f16", "M", "N"),
      x: tensor("T", "M", "K"),
      ids: tensor("f32", "M"),
      eps: scalar("f32"),
    },
    config: { BM: 64, BN: 64, BK: 64, causal: true },
    grid: ({ M }, { BM }) => M / BM,
  },
  ({ a, b, c, x, ids, T }, { BM, BN, BK }) => {
    const acc = zeros("f32", BM, BN);
    // @ts-expect-error dot: operand dtypes differ (f16 and bf16)
    dot(load(a, [tile(0, BM), tile(0, BK)]), load(b, [tile(0, BN), tile(0, BK)]), acc);
    // @ts-expect-error dot: operands share no axis (BN and BK)
    dot(load(a, [tile(0, BM), tile(0, BN)]), load(a, [tile(0, BK), tile(0, BK)]), acc);
    // @ts-expect-error store: dtype differs, use cast() (f32 into f16)
    store(c, [tile(0, BM), tile(0, BN)], acc);
    // @ts-expect-error store: tile axes do not match the target (BM and BN change places)
    store(c, [tile(0, BN), tile(0, BM)], cast(acc, "f16"));
    // @ts-expect-error load: the number of indices differs from the tensor's number of dims
    load(a, [tile(0, BM)]);
    // @ts-expect-error sum: the tile has no such axis
    sum(acc, "BK");
    // @ts-expect-error argmax: the tile has no such axis
    argmax(acc, "M");
    // @ts-expect-error exp: needs floats (i32)
    exp(iota(BM));
    // @ts-expect-error gather: the index must be an i32 tile
    load(a, [gather(load(ids, [tile(0, BM)])), tile(0, BK)]);
    // @ts-expect-error rename: the tile has no such axis
    rename(acc, "BK", BM);
    // @ts-expect-error store: dtype differs, use cast() (a dtype variable into f16)
    store(c, [tile(0, BM), tile(0, BN)], cast(acc, T));
    // @ts-expect-error dot: operand dtypes differ (a dtype variable and f16)
    dot(load(x, [tile(0, BM), tile(0, BK)]), load(a, [tile(0, BN), tile(0, BK)]));
    // @ts-expect-error a number is no dim
    zeros("f32", 64);
    // @ts-expect-error pid: only axes 0, 1 and 2
    pid(3);
    // @ts-expect-error no such dtype
    cast(acc, "f61");
    let m = zeros("f32", BM);
    // @ts-expect-error assigning a tile of another dtype
    m = zeros("f16", BM);
    // @ts-expect-error assigning a tile of other axes
    m = zeros("f32", BN);
    sum(m, "BM");
  },
);

kernel(
  {
    name: "bad_record",
    params: {
      // @ts-expect-error tensor: 'U' is neither a dtype nor listed in dtypes
      a: tensor("U", "M"),
    },
    grid: () => 1,
  },
  () => {},
);
kernel(
  {
    name: "bad_specialize",
    params: { a: tensor("f32", "M") },
    // @ts-expect-error no tensor has this dim
    specialize: ["K"],
    grid: () => 1,
  },
  () => {},
);
kernel(
  {
    name: "bad_tune",
    params: { a: tensor("f32", "M") },
    config: { BM: 64 },
    // @ts-expect-error config has no such key
    tune: { BN: [1] },
    grid: () => 1,
  },
  () => {},
);
