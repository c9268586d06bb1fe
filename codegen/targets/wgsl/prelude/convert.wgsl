/** [codegen/targets/wgsl] Conversions by integer arithmetic: exact, to nearest even, no flushing. Narrow floats are raw bits in a u32. */

// Drops the low `shift` bits (1 … 25) of a number below 2^31, to nearest even.
fn tw_round_shift(x: u32, shift: u32) -> u32 {
  return (x + ((1u << (shift - 1u)) - 1u) + ((x >> shift) & 1u)) >> shift;
}

// To a format of `fraction` fraction bits and exponent bias `bias`, without its sign; `size` are the bits of a finite magnitude.
fn tw_narrow(size: u32, fraction: u32, bias: u32) -> u32 {
  let exponent = size >> 23u;
  let cut = 23u - fraction;
  let normal = tw_round_shift(size, cut) - ((127u - bias) << fraction);
  // Below the smallest normal number the leading one moves into the fraction.
  let shift = min(cut + 128u - bias - min(exponent, 127u - bias), 25u);
  let subnormal = tw_round_shift((size & 0x7fffffu) | 0x800000u, shift);
  return select(subnormal, normal, exponent > 127u - bias);
}

fn tw_f32_to_f16(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let size = bits & 0x7fffffffu;
  let code = min(tw_narrow(min(size, 0x47800000u), 10u, 15u), 0x7c00u);
  return select(code | ((bits >> 16u) & 0x8000u), 0x7e00u, size > 0x7f800000u);
}

fn tw_f16_to_f32(x: u32) -> f32 {
  let size = (x & 0x7fffu) << 13u;
  let exponent = size & 0x0f800000u;
  let normal = size + select(0x38000000u, 0x70000000u, exponent == 0x0f800000u);
  // A subnormal number counts units of 2 to the -24.
  let subnormal = bitcast<u32>(f32(x & 0x3ffu) * 0x1p-24f);
  return bitcast<f32>(select(normal, subnormal, exponent == 0u) | ((x & 0x8000u) << 16u));
}

fn tw_f32_to_bf16(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let code = (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
  return select(code, 0x7fffu, (bits & 0x7fffffffu) > 0x7f800000u);
}

fn tw_bf16_to_f32(x: u32) -> f32 { return bitcast<f32>(x << 16u); }

// Saturates to 448.
fn tw_f32_to_f8e4m3(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let size = bits & 0x7fffffffu;
  let code = ((bits >> 24u) & 0x80u) | tw_narrow(min(size, 0x43e00000u), 3u, 7u);
  return select(code, 0x7fu, size > 0x7f800000u);
}

fn tw_f8e4m3_to_f32(x: u32) -> f32 {
  let size = x & 0x7fu;
  let normal = select((size << 20u) + 0x3c000000u, 0x7fc00000u, size == 0x7fu);
  let subnormal = bitcast<u32>(f32(size) * 0x1p-9f);
  return bitcast<f32>(select(normal, subnormal, size < 8u) | ((x & 0x80u) << 24u));
}

// Saturates to 57344.
fn tw_f32_to_f8e5m2(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  let size = bits & 0x7fffffffu;
  let code = ((bits >> 24u) & 0x80u) | tw_narrow(min(size, 0x47600000u), 2u, 15u);
  return select(code, 0x7fu, size > 0x7f800000u);
}

fn tw_f8e5m2_to_f32(x: u32) -> f32 { return tw_f16_to_f32(x << 8u); }

// Truncates, saturates; NaN gives 0.
fn tw_f32_to_i32(x: f32) -> i32 {
  if (tw_isnan(x)) { return 0; }
  if (x >= 2147483648.0f) { return 2147483647; }
  if (x <= -2147483648.0f) { return -2147483647 - 1; }
  return i32(x);
}

fn tw_f32_to_u32(x: f32) -> u32 {
  if (tw_isnan(x) || x <= 0.0f) { return 0u; }
  if (x >= 4294967296.0f) { return 4294967295u; }
  return u32(x);
}

// Both halves are exact, so that the sum is the only rounding; SwiftShader's own conversion rounds twice.
fn tw_u32_to_f32(x: u32) -> f32 { return f32(x >> 16u) * 65536.0f + f32(x & 0xffffu); }
