# Writes bench_build.h: what was compiled, from what. Run at every build, because the commit changes
# without anything in the build noticing; the file changes only when its text does.
execute_process(COMMAND git -C ${SOURCE_DIR} rev-parse --short=12 HEAD
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
execute_process(COMMAND git -C ${SOURCE_DIR} status --porcelain --untracked-files=no
                OUTPUT_VARIABLE changes ERROR_QUIET)
if(NOT commit)
  set(commit "unknown")
elseif(changes)
  string(APPEND commit " with changes")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
#pragma once
#include <string_view>
namespace bloomery::bench {
inline constexpr std::string_view kCompiler = "@COMPILER@";
inline constexpr std::string_view kFlags = "@FLAGS@";
inline constexpr std::string_view kCommit = "@commit@";
}  // namespace bloomery::bench
]])
