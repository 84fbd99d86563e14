#include "input/source/peek.hpp"

#include <algorithm>

namespace draudit {

std::string_view PeekSource::peek(std::size_t n) {
  while (ahead_.size() - done_ < n) {
    const std::size_t had = ahead_.size();
    ahead_.resize(done_ + n);
    std::size_t got = 0;
    try {
      got = inner_.read({ahead_.data() + had, ahead_.size() - had});
    } catch (const IoError&) {
      failure_ = std::current_exception();  // for whoever reads what came before it
    }
    ahead_.resize(had + got);
    if (got == 0) break;
  }
  return {ahead_.data() + done_, std::min(n, ahead_.size() - done_)};
}

std::size_t PeekSource::read(std::span<char> into) {
  if (done_ == ahead_.size() && failure_) std::rethrow_exception(failure_);
  if (done_ == ahead_.size()) return inner_.read(into);
  const std::size_t n = std::min(into.size(), ahead_.size() - done_);
  std::copy_n(ahead_.data() + done_, n, into.data());
  done_ += n;
  return n;
}

}  // namespace draudit
