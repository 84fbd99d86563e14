// Whatever the bytes are: no crash, an exit status of the contract, and where there is a report it
// is JSON.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "draudit/cli.hpp"
#include "support/memory_io.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  draudit::test::MemoryIo io;
  io.in.text.assign(data, data + size);
  const int status = io.run({"check", "--format", "json", "-"});
  if (status < draudit::kExitClean || status > draudit::kExitUnable) std::abort();
  if (!io.out.text.empty() && !nlohmann::json::accept(io.out.text)) std::abort();
  // A run that can't do the job says why.
  if (status == draudit::kExitUnable && io.err.text.empty()) std::abort();
  return 0;
}
