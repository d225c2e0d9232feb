// Any text, read as delimited records by KeyReader in one piece and in two ranges, and by a second,
// simple parser: keys, groups and counts must be the same. The first bytes of the input choose
// delimiter, quoting, header and the boundary.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "group/key_reader.h"
#include "simple_reader.h"
#include "split/ranges.h"

namespace {

using namespace bloomery;

using Pairs = std::vector<std::pair<std::string, std::string>>;

void require(bool holds) {
  if (!holds) std::abort();
}

void read_part(std::string_view text, ByteRange range, const Recipe& recipe, const FileShape& shape,
               Pairs& keys, Tally& tally) {
  KeyReader* self = nullptr;
  KeyReader reader(recipe, {}, [&](const KeyBatch& batch) -> Result<void> {
    for (std::size_t i = 0; i < batch.keys.size(); ++i) {
      keys.emplace_back(batch.keys[i], self->groups().name(batch.groups[i]));
    }
    return {};
  });
  self = &reader;
  reader.start_file(0, "fuzz", shape);
  const ByteRange owned = owned_records(text, range);
  require(reader.read(text.substr(owned.begin, owned.size()), owned.begin).has_value());
  require(tally.merge(reader.tally()).has_value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  LayoutOptions options;
  options.format = TextFormat::kDelimited;
  options.delimiter = "\t,;|"[data[0] % 4];
  options.quotes = (data[0] & 4U) != 0;
  options.has_header = (data[0] & 8U) != 0;
  const std::size_t boundary = data[1] | (std::size_t{data[2]} << 8U);
  const std::string_view text(reinterpret_cast<const char*>(data) + 3, size - 3);

  const auto recipe = parse_recipe({{"key", "1"}, {"group", "2"}});
  require(recipe.has_value());
  const auto shape = shape_for(*recipe, text.substr(0, kSampleBytes), options, "fuzz");
  if (!shape) return 0;  // fewer than two columns, or a header that cannot be read
  const SimpleReading expected = simple_read(text, *shape);

  const std::size_t cut = (data[0] & 16U) != 0 ? 0 : boundary % (text.size() + 1);
  Pairs keys;
  Tally tally;
  read_part(text, {0, cut}, *recipe, *shape, keys, tally);
  read_part(text, {cut, text.size()}, *recipe, *shape, keys, tally);
  require(keys == expected.keys);
  require(tally.total() == expected.tally);
  return 0;
}
