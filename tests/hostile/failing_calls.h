// System calls of this program that fail on demand. Linked into a test, it stands before the C
// library's own functions, so that the library under test calls these.
#pragma once

#include <map>
#include <string>

namespace bloomery::test {

struct Fault {
  int at_call = 0;       // the n-th of the calls that are watched, from 1; 0: none
  int error_number = 0;  // what it fails with; 0: it transfers half of what it was given
  std::string only;      // the name of the only call to watch; empty: all
  // It succeeds, and the first 4096 bytes that were given to pwrite are never written.
  bool loses_a_page = false;
  // Calls that the file system does not know, and what each of them fails with, every time.
  std::map<std::string, int> unknown = {};
};

// Starts counting anew. Every fault happens once.
void plan_fault(const Fault& fault);

// The name of the call that has failed since, or nothing.
std::string call_that_failed();

// How often `call` was called since.
int calls_of(const std::string& call);

}  // namespace bloomery::test
