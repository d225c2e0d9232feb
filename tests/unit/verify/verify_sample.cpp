#include "verify_sample.h"

#include <algorithm>
#include <ostream>
#include <random>
#include <stdexcept>
#include <unordered_set>

#include "bloomery/sizing.h"

namespace bloomery::test {
namespace {

FilterSpec spec_of(const std::string& group, std::uint64_t keys, double fpr) {
  const auto plan = [&](Kind kind, const Hasher& hasher = {}) {
    return plan_filter(kind, keys, fpr, hasher).value();
  };
  if (group == "classic") return plan(Kind::kClassic);
  if (group == "counting") return plan(Kind::kCounting);
  if (group == "murmur3") return plan(Kind::kBlocked, Hasher::create(HashId::kMurmur3, 3).value());
  if (group == "sip") return plan(Kind::kClassic, Hasher::with_secret(sample_secret()));
  if (group == "seeds") {
    FilterSpec spec = plan(Kind::kClassic);
    for (std::uint64_t seed = 1; spec.seeds.size() < spec.hashes; ++seed)
      spec.seeds.push_back(seed);
    return spec;
  }
  return plan(Kind::kBlocked);
}

std::vector<std::byte> bank_of(std::span<const Record> records, std::uint64_t keys, double fpr) {
  std::vector<Sample> samples;
  for (const std::string& group : VerifyBank::groups()) {
    samples.push_back({group, Filter::create(spec_of(group, keys, fpr)).value(), {}});
    for (const Record& record : records) {
      if (record.group == group) samples.back().keys.push_back(record.key);
    }
    for (const std::string& key : samples.back().keys) samples.back().filter.insert(key);
  }
  return bytes_of(samples);
}

void must(const Result<void>& result) {
  if (!result) throw std::runtime_error(result.error().message);
}

}  // namespace

std::vector<std::string> VerifyBank::groups() {
  return {"blocked", "classic", "counting", "murmur3", "seeds", "sip", "xxh3", "nothing"};
}

VerifyBank::VerifyBank(std::span<const Record> records, std::uint64_t keys, double fpr)
    : bytes_(bank_of(records, keys, fpr)),
      bank_(Bank::from_bytes(bytes_.bytes(), "bank", with_secret()).value()) {}

std::vector<Record> mixed_records(std::size_t count, std::uint64_t seed) {
  std::vector<std::string> groups = VerifyBank::groups();
  groups.pop_back();
  std::mt19937_64 random(seed);
  std::vector<Record> records;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string key = "key " + std::to_string(seed) + "/" + std::to_string(i);
    const std::size_t first = random() % groups.size();
    const std::uint64_t dice = random() % 20;
    const std::size_t shared = dice == 0 ? groups.size() : dice == 1 ? 3 : dice == 2 ? 2 : 1;
    for (std::size_t g = 0; g < shared; ++g) {
      const std::uint64_t repeats = random() % 8 == 0 ? 1 + random() % 5 : 1;
      for (std::uint64_t r = 0; r < repeats; ++r) {
        records.push_back({groups[(first + g) % groups.size()], key});
      }
    }
  }
  std::ranges::shuffle(records, random);
  return records;
}

JobRun run_tasks(const Bank& bank, std::span<const Record> records, std::size_t task_size,
                 const VerifyOptions& options) {
  JobRun run{VerifyCounts(bank, options.evidence, options.sample), {}};
  const BankHashers hashers(bank);
  const CandidateSink sink = [&](std::span<const Candidate> candidates) {
    run.candidates.insert(run.candidates.end(), candidates.begin(), candidates.end());
    return Result<void>();
  };
  for (std::size_t begin = 0; begin < records.size(); begin += task_size) {
    const auto task = records.subspan(begin, std::min(task_size, records.size() - begin));
    VerifyMap map = VerifyMap::create(bank, hashers, sink, options).value();
    std::map<std::string, std::uint32_t> numbers;
    std::vector<std::string_view> keys;
    std::vector<std::uint32_t> groups;
    for (const Record& record : task) {
      const auto next = static_cast<std::uint32_t>(map.group_count());
      const auto [number, is_new] = numbers.try_emplace(record.group, next);
      if (is_new) map.add_group(record.group);
      keys.emplace_back(record.key);
      groups.push_back(number->second);
    }
    // In two calls, so that a batch also ends where a call does.
    const std::size_t half = keys.size() / 2;
    must(map.add(std::span(keys).first(half), std::span(groups).first(half)));
    must(map.add(std::span(keys).subspan(half), std::span(groups).subspan(half)));
    must(run.counts.merge(map.finish().value()));
  }
  return run;
}

Verification verify_in_memory(const Bank& bank, const JobRun& run) {
  std::vector<Candidate> candidates = run.candidates;
  compact(candidates);
  SettledGroups settled(bank.entries().size());
  settle(candidates, settled);
  return conclude(bank, run.counts, settled).value();
}

Verification verify_all(const Bank& bank, std::span<const Record> records,
                        const VerifyOptions& options) {
  return verify_in_memory(bank, run_tasks(bank, records, records.size(), options));
}

TrueTable count_by_brute_force(const Bank& bank, std::span<const Record> records) {
  TrueTable table;
  for (const BankEntry& entry : bank.entries()) {
    TrueCounts& counts = table[std::string(entry.group())];
    std::unordered_set<std::string> members;
    for (const Record& record : records) {
      if (record.group == entry.group()) members.insert(record.key);
    }
    for (const Record& record : records) {
      const bool is_admitted = entry.filter().may_contain(std::string_view(record.key));
      if (record.group == entry.group()) {
        ++counts.members;
        counts.false_negatives += is_admitted ? 0 : 1;
      } else if (!members.contains(record.key)) {
        ++counts.negatives;
        counts.false_positives += is_admitted ? 1 : 0;
      }
    }
  }
  return table;
}

TrueTable counts_of(const Verification& verification) {
  TrueTable table;
  for (const VerifiedGroup& group : verification.groups) {
    table[group.group] = {group.members, group.false_negatives, group.negatives,
                          group.false_positives};
  }
  return table;
}

void PrintTo(const TrueCounts& counts, std::ostream* stream) {  // NOLINT(*-identifier-naming)
  *stream << counts.members << " members, " << counts.false_negatives << " denied, "
          << counts.negatives << " negatives, " << counts.false_positives << " false positives";
}

}  // namespace bloomery::test
