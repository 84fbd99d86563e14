#include "report/html/island.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <zstd.h>

#include <limits>
#include <memory>

#include "report/json_writer.hpp"

namespace draudit::html {
namespace {

constexpr std::string_view kDoctype = "<!DOCTYPE html>";
constexpr char kOpenJson[] = "<template id=\"draudit-report\">";
constexpr char kOpenPacked[] = "<template id=\"draudit-report-packed\">";
constexpr char kClose[] = "</template>";
constexpr std::size_t kPackFrom = 200'000;
constexpr std::size_t kMostUnpacked = 1'000'000'000;  // as `draudit report` takes

void append_escape(std::string& out, std::uint32_t unit) { out += fmt::format("\\u{:04x}", unit); }

/// The same JSON in ASCII without `<`, `>` and `&`, which stand in strings only. `json` is UTF-8.
std::string ascii(std::string_view json) {
  std::string out;
  out.reserve(json.size() + json.size() / 16);
  for (std::size_t i = 0; i < json.size(); ++i) {
    const auto c = static_cast<unsigned char>(json[i]);
    if (c == '<' || c == '>' || c == '&' || c == 0x7F) {
      append_escape(out, c);
      continue;
    }
    if (c < 0x80) {
      out += json[i];
      continue;
    }
    const std::size_t more = c >= 0xF0 ? 3 : c >= 0xE0 ? 2 : 1;
    std::uint32_t code = c & (0x3FU >> more);
    for (std::size_t k = 0; k < more && i + 1 < json.size(); ++k) {
      code = code << 6U | (static_cast<unsigned char>(json[++i]) & 0x3FU);
    }
    if (code >= 0x10000) {
      append_escape(out, 0xD7C0U + (code >> 10U));
      append_escape(out, 0xDC00U + (code & 0x3FFU));
    } else {
      append_escape(out, code);
    }
  }
  return out;
}

const unsigned char* bytes_of(const char* text) {
  return static_cast<const unsigned char*>(static_cast<const void*>(text));
}

std::string base64(std::string_view bytes) {
  std::string out((bytes.size() + 2) / 3 * 4 + 1, '\0');
  const int n = EVP_EncodeBlock(static_cast<unsigned char*>(static_cast<void*>(out.data())),
                                bytes_of(bytes.data()), static_cast<int>(bytes.size()));
  out.resize(static_cast<std::size_t>(n));
  return out;
}

std::string packed(std::string_view text) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context{ZSTD_createCCtx(),
                                                                     &ZSTD_freeCCtx};
  // Reports repeat themselves over megabytes; half of what zlib's window makes of them.
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, 9);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_windowLog, 24);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string out(ZSTD_compressBound(text.size()), '\0');
  const std::size_t n =
      ZSTD_compress2(context.get(), out.data(), out.size(), text.data(), text.size());
  if (ZSTD_isError(n) != 0U) return {};
  out.resize(n);
  return base64(out);
}

[[noreturn]] void broken() {
  throw ReportError("the report inside this page is broken; run draudit check again");
}

std::string unpacked(std::string_view text) {
  if (text.size() % 4 != 0 || text.size() > std::size_t{std::numeric_limits<int>::max()}) broken();
  std::string bytes(text.size() / 4 * 3, '\0');
  const int n = EVP_DecodeBlock(static_cast<unsigned char*>(static_cast<void*>(bytes.data())),
                                bytes_of(text.data()), static_cast<int>(text.size()));
  if (n < 0) broken();
  const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size > kMostUnpacked) broken();  // unknown, or no frame, is larger still
  std::string out(static_cast<std::size_t>(size), '\0');
  // Base64 leaves up to two bytes of padding behind the frame.
  const std::size_t frame = ZSTD_findFrameCompressedSize(bytes.data(), bytes.size());
  if (ZSTD_isError(frame) != 0U || bytes.size() - frame > 2) broken();
  if (ZSTD_decompress(out.data(), out.size(), bytes.data(), frame) != out.size()) broken();
  return out;
}

/// What stands between the marks, which no text on the page can hold: it is escaped.
bool between(std::string_view page, std::string_view open, std::string_view& into) {
  const std::size_t at = page.find(open);
  if (at == std::string_view::npos) return false;
  const std::size_t start = at + open.size();
  const std::size_t end = page.find(kClose, start);
  if (end == std::string_view::npos) broken();
  into = page.substr(start, end - start);
  return true;
}

}  // namespace

Html island(const Report& report, std::size_t most) {
  JsonWriter writer(true);
  writer.value(report);
  std::string json = ascii(writer.take());
  Html out;
  const bool pack = json.size() > kPackFrom;
  if (pack) json = packed(json);
  if (json.empty() || json.size() > most) return out;
  if (pack) {
    out.raw(kOpenPacked);
  } else {
    out.raw(kOpenJson);
  }
  // ASCII without a mark of HTML, or base64: escaping changes quotes only, which JSON needs.
  return out.data_block(json).raw(kClose).raw("\n");
}

bool is_page(std::string_view text) { return text.starts_with(kDoctype); }

std::string json_of_page(std::string_view page) {
  std::string_view text;
  if (between(page, kOpenJson, text)) return std::string{text};
  if (between(page, kOpenPacked, text)) return unpacked(text);
  throw ReportError(
      "this page holds no report: it is no page of draudit, or the report was too large for it");
}

}  // namespace draudit::html
