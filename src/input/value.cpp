#include "input/value.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace draudit {
namespace {

std::string_view type_name(simdjson::dom::element e) {
  switch (e.type()) {
    case simdjson::dom::element_type::ARRAY: return "a list";
    case simdjson::dom::element_type::OBJECT: return "an object";
    case simdjson::dom::element_type::STRING: return "a string";
    case simdjson::dom::element_type::BOOL: return "true or false";
    case simdjson::dom::element_type::NULL_VALUE: return "null";
    case simdjson::dom::element_type::INT64:
    case simdjson::dom::element_type::UINT64: return "a number";
    case simdjson::dom::element_type::DOUBLE: return "a number with a fraction";
  }
  return "something else";
}

/// No error message carries an essay from the input.
std::string quoted(std::string_view text) {
  constexpr std::size_t kMost = 60;
  if (text.size() <= kMost) return fmt::format("\"{}\"", text);
  std::size_t cut = kMost;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U) --cut;
  return fmt::format("\"{}…\"", text.substr(0, cut));
}

template <class T>
void sort_unique(std::vector<T>& v, std::string_view T::*key, const Value& where) {
  std::sort(v.begin(), v.end(), [key](const T& a, const T& b) { return a.*key < b.*key; });
  const auto twice = std::adjacent_find(v.begin(), v.end(),
                                        [key](const T& a, const T& b) { return a.*key == b.*key; });
  if (twice != v.end())
    where.fail(fmt::format("the key {} stands here twice", quoted((*twice).*key)));
}

}  // namespace

void Value::fail(std::string message) const {
  BadField bad{.path = {}, .message = std::move(message)};
  for (const Value* v = this; v->parent_ != nullptr; v = v->parent_) {
    bad.path.push_back(v->is_index_ ? fmt::format("[{}]", v->index_) : std::string{v->key_});
  }
  std::reverse(bad.path.begin(), bad.path.end());
  throw bad;
}

void Value::fail_type(std::string_view expected) const {
  fail(fmt::format("expected {}, found {}", expected, type_name(element_)));
}

std::string_view Value::string() const {
  if (is_null()) return {};
  std::string_view text;
  if (element_.get(text) != simdjson::SUCCESS) fail_type("a string");
  return context_->strings.intern(text);
}

std::int64_t Value::integer() const {
  if (is_null()) return 0;
  std::int64_t n = 0;
  if (element_.get(n) != simdjson::SUCCESS) fail_type("a whole number");
  return n;
}

bool Value::boolean() const {
  if (is_null()) return false;
  bool b = false;
  if (element_.get(b) != simdjson::SUCCESS) fail_type("true or false");
  return b;
}

Quantity Value::quantity() const {
  if (is_null()) return {};
  std::string_view text;
  if (element_.get(text) == simdjson::SUCCESS) {
    const auto q = Quantity::parse(text);
    if (!q) fail(fmt::format("{} is no quantity", quoted(text)));
    return *q;
  }
  // A server writes strings; people write numbers.
  std::int64_t n = 0;
  if (element_.get(n) == simdjson::SUCCESS) return Quantity::of(n);
  double d = 0;
  if (element_.get(d) == simdjson::SUCCESS) {
    // The shortest text of a double has digits, a point and an exponent: the quantity grammar.
    if (const auto q = Quantity::parse(fmt::format("{}", d))) return *q;
  }
  fail_type("a quantity");
}

std::optional<Timestamp> Value::timestamp() const {
  if (is_null()) return std::nullopt;
  std::string_view text;
  if (element_.get(text) != simdjson::SUCCESS) fail_type("a time");
  const auto t = parse_timestamp(text);
  if (!t) fail(fmt::format("{} is no RFC 3339 time", quoted(text)));
  return t;
}

std::vector<KeyValue> read_map(const Value& object) {
  std::vector<KeyValue> out;
  object.members([&](std::string_view key, const Value& value) {
    out.push_back({value.context().strings.intern(key), value.string()});
  });
  sort_unique(out, &KeyValue::key, object);
  return out;
}

std::vector<ResourceAmount> read_amounts(const Value& object) {
  std::vector<ResourceAmount> out;
  object.members([&](std::string_view key, const Value& value) {
    out.push_back({value.context().strings.intern(key), value.quantity()});
  });
  sort_unique(out, &ResourceAmount::resource, object);
  return out;
}

std::vector<ResourceAmount> read_wrapped_amounts(const Value& object) {
  static constexpr Field<ResourceAmount> kWrapped[] = {
      {"value", [](const Value& v, ResourceAmount& a) { a.amount = v.quantity(); }},
  };
  std::vector<ResourceAmount> out;
  object.members([&](std::string_view key, const Value& value) {
    ResourceAmount amount{value.context().strings.intern(key), {}};
    if (value.is_object()) {
      read_fields(value, amount, kWrapped);
    } else {
      amount.amount = value.quantity();
    }
    out.push_back(amount);
  });
  sort_unique(out, &ResourceAmount::resource, object);
  return out;
}

}  // namespace draudit
