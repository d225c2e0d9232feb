#include "engines/hadoop/group_weight.h"

#include <bit>

#include "base/error.h"
#include "engines/hadoop/bytes.h"

namespace bloomery::hadoop {

std::string encode(const GroupBytes& weight) {
  ByteWriter out;
  out.text(weight.group).number(weight.indexes).number(weight.filters).number(weight.automatic);
  out.number(std::bit_cast<std::uint64_t>(weight.entropy_bytes));
  out.number(weight.raw_blocks).number(weight.gap_blocks);
  out.number(weight.hash_blocks).number(weight.empty_blocks);
  return out.take();
}

Result<GroupBytes> decode_weight(std::string_view bytes) {
  ByteReader in(bytes);
  GroupBytes weight;
  weight.group = in.text();
  weight.indexes = in.number();
  weight.filters = in.number();
  weight.automatic = in.number();
  weight.entropy_bytes = std::bit_cast<double>(in.number());
  weight.raw_blocks = in.number();
  weight.gap_blocks = in.number();
  weight.hash_blocks = in.number();
  weight.empty_blocks = in.number();
  if (in.is_good()) return weight;
  return make_error(ErrorCode::kDamaged, "a weight that makes no sense; run the job again");
}

}  // namespace bloomery::hadoop
