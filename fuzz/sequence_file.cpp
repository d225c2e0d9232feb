// Bytes as what a job on Hadoop wrote, and as what it feeds to a worker.
//
// The first byte says how many bytes come at a time. The records must not depend on that, and can
// hold no more bytes than there were.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engines/hadoop/record_stream.h"
#include "engines/hadoop/sequence_file.h"
#include "fuzz/filter_operations.h"

namespace bloomery::fuzz {
namespace {

class Bytes : public ByteSource {
 public:
  Bytes(std::string_view rest, std::size_t at_once) : rest_(rest), at_once_(at_once) {}

  Result<std::size_t> read(std::span<char> to) override {
    const std::size_t count = std::min({to.size(), rest_.size(), at_once_});
    std::copy_n(rest_.begin(), count, to.begin());
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view rest_;
  std::size_t at_once_;
};

struct Outcome {
  std::vector<std::pair<std::string, std::string>> records;
  bool is_whole = false;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

template <typename Reader>
Outcome drain(Reader& reader) {
  Outcome outcome;
  while (true) {
    const auto record = reader.next();
    if (!record) return outcome;
    outcome.is_whole = !*record;
    if (outcome.is_whole) return outcome;
    outcome.records.emplace_back((*record)->key, (*record)->value);
  }
}

Outcome read_sequence(std::string_view bytes, std::size_t at_once) {
  auto reader =
      hadoop::SequenceFileReader::open(std::make_unique<Bytes>(bytes, at_once), "part-00000");
  return reader ? drain(*reader) : Outcome();
}

Outcome read_stream(std::string_view bytes, std::size_t at_once) {
  hadoop::RecordReader reader(std::make_unique<Bytes>(bytes, at_once));
  return drain(reader);
}

void check(std::string_view bytes, const Outcome& one, const Outcome& other) {
  require(one == other, "records do not depend on how bytes arrive");
  std::size_t held = 0;
  for (const auto& [key, value] : one.records) held += key.size() + value.size();
  require(held <= bytes.size(), "records hold no more than there was");
}

}  // namespace
}  // namespace bloomery::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bloomery::fuzz;
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t at_once = 1 + data[0];
  check(bytes, read_sequence(bytes, bytes.size() + 1), read_sequence(bytes, at_once));
  check(bytes, read_stream(bytes, bytes.size() + 1), read_stream(bytes, at_once));
  return 0;
}
