/** [codegen/targets/wgsl] Exponentials, logarithms, tanh and erf to a few ulp; WGSL's own are loose, and undefined at infinities. */

// The other operand where one is NaN.
fn tw_min(a: f32, b: f32) -> f32 { return select(select(min(a, b), a, tw_isnan(b)), b, tw_isnan(a)); }

fn tw_max(a: f32, b: f32) -> f32 { return select(select(max(a, b), a, tw_isnan(b)), b, tw_isnan(a)); }

// 2 to the x as a polynomial on half a unit around the nearest integer.
fn tw_exp2(x: f32) -> f32 {
  let bounded = clamp(x, -151.0f, 129.0f);
  let n = round(bounded);
  let f = bounded - n;
  var p = 0.000154531634f;
  p = p * f + 0.00133908633f;
  p = p * f + 0.00961808302f;
  p = p * f + 0.0555035695f;
  p = p * f + 0.240226507f;
  p = p * f + 0.693147182f;
  return select(tw_scale(p * f + 1.0f, i32(n)), x, tw_isnan(x));
}

// The argument loses n · ln 2 in two parts, the first of which is exact.
fn tw_exp(x: f32) -> f32 {
  let bounded = clamp(x, -105.0f, 89.5f);
  let n = round(bounded * 1.44269502f);
  let r = (bounded - n * 0.693145752f) - n * 0.00000142860677f;
  var p = 0.00139261817f;
  p = p * r + 0.008363178f;
  p = p * r + 0.0416665561f;
  p = p * r + 0.166665763f;
  p = p * r + 0.5f;
  return select(tw_scale(p * r * r + r + 1.0f, i32(n)), x, tw_isnan(x));
}

// x as m · 2 to the k with m in [√½, √2): m - 1 and k. For positive finite x, subnormal ones included.
fn tw_split_log(x: f32) -> vec2<f32> {
  var bits = bitcast<u32>(x);
  var k = -127;
  if (bits < 0x00800000u) {
    let up = countLeadingZeros(bits) - 8u;
    bits = bits << up;
    k = k - i32(up);
  }
  let shifted = bits + 0x004afb0du;
  k = k + i32(shifted >> 23u);
  let m = bitcast<f32>((shifted & 0x7fffffu) + 0x3f3504f3u);
  return vec2<f32>(m - 1.0f, f32(k));
}

// What a logarithm gives for zero, negative numbers, infinity and NaN.
fn tw_log_edge(x: f32) -> f32 {
  if ((bitcast<u32>(x) & 0x7fffffffu) == 0u) { return tw_bits_f32(0xff800000u); }
  if (bitcast<u32>(x) == 0x7f800000u) { return x; }
  return tw_bits_f32(0x7fc00000u);
}

fn tw_log(x: f32) -> f32 {
  if (bitcast<u32>(x) - 1u >= 0x7f7fffffu) { return tw_log_edge(x); }
  let parts = tw_split_log(x);
  let f = parts.x;
  var q = -0.0767364129f;
  q = q * f + 0.127226725f;
  q = q * f - 0.13127555f;
  q = q * f + 0.142048553f;
  q = q * f - 0.166266456f;
  q = q * f + 0.200012341f;
  q = q * f - 0.250007808f;
  q = q * f + 0.333333313f;
  q = q * f - 0.5f;
  return parts.y * 0.693145752f + (f + (q * f * f + parts.y * 0.00000142860677f));
}

fn tw_log2(x: f32) -> f32 {
  if (bitcast<u32>(x) - 1u >= 0x7f7fffffu) { return tw_log_edge(x); }
  let parts = tw_split_log(x);
  let f = parts.x;
  var q = -0.110707246f;
  q = q * f + 0.183549374f;
  q = q * f - 0.1893906f;
  q = q * f + 0.204932749f;
  q = q * f - 0.239871785f;
  q = q * f + 0.288556814f;
  q = q * f - 0.360685021f;
  q = q * f + 0.480898291f;
  q = q * f - 0.721347511f;
  // The factor 1.4427 of f is 1 + 0.4427, so that the largest term is exact.
  return parts.y + (f + (q * f * f + f * 0.442695051f));
}

fn tw_tanh(x: f32) -> f32 {
  if (tw_isnan(x)) { return x; }
  let size = abs(x);
  var value = 1.0f;
  if (size < 0.625f) {
    let z = x * x;
    var p = -0.00609671418f;
    p = p * z + 0.0209971797f;
    p = p * z - 0.0538509078f;
    p = p * z + 0.133327693f;
    p = p * z - 0.333333284f;
    value = p * z * size + size;
  } else if (size < 9.1f) {
    value = 1.0f - 2.0f / (tw_exp(2.0f * size) + 1.0f);
  }
  return bitcast<f32>(bitcast<u32>(value) | (bitcast<u32>(x) & 0x80000000u));
}

// A polynomial near 0; further out 1 - 2 to the minus polynomial.
fn tw_erf(x: f32) -> f32 {
  if (tw_isnan(x)) { return x; }
  let size = abs(x);
  if (size < 0.875f) {
    let z = x * x;
    var p = -0.000621458516f;
    p = p * z + 0.00503437081f;
    p = p * z - 0.0267929472f;
    p = p * z + 0.112824969f;
    p = p * z - 0.376125544f;
    p = p * z + 0.128379151f;
    return p * x + x;
  }
  let t = min(size, 4.0f);
  var p = -4.5518513e-7f;
  p = p * t + 0.00000761799629f;
  p = p * t - 0.0000283234422f;
  p = p * t - 0.00035043672f;
  p = p * t + 0.00515044667f;
  p = p * t - 0.0343926847f;
  p = p * t + 0.153601199f;
  p = p * t + 0.916055501f;
  p = p * t + 1.62837374f;
  let value = 1.0f - tw_exp2(-(p * t));
  return select(value, -value, x < 0.0f);
}
