// Whatever YAML becomes, it is one JSON text, with marks in ascending order within it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "input/yaml.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

bool is_utf8(std::string_view text) {
  try {
    static_cast<void>(nlohmann::json(text).dump());
    return true;
  } catch (const nlohmann::json::exception&) {
    return false;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  draudit::YamlToJson yaml;
  try {
    yaml.convert(std::string(data, data + size), {}, data[0] == '-');
  } catch (const draudit::YamlError& e) {
    if (e.message.empty() || e.at.line == 0) std::abort();
    return 0;
  }
  // Bytes that are no UTF-8 are the JSON reader's to refuse.
  if (!nlohmann::json::accept(yaml.json()) && is_utf8(yaml.json())) std::abort();
  std::size_t last = 0;
  for (const draudit::TextMark& m : yaml.marks()) {
    if (m.json < last || m.json > yaml.json().size()) std::abort();
    last = m.json;
  }
  return 0;
}
