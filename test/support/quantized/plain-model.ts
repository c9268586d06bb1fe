/** [test/support/quantized] A Llama, or Mixtral, of plain loops in double precision: seeded weights and log-probabilities. Knows nothing of the engine, nor of files. */

/** Numbers of a matrix `[rows, columns]`, row-major. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float64Array;
}

/** A linear module as it is computed: the weight, and what the activations become before the product. */
export interface Module {
  readonly weight: Matrix;
  readonly activations?: (row: Float64Array, edges: Edges) => Float64Array;
}

/**
 * How many activations were rounded to codes of 8 bits so close to the middle of two that arithmetic in f32 may take the other. One code
 * that differs makes all that follows differ by more than rounding does, so models are seeded to have none.
 */
export interface Edges {
  count: number;
}

export const SIZES = {
  hidden: 256,
  intermediate: 512,
  layers: 2,
  heads: 8,
  kvHeads: 4,
  headDim: 32,
  vocab: 96,
  context: 64,
  eps: 1e-5,
  theta: 10000,
} as const;

/** Modules of a layer: name, rows, columns. Those of one list read the same activations. */
export const LINEAR: readonly (readonly (readonly [
  name: string,
  rows: number,
  columns: number,
])[])[] = [
  [
    ["self_attn.q_proj", SIZES.heads * SIZES.headDim, SIZES.hidden],
    ["self_attn.k_proj", SIZES.kvHeads * SIZES.headDim, SIZES.hidden],
    ["self_attn.v_proj", SIZES.kvHeads * SIZES.headDim, SIZES.hidden],
  ],
  [["self_attn.o_proj", SIZES.hidden, SIZES.heads * SIZES.headDim]],
  [
    ["mlp.gate_proj", SIZES.intermediate, SIZES.hidden],
    ["mlp.up_proj", SIZES.intermediate, SIZES.hidden],
  ],
  [["mlp.down_proj", SIZES.hidden, SIZES.intermediate]],
];

/** Numbers of a layer with experts in place of one feed-forward part. */
export const EXPERTS = { count: 4, topK: 2, intermediate: 256, name: "block_sparse_moe" } as const;

/** Modules of a layer with experts: attention, then each expert's gate and up, and down. */
export const LINEAR_WITH_EXPERTS: typeof LINEAR = [
  ...LINEAR.slice(0, 2),
  ...Array.from({ length: EXPERTS.count }, (_, e) => `${EXPERTS.name}.experts.${e}`).flatMap(
    (name): typeof LINEAR => [
      [
        [`${name}.w1`, EXPERTS.intermediate, SIZES.hidden],
        [`${name}.w3`, EXPERTS.intermediate, SIZES.hidden],
      ],
      [[`${name}.w2`, SIZES.hidden, EXPERTS.intermediate]],
    ],
  ),
];

/** A source of numbers: a linear congruence of 48 bits, as drand48 has it. */
export class Random {
  #state: bigint;

  constructor(seed: number) {
    this.#state = (BigInt(seed) << 16n) | 0x330en;
  }

  /** In [0, 1). */
  uniform(): number {
    this.#state = (this.#state * 0x5deece66dn + 11n) & 0xffffffffffffn;
    return Number(this.#state >> 16n) / 2 ** 32;
  }

  normal(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.uniform()));
    return radius * Math.cos(2 * Math.PI * this.uniform());
  }

  matrix(rows: number, columns: number, deviation: number, mean = 0): Matrix {
    const values = new Float64Array(rows * columns);
    for (let i = 0; i < values.length; i++)
      values[i] = Math.fround(mean + deviation * this.normal());
    return { rows, columns, values };
  }
}

/** Everything but the linear modules of the layers. */
export interface Rest {
  readonly embedding: Matrix;
  readonly head: Matrix;
  /** Of each layer before attention and before the feed-forward part, then of the end. */
  readonly norms: readonly Matrix[];
  /** Of each layer, `[experts, hidden]`; empty where layers have no experts. */
  readonly routers: readonly Matrix[];
}

export function seededRest(seed: number, hasExperts = false): Rest {
  const random = new Random(seed);
  const { hidden, vocab, layers } = SIZES;
  const routers = new Random(seed + 3);
  return {
    routers: Array.from({ length: hasExperts ? layers : 0 }, () =>
      routers.matrix(EXPERTS.count, hidden, 1 / Math.sqrt(hidden)),
    ),
    embedding: random.matrix(vocab, hidden, 1),
    head: random.matrix(vocab, hidden, 0.12),
    norms: Array.from({ length: 2 * layers + 1 }, () => random.matrix(1, hidden, 0.1, 1)),
  };
}

function multiply(
  x: readonly Float64Array[],
  { weight, activations }: Module,
  edges: Edges,
): Float64Array[] {
  const { rows, columns, values } = weight;
  return x.map((row) => {
    const seen = activations === undefined ? row : activations(row, edges);
    const y = new Float64Array(rows);
    for (let n = 0; n < rows; n++) {
      let sum = 0;
      for (let k = 0; k < columns; k++) sum += (seen[k] ?? 0) * (values[n * columns + k] ?? 0);
      y[n] = sum;
    }
    return y;
  });
}

function normalize(x: readonly Float64Array[], { values }: Matrix): Float64Array[] {
  return x.map((row) => {
    const square = row.reduce((sum, v) => sum + v * v, 0) / row.length;
    return row.map((v, i) => (v / Math.sqrt(square + SIZES.eps)) * (values[i] ?? 0));
  });
}

/** Turns each head of a row by its position; halves of a head are the two coordinates. */
function rotate(row: Float64Array, position: number): void {
  const { headDim, theta } = SIZES;
  const half = headDim / 2;
  for (let start = 0; start < row.length; start += headDim)
    for (let i = 0; i < half; i++) {
      const angle = position * theta ** (-i / half);
      const [a, b] = [row[start + i] ?? 0, row[start + half + i] ?? 0];
      row[start + i] = a * Math.cos(angle) - b * Math.sin(angle);
      row[start + half + i] = b * Math.cos(angle) + a * Math.sin(angle);
    }
}

function attend(
  q: readonly Float64Array[],
  k: readonly Float64Array[],
  v: readonly Float64Array[],
): Float64Array[] {
  const { heads, kvHeads, headDim } = SIZES;
  return q.map((row, t) => {
    const out = new Float64Array(heads * headDim);
    for (let h = 0; h < heads; h++) {
      const from = Math.floor(h / (heads / kvHeads)) * headDim;
      const scores = k.slice(0, t + 1).map((key) => {
        let sum = 0;
        for (let d = 0; d < headDim; d++) sum += (row[h * headDim + d] ?? 0) * (key[from + d] ?? 0);
        return sum / Math.sqrt(headDim);
      });
      const most = Math.max(...scores);
      const weights = scores.map((score) => Math.exp(score - most));
      const total = weights.reduce((a, b) => a + b, 0);
      weights.forEach((weight, s) => {
        for (let d = 0; d < headDim; d++)
          out[h * headDim + d] =
            (out[h * headDim + d] ?? 0) + (weight / total) * (v[s]?.[from + d] ?? 0);
      });
    }
    return out;
  });
}

/** down(silu(gate x) · up x). @param names of gate, up and down */
function feedForward(
  x: readonly Float64Array[],
  part: (name: string) => Module,
  [gate, up, down]: readonly [string, string, string],
  edges: Edges,
): Float64Array[] {
  const raised = multiply(x, part(up), edges);
  const gated = multiply(x, part(gate), edges).map((row, t) =>
    row.map((g, i) => (g / (1 + Math.exp(-g))) * (raised[t]?.[i] ?? 0)),
  );
  return multiply(gated, part(down), edges);
}

/** The sum of the experts with the greatest logits, weighted by a softmax over those. */
function mixExperts(
  x: readonly Float64Array[],
  part: (name: string) => Module,
  router: Matrix,
  edges: Edges,
): Float64Array[] {
  return x.map((row) => {
    const [logits = new Float64Array()] = multiply([row], { weight: router }, edges);
    const chosen = [...logits.keys()]
      .sort((a, b) => (logits[b] ?? 0) - (logits[a] ?? 0))
      .slice(0, EXPERTS.topK);
    const terms = chosen.map((e) => Math.exp(logits[e] ?? 0));
    const total = terms.reduce((a, b) => a + b, 0);
    const sum = new Float64Array(SIZES.hidden);
    chosen.forEach((e, i) => {
      const name = `${EXPERTS.name}.experts.${e}`;
      const names = [`${name}.w1`, `${name}.w3`, `${name}.w2`] as const;
      const [y] = feedForward([row], part, names, edges);
      y?.forEach((value, h) => {
        sum[h] = (sum[h] ?? 0) + ((terms[i] ?? 0) / total) * value;
      });
    });
    return sum;
  });
}

function plus(a: readonly Float64Array[], b: readonly Float64Array[]): Float64Array[] {
  return a.map((row, t) => row.map((value, i) => value + (b[t]?.[i] ?? 0)));
}

/**
 * Log-probabilities of the whole vocabulary after each token.
 * @param moduleOf the module of a name such as `model.layers.0.mlp.up_proj`
 * @param edges is added to
 */
export function logProbabilitiesOf(
  tokens: readonly number[],
  rest: Rest,
  moduleOf: (name: string) => Module,
  edges: Edges,
): readonly Float64Array[] {
  const { hidden, layers } = SIZES;
  const norm = (i: number): Matrix => rest.norms[i] ?? rest.embedding;
  let x: Float64Array[] = tokens.map((token) =>
    rest.embedding.values.slice(token * hidden, (token + 1) * hidden),
  );
  for (let layer = 0; layer < layers; layer++) {
    const part = (name: string): Module => moduleOf(`model.layers.${layer}.${name}`);
    const before = normalize(x, norm(2 * layer));
    const [q, k, v] = [
      multiply(before, part("self_attn.q_proj"), edges),
      multiply(before, part("self_attn.k_proj"), edges),
      multiply(before, part("self_attn.v_proj"), edges),
    ];
    for (const rows of [q, k]) for (const [t, row] of rows.entries()) rotate(row, t);
    x = plus(x, multiply(attend(q, k, v), part("self_attn.o_proj"), edges));
    const middle = normalize(x, norm(2 * layer + 1));
    const router = rest.routers[layer];
    const names = ["mlp.gate_proj", "mlp.up_proj", "mlp.down_proj"] as const;
    x = plus(
      x,
      router === undefined
        ? feedForward(middle, part, names, edges)
        : mixExperts(middle, part, router, edges),
    );
  }
  return multiply(normalize(x, norm(2 * layers)), { weight: rest.head }, edges).map((logits) => {
    const most = Math.max(...logits);
    const sum = logits.reduce((total, value) => total + Math.exp(value - most), 0);
    return logits.map((value) => value - most - Math.log(sum));
  });
}
