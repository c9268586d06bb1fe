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

// Towards zero, without the sign.
fn tw_f32_to_f8e8m0(x: f32) -> u32 {
  let size = bitcast<u32>(x) & 0x7fffffffu;
  return select(min(size >> 23u, 254u), 255u, size > 0x7f800000u);
}

fn tw_f8e8m0_to_f32(x: u32) -> f32 {
  return bitcast<f32>(select(select(x << 23u, 0x7fc00000u, x == 255u), 0x00400000u, x == 0u));
}

// The code is the number of middles between neighbours that lie below; ties go to the even code.
fn tw_f32_to_f4e2m1(x: f32) -> u32 {
  let size = abs(x);
  let code = u32(size > 0.25f) + u32(size >= 0.75f) + u32(size > 1.25f) + u32(size >= 1.75f) +
    u32(size > 2.5f) + u32(size >= 3.5f) + u32(size > 5.0f);
  return select(((bitcast<u32>(x) >> 28u) & 8u) | code, 7u, tw_isnan(x));
}

fn tw_f4e2m1_to_f32(x: u32) -> f32 {
  let size = x & 7u;
  let normal = (size << 22u) + 0x3f000000u;
  return bitcast<f32>(select(normal, size * 0x3f000000u, size < 2u) | ((x & 8u) << 28u));
}

// The code is the number of bounds that x lies above.
fn tw_f32_to_nf4(x: f32) -> u32 {
  let code = u32(x > -0.8480964f) + u32(x > -0.6106329f) + u32(x > -0.45999527f) +
    u32(x > -0.33967942f) + u32(x > -0.2346074f) + u32(x > -0.13791174f) +
    u32(x > -0.045525018f) + u32(x > 0.03979015f) + u32(x > 0.12025525f) +
    u32(x > 0.20352125f) + u32(x > 0.29201376f) + u32(x > 0.38931254f) +
    u32(x > 0.50166345f) + u32(x > 0.6427869f) + u32(x > 0.86147845f);
  return select(code, 15u, tw_isnan(x));
}

fn tw_nf4_to_f32(x: u32) -> f32 {
  let odd = (x & 1u) != 0u;
  let a = select(select(-1.0f, -0.6961928f, odd), select(-0.52507305f, -0.3949175f, odd), (x & 2u) != 0u);
  let b = select(select(-0.28444138f, -0.18477343f, odd), select(-0.091050036f, 0.0f, odd), (x & 2u) != 0u);
  let c = select(select(0.0795803f, 0.1609302f, odd), select(0.2461123f, 0.33791524f, odd), (x & 2u) != 0u);
  let d = select(select(0.44070983f, 0.562617f, odd), select(0.72295684f, 1.0f, odd), (x & 2u) != 0u);
  return select(select(a, b, (x & 4u) != 0u), select(c, d, (x & 4u) != 0u), (x & 8u) != 0u);
}

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
