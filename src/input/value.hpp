#pragma once

#include <simdjson.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "draudit/snapshot.hpp"

namespace draudit {

/// A field that is not what the API says it is. Caught where objects are read.
struct BadField {
  std::vector<std::string> path;  ///< keys and indexes, from the object
  std::string message;
};

/// What reading one object needs of the snapshot that it goes to.
struct ReadContext {
  StringPool& strings;
  std::optional<Timestamp> newest;
};

/// A JSON value that knows where in its object it stands, for errors. null is the same as absent.
class Value {
 public:
  Value(simdjson::dom::element element, ReadContext& context)
      : element_(element), context_(&context) {}

  /// Kept as long as the snapshot. Empty for null.
  [[nodiscard]] std::string_view string() const;
  [[nodiscard]] std::int64_t integer() const;
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] Quantity quantity() const;
  [[nodiscard]] std::optional<Timestamp> timestamp() const;
  [[nodiscard]] bool is_null() const { return element_.is_null(); }
  [[nodiscard]] bool is_object() const { return element_.is_object(); }

  /// Calls `f(index, Value)` for each element. null has none.
  template <class F>
  void each(F f) const {
    if (is_null()) return;
    simdjson::dom::array array;
    if (element_.get(array) != simdjson::SUCCESS) fail_type("a list");
    std::size_t i = 0;
    for (const simdjson::dom::element e : array) f(Value{e, *context_, this, i++});
  }
  /// Calls `f(key, Value)` for each member. null has none.
  template <class F>
  void members(F f) const {
    if (is_null()) return;
    simdjson::dom::object object;
    if (element_.get(object) != simdjson::SUCCESS) fail_type("an object");
    for (const auto field : object) f(field.key, Value{field.value, *context_, this, field.key});
  }

  [[nodiscard]] ReadContext& context() const { return *context_; }
  [[noreturn]] void fail(std::string message) const;

 private:
  Value(simdjson::dom::element element, ReadContext& context, const Value* parent,
        std::string_view key)
      : element_(element), context_(&context), parent_(parent), key_(key) {}
  Value(simdjson::dom::element element, ReadContext& context, const Value* parent,
        std::size_t index)
      : element_(element), context_(&context), parent_(parent), index_(index), is_index_(true) {}
  [[noreturn]] void fail_type(std::string_view expected) const;

  simdjson::dom::element element_;
  ReadContext* context_;
  const Value* parent_ = nullptr;
  std::string_view key_;
  std::size_t index_ = 0;
  bool is_index_ = false;
};

/// One row of a table that says how an object's members are read.
template <class T>
struct Field {
  std::string_view key;
  void (*read)(const Value& value, T& into);
};

/// Reads the members that the table names, passes over the others; a named one that comes twice
/// is an error, since readers disagree on which of the two counts.
template <class T, std::size_t N>
void read_fields(const Value& object, T& into, const Field<T> (&table)[N]) {
  static_assert(N <= 64);
  std::uint64_t seen = 0;
  object.members([&](std::string_view key, const Value& value) {
    for (std::size_t i = 0; i < N; ++i) {
      if (table[i].key != key) continue;
      const std::uint64_t bit = std::uint64_t{1} << i;
      if ((seen & bit) != 0) value.fail("this key stands here twice");
      seen |= bit;
      table[i].read(value, into);
      return;
    }
  });
}

/// An object of its own by such a table.
template <class T, std::size_t N>
[[nodiscard]] T read_object(const Value& object, const Field<T> (&table)[N]) {
  T out;
  read_fields(object, out, table);
  return out;
}

/// Every member of a map of strings, sorted by key.
[[nodiscard]] std::vector<KeyValue> read_map(const Value& object);
/// A map of quantities, sorted by name.
[[nodiscard]] std::vector<ResourceAmount> read_amounts(const Value& object);
/// The same where each quantity stands in an object's `value`, or (v1alpha3) by itself.
[[nodiscard]] std::vector<ResourceAmount> read_wrapped_amounts(const Value& object);

}  // namespace draudit
