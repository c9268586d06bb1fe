/** [runtime/bench] Integer expressions over names, as descriptions of foreign texts use them. A parser and evaluator; nothing is run. */
import { LaunchError } from "../../dsl/index.ts";

/** A number, or text such as `cdiv(M, BM) * CM`. */
export type Expression = number | string;
export type Scope = Readonly<Record<string, number>>;

const FUNCTIONS: Readonly<Record<string, (a: number, b: number) => number>> = {
  cdiv: (a, b) => Math.ceil(a / b),
  min: Math.min,
  max: Math.max,
};
/** Binary operators by rising precedence; division is of whole numbers, rounded down. */
const LEVELS: readonly Readonly<Record<string, (a: number, b: number) => number>>[] = [
  { "||": (a, b) => (a !== 0 ? a : b) },
  { "&&": (a, b) => (a === 0 ? 0 : b) },
  { "==": (a, b) => Number(a === b), "!=": (a, b) => Number(a !== b) },
  {
    "<=": (a, b) => Number(a <= b),
    ">=": (a, b) => Number(a >= b),
    "<": (a, b) => Number(a < b),
    ">": (a, b) => Number(a > b),
  },
  { "+": (a, b) => a + b, "-": (a, b) => a - b },
  { "*": (a, b) => a * b, "/": (a, b) => Math.floor(a / b), "%": (a, b) => a % b },
];
const TOKEN = /\s*(\d+|[A-Za-z_]\w*|\|\||&&|[=!<>]=|[-+*/%<>(),?:!])/y;

/**
 * @param where what the expression is of, for messages
 * @returns a whole number; comparisons give 1 or 0
 * @throws LaunchError TW3310 where it cannot be read, names something unknown or is not a whole number
 */
export function evaluate(expression: Expression, scope: Scope, where: string): number {
  if (typeof expression === "number") return expression;
  const reader = new Reader(expression, scope, where);
  const value = reader.conditional();
  reader.end();
  if (!Number.isSafeInteger(value)) throw reader.failure(`the value ${value}`, "a whole number");
  return value;
}

class Reader {
  readonly #text: string;
  readonly #scope: Scope;
  readonly #where: string;
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string, scope: Scope, where: string) {
    this.#text = text;
    this.#scope = scope;
    this.#where = where;
    this.#tokens = this.#split();
  }

  conditional(): number {
    const condition = this.#binary(0);
    if (!this.#take("?")) return condition;
    const yes = this.conditional();
    this.#expect(":");
    const no = this.conditional();
    return condition !== 0 ? yes : no;
  }

  end(): void {
    const rest = this.#tokens[this.#at];
    if (rest !== undefined) throw this.failure(`'${rest}'`, "an operator or the end");
  }

  failure(seen: string, expected: string): LaunchError {
    const names = Object.keys(this.#scope).join(", ");
    return new LaunchError({
      code: "TW3310",
      message: `${this.#where}: the expression '${this.#text}' has no value`,
      seen,
      expected,
      remedy: `known names are ${names}; functions are ${Object.keys(FUNCTIONS).join(", ")}`,
    });
  }

  #split(): readonly string[] {
    const tokens: string[] = [];
    const end = this.#text.trimEnd().length;
    TOKEN.lastIndex = 0;
    while (TOKEN.lastIndex < end) {
      const from = TOKEN.lastIndex;
      const token = TOKEN.exec(this.#text)?.[1];
      if (token === undefined)
        throw this.failure(`'${this.#text.slice(from).trim()}'`, "a number, a name or an operator");
      tokens.push(token);
    }
    return tokens;
  }

  #binary(level: number): number {
    const operators = LEVELS[level];
    if (operators === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    for (;;) {
      const apply = operators[this.#tokens[this.#at] ?? ""];
      if (apply === undefined) return left;
      this.#at++;
      left = apply(left, this.#binary(level + 1));
    }
  }

  #unary(): number {
    if (this.#take("-")) return -this.#unary();
    if (this.#take("!")) return Number(this.#unary() === 0);
    if (this.#take("(")) {
      const value = this.conditional();
      this.#expect(")");
      return value;
    }
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw this.failure("the end", "a number or a name");
    if (/^\d/.test(token)) return Number(token);
    const apply = Object.hasOwn(FUNCTIONS, token) ? FUNCTIONS[token] : undefined;
    if (apply !== undefined && this.#take("(")) {
      const first = this.conditional();
      this.#expect(",");
      const second = this.conditional();
      this.#expect(")");
      return apply(first, second);
    }
    const value = Object.hasOwn(this.#scope, token) ? this.#scope[token] : undefined;
    if (value === undefined) throw this.failure(`'${token}'`, "a known name");
    return value;
  }

  #take(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at++;
    return true;
  }

  #expect(token: string): void {
    if (!this.#take(token))
      throw this.failure(`'${this.#tokens[this.#at] ?? "the end"}'`, `'${token}'`);
  }
}
