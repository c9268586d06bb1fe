/** [test/support] Numbers, strings and bytes on the runner's standard input and output; emulation-protocol.ts is the other end. */
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#include "../device/types.h"

namespace emu {

/** Reads the request; a request that ends too early is a fault of the harness and stops the runner. */
class WireReader {
 public:
  explicit WireReader(FILE* from) {
    u8 part[65536];
    for (u64 count; (count = std::fread(part, 1, sizeof part, from)) > 0;) {
      bytes.insert(bytes.end(), part, part + count);
    }
  }

  u32 number() {
    u32 value;
    std::memcpy(&value, take(4), 4);
    return value;
  }

  std::string text() {
    const u32 count = number();
    return std::string((const char*)take(count), count);
  }

  /** Bytes within the request; they live as long as the reader. */
  const u8* block(u32 count) { return take(count); }

 private:
  std::vector<u8> bytes;
  u64 position = 0;

  const u8* take(u64 count) {
    if (position + count > bytes.size()) {
      std::fprintf(stderr, "the request ends at byte %llu\n", (u64)bytes.size());
      std::exit(2);
    }
    position += count;
    return bytes.data() + position - count;
  }
};

class WireWriter {
 public:
  void number(u32 value) { block((const u8*)&value, 4); }
  void text(const std::string& value) {
    number((u32)value.size());
    block((const u8*)value.data(), value.size());
  }
  void block(const u8* from, u64 count) { bytes.insert(bytes.end(), from, from + count); }
  void send(FILE* to) const {
    std::fwrite(bytes.data(), 1, bytes.size(), to);
    std::fflush(to);
  }

 private:
  std::vector<u8> bytes;
};

}  // namespace emu
