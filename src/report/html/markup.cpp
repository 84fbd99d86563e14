#include "report/html/markup.hpp"

#include <stdexcept>

#include "report/plain.hpp"

namespace draudit::html {

Html& Html::raw(Literal markup) {
  bytes_ += markup.text();
  return *this;
}

Html& Html::add(const Html& other) {
  bytes_ += other.bytes_;
  return *this;
}

Html& Html::text(std::string_view text) {
  for (const char c : plain(text)) {
    switch (c) {
      case '&': bytes_ += "&amp;"; break;
      case '<': bytes_ += "&lt;"; break;
      case '>': bytes_ += "&gt;"; break;
      case '"': bytes_ += "&quot;"; break;
      case '\'': bytes_ += "&#39;"; break;
      default: bytes_ += c;
    }
  }
  return *this;
}

Html& Html::data_block(std::string_view data) {
  for (const char c : data) {
    const bool ascii = c >= ' ' && c < '\x7F';
    if (!ascii || c == '<' || c == '>' || c == '&') {
      throw std::logic_error("a data block with markup in it");
    }
  }
  bytes_ += data;
  return *this;
}

}  // namespace draudit::html
