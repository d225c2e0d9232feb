#include "cli/report/page.h"

#include <fmt/format.h>

#include "base/base64.h"
#include "base/error.h"
#include "cli/embedded.h"
#include "cli/machine.h"
#include "cli/output/numbers.h"
#include "cli/sha256.h"

namespace bloomery::cli {
namespace {

// Tables that are longer are folded away.
constexpr std::size_t kOpenRows = 12;

// Text as text, in elements and in attributes.
std::string html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// JSON inside a script element, which ends at the first "</".
std::string script_json(const Json& value) {
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos; at += 6) {
    text.replace(at, 1, "\\u003c");
  }
  return text;
}

std::string shown_text(const Cell& cell) {
  return cell.is_bytes ? escaped(cell.shown, SIZE_MAX) : cell.shown;
}

std::string cell_html(const Cell& cell, bool is_text) {
  // The value as JSON has it, for whoever reads the page by program.
  const bool has_number = !cell.is_bytes && !cell.value.is_string() && !cell.value.is_null();
  const std::string value =
      has_number ? fmt::format(" data-value=\"{}\"", html(cell.value.dump())) : std::string();
  std::string style = is_text ? "text" : "";
  if (cell.is_alarm) style += style.empty() ? "alarm" : " alarm";
  return fmt::format("<td{}{}>{}</td>", style.empty() ? "" : fmt::format(" class=\"{}\"", style),
                     value, html(shown_text(cell)));
}

std::string table_html(const Table& table) {
  std::string out = "<table><thead><tr>";
  for (const Column& column : table.columns) {
    if (column.title.empty()) continue;
    out += fmt::format("<th scope=\"col\"{}>{}</th>", column.is_text ? " class=\"text\"" : "",
                       html(column.title));
  }
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (table.columns[i].title.empty()) continue;
      out += cell_html(row[i], table.columns[i].is_text);
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table>";
}

// Spreadsheets run a cell that begins like a formula, so a text that does gets an apostrophe, which
// they take for "this is text". Numbers stay as they are.
std::string csv_text(Table table) {
  for (auto& row : table.rows) {
    for (Cell& cell : row) {
      std::string text = cell.is_bytes            ? cell.shown
                         : cell.value.is_string() ? cell.value.get<std::string>()
                                                  : std::string();
      if (text.empty() || std::string_view("=+-@\t\r\n").find(text[0]) == std::string_view::npos) {
        continue;
      }
      text.insert(0, 1, '\'');
      cell = Cell::bytes(text);
    }
  }
  return to_text(table, Format::kCsv, false);
}

std::string section_html(const ReportSection& section) {
  std::string out = fmt::format(
      "<section id=\"{0}\" aria-labelledby=\"{0}-title\">\n<h2 id=\"{0}-title\">{1}</h2>\n",
      html(section.id), html(section.title));
  for (const std::string& words : section.words) {
    if (!words.empty()) out += fmt::format("<p>{}</p>\n", html(words));
  }
  if (has_charts()) {
    for (const Chart& chart : section.charts) {
      out += fmt::format(
          "<figure><figcaption>{}</figcaption><div class=\"chart\" id=\"{}\" role=\"img\" "
          "aria-label=\"{}. The table below has its numbers.\"></div></figure>\n",
          html(chart.title), html(chart.id), html(chart.title));
    }
  }
  const Table& table = section.table;
  if (!table.rows.empty()) {
    const std::string csv = to_base64(csv_text(table));
    out += fmt::format(
        "<details{}><summary>The numbers: {}</summary>\n"
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}, table\" "
        "id=\"table-{}\">{}</div>\n"
        "<p><a class=\"csv\" download=\"{}.csv\" href=\"data:text/csv;charset=utf-8;base64,{}\">"
        "Download as CSV</a></p></details>\n",
        table.rows.size() <= kOpenRows ? " open" : "", counted(table.rows.size(), "row"),
        html(section.title), html(section.id), table_html(table), html(section.id), csv);
  }
  return out + "</section>\n";
}

std::string charts_json(const std::vector<ReportSection>& sections) {
  Json charts = Json::array();
  for (const ReportSection& section : sections) {
    for (const Chart& chart : section.charts) {
      charts.push_back({{"id", chart.id}, {"spec", chart.spec}});
    }
  }
  return script_json(charts);
}

std::string tables_json(const std::vector<ReportSection>& sections) {
  Json tables = Json::object();
  for (const ReportSection& section : sections) tables[section.id] = to_json(section.table);
  return script_json(tables);
}

std::string policy() {
  std::string scripts;
  for (const auto text : {embedded::vega(), embedded::vega_lite(), embedded::vega_interpreter(),
                          embedded::report_js()}) {
    scripts += fmt::format(" 'sha256-{}'", sha256_base64(text));
  }
  return fmt::format(
      "default-src 'none'; script-src{}; style-src 'sha256-{}'; img-src data:; base-uri 'none'; "
      "form-action 'none'",
      has_charts() ? scripts : std::string(" 'none'"), sha256_base64(embedded::report_css()));
}

std::string scripts_html(const std::vector<ReportSection>& sections) {
  std::string out = fmt::format("<script type=\"application/json\" id=\"data\">{}</script>\n",
                                tables_json(sections));
  if (!has_charts()) return out;
  out += fmt::format("<script type=\"application/json\" id=\"charts\">{}</script>\n",
                     charts_json(sections));
  for (const auto text : {embedded::vega(), embedded::vega_lite(), embedded::vega_interpreter(),
                          embedded::report_js()}) {
    out += fmt::format("<script>{}</script>\n", text);
  }
  return out;
}

}  // namespace

bool has_charts() {
  return !embedded::vega().empty() && !embedded::vega_lite().empty() &&
         !embedded::vega_interpreter().empty();
}

std::string report_page(const std::vector<ReportSection>& sections, const PageFacts& facts) {
  const std::string title = escaped(facts.title, SIZE_MAX);
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<style>{}</style>\n"
      "</head>\n<body>\n<a class=\"skip\" href=\"#found\">To what was found</a>\n",
      policy(), html(title), embedded::report_css());
  std::vector<std::string> names;
  for (const std::string& source : facts.sources) names.push_back(html(escaped(source, SIZE_MAX)));
  out += fmt::format(
      "<header><h1>{}</h1><p class=\"made\">From {}. Made {} by bloomery {}.</p></header>\n",
      html(title), fmt::join(names, ", "), html(facts.made), html(version()));
  out += "<nav aria-label=\"Contents\"><ul>\n";
  for (const ReportSection& section : sections) {
    out += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", html(section.id), html(section.title));
  }
  out +=
      "</ul></nav>\n<main>\n<section id=\"found\"><h2>What was found</h2>\n<ul class=\"found\">\n";
  for (const std::string& finding : findings_of(sections)) {
    out += fmt::format("<li>{}</li>\n", html(finding));
  }
  out += "</ul>\n";
  out +=
      has_charts()
          ? "<noscript><p class=\"note\">Scripts are off, so nothing is drawn; every number is in "
            "the tables.</p></noscript>\n"
          : "<p class=\"note\" id=\"no-charts\">There are no charts: this bloomery was built "
            "without Vega-Lite, which the build takes from npm. Every number is in the "
            "tables.</p>\n";
  out += "</section>\n";
  for (const ReportSection& section : sections) out += section_html(section);
  out += "</main>\n<footer>\n";
  if (has_charts()) {
    out += fmt::format(
        "<details><summary>Charts by Vega and Vega-Lite: "
        "licences</summary><pre>{}</pre></details>\n",
        html(embedded::chart_licences()));
  }
  out += "<p>This page is one file and asks nothing of any network.</p>\n</footer>\n";
  return out + scripts_html(sections) + "</body>\n</html>\n";
}

}  // namespace bloomery::cli
