#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "draudit/report.hpp"
#include "report/html/markup.hpp"
#include "report/picture.hpp"

/// The sections of the page, each a pure function of the report. What a section can't hold it says.
namespace draudit::html {

/// What several sections look up.
struct View {
  explicit View(const Report& of);
  const Report& report;
  bool slices_known;
  std::map<std::string_view, std::vector<std::string_view>> rules_of;  ///< by node, worst first
  std::vector<const Report::Node*> affected;                           ///< least naive idle first
  std::vector<const Report::Node*> fine;
};

[[nodiscard]] Html summary(const View& view);
[[nodiscard]] Html fleet(const View& view);
/// One node: bars, boxes, table of devices, causes, ledger.
[[nodiscard]] Html node(const View& view, const Report::Node& node, std::size_t number);
/// Bars and boxes alone.
[[nodiscard]] Html picture(const Picture& picture);
[[nodiscard]] Html finding(const Report::Finding& finding);
[[nodiscard]] Html input(const View& view);
[[nodiscard]] Html rules(const Report& report);

/// Naive idle, to sort by: nodes of which it is not known come last.
[[nodiscard]] Gpus idle_or_most(const Report::Node& node);
/// "n thing" or "n things".
[[nodiscard]] std::string counted(std::size_t n, std::string_view thing);
/// A row of a description list; nothing where the text is empty.
void fact(Html& out, Literal label, std::string_view text);
/// The texts in one line, a comma between them.
[[nodiscard]] std::string listed(const std::vector<std::string>& texts);

}  // namespace draudit::html
