#include "draudit/timestamp.hpp"

#include <fmt/format.h>

#include <chrono>

namespace draudit {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

/// Takes `digits` digits off the front.
std::optional<std::int32_t> number(std::string_view& text, std::size_t digits) {
  if (text.size() < digits) return std::nullopt;
  std::int32_t n = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    if (text[i] < '0' || text[i] > '9') return std::nullopt;
    n = n * 10 + (text[i] - '0');
  }
  text.remove_prefix(digits);
  return n;
}

bool take(std::string_view& text, char a, char b) {
  if (text.empty() || (text.front() != a && text.front() != b)) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::optional<Timestamp> parse_timestamp(std::string_view text) {
  const auto year = number(text, 4);
  if (!year || !take(text, '-', '-')) return std::nullopt;
  const auto month = number(text, 2);
  if (!month || !take(text, '-', '-')) return std::nullopt;
  const auto day = number(text, 2);
  if (!day || !take(text, 'T', 't')) return std::nullopt;
  const auto hour = number(text, 2);
  if (!hour || !take(text, ':', ':')) return std::nullopt;
  const auto minute = number(text, 2);
  if (!minute || !take(text, ':', ':')) return std::nullopt;
  const auto second = number(text, 2);
  if (!second || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;

  std::int64_t fraction = 0;
  if (take(text, '.', '.')) {
    std::int64_t unit = kSecond / 10;
    std::size_t digits = 0;
    while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
      fraction += unit * (text.front() - '0');
      unit /= 10;
      ++digits;
      text.remove_prefix(1);
    }
    if (digits == 0) return std::nullopt;
  }

  std::int64_t offset = 0;
  if (!take(text, 'Z', 'z')) {
    const bool west = !text.empty() && text.front() == '-';
    if (!take(text, '+', '-')) return std::nullopt;
    const auto h = number(text, 2);
    if (!h || !take(text, ':', ':')) return std::nullopt;
    const auto m = number(text, 2);
    if (!m || *h > 23 || *m > 59) return std::nullopt;
    offset = (*h * 60 + *m) * (west ? -60 : 60);
  }
  if (!text.empty()) return std::nullopt;

  const std::chrono::year_month_day date{std::chrono::year{*year},
                                         std::chrono::month{static_cast<unsigned>(*month)},
                                         std::chrono::day{static_cast<unsigned>(*day)}};
  // int64 nanoseconds reach from 1678 to 2262; an API server writes nothing outside.
  if (!date.ok() || *year < 1678 || *year > 2261) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days{date}.time_since_epoch().count();
  const std::int64_t seconds = days * 86400 + *hour * 3600 + *minute * 60 + *second - offset;
  return Timestamp{seconds * kSecond + fraction};
}

std::string to_string(Timestamp t) {
  std::int64_t seconds = t.nanoseconds / kSecond;
  std::int64_t fraction = t.nanoseconds % kSecond;
  if (fraction < 0) {
    fraction += kSecond;
    --seconds;
  }
  std::int64_t days = seconds / 86400;
  std::int64_t rest = seconds % 86400;
  if (rest < 0) {
    rest += 86400;
    --days;
  }
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{days}}};
  std::string out =
      fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  rest / 3600, rest / 60 % 60, rest % 60);
  if (fraction != 0) {
    std::string digits = fmt::format("{:09}", fraction);
    digits.erase(digits.find_last_not_of('0') + 1);
    out += '.' + digits;
  }
  return out + 'Z';
}

}  // namespace draudit
