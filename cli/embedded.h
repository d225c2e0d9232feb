// Files that are part of the program (cmake/embed.cmake).
#pragma once

#include <string_view>

namespace bloomery::cli::embedded {

// Ready plans of studies.
std::string_view pisa_plan();
std::string_view pisa_cluster_plan();

// The report's page. The next four are empty in a program that was built without them.
std::string_view report_css();
std::string_view report_js();
std::string_view vega();
std::string_view vega_lite();
std::string_view vega_interpreter();
std::string_view chart_licences();

}  // namespace bloomery::cli::embedded
