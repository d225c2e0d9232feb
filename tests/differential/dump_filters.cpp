// Prints small filters of every kind, one JSON object a line, for model.py to make again.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "bloomery/filter.h"
#include "filter/positions.h"

namespace bloomery {
namespace {

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return fmt::format("\"{}\"", text);
}

std::string hex(std::span<const std::byte> bytes) {
  return hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

template <typename T, typename Show>
std::string list(const std::vector<T>& values, const Show& show) {
  std::vector<std::string> shown;
  for (const T& value : values) shown.push_back(show(value));
  return fmt::format("[{}]", fmt::join(shown, ", "));
}

// Keys of many lengths, every byte value among them; number 0 is the empty key.
std::vector<std::string> make_keys(std::size_t first, std::size_t count) {
  std::vector<std::string> keys;
  for (std::size_t n = first; n < first + count; ++n) {
    std::string key;
    for (std::size_t i = 0; i < n % 41; ++i) key += static_cast<char>((n * 7 + i * 59) % 256);
    keys.push_back(n < 41 ? key : key + std::to_string(n));
  }
  return keys;
}

// The hash of a key as the library gives it: one, or one for each seed of the list. For XXH3 these
// are what the model starts from; for the others it has its own.
std::string hashes_of(const FilterSpec& spec, const std::string& key) {
  std::vector<std::string> hashes;
  const auto add = [&](const Hasher& hasher) {
    hashes.push_back(fmt::format("{}", static_cast<std::uint64_t>(hasher(key))));
  };
  if (spec.takes_hashes()) add(spec.hasher);
  for (const std::uint64_t seed : spec.seeds) {
    const HashId id = spec.hasher.id();
    add(Hasher::create(id, id == HashId::kXxh3 ? spread_seed(seed) : seed).value());
  }
  return fmt::format("[{}]", fmt::join(hashes, ", "));
}

void dump(const FilterSpec& spec, const std::string& secret = "") {
  Filter filter = Filter::create(spec).value();
  // Four times as many insertions of one key as a counter can count to.
  auto inserted = make_keys(0, 60);
  inserted.insert(inserted.end(), 60, "often");
  for (const std::string& key : inserted) filter.insert(key);
  std::vector<std::string> removed;
  if (spec.kind == Kind::kCounting) removed = make_keys(20, 30);
  for (const std::string& key : removed) filter.remove(key);
  const auto asked = make_keys(0, 150);
  const auto text = [](const std::string& key) { return hex(key); };
  const auto hashes = [&](const std::string& key) { return hashes_of(spec, key); };
  fmt::print("{{\"kind\": \"{}\", \"hash\": \"{}\", \"seed\": {}, \"secret\": {}, ",
             to_string(spec.kind), to_string(spec.hasher.id()), spec.hasher.seed(), hex(secret));
  fmt::print("\"bits\": {}, \"hashes\": {}, \"seeds\": [{}], ", spec.bits, spec.hashes,
             fmt::join(spec.seeds, ", "));
  fmt::print("\"inserted\": {}, \"inserted_hashes\": {}, ", list(inserted, text),
             list(inserted, hashes));
  fmt::print("\"removed\": {}, \"removed_hashes\": {}, ", list(removed, text),
             list(removed, hashes));
  fmt::print("\"asked\": {}, \"asked_hashes\": {}, ", list(asked, text), list(asked, hashes));
  fmt::print("\"table\": {}, \"answers\": {}}}\n", hex(filter.table()),
             list(asked, [&](const std::string& key) {
               return std::string(filter.may_contain(key) ? "true" : "false");
             }));
}

void dump_kinds(const Hasher& hasher, const std::string& secret = "") {
  FilterSpec spec;
  spec.hasher = hasher;
  spec.planned_keys = 60;
  for (const std::uint32_t hashes : {8U, 16U}) {
    spec.kind = Kind::kBlocked;
    spec.hashes = hashes;
    spec.bits = 3 * kBlockBits;
    dump(spec, secret);
  }
  for (const Kind kind : {Kind::kClassic, Kind::kCounting}) {
    spec.kind = kind;
    for (const auto& [bits, hashes] :
         {std::pair{1U, 1U}, {601U, 7U}, {1'000U, 64U}, {4'096U, 3U}}) {
      spec.bits = bits;
      spec.hashes = hashes;
      dump(spec, secret);
    }
  }
}

void dump_seed_lists(HashId id) {
  FilterSpec spec;
  spec.kind = Kind::kClassic;
  spec.hasher = Hasher::create(id, 0).value();
  spec.planned_keys = 60;
  spec.bits = 601;
  spec.seeds = {0, 1, 2, 3, 7, 4'294'967'295};
  spec.hashes = 6;
  dump(spec);
}

}  // namespace
}  // namespace bloomery

int main() {
  using namespace bloomery;
  dump_kinds(Hasher());
  dump_kinds(Hasher::create(HashId::kXxh3, 0xfedcba9876543210).value());
  dump_kinds(Hasher::create(HashId::kMurmur3, 0).value());
  dump_kinds(Hasher::create(HashId::kMurmur3, 0xffffffff).value());
  SecretKey secret{};
  std::string text;
  for (std::size_t i = 0; i < secret.size(); ++i) {
    secret[i] = static_cast<std::byte>(i * 17);
    text += static_cast<char>(i * 17);
  }
  dump_kinds(Hasher::with_secret(secret), text);
  dump_seed_lists(HashId::kXxh3);
  dump_seed_lists(HashId::kMurmur3);
  return std::fflush(stdout) == 0 ? 0 : 1;
}
