/** [codegen/targets/wgsl] Sine and cosine of any argument; WGSL's own are good within one turn only. */

// Bits of 2/π, 32 a word, from the binary point on.
fn tw_two_over_pi(word: u32) -> u32 {
  let words = array<u32, 7>(
    0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu);
  return select(words[min(word, 6u)], 0u, word > 6u);
}

// 32 bits of 2/π from bit `at` on; bits before the point are 0.
fn tw_two_over_pi_at(at: i32) -> u32 {
  if (at <= -32) { return 0u; }
  if (at < 0) { return tw_two_over_pi(0u) >> u32(-at); }
  let word = u32(at) >> 5u;
  let shift = u32(at) & 31u;
  let high = tw_two_over_pi(word) << shift;
  if (shift == 0u) { return high; }
  return high | (tw_two_over_pi(word + 1u) >> (32u - shift));
}

// The part of |x| in [-π/4, π/4] and its quarter turn modulo 4. A product of the 24 fraction bits with 96 bits of 2/π, of which
// whole turns are left out. @source Payne and Hanek, "Radian reduction for trigonometric functions", SIGNUM 1983
fn tw_reduce_turns(x: f32) -> vec2<f32> {
  let bits = bitcast<u32>(x) & 0x7fffffffu;
  let m = ((bits & 0x7fffffu) | 0x800000u) << 8u;
  // x = m · 2^(e - 31) with e the exponent; bits of 2/π before bit e - 33 give whole turns only.
  let at = i32(bits >> 23u) - 160;
  let high = tw_two_over_pi_at(at);
  let middle = tw_two_over_pi_at(at + 32);
  let low = tw_two_over_pi_at(at + 64);
  // Words 1 and 0 of the product, counted in 2^-62 quarter turns.
  let carry = tw_mulhi_u32(m, low);
  let word0 = m * middle + carry;
  let word1 = m * high + tw_mulhi_u32(m, middle) + select(0u, 1u, word0 < carry);
  var quarter = word1 >> 30u;
  var part1 = (word1 << 2u) | (word0 >> 30u);
  var part0 = word0 << 2u;
  // More than half a quarter turn counts back from the next one.
  let back = part1 >= 0x80000000u;
  if (back) {
    quarter = (quarter + 1u) & 3u;
    part0 = ~part0 + 1u;
    part1 = ~part1 + select(0u, 1u, part0 == 0u);
  }
  let zeros = min(countLeadingZeros(part1), 31u);
  let top = (part1 << zeros) | select(part0 >> (32u - zeros), 0u, zeros == 0u);
  let size = f32(top) * tw_power_of_two(-32 - i32(zeros)) * 1.57079637f;
  return vec2<f32>(select(size, -size, back), f32(quarter));
}

fn tw_sin_near_zero(x: f32) -> f32 {
  let z = x * x;
  let p = (-0.000195853732f * z + 0.00833273679f) * z - 0.166666642f;
  return p * z * x + x;
}

fn tw_cos_near_zero(x: f32) -> f32 {
  let z = x * x;
  let p = (0.0000245454194f * z - 0.00138882909f) * z + 0.0416666642f;
  return p * z * z + (1.0f - 0.5f * z);
}

// Sine of |x| plus `ahead` quarter turns.
fn tw_sine(x: f32, ahead: u32) -> f32 {
  var r = vec2<f32>(abs(x), 0.0f);
  if (r.x > 0.785398185f) { r = tw_reduce_turns(x); }
  let quarter = (u32(r.y) + ahead) & 3u;
  var value = tw_sin_near_zero(r.x);
  if ((quarter & 1u) == 1u) { value = tw_cos_near_zero(r.x); }
  return select(value, -value, quarter >= 2u);
}

fn tw_sin(x: f32) -> f32 {
  if ((bitcast<u32>(x) & 0x7f800000u) == 0x7f800000u) { return tw_bits_f32(0x7fc00000u); }
  let value = tw_sine(x, 0u);
  return select(value, -value, (bitcast<u32>(x) >> 31u) == 1u);
}

fn tw_cos(x: f32) -> f32 {
  if ((bitcast<u32>(x) & 0x7f800000u) == 0x7f800000u) { return tw_bits_f32(0x7fc00000u); }
  return tw_sine(x, 1u);
}
