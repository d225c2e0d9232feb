#include "support/sample_banks.h"

#include <algorithm>

#include "bloomery/sizing.h"

namespace bloomery::test {
namespace {

FilterSpec planned(Kind kind, std::uint64_t keys, double fpr, const Hasher& hasher = {}) {
  return plan_filter(kind, keys, fpr, hasher).value();
}

FilterSpec seeded() {
  FilterSpec spec = planned(Kind::kClassic, 100, 0.01);
  for (std::uint64_t seed = 1; spec.seeds.size() < spec.hashes; ++seed) spec.seeds.push_back(seed);
  return spec;
}

}  // namespace

Sample make_sample(std::string group, FilterSpec spec, std::size_t key_count) {
  Sample sample{std::move(group), Filter::create(std::move(spec)).value(), {}};
  for (std::size_t i = 0; i < key_count; ++i) {
    sample.keys.push_back(sample.group + "-" + std::to_string(i));
    sample.filter.insert(sample.keys.back());
  }
  return sample;
}

std::vector<Sample> samples_of_every_kind() {
  const Hasher murmur3 = Hasher::create(HashId::kMurmur3, 7).value();
  const Hasher sip = Hasher::with_secret(sample_secret());
  std::vector<Sample> samples;
  samples.push_back(make_sample("sip", planned(Kind::kBlocked, 100, 0.01, sip), 100));
  samples.push_back(make_sample("seeds", seeded(), 100));
  samples.push_back(make_sample("murmur3", planned(Kind::kClassic, 100, 0.01, murmur3), 100));
  samples.push_back(make_sample("empty", planned(Kind::kBlocked, 1, 0.5), 0));
  samples.push_back(make_sample("counting", planned(Kind::kCounting, 100, 0.01), 100));
  samples.push_back(make_sample("classic", planned(Kind::kClassic, 100, 0.01), 100));
  samples.push_back(make_sample("blocked8", planned(Kind::kBlocked, 1000, 0.01), 1000));
  samples.push_back(make_sample("blocked16", planned(Kind::kBlocked, 100, 1e-5), 100));
  // A name that is neither text nor the name of a file.
  samples.push_back(
      make_sample(std::string("\0/../\x1b[31m\xff", 11), planned(Kind::kClassic, 10, 0.1), 10));
  return samples;
}

SecretKey sample_secret() {
  SecretKey secret{};
  for (std::size_t i = 0; i < secret.size(); ++i) secret[i] = static_cast<std::byte>(i);
  return secret;
}

OpenOptions with_secret() {
  OpenOptions options;
  options.secret = sample_secret();
  return options;
}

std::vector<GroupFilter> as_filters(std::span<const Sample> samples) {
  std::vector<GroupFilter> filters;
  filters.reserve(samples.size());
  for (const Sample& sample : samples) {
    filters.push_back({sample.group, &sample.filter, sample.keys.size()});
  }
  return filters;
}

WriteOptions sample_texts() {
  WriteOptions options;
  options.recipe = {{"key", "tconst"}, {"group", "round(averageRating)"}};
  options.metadata = {{"title", "films by rating"}, {"empty", ""}};
  return options;
}

std::vector<std::byte> bytes_of(std::span<const Sample> samples, const WriteOptions& options) {
  return bank_bytes(as_filters(samples), options).value();
}

AlignedBytes::AlignedBytes(std::span<const std::byte> bytes)
    : size_(bytes.size()), memory_(std::max<std::size_t>(bytes.size(), 1)) {
  std::ranges::copy(bytes, memory_.data());
}

}  // namespace bloomery::test
