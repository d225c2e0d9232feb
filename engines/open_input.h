// One input of a job on this machine, opened and understood.
#pragma once

#include <string>

#include "engines/jobs.h"
#include "input/input.h"
#include "parse/shape.h"

namespace bloomery {

struct OpenInput {
  Input input;
  FileShape shape;
  bool has_mark = false;  // begins with a byte-order mark
};

// Fails for an input that is not there or not text.
Result<OpenInput> open_input(const JobInput& job, const std::string& path);

[[nodiscard]] InputFacts describe(const OpenInput& input);

}  // namespace bloomery
