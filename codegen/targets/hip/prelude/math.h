/** [codegen/targets/hip] Functions of f32, full precision. Compile without -ffast-math. */

// The compiler expands sin, cos, tanh and erf inaccurately or not at all, and older ones expand none; the device
// library is linked by hiprtc always.
extern "C" __device__ f32 __ocml_sin_f32(f32);

extern "C" __device__ f32 __ocml_cos_f32(f32);

extern "C" __device__ f32 __ocml_tanh_f32(f32);

extern "C" __device__ f32 __ocml_erf_f32(f32);

extern "C" __device__ f32 __ocml_exp_f32(f32);

extern "C" __device__ f32 __ocml_exp2_f32(f32);

extern "C" __device__ f32 __ocml_log_f32(f32);

extern "C" __device__ f32 __ocml_log2_f32(f32);

extern "C" __device__ f32 __ocml_sqrt_f32(f32);

TW_DEV f32 tw_exp(f32 x) {
#if __has_builtin(__builtin_elementwise_exp)
  return __builtin_elementwise_exp(x);
#else
  return __ocml_exp_f32(x);
#endif
}

TW_DEV f32 tw_exp2(f32 x) {
#if __has_builtin(__builtin_elementwise_exp2)
  return __builtin_elementwise_exp2(x);
#else
  return __ocml_exp2_f32(x);
#endif
}

TW_DEV f32 tw_log(f32 x) {
#if __has_builtin(__builtin_elementwise_log)
  return __builtin_elementwise_log(x);
#else
  return __ocml_log_f32(x);
#endif
}

TW_DEV f32 tw_log2(f32 x) {
#if __has_builtin(__builtin_elementwise_log2)
  return __builtin_elementwise_log2(x);
#else
  return __ocml_log2_f32(x);
#endif
}

TW_DEV f32 tw_sqrt(f32 x) {
#if __has_builtin(__builtin_elementwise_sqrt)
  return __builtin_elementwise_sqrt(x);
#else
  return __ocml_sqrt_f32(x);
#endif
}

TW_DEV f32 tw_rsqrt(f32 x) { return 1.0f / tw_sqrt(x); }

TW_DEV f32 tw_sin(f32 x) { return __ocml_sin_f32(x); }

TW_DEV f32 tw_cos(f32 x) { return __ocml_cos_f32(x); }

TW_DEV f32 tw_tanh(f32 x) { return __ocml_tanh_f32(x); }

TW_DEV f32 tw_erf(f32 x) { return __ocml_erf_f32(x); }

TW_DEV f32 tw_floor(f32 x) { return __builtin_elementwise_floor(x); }

TW_DEV f32 tw_ceil(f32 x) { return __builtin_elementwise_ceil(x); }

// In the usual rounding mode: half to even, one instruction.
TW_DEV f32 tw_round(f32 x) { return __builtin_rintf(x); }

TW_DEV f32 tw_fma(f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }

TW_DEV f32 tw_abs(f32 x) { return __builtin_fabsf(x); }

TW_DEV f32 tw_min(f32 a, f32 b) { return __builtin_fminf(a, b); }

TW_DEV f32 tw_max(f32 a, f32 b) { return __builtin_fmaxf(a, b); }

TW_DEV bool tw_isnan(f32 x) { return x != x; }
