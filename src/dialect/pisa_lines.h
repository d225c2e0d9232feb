// The JSON lines of the two programs: reading, and bits to and from hexadecimal digits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/rules.h"

namespace bloomery {

// How one program writes its lines.
struct PisaForm {
  std::string_view bits_name;  // of the member that holds the bits
  ForeignHash hash{};
  bool is_msb_first = false;
  bool is_trimmed = false;  // zero bytes at the end are left out
};

// Whether the first line has a member of that name.
[[nodiscard]] bool has_member(std::span<const std::byte> start, std::string_view name) noexcept;

Result<std::vector<ContainerEntry>> read_lines(const PisaForm& form,
                                               std::span<const std::byte> file);
Result<void> decode_line(const PisaForm& form, const ContainerEntry& entry,
                         std::span<std::byte> table);
// `before` and `after` are the rest of the line.
Result<void> write_line(const PisaForm& form, const ContainerEntry& entry,
                        std::span<const std::byte> table, std::string_view before,
                        std::string_view after, const ByteSink& sink);

// A group as the whole number that both programs have for a rating; fails for any other.
Result<std::string> rating_of(const std::string& group);

}  // namespace bloomery
