/** [codegen/text] Expressions as text with a precedence, so that parentheses appear where C and WGSL both need them. Knows no IR. */

/**
 * How tightly the outermost operator of a text binds. Bit operations and shifts take only unary operands, as WGSL asks;
 * so do comparisons of comparisons and `&&` next to `||`.
 */
export const PRECEDENCE = {
  ternary: 1,
  or: 2,
  and: 3,
  bits: 4,
  compare: 5,
  shift: 6,
  sum: 7,
  product: 8,
  unary: 9,
  atom: 10,
} as const;

export type Precedence = (typeof PRECEDENCE)[keyof typeof PRECEDENCE];

export interface Fragment {
  readonly text: string;
  readonly precedence: Precedence;
}

/** A name, literal, call or indexed name: never needs parentheses. */
export function atom(text: string): Fragment {
  return { text, precedence: PRECEDENCE.atom };
}

/** The text of `x` where the surroundings bind as tightly as `least`. */
export function wrap(x: Fragment, least: Precedence): string {
  return x.precedence >= least ? x.text : `(${x.text})`;
}

/**
 * `call("f", a, b)`: arguments need no parentheses.
 * @param name may carry template arguments: `tw_ldg<u32>`
 */
export function call(name: string, ...args: readonly (Fragment | string)[]): Fragment {
  const list = args.map((arg) => (typeof arg === "string" ? arg : arg.text));
  return atom(`${name}(${list.join(", ")})`);
}

/** A prefix operator. `- -x` keeps its parentheses, for `--` is another token. */
export function prefix(operator: "-" | "!" | "~" | "&", x: Fragment): Fragment {
  const inner = wrap(x, PRECEDENCE.unary);
  const text = /^[-&]/.test(inner) && inner[0] === operator ? `(${inner})` : inner;
  return { text: `${operator}${text}`, precedence: PRECEDENCE.unary };
}

interface Infix {
  readonly precedence: Precedence;
  /** Least precedence of the operands; the right one is stricter where the operator does not associate. */
  readonly left: Precedence;
  readonly right: Precedence;
}

function levels(precedence: Precedence, left: Precedence, right: Precedence): Infix {
  return { precedence, left, right };
}

const P = PRECEDENCE;
const INFIX = {
  "*": levels(P.product, P.product, P.unary),
  "/": levels(P.product, P.product, P.unary),
  "%": levels(P.product, P.product, P.unary),
  "+": levels(P.sum, P.sum, P.product),
  "-": levels(P.sum, P.sum, P.product),
  "<<": levels(P.shift, P.unary, P.unary),
  ">>": levels(P.shift, P.unary, P.unary),
  "<": levels(P.compare, P.sum, P.sum),
  "<=": levels(P.compare, P.sum, P.sum),
  ">": levels(P.compare, P.sum, P.sum),
  ">=": levels(P.compare, P.sum, P.sum),
  "==": levels(P.compare, P.sum, P.sum),
  "!=": levels(P.compare, P.sum, P.sum),
  "&": levels(P.bits, P.unary, P.unary),
  "|": levels(P.bits, P.unary, P.unary),
  "^": levels(P.bits, P.unary, P.unary),
  "&&": levels(P.and, P.compare, P.compare),
  "||": levels(P.or, P.compare, P.compare),
} as const satisfies Readonly<Record<string, Infix>>;

export type InfixOperator = keyof typeof INFIX;

/** `a op b` with the parentheses that it needs. */
export function infix(operator: InfixOperator, a: Fragment, b: Fragment): Fragment {
  const { precedence, left, right } = INFIX[operator];
  // A chain of one logical or bit operator reads better without parentheses, and both languages allow it on the left.
  const chained = CHAINS.has(operator) && a.precedence === precedence && isChainOf(operator, a);
  const head = chained ? a.text : wrap(a, left);
  return { text: `${head} ${operator} ${wrap(b, right)}`, precedence };
}

const CHAINS: ReadonlySet<string> = new Set(["&&", "||"]);

/** Of one precedence level only `&&` and `||` have a single operator, so the level says it all. */
function isChainOf(operator: InfixOperator, x: Fragment): boolean {
  return x.precedence === INFIX[operator].precedence;
}

/** `cond ? a : b` of the C family. */
export function ternary(cond: Fragment, a: Fragment, b: Fragment): Fragment {
  const text = `${wrap(cond, P.or)} ? ${wrap(a, P.or)} : ${wrap(b, P.or)}`;
  return { text, precedence: P.ternary };
}
