// The small values that everything is computed with.
#include <doctest/doctest.h>

#include <string_view>

#include "draudit/gpus.hpp"
#include "draudit/profile.hpp"
#include "draudit/quantity.hpp"
#include "draudit/timestamp.hpp"
#include "draudit/version.hpp"

namespace draudit {
namespace {

Quantity q(std::string_view text) {
  const auto parsed = Quantity::parse(text);
  REQUIRE_MESSAGE(parsed.has_value(), text);
  return *parsed;
}

}  // namespace

TEST_CASE("quantities are exact, however they are spelled") {
  CHECK(q("1Gi") == q("1073741824"));
  CHECK(q("1Gi") == q("1024Mi"));
  CHECK(q("3000m") == Quantity::of(3));
  CHECK(q("1e3") == Quantity::of(1000));
  CHECK(q("1k") == q("1000"));
  CHECK(q("3e0") == Quantity::of(3));
  CHECK(q("1E") == q("1e18"));
  CHECK(q("2E3") == Quantity::of(2000));  // an exponent, not the suffix
  CHECK(q("16Gi").value() == 17'179'869'184);
  CHECK(q("0.1") + q("0.2") == q("0.3"));
  CHECK(q("128974848500m").value() == 128'974'849);
  CHECK(q("1000000u") == Quantity::of(1));
  CHECK(q(".5") == q("500m"));
  CHECK(q("+5") == Quantity::of(5));
  CHECK(q("0") == Quantity{});
}

TEST_CASE("quantities round up, and are capped as the API server caps them") {
  CHECK(q("1.5").value() == 2);
  CHECK(q("-1.5").value() == -1);
  CHECK(q("1m").value() == 1);
  CHECK(q("0.0001").milli() == 1);
  CHECK(q("0.0000000001").nano() == 1);  // finer than the API keeps
  CHECK(q("1e30").value() == 9'223'372'036'854'775'807);
  CHECK(q("99999999999999999999999999999999999999999").value() == 9'223'372'036'854'775'807);
  CHECK(q("-1e30").value() == -9'223'372'036'854'775'807);
  CHECK(q("8").milli() == 8000);
  CHECK(q("1e-40").nano() == 1);
}

TEST_CASE("what is no quantity is refused") {
  for (const std::string_view text : {"", "+", "-", ".", "1 ", " 1", "0x10", "1KiB", "1e", "1e+",
                                      "--1", "1.2.3", "NaN", "inf", "1,5", "1Ki2", "Gi", "1e5k"}) {
    CAPTURE(text);
    CHECK_FALSE(Quantity::parse(text).has_value());
  }
}

TEST_CASE("times are RFC 3339, with an offset") {
  CHECK(parse_timestamp("1970-01-01T00:00:00Z")->nanoseconds == 0);
  CHECK(parse_timestamp("2026-12-01T05:13:19Z") == parse_timestamp("2026-12-01T07:13:19+02:00"));
  CHECK(parse_timestamp("2026-12-01T05:13:19.000001Z")->nanoseconds % 1'000'000'000 == 1000);
  CHECK(to_string(*parse_timestamp("2026-12-01T00:13:19-05:00")) == "2026-12-01T05:13:19Z");
  CHECK(to_string(*parse_timestamp("2024-02-29T23:59:59.5Z")) == "2024-02-29T23:59:59.5Z");
  CHECK(to_string(*parse_timestamp("1969-12-31T23:59:59Z")) == "1969-12-31T23:59:59Z");
  for (const std::string_view text :
       {"", "yesterday", "2026-12-01", "2026-12-01T05:13:19", "2026-13-01T00:00:00Z",
        "2026-02-30T00:00:00Z", "2026-12-01T25:00:00Z", "2026-12-01T05:13:19Zx",
        "2026-12-01 05:13:19Z", "9999-01-01T00:00:00Z", "2026-12-01T05:13:19.Z"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_timestamp(text).has_value());
  }
}

TEST_CASE("figures print as KAI prints them, or with all digits") {
  CHECK(kai_number(8) == "8");
  CHECK(kai_number(0) == "0");
  CHECK(kai_number(-1) == "-1");
  CHECK(kai_number(1000) == "1e+03");
  CHECK(kai_number(999) == "999");
  CHECK(kai_number(1'234'567) == "1.23e+06");
  CHECK(to_string(Gpus{1'234'567}) == "1234567");
  CHECK(to_string(Range{2, 2}) == "2");
  CHECK(to_string(Range{1, 8}) == "1…8");
  CHECK(Gpus{8} - Range{1, 3} == Range{5, 7});
}

TEST_CASE("every version has the switches of its line") {
  const auto of = [](std::string_view version) {
    const Profile* p = find_profile(version);
    REQUIRE_MESSAGE(p != nullptr, version);
    return p;
  };
  CHECK_FALSE(of("v0.12.9")->dra);
  CHECK(of("v0.13.0")->dra);
  CHECK_FALSE(of("v0.13.4")->suffix_capacity);
  CHECK(of("v0.14.0")->suffix_requests);
  CHECK_FALSE(of("v0.14.5")->sidecars);
  CHECK(of("v0.14.6")->sidecars);
  CHECK_FALSE(of("v0.14.7")->stuck_in_releasing);
  CHECK(of("v0.15.0")->stuck_in_releasing);
  CHECK_FALSE(of("v0.15.2")->sidecars);
  CHECK(of("v0.15.3")->sidecars);
  CHECK_FALSE(of("v0.16.8")->zeroing);
  CHECK_FALSE(of("0.16")->skip_extended_claims);
  CHECK(of("v0.17.0")->zeroing);
  CHECK(may_have_fix("v0.16.9"));
  CHECK(may_have_fix("v0.14.9"));
  CHECK_FALSE(may_have_fix("v0.16.8"));
  CHECK_FALSE(may_have_fix("v0.17.0"));
  CHECK(of("v0.17.0") == &stock_profile());
  CHECK_FALSE(stock_profile().dedup);
  CHECK(of("v0.17.1") == &fixed_profile());
  CHECK(of("v0.17.1-rc1+build5") == &fixed_profile());
  CHECK(of("v0.18.2")->dedup);
  CHECK(of("v1.0.0")->dedup);
  CHECK(of("v0.16+dedup")->dedup);
  CHECK_FALSE(of("v0.16+dedup")->zeroing);
  for (const std::string_view text :
       {"", "v", "latest", "v0", "v0.", "v0.17.", "v0.17.x", "17", "v-1.2"}) {
    CAPTURE(text);
    CHECK(find_profile(text) == nullptr);
  }
}

TEST_CASE("the version is that of the build files") { CHECK(kVersion == DRAUDIT_PROJECT_VERSION); }

}  // namespace draudit
