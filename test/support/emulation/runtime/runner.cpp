/** [test/support] The emulation's program: loads a unit of kernels, runs the launches of a request, writes outputs and findings. */
#include <csignal>
#include <dlfcn.h>
#include <unistd.h>
#include "../device/device.h"
#include "state.h"
#include "wire.h"

namespace emu {

static void sayAndExit(const char* what) {
  if (launch && launch->current) {
    const Thread& thread = *launch->current;
    const u32* id = thread.block->id;
    std::fprintf(stderr, "%s in %s, thread %u of block (%u,%u,%u), after %s at %s:%u\n", what,
                 launch->config.kernel.c_str(), thread.index, id[0], id[1], id[2], thread.lastCall.op,
                 thread.lastCall.file, thread.lastCall.line);
  } else {
    std::fprintf(stderr, "%s outside of a kernel\n", what);
  }
  _exit(4);
}

static void onSignal(int signal) {
  switch (signal) {
    case SIGSEGV:
      return sayAndExit("access to memory past the tw_ functions (or a thread's stack is full)");
    case SIGFPE:
      return sayAndExit("integer division by zero or overflow past the tw_ functions");
    case SIGALRM:
      return sayAndExit("time is up");
    default:
      return sayAndExit("crash");
  }
}

/** Handlers run on a stack of their own, for a thread's may be full. */
static void catchSignals(u32 seconds) {
  static u8 stack[65536];
  stack_t alternate = {};
  alternate.ss_sp = stack;
  alternate.ss_size = sizeof stack;
  sigaltstack(&alternate, nullptr);
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) {
    struct sigaction action = {};
    action.sa_handler = onSignal;
    action.sa_flags = SA_ONSTACK | SA_NODEFER;
    sigaction(signal, &action, nullptr);
  }
  alarm(seconds);
}

/** Memory of one tensor, aligned as a device's allocator aligns it. */
struct Tensor {
  const u8* initial;
  u32 bytes;
  u8* data;
};

struct Arguments {
  std::vector<Word> words;
  /** Stay where they are while more come. */
  std::deque<TensorMap> maps;
  std::deque<tw_tensor_map> mapArguments;
  std::vector<Tensor> tensors;
  std::vector<Buffer> buffers;
};

static void readBuffer(WireReader& in, Arguments& arguments) {
  constexpr u64 ALIGNMENT = 256;
  const std::string name = in.text();
  const bool isWritable = in.number() != 0;
  const bool isSettled = in.number() != 0;
  const u32 bytes = in.number();
  // One more unit of alignment than needed, so that neighbours never touch and an access past the end finds
  // no tensor.
  u8* data = (u8*)std::aligned_alloc(ALIGNMENT, (bytes / ALIGNMENT + 2) * ALIGNMENT);
  arguments.words.push_back((Word)data);
  arguments.tensors.push_back({in.block(bytes), bytes, data});
  arguments.buffers.push_back({(u64)data, (u64)data + bytes, name, isWritable, isSettled});
}

/** A map over a buffer that was given before it; sizes come outermost first. */
static void readTensorMap(WireReader& in, Arguments& arguments) {
  TensorMap& map = arguments.maps.emplace_back();
  map.buffer = in.number();
  map.elementBytes = in.number();
  map.swizzle = in.number();
  map.rank = in.number();
  for (u32 i = map.rank; i-- > 0;) {
    map.dims[i] = in.number();
    map.box[i] = in.number();
    const u64 low = in.number();
    map.strides[i] = low | (u64)in.number() << 32;
  }
  map.base = arguments.tensors[map.buffer].data;
  tw_tensor_map& argument = arguments.mapArguments.emplace_back();
  argument = {{(u64)&map, TENSOR_MAP_MARK}};
  arguments.words.push_back((Word)&argument);
}

static Arguments readArguments(WireReader& in) {
  Arguments arguments;
  const u32 count = in.number();
  for (u32 i = 0; i < count; i++) {
    switch (in.number()) {
      case 0:
        arguments.words.push_back(in.number());
        break;
      case 1:
        readBuffer(in, arguments);
        break;
      default:
        readTensorMap(in, arguments);
    }
  }
  return arguments;
}

static Config readConfig(WireReader& in) {
  Config config;
  config.kernel = in.text();
  for (u32& size : config.grid) size = in.number();
  config.threads = in.number();
  config.sharedBytes = in.number();
  config.resident = in.number();
  config.check = in.number() != 0;
  config.warp = in.number();
  config.cluster = in.number();
  config.dependent = in.number() != 0;
  return config;
}

static void writeResult(const Launch& done, const Arguments& arguments, WireWriter& out) {
  out.number((u32)done.reports.size());
  for (const Report& report : done.reports) {
    out.number((u32)report.kind);
    out.number(report.count > 0xffffffffu ? 0xffffffffu : (u32)report.count);
    out.text(report.text);
  }
  out.number((u32)done.bankUse.size());
  for (const auto& [site, use] : done.bankUse) {
    out.text(siteText(site));
    out.number((u32)use.accesses);
    out.number((u32)use.wavefronts);
    out.number((u32)use.ideal);
  }
  for (u64 i = 0; i < arguments.tensors.size(); i++) {
    if (arguments.buffers[i].writable) out.block(arguments.tensors[i].data, arguments.tensors[i].bytes);
  }
}

static void runRequest(const Entry* entries, u32 entryCount, WireReader& in, WireWriter& out) {
  const Config config = readConfig(in);
  const Arguments arguments = readArguments(in);
  const Entry* entry = nullptr;
  for (u32 i = 0; i < entryCount; i++) {
    if (config.kernel == entries[i].name) entry = &entries[i];
  }
  if (!entry) {
    std::fprintf(stderr, "the unit has no kernel %s\n", config.kernel.c_str());
    std::exit(2);
  }
  const u32 seeds = in.number();
  for (u32 i = 0; i < seeds; i++) {
    Launch what;
    what.config = config;
    what.config.seed = in.number();
    what.call = entry->call;
    what.arguments = arguments.words.data();
    what.buffers = &arguments.buffers;
    for (const Tensor& tensor : arguments.tensors) std::memcpy(tensor.data, tensor.initial, tensor.bytes);
    runLaunch(what);
    launch = nullptr;
    writeResult(what, arguments, out);
  }
  for (const Tensor& tensor : arguments.tensors) std::free(tensor.data);
}

}  // namespace emu

/** Usage: runner UNIT.so SECONDS < request > result. */
int main(int count, char** values) {
  if (count != 3) return 2;
  void* unit = dlopen(values[1], RTLD_NOW);
  if (!unit) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 2;
  }
  const auto* entries = (const emu::Entry*)dlsym(unit, "emuEntries");
  const auto* entryCount = (const u32*)dlsym(unit, "emuEntryCount");
  if (!entries || !entryCount) {
    std::fprintf(stderr, "%s holds no table of kernels\n", values[1]);
    return 2;
  }
  emu::WireReader in(stdin);
  emu::WireWriter out;
  emu::catchSignals((u32)std::atoi(values[2]));
  const u32 requests = in.number();
  for (u32 i = 0; i < requests; i++) emu::runRequest(entries, *entryCount, in, out);
  out.send(stdout);
  return 0;
}
