#include "group/read_input.h"

namespace bloomery {

Result<void> read_range(const Input& input, ByteRange range, KeyReader& reader) {
  const bool is_whole = range.begin == 0 && range.end == input.bytes().size();
  const ByteRange owned = is_whole ? range : owned_records(input.bytes(), range);
  return reader.read(input.bytes().substr(owned.begin, owned.size()), owned.begin);
}

Result<void> read_all(Input& input, const FileShape& shape, std::uint64_t max_line,
                      KeyReader& reader) {
  if (input.is_mapped()) return read_range(input, {0, input.bytes().size()}, reader);
  auto source = input.stream();
  if (!source) return source.error();
  PieceReader::Options options;
  options.max_line = max_line;
  options.multiline = shape.layout.multiline;
  options.read_ahead = input.content() != Content::kText;
  PieceReader pieces(std::move(*source), options);
  while (true) {
    const auto piece = pieces.next();
    if (!piece) return piece.error();
    if (!piece->has_value()) return {};
    if (auto read = reader.read(**piece); !read) return read;
  }
}

}  // namespace bloomery
