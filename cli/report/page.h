// Sections to one HTML file that needs nothing else: no network, no other file.
//
// All text is escaped, scripts are allowed by their hashes alone, and without scripts the words and
// tables are all there.
#pragma once

#include <string>
#include <vector>

#include "cli/report/sections.h"

namespace bloomery::cli {

struct PageFacts {
  std::string title;
  std::vector<std::string> sources;  // the files of runs, as they were named
  std::string made;                  // "2026-11-15 16:00 UTC"
};

[[nodiscard]] std::string report_page(const std::vector<ReportSection>& sections,
                                      const PageFacts& facts);

// Whether this program can draw.
[[nodiscard]] bool has_charts();

}  // namespace bloomery::cli
