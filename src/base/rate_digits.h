// A rate that was computed, as it goes into a bank.
#pragma once

namespace bloomery {

// In five digits, because the mathematics of C libraries differs in the last ones from processor to
// processor, and banks may not; and strictly between 0 and 1, as a bank wants it.
[[nodiscard]] double in_five_digits(double rate);

}  // namespace bloomery
