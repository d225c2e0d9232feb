// What KeyReader does with records that give no key: counted, shown, or the end of the job.
#include "base/error.h"
#include "group/key_reader.h"

namespace bloomery {

// What to do with a record that is not as most are.
KeyReader::Verdict KeyReader::judge(const Record& record, bool is_broken, std::uint64_t fields) {
  const auto rejected = [&](Reject category, std::string reason) {
    return reject(category, record, std::move(reason)) ? Verdict::kCounted : Verdict::kFailed;
  };
  if (record.text.empty()) {
    ++counts_->blank;
    return Verdict::kCounted;
  }
  if (record.offset == shape_->header_offset) {
    ++counts_->header;
    return Verdict::kCounted;
  }
  if (record.text.size() > options_.max_line) {
    return rejected(Reject::kOverLong, fmt::format("longer than {} bytes", options_.max_line));
  }
  if (is_broken)
    return rejected(Reject::kBrokenQuoting, std::string(explain(Reject::kBrokenQuoting)));
  if (record.text == shape_->header) {
    return rejected(Reject::kRepeatedHeader, std::string(explain(Reject::kRepeatedHeader)));
  }
  if (shape_->layout.format != TextFormat::kJson && fields != shape_->fields) {
    const bool is_truncated = record.lacks_end && fields < shape_->fields;
    return rejected(is_truncated ? Reject::kTruncatedLast : Reject::kFieldCount,
                    fmt::format("{} field{} where {} were expected", fields, fields == 1 ? "" : "s",
                                shape_->fields));
  }
  return Verdict::kUsable;
}

bool KeyReader::reject_group(const Record& record, std::string_view name, std::uint32_t result) {
  if (result == Grouper::kTooMany) {
    failure_ = check_group_count(grouper_.groups().size() + 1, options_.max_groups).error();
    failure_->message = fmt::format("{}: {}", escaped(name_), failure_->message);
    return false;
  }
  const std::string shown = escaped(name, 40);
  if (result == Grouper::kNotNumber) {
    return reject(Reject::kGroupNotNumber, record,
                  fmt::format("group \"{}\" is not a decimal number", shown));
  }
  return reject(Reject::kGroupOutOfRange, record,
                result == Grouper::kNameTooLong
                    ? fmt::format("a group name of {} bytes is too long", name.size())
                    : fmt::format("group \"{}\" is out of range", shown));
}

bool KeyReader::reject_json(const Record& record, JsonStatus status) {
  if (status == JsonStatus::kBadUtf8) return reject(Reject::kBadUtf8, record, "not UTF-8");
  return reject(Reject::kBrokenJson, record,
                status == JsonStatus::kNotScalar ? "key or group is an object or an array"
                                                 : "not a JSON object");
}

bool KeyReader::reject(Reject category, const Record& record, std::string reason) {
  ++counts_->rejected[static_cast<std::size_t>(category)];
  if (!options_.is_strict && !options_.on_reject && !tally_.wants_sample(category)) return true;
  RejectedRecord rejected{file_, record.offset, category, escaped(record.text), std::move(reason)};
  if (options_.is_strict) {
    failure_ = make_error(ErrorCode::kInvalidArgument, "{}: record {}{} rejected: {}: {}",
                          escaped(name_), shape_ == nullptr ? "" : "at byte ", record.offset,
                          rejected.reason, rejected.text);
  }
  if (options_.on_reject) {
    RejectedRecord longer = rejected;
    longer.text = escaped(record.text, options_.reject_bytes);
    options_.on_reject(longer);
  }
  tally_.add_sample(std::move(rejected));
  return !failure_;
}

}  // namespace bloomery
