/** [codegen/targets/wgsl] Integer functions that WGSL lacks or rounds otherwise. */

fn tw_floordiv_i32(a: i32, b: i32) -> i32 {
  if (b == 0) { return 0; }
  let quotient = a / b;
  let rest = a - quotient * b;
  return quotient - select(0, 1, rest != 0 && (rest ^ b) < 0);
}

fn tw_floormod_i32(a: i32, b: i32) -> i32 {
  if (b == 0) { return 0; }
  let rest = a % b;
  return select(rest, rest + b, rest != 0 && (rest ^ b) < 0);
}

// By a divisor above 0.
fn tw_floordiv_positive(a: i32, b: i32) -> i32 {
  let quotient = a / b;
  return quotient - select(0, 1, a - quotient * b < 0);
}

fn tw_floormod_positive(a: i32, b: i32) -> i32 {
  let rest = a % b;
  return select(rest, rest + b, rest < 0);
}

fn tw_floordiv_u32(a: u32, b: u32) -> u32 {
  if (b == 0u) { return 0u; }
  return a / b;
}

fn tw_floormod_u32(a: u32, b: u32) -> u32 {
  if (b == 0u) { return 0u; }
  return a % b;
}

// Upper 32 bits of the product, from products of halves.
fn tw_mulhi_u32(a: u32, b: u32) -> u32 {
  let a0 = a & 0xffffu;
  let a1 = a >> 16u;
  let b0 = b & 0xffffu;
  let b1 = b >> 16u;
  let middle = a1 * b0 + ((a0 * b0) >> 16u);
  let low = a0 * b1 + (middle & 0xffffu);
  return a1 * b1 + (middle >> 16u) + (low >> 16u);
}
