#include "model/sha256.hpp"
#include "report/json_writer.hpp"
#include "report/renderers.hpp"

namespace draudit {

std::string ndjson_report(const Report& report, const FormatOptions&) {
  // Everything but the lists that may be long; what ties the lines together is made of it.
  const auto header = [&report](const std::string& id) {
    JsonWriter w(true);
    w.open('{');
    w.field("record", "report");
    w.field("report", id);
    w.field("schema_version", report.schema_version);
    w.field("tool", report.tool);
    w.field("kai", report.kai);
    w.field("now", report.now);
    w.field("complete", report.complete);
    w.field("unable", report.unable);
    w.field("inputs", report.inputs);
    w.field("objects", report.objects);
    w.field("not_in_dump", report.not_in_dump);
    w.field("completeness", report.completeness);
    w.field("problems", report.problems);
    w.field("remarks", report.remarks);
    w.field("tuning", report.tuning);
    w.field("nodes_outside_pool", report.nodes_outside_pool);
    w.field("nodes", report.nodes.size());
    w.field("counts", report.counts);
    w.field("not_checkable", report.not_checkable);
    w.close('}');
    return w.take() + '\n';
  };
  const std::string id = sha256(header("")).substr(0, 32);
  std::string out = header(id);
  for (const Report::Finding& f : report.findings) {
    JsonWriter w(true);
    w.open('{');
    w.field("record", "finding");
    w.field("report", id);
    fields(w, f);
    w.close('}');
    out += w.take() + '\n';
  }
  return out;
}

}  // namespace draudit
