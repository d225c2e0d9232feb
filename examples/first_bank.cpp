// Makes a bank of ten filters, one per film rating, saves it, opens it again and asks it.
//
// Usage: first_bank [FILE]
//
// The films are numbers in the style of a public film table, as many per rating as there. Every
// film is then asked of every filter, so the last two columns are counted, not estimated.
#include <bloomery/bank.h>
#include <bloomery/sizing.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace {

using bloomery::Result;

constexpr double kRate = 0.01;
constexpr std::array<std::size_t, 10> kFilmsPerRating{2546,   6623,   17937,  43912,  103292,
                                                      220871, 373321, 355416, 113980, 16286};

// All films, those of rating 1 first.
std::vector<std::string> make_films() {
  std::vector<std::string> films;
  for (const std::size_t count : kFilmsPerRating) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::string number = std::to_string(films.size());
      films.push_back("tt" + std::string(7 - number.size(), '0') + number);
    }
  }
  return films;
}

Result<void> make_bank(const std::string& path, const std::vector<std::string_view>& films) {
  std::vector<std::string> ratings;
  std::vector<bloomery::Filter> filters;
  std::size_t start = 0;
  for (const std::size_t count : kFilmsPerRating) {
    const auto spec = bloomery::plan_filter(bloomery::Kind::kBlocked, count, kRate);
    if (!spec) return spec.error();
    auto filter = bloomery::Filter::create(*spec);
    if (!filter) return filter.error();
    filter->insert(std::span(films).subspan(start, count));
    start += count;
    filters.push_back(std::move(*filter));
    ratings.push_back(std::to_string(filters.size()));
  }

  std::vector<bloomery::GroupFilter> groups;
  for (std::size_t i = 0; i < filters.size(); ++i) {
    groups.push_back({ratings[i], &filters[i], kFilmsPerRating[i]});
  }
  bloomery::WriteOptions options;
  options.overwrite = true;
  return bloomery::write_bank(path, groups, options);
}

// One line of the table. `own` is where the films of this rating stand among all of them.
void print_entry(const bloomery::BankEntry& entry, const std::vector<std::string_view>& films,
                 std::size_t own) {
  const bloomery::Answers answers = entry.filter().may_contain(films);
  std::size_t found = 0;
  for (std::size_t i = own; i < own + entry.count(); ++i) found += answers[i] ? 1U : 0U;
  const auto others = static_cast<double>(films.size() - entry.count());
  const auto wrong = static_cast<double>(answers.count() - found);
  std::printf("%6.*s %8zu %9zu %6.3f %8zu %11.4f\n", static_cast<int>(entry.group().size()),
              entry.group().data(), static_cast<std::size_t>(entry.count()),
              static_cast<std::size_t>(entry.filter().spec().bits), entry.filter().fill(),
              static_cast<std::size_t>(entry.count()) - found, wrong / others);
}

void print_groups_of(const bloomery::Bank& bank, std::string_view film) {
  std::printf("%.*s:", static_cast<int>(film.size()), film.data());
  const auto groups = bank.groups_of(film);
  for (const std::size_t i : groups) {
    const std::string_view group = bank.entries()[i].group();
    std::printf(" maybe %.*s", static_cast<int>(group.size()), group.data());
  }
  std::puts(groups.empty() ? " in no group, for certain" : "");
}

Result<void> ask_bank(const std::string& path, const std::vector<std::string_view>& films) {
  const auto bank = bloomery::Bank::open(path);
  if (!bank) return bank.error();
  std::printf("opened %s: %zu groups, %zu bytes for %zu films\n\n", path.c_str(),
              bank->entries().size(), static_cast<std::size_t>(bank->file_size()), films.size());

  std::puts("rating    films      bits   fill   denied  wrong rate");
  std::size_t own = 0;
  for (std::size_t i = 0; i < kFilmsPerRating.size(); ++i) {
    // Entries are sorted as bytes, "10" before "2", so they are asked for by name.
    print_entry(*bank->find(std::to_string(i + 1)), films, own);
    own += kFilmsPerRating[i];
  }
  std::puts("");
  print_groups_of(*bank, films.front());
  print_groups_of(*bank, films.back());
  print_groups_of(*bank, "not a film");
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1] : "films.bank";
  const std::vector<std::string> owned = make_films();
  const std::vector<std::string_view> films(owned.begin(), owned.end());
  auto done = make_bank(path, films);
  if (done) done = ask_bank(path, films);
  if (!done) std::fprintf(stderr, "first_bank: %s\n", done.error().message.c_str());
  return done ? 0 : 2;
}
