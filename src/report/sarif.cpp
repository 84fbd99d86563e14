#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/gate.hpp"
#include "report/json_writer.hpp"
#include "report/plain.hpp"
#include "report/renderers.hpp"
#include "report/words.hpp"

// SARIF as GitHub takes it: one result without a physical location, or a file above its limits,
// and it refuses all of them.
namespace draudit {
namespace {

constexpr std::size_t kResults = 5000;           // as many as GitHub keeps
constexpr std::size_t kRelated = 20;             // objects of a result
constexpr std::size_t kSarifMessage = 1000;      // bytes of one text: about what GitHub shows
constexpr std::size_t kSarifBytes = 50'000'000;  // of all results; gzip makes 10 MB of far more

std::string_view level(Severity severity) {
  switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::note: return "note";
  }
  return "note";
}

class Sarif {
 public:
  Sarif(const Report& report, const FormatOptions& options) : report_(report), options_(options) {
    for (std::size_t i = 0; i < report_.rules.size(); ++i) index_[report_.rules[i].id] = i;
  }

  std::string build() {
    const std::string results = all_results();
    JsonWriter w;
    w.open('{');
    w.field("version", "2.1.0");
    w.field("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    w.key("runs");
    w.open('[');
    w.element();
    w.open('{');
    tool(w);
    w.field("columnKind", "unicodeCodePoints");
    invocation(w);
    std::string out = w.take();
    out += ",\n      \"results\": [" + results + "]\n    }\n  ]\n}\n";
    return out;
  }

 private:
  static void text(JsonWriter& w, std::string_view key, const std::string& words) {
    w.key(key);
    w.open('{');
    w.field("text", shortened(words, kSarifMessage));
    w.close('}');
  }

  void tool(JsonWriter& w) const {
    w.key("tool");
    w.open('{');
    w.key("driver");
    w.open('{');
    w.field("name", plain(report_.tool.name));
    w.field("version", plain(report_.tool.version));
    w.field("semanticVersion", plain(report_.tool.version));
    w.key("rules");
    w.open('[');
    for (const Report::RuleInfo& r : report_.rules) {
      w.element();
      w.open('{');
      w.field("id", plain(r.id));
      w.field("name", pascal(r.name));
      text(w, "shortDescription", plain(r.summary) + ".");
      text(w, "fullDescription", fmt::format("{}. Mend: {}.", plain(r.summary), plain(r.mend)));
      w.key("help");
      w.open('{');
      w.field("text", fmt::format("{} ({}). {}. Mend: {}. The manual draudit(1) has more.",
                                  plain(r.name), plain(r.id), plain(r.summary), plain(r.mend)));
      w.field("markdown", fmt::format("**{}** ({}): {}.\n\n*Mend:* {}.", plain(r.name), plain(r.id),
                                      plain(r.summary), plain(r.mend)));
      w.close('}');
      w.key("defaultConfiguration");
      w.open('{');
      w.field("level", level(r.severity));
      w.close('}');
      w.key("properties");
      w.open('{');
      w.field("tags", std::vector<std::string>{"gpu", "kubernetes", "dra"});
      w.field("problem.severity",
              r.severity == Severity::note ? "recommendation" : level(r.severity));
      w.close('}');
      w.close('}');
    }
    w.close(']');
    w.close('}');
    w.close('}');
  }

  /// "over-counted-node" as "OverCountedNode": names of rules in SARIF are identifiers.
  static std::string pascal(std::string_view name) {
    std::string out;
    bool upper = true;
    for (const char c : plain(name)) {
      if (c == '-') {
        upper = true;
        continue;
      }
      out += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      upper = false;
    }
    return out;
  }

  void invocation(JsonWriter& w) const {
    w.key("invocations");
    w.open('[');
    w.element();
    w.open('{');
    w.field("executionSuccessful", report_.complete);
    w.key("toolExecutionNotifications");
    w.open('[');
    if (report_.unable) notification(w, "error", verdict(report_));
    for (const Report::Problem& p : report_.problems) {
      notification(w, "error", problem_line(p), place_of(report_, p));
    }
    for (const Report::NotCheckable& n : report_.not_checkable) {
      notification(w, "warning",
                   fmt::format("{} could not be checked: {}", plain(n.rule), plain(n.reason)));
    }
    for (const Report::Absent& a : report_.not_in_dump) {
      notification(w, "note",
                   fmt::format("{} is not in the input: {}", plain(a.kind), plain(a.consequence)));
    }
    for (const std::string& gap : report_.completeness.gaps) notification(w, "note", plain(gap));
    if (report_.tuning.config) {
      notification(w, "note", fmt::format("settings: {}", plain(*report_.tuning.config)));
    }
    for (const std::string& n : report_.tuning.notes) notification(w, "note", plain(n));
    if (shown_ < report_.findings.size()) {
      notification(w, "warning",
                   fmt::format("{} of {} findings are left out, the least bad ones",
                               report_.findings.size() - shown_, report_.findings.size()));
    }
    w.close(']');
    w.close('}');
    w.close(']');
  }

  void notification(JsonWriter& w, std::string_view as, const std::string& words,
                    const std::optional<Report::Place>& at = std::nullopt) const {
    w.element();
    w.open('{');
    w.field("level", as);
    text(w, "message", words);
    if (at) {
      w.key("locations");
      w.open('[');
      w.element();
      w.open('{');
      physical(w, *at);
      w.close('}');
      w.close(']');
    }
    w.close('}');
  }

  void physical(JsonWriter& w, const Report::Place& at) const {
    const bool anchored = !options_.sarif_anchor.empty();
    w.key("physicalLocation");
    w.open('{');
    w.key("artifactLocation");
    w.open('{');
    w.field("uri", repository_uri(anchored ? std::string_view{options_.sarif_anchor} : at.file));
    w.close('}');
    w.key("region");
    w.open('{');
    w.field("startLine", anchored ? 1 : std::max<std::uint64_t>(at.line, 1));
    w.field("startColumn", anchored ? 1 : std::max<std::uint64_t>(at.column, 1));
    w.close('}');
    w.close('}');
  }

  static void logical(JsonWriter& w, const Report::Object& o) {
    w.key("logicalLocations");
    w.open('[');
    w.element();
    w.open('{');
    w.field("name", shortened(plain(o.name), kSarifMessage));
    w.field("fullyQualifiedName",
            shortened(fmt::format("{}/{}", o.kind, plain(o.name)), kSarifMessage));
    w.field("kind", "resource");
    w.close('}');
    w.close(']');
  }

  std::string all_results() {
    std::string out;
    std::map<std::string, std::size_t> seen;
    for (const Report::Finding& f : report_.findings) {
      if (shown_ == kResults || out.size() > kSarifBytes) break;
      const auto rule = index_.find(f.id);
      JsonWriter w(true);
      result(w, f, rule == index_.end() ? std::nullopt : std::optional{rule->second},
             ++seen[f.fingerprint]);
      out += (shown_ == 0 ? "\n        " : ",\n        ") + w.take();
      ++shown_;
    }
    if (shown_ > 0) out += "\n      ";
    return out;
  }

  void result(JsonWriter& w, const Report::Finding& f, std::optional<std::size_t> rule,
              std::size_t nth) const {
    const Report::Place at = place_of(report_, f);
    std::string words = message_of(f);
    if (!options_.sarif_anchor.empty()) {
      words = fmt::format("{}:{}:{}: {}", plain(at.file), at.line, at.column, words);
    }
    w.open('{');
    w.field("ruleId", plain(f.id));
    if (rule) w.field("ruleIndex", *rule);
    w.field("level", level(f.severity));
    text(w, "message", words);
    w.key("locations");
    w.open('[');
    w.element();
    w.open('{');
    physical(w, at);
    logical(w, f.subject);
    w.close('}');
    w.close(']');
    related(w, f);
    w.key("partialFingerprints");
    w.open('{');
    // GitHub looks at the first name only; the number keeps twins apart.
    w.field("primaryLocationLineHash", fmt::format("{}:{}", plain(f.fingerprint), nth));
    w.field("draudit/v1", plain(f.fingerprint));
    w.close('}');
    if (f.waived) {
      w.key("suppressions");
      w.open('[');
      w.element();
      w.open('{');
      w.field("kind", "external");
      w.field("status", "accepted");
      w.field("justification", shortened(waived_text(*f.waived), kSarifMessage));
      w.close('}');
      w.close(']');
    }
    w.key("properties");
    w.open('{');
    w.field("rule", plain(f.rule));
    w.field("certainty", f.certainty);
    if (f.node) w.field("node", shortened(plain(*f.node), kSarifMessage));
    w.close('}');
    w.close('}');
  }

  void related(JsonWriter& w, const Report::Finding& f) const {
    std::vector<const Report::Object*> objects;
    for (const Report::Object& o : f.objects) {
      if (o.location && objects.size() < kRelated) objects.push_back(&o);
    }
    if (objects.empty()) return;
    w.key("relatedLocations");
    w.open('[');
    for (std::size_t i = 0; i < objects.size(); ++i) {
      const Report::Object& o = *objects[i];
      w.element();
      w.open('{');
      w.field("id", i + 1);
      physical(w, *o.location);
      std::string words = fmt::format("{} {}", o.kind, plain(o.name));
      if (!o.note.empty()) words += ", " + plain(o.note);
      text(w, "message", words + ".");
      w.close('}');
    }
    w.close(']');
  }

  const Report& report_;
  const FormatOptions& options_;
  std::map<std::string_view, std::size_t> index_;
  std::size_t shown_ = 0;
};

}  // namespace

std::string sarif_report(const Report& report, const FormatOptions& options) {
  return Sarif(report, options).build();
}

}  // namespace draudit
