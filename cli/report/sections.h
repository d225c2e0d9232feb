// The parts of a report: each with what was found in words, the numbers, and how to draw them.
//
//   takes   facts
//   gives   sections, the same for the terminal and for the page
#pragma once

#include <string>
#include <vector>

#include "cli/report/facts.h"
#include "cli/report/points.h"

namespace bloomery::cli {

struct Chart {
  std::string id;
  std::string title;
  Json spec;  // Vega-Lite, with its data in it and without sizes or colours, which are the page's
};

struct ReportSection {
  std::string id;
  std::string title;
  std::vector<std::string> words = {};  // sentences
  std::vector<Chart> charts = {};
  Table table = {};
};

// All that the facts have something for, in the order of the page.
[[nodiscard]] std::vector<ReportSection> sections_of(const Facts& facts);

// What was found, one sentence each: the first of every section.
[[nodiscard]] std::vector<std::string> findings_of(const std::vector<ReportSection>& sections);

// The rows of a table, for a chart to say what the table says.
[[nodiscard]] Json chart_values(const Table& table);

// By subject; each adds nothing where it has no facts.
void add_rates(std::vector<ReportSection>& sections, const Facts& facts);
void add_fill(std::vector<ReportSection>& sections, const Facts& facts);
void add_bits_per_key(std::vector<ReportSection>& sections, const Facts& facts);
void add_bytes(std::vector<ReportSection>& sections, const std::vector<Point>& points);
void add_times(std::vector<ReportSection>& sections, const std::vector<Point>& points);
void add_speed_up(std::vector<ReportSection>& sections, const Facts& facts,
                  const std::vector<Point>& points);
void add_set_comparison(std::vector<ReportSection>& sections, const Facts& facts);
void add_error_sweep(std::vector<ReportSection>& sections, const Facts& facts);
void add_bad_records(std::vector<ReportSection>& sections, const Facts& facts);
void add_banks(std::vector<ReportSection>& sections, const Facts& facts);

}  // namespace bloomery::cli
