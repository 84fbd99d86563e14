// The page: nothing of the input is markup, it holds all of the report, and it stays small.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "draudit/formats.hpp"
#include "draudit/result.hpp"
#include "report/html/island.hpp"
#include "report/html/markup.hpp"
#include "report/plain.hpp"
#include "support/nasty.hpp"
#include "support/state.hpp"

using namespace draudit;
using namespace draudit::test;

namespace {

// By the type system: what was read at run time is no markup.
template <class T>
concept TakenAsMarkup = requires(html::Html h, T x) {
  h.raw(x);
};
static_assert(!TakenAsMarkup<std::string>);
static_assert(!TakenAsMarkup<std::string_view>);
static_assert(!TakenAsMarkup<const char*>);
static_assert(TakenAsMarkup<html::Literal>);

std::string page_of(const Report& report) { return find_format("html")->render(report, {}); }

Report report_on(const Jsons& objects, bool complete = true) {
  return make_report(conclude(read_objects(objects, complete), {}));
}

/// `affected` nodes of eight devices, the first of which three pods share.
Report fleet_of(int affected, int fine = 0) {
  Jsons out;
  for (int i = 0; i < affected + fine; ++i) {
    const std::string name = "gpu-node-" + std::to_string(i);
    out.push_back(node(name));
    out.push_back(slice(name, numbered("gpu-", 8)));
    for (int d = 0; d < 8; ++d) {
      const std::string c = name + "-" + std::to_string(d);
      out.push_back(allocated(claim("team/" + c, {request()}),
                              {result("gpu-" + std::to_string(d), kGpuDriver, name)}));
      for (int p = 0; p < (d == 0 && i < affected ? 3 : 1); ++p) {
        Json one = pod("team/" + c + "-" + std::to_string(p), {c});
        one["spec"]["nodeName"] = name;
        out.push_back(one);
      }
    }
  }
  return report_on(out);
}

void remove_between(std::string& text, const std::string& from, const std::string& to) {
  const std::size_t start = text.find(from);
  REQUIRE(start != std::string::npos);
  const std::size_t end = text.find(to, start);
  REQUIRE(end != std::string::npos);
  text.erase(start, end + to.size() - start);
}

/// What a reader sees, without the ticket and the data island; tags are nothing.
std::string shown(std::string page) {
  remove_between(page, "<template", "</template>");
  remove_between(page, "<section id=\"ticket\"", "</section>");
  std::string out;
  bool in_tag = false;
  for (const char c : page) {
    if (c == '<') in_tag = true;
    if (!in_tag) out += c;
    if (c == '>') in_tag = false;
  }
  for (const auto& [entity, text] :
       {std::pair{"&lt;", "<"}, std::pair{"&gt;", ">"}, std::pair{"&quot;", "\""},
        std::pair{"&#39;", "'"}, std::pair{"&amp;", "&"}}) {
    for (std::size_t at = 0; (at = out.find(entity, at)) != std::string::npos; ++at) {
      out.replace(at, std::string{entity}.size(), text);
    }
  }
  return out;
}

void texts_of(const Json& json, std::set<std::string>& out) {
  if (json.is_string()) out.insert(json.get<std::string>());
  if (json.is_structured()) {
    for (const auto& x : json) texts_of(x, out);
  }
}

/// The tags of a page, with nothing where an attribute's value stands.
std::set<std::string> tags(const std::string& page) {
  std::set<std::string> out;
  for (std::size_t at = 0; (at = page.find('<', at)) != std::string::npos;) {
    const std::size_t end = page.find('>', at);
    REQUIRE(end != std::string::npos);
    std::string tag;
    bool quoted = false;
    for (const char c : page.substr(at, end - at + 1)) {
      if (c == '"') quoted = !quoted;
      if (!quoted) tag += c;
    }
    out.insert(tag);
    at = end;
  }
  return out;
}

std::string read_back(const std::string& page) { return json_report(read_json_report(page)); }

}  // namespace

TEST_CASE("html: text is escaped for content and attributes") {
  html::Html h;
  h.text("<b a=\"x\" b='y'>&amp;\x1b\n");
  CHECK(h.bytes() == "&lt;b a=&quot;x&quot; b=&#39;y&#39;&gt;&amp;amp;\\x1b\\x0a");
  CHECK_THROWS_AS(h.data_block("a<b"), std::logic_error);
  CHECK_THROWS_AS(h.data_block("a\nb"), std::logic_error);
  CHECK(h.raw("<p>").bytes().ends_with("\\x0a<p>"));
}

TEST_CASE("html: hostile names make no tag, no attribute and no request") {
  std::set<std::string> known = tags(page_of(report_on(sharers_called("n1"))));
  for (const std::string& name : nasty_names()) {
    CAPTURE(name);
    const std::string page = page_of(report_on(sharers_called(name)));
    for (const std::string& tag : tags(page)) {
      CAPTURE(tag);
      CHECK(known.contains(tag));
    }
    CHECK(page.find("<script") == std::string::npos);
    std::size_t links = 0;
    for (std::size_t at = 0; (at = page.find("href=", at)) != std::string::npos; ++at) {
      const bool inside = page.compare(at, 7, "href=\"#") == 0;
      links += inside || page.compare(at, 13, "href=\"data:,\"") == 0 ? 0U : 1U;
    }
    CHECK(links == 0);
  }
}

TEST_CASE("html: the report is read back out of the page") {
  for (const std::string& name : nasty_names()) {
    CAPTURE(name);
    const Report report = report_on(sharers_called(name), false);
    CHECK(read_back(page_of(report)) == json_report(report));
  }
  const Report large = fleet_of(40);
  const std::string page = page_of(large);
  CHECK(page.find("draudit-report-packed") != std::string::npos);
  CHECK(read_back(page) == json_report(large));
}

TEST_CASE("html: a page without a whole report is refused") {
  const std::string page = page_of(report_on(sharers_called("n1")));
  CHECK_THROWS_AS((void)read_json_report("<!DOCTYPE html><p>hello"), ReportError);
  CHECK_THROWS_AS((void)read_json_report(page.substr(0, page.find("</template>"))), ReportError);
  const std::string large = page_of(fleet_of(40));
  const std::size_t data = large.find("packed\">") + 8;
  for (const std::size_t at : {data, data + 100, large.find("</template>") - 8}) {
    std::string broken = large;
    broken[at] = '*';
    CHECK_THROWS_AS((void)read_json_report(broken), ReportError);
    broken[at] = large[at] == 'A' ? 'B' : 'A';
    CHECK_THROWS_AS((void)read_json_report(broken), ReportError);
  }
}

TEST_CASE("html: every text of the JSON report is on the page") {
  Jsons mixed = sharers_called("n1");
  mixed.push_back(node("n2", 4));
  mixed.push_back(pod("a/p", {}, asks(1)));
  Report waived = report_on(sharers_called("n1"));
  waived.findings.front().waived =
      Report::Waived{"suppression", "known since May", "2027-01-31", "team-a"};
  for (const Report& report :
       {report_on(sharers_called("<i>&\"'")), report_on(mixed, false), waived}) {
    const std::string text = shown(page_of(report));
    std::set<std::string> texts;
    texts_of(Json::parse(json_report(report)), texts);
    REQUIRE(texts.size() > 100);
    for (const std::string& wanted : texts) {
      CAPTURE(wanted);
      // Said in other words: "suppression" is "suppressed".
      const bool there = wanted == "suppression" || text.find(plain(wanted)) != std::string::npos;
      CHECK(there);
    }
  }
}

TEST_CASE("html: it stays small, and says what it leaves out") {
  const std::string some = page_of(fleet_of(500, 50));
  CHECK(some.size() < 1'000'000);
  CHECK(some.find(" left out here</strong>") != std::string::npos);
  const Report many = fleet_of(700);
  const std::string page = page_of(many);
  CHECK(page.size() < 5'000'000);
  CHECK(page.find(" more nodes with findings left out of this table") != std::string::npos);
  CHECK(read_back(page) == json_report(many));
}

TEST_CASE(
    "html: a report whose names are huge stays below 5 MB and says that it can't be read back") {
  Report report = report_on(sharers_called("n1"));
  const Report::Finding one = report.findings.front();
  std::uint64_t random = 1;
  for (int i = 0; i < 170; ++i) {
    Report::Finding f = one;
    f.message.clear();
    for (int k = 0; k < 20'000; ++k) {
      random = random * 6364136223846793005ULL + 1442695040888963407ULL;
      f.message += static_cast<char>('!' + (random >> 33U) % 90);
    }
    report.findings.push_back(f);
  }
  const std::string page = page_of(report);
  CHECK(page.size() < 5'000'000);
  CHECK(page.find("too large to be carried inside this page") != std::string::npos);
  CHECK_THROWS_AS((void)read_json_report(page), ReportError);
}
