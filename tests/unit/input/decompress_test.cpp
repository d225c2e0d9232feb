#include "input/decompress.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "text_files.h"

namespace bloomery {
namespace {

std::string some_text(std::size_t bytes) {
  std::mt19937_64 random(7);
  std::string text;
  while (text.size() < bytes) text += "tt" + std::to_string(random() % 1'000'000) + "\t7.5\n";
  text.resize(bytes);
  return text;
}

using MakeSource = std::unique_ptr<ByteSource> (*)(std::unique_ptr<ByteSource>, std::string);
using Compress = std::string (*)(std::string_view);

struct Codec {
  const char* name;
  MakeSource source;
  Compress compress;
};

class Decompress : public testing::TestWithParam<Codec> {
 protected:
  static Result<std::string> inflate(std::string bytes, std::size_t step = 1U << 20U,
                                     std::size_t buffer = 4096) {
    const auto source = GetParam().source(in_steps(std::move(bytes), step), "x");
    return drain(*source, buffer);
  }
};

TEST_P(Decompress, GivesBackWhatWasCompressed) {
  for (const std::size_t size : {0U, 1U, 100U, 65'536U, 1'000'000U}) {
    const std::string text = some_text(size);
    const auto got = inflate(GetParam().compress(text));
    ASSERT_TRUE(got) << got.error().message;
    EXPECT_EQ(*got, text);
  }
}

TEST_P(Decompress, ReadsSeveralMembersEmptyOnesToo) {
  const std::string one = some_text(3000);
  const std::string bytes = GetParam().compress(one) + GetParam().compress("") +
                            GetParam().compress("end") + GetParam().compress("");
  for (const std::size_t step : {1U, 2U, 3U, 7U, 100U, 1'000'000U}) {
    for (const std::size_t buffer : {1U, 13U, 4096U}) {
      const auto got = inflate(bytes, step, buffer);
      ASSERT_TRUE(got) << got.error().message;
      EXPECT_EQ(*got, one + "end") << "step " << step;
    }
  }
}

TEST_P(Decompress, CutAtAnyByteIsAnErrorUnlessBetweenMembers) {
  const std::string text = some_text(2000);
  const std::string member = GetParam().compress(text);
  const std::string bytes = member + GetParam().compress("more");
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    if (size == member.size()) continue;
    for (const std::size_t step : {std::size_t{5}, bytes.size()}) {
      const auto got = inflate(bytes.substr(0, size), step);
      ASSERT_FALSE(got) << "cut at " << size << " of " << bytes.size();
      EXPECT_EQ(got.error().code, ErrorCode::kDamaged);
      EXPECT_NE(got.error().message.find("at byte "), std::string::npos) << got.error().message;
    }
  }
}

TEST_P(Decompress, AFlippedBitIsAnErrorOrHarmless) {
  const std::string text = some_text(2000);
  const std::string bytes = GetParam().compress(text);
  std::size_t refused = 0;
  for (std::size_t i = 0; i < bytes.size() * 8; ++i) {
    std::string damaged = bytes;
    damaged[i / 8] = static_cast<char>(damaged[i / 8] ^ (1 << (i % 8)));
    const auto got = inflate(damaged);
    if (!got) {
      ++refused;
    } else {
      EXPECT_EQ(*got, text) << "bit " << i;
    }
  }
  // What does not matter: time, system and flag bytes of a gzip header.
  EXPECT_GT(refused, bytes.size() * 8 * 9 / 10);
}

TEST_P(Decompress, BytesAfterTheLastMemberAreAnError) {
  const auto got = inflate(GetParam().compress("text") + "rubbish");
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, ErrorCode::kDamaged);
}

INSTANTIATE_TEST_SUITE_P(
    Codecs, Decompress,
    testing::Values(
        Codec{"gzip", gzip_source, [](std::string_view text) { return gzipped(text); }},
        Codec{"stored", gzip_source, [](std::string_view text) { return gzipped(text, 0); }},
        Codec{"zstd", zstd_source, [](std::string_view text) { return zstd_compressed(text); }}),
    [](const auto& codec) { return std::string(codec.param.name); });

TEST(Zstd, AWindowAbove128MiBIsRefused) {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, 28);
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
  std::string out(ZSTD_compressBound(1000), '\0');
  const std::string text = some_text(1000);
  // In pieces, so that the frame does not say that it is small.
  ZSTD_outBuffer to{out.data(), out.size(), 0};
  ZSTD_inBuffer from{text.data(), text.size(), 0};
  ZSTD_compressStream2(context, &to, &from, ZSTD_e_flush);
  ZSTD_compressStream2(context, &to, &from, ZSTD_e_end);
  ZSTD_freeCCtx(context);
  out.resize(to.pos);
  const auto source = zstd_source(in_steps(out, 100), "x");
  const auto got = drain(*source);
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(got.error().message.find("128 MiB"), std::string::npos) << got.error().message;
}

}  // namespace
}  // namespace bloomery
