#include "support/pack.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <cstdint>
#include <memory>
#include <stdexcept>

namespace draudit::test {
namespace {

struct FreeWriter {
  void operator()(struct archive* a) const { ::archive_write_free(a); }
};
using Writer = std::unique_ptr<struct archive, FreeWriter>;

void check(int result, struct archive* a) {
  if (result != ARCHIVE_OK) throw std::runtime_error(::archive_error_string(a));
}

la_ssize_t append(struct archive*, void* to, const void* bytes, std::size_t n) {
  static_cast<std::string*>(to)->append(static_cast<const char*>(bytes), n);
  return static_cast<la_ssize_t>(n);
}

std::string write_all(const Writer& w, const Members& members) {
  std::string out;
  ::archive_write_set_bytes_in_last_block(w.get(), 1);
  check(::archive_write_open(w.get(), &out, nullptr, append, nullptr), w.get());
  for (const auto& [path, text] : members) {
    struct archive_entry* e = ::archive_entry_new();
    ::archive_entry_set_pathname(e, path.c_str());
    ::archive_entry_set_size(e, static_cast<la_int64_t>(text.size()));
    ::archive_entry_set_filetype(e, AE_IFREG);
    ::archive_entry_set_perm(e, 0644);
    const int result = ::archive_write_header(w.get(), e);
    ::archive_entry_free(e);
    check(result, w.get());
    if (::archive_write_data(w.get(), text.data(), text.size()) < 0) {
      throw std::runtime_error(::archive_error_string(w.get()));
    }
  }
  check(::archive_write_close(w.get()), w.get());
  return out;
}

std::string utf16(const std::string& text, bool big_endian) {
  std::string out;
  const auto unit = [&](std::uint32_t u) {
    const char low = static_cast<char>(u & 0xffU);
    const char high = static_cast<char>(u >> 8U);
    out += big_endian ? high : low;
    out += big_endian ? low : high;
  };
  unit(0xfeffU);
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80U ? 1 : lead < 0xe0U ? 2 : lead < 0xf0U ? 3 : 4;
    std::uint32_t c = length == 1 ? lead : lead & (0xffU >> (length + 1));
    for (std::size_t k = 1; k < length; ++k) {
      c = (c << 6U) | (static_cast<unsigned char>(text[i + k]) & 0x3fU);
    }
    i += length;
    if (c < 0x10000U) {
      unit(c);
    } else {
      unit(0xd800U + ((c - 0x10000U) >> 10U));
      unit(0xdc00U + ((c - 0x10000U) & 0x3ffU));
    }
  }
  return out;
}

}  // namespace

std::string packed(const std::string& how, const std::string& text) {
  if (how == "plain") return text;
  if (how == "utf-8-bom") return "\xef\xbb\xbf" + text;
  if (how == "utf-16le") return utf16(text, false);
  if (how == "utf-16be") return utf16(text, true);
  if (how == "crlf") {
    std::string out;
    for (const char c : text) {
      if (c == '\n') out += '\r';
      out += c;
    }
    return out;
  }
  const Writer w(::archive_write_new());
  ::archive_write_set_format_raw(w.get());
  check(::archive_write_add_filter_by_name(w.get(), how.c_str()), w.get());
  return write_all(w, {{"data", text}});
}

std::string archive(const std::string& how, const Members& members) {
  const Writer w(::archive_write_new());
  check(how == "zip" ? ::archive_write_set_format_zip(w.get())
                     : ::archive_write_set_format_pax_restricted(w.get()),
        w.get());
  return write_all(w, members);
}

}  // namespace draudit::test
