#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace draudit {

/// SHA-256 of what it is fed.
class Sha256 {
 public:
  Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  ~Sha256();
  void update(std::string_view bytes);
  /// Lower-case hex; ends the computation.
  [[nodiscard]] std::string hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

[[nodiscard]] std::string sha256(std::string_view text);

}  // namespace draudit
