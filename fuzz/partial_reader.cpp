// Bytes as frames and as payloads, and made-up keys there and back.
//
// The first byte says which. Frames go past the checksum, which hardly any would pass; whatever the
// payload says, merging may fail but must stay inside the table. Keys must give the same table
// through every strategy as by insertion, and `auto` must be the smallest.
#include <algorithm>
#include <array>
#include <vector>

#include "fuzz/filter_operations.h"
#include "merge/merge_frame.h"
#include "merge/partial_merger.h"
#include "partial/blocks.h"
#include "partial/encode.h"

namespace bloomery::fuzz {
namespace {

FilterSpec any_spec(Input& input, bool may_be_large) {
  constexpr std::array kKinds{Kind::kClassic, Kind::kBlocked, Kind::kCounting};
  FilterSpec spec;
  spec.kind = kKinds[input.number(3)];
  spec.planned_keys = 1;
  const std::uint64_t size = 1 + input.number(200);
  // A few tables have a second block: to ship those would take most of the time.
  const bool is_large = input.number(256) == 255 && may_be_large;
  const std::uint64_t block = kPartialBlockBytes * (spec.kind == Kind::kCounting ? 2 : 8);
  const std::uint64_t before = is_large ? block : 0;
  spec.bits = spec.kind == Kind::kBlocked ? before + size * kBlockBits : before + size;
  spec.hashes = spec.kind == Kind::kBlocked ? 8 : 1 + static_cast<std::uint32_t>(input.number(9));
  return spec;
}

void merge_anything(Input& input, const FilterSpec& spec) {
  Filter table = Filter::create(spec).value();
  while (!input.is_empty()) {
    const auto encoding = static_cast<Encoding>(1 + input.number(5));
    const std::uint32_t block =
        input.number(3) == 0 ? kWholeTable : static_cast<std::uint32_t>(input.number(4));
    std::vector<std::byte> payload(input.number(64));
    for (std::byte& byte : payload) byte = static_cast<std::byte>(input.number(256));
    const Frame frame{0, 0, encoding, block, "g", payload, 0};
    if (!merge_frame(frame, spec, {table.mutable_table(), 0})) continue;
    require(FilterView::create(spec, table.table()).has_value(), "a merged table is a table");
  }
}

void ship_keys(Input& input, const FilterSpec& spec) {
  std::vector<KeyHash> hashes;
  while (!input.is_empty()) {
    const std::uint64_t high = input.number(256);
    hashes.push_back(KeyHash{(high << 56U) | (input.number(256) * 0x9E3779B97F4AULL)});
  }
  Filter all = Filter::create(spec).value();
  all.insert(hashes);
  const std::span<const KeyHash> piece = hashes;
  const GroupKeys keys{"g", &spec, std::span(&piece, 1), {}, hashes.size()};
  for (const auto strategy : {Strategy::kIndexes, Strategy::kFilters, Strategy::kAuto}) {
    auto merger = PartialMerger::create({{"g", spec}}).value();
    const auto facts = encode_partial({7, strategy, true}, std::span(&keys, 1),
                                      [&](auto bytes) { return merger.add(bytes, "fuzz"); });
    require(facts.has_value(), "any keys can be shipped");
    const GroupBytes& weights = facts->groups.at(0);
    require(weights.automatic <= std::min(weights.indexes, weights.filters), "auto is least");
    const auto merged = merger.finish();
    require(merged.has_value(), "what was shipped can be merged");
    require(merged->at(0).count == hashes.size(), "counts are kept");
    require(std::ranges::equal(merged->at(0).filter.table(), all.table()), "same table");
  }
}

}  // namespace
}  // namespace bloomery::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bloomery;
  // First as they are: nearly always refused, and never read past the end.
  PartialReader reader({reinterpret_cast<const std::byte*>(data), size}, "fuzz");
  for (auto frame = reader.next(); frame && *frame; frame = reader.next()) {
    if ((*frame)->encoding == Encoding::kTrailer) static_cast<void>(read_trailer(**frame));
  }
  fuzz::Input input(data, size);
  const bool ships = input.number(2) == 0;
  const FilterSpec spec = fuzz::any_spec(input, !ships);
  if (ships) {
    fuzz::ship_keys(input, spec);
  } else {
    fuzz::merge_anything(input, spec);
  }
  return 0;
}
