#include "split/piece_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "text_files.h"

namespace bloomery {
namespace {

struct Pieces {
  std::string text;                      // of pieces that are whole
  std::vector<std::uint64_t> over_long;  // offsets
  std::vector<std::string> endings;      // last byte of each piece
};

Pieces read_all_pieces(std::string text, std::size_t step, PieceReader::Options options) {
  PieceReader reader(in_steps(std::move(text), step), options);
  Pieces pieces;
  std::uint64_t expected_offset = 0;
  while (true) {
    const auto piece = reader.next();
    EXPECT_TRUE(piece);
    if (!piece->has_value()) return pieces;
    EXPECT_GE((*piece)->offset, expected_offset);
    if ((*piece)->is_over_long) {
      pieces.over_long.push_back((*piece)->offset);
      EXPECT_LE((*piece)->bytes.size(), 256U);
      expected_offset = (*piece)->offset + options.max_line;
      continue;
    }
    EXPECT_FALSE((*piece)->bytes.empty());
    expected_offset = (*piece)->offset + (*piece)->bytes.size();
    pieces.text += (*piece)->bytes;
    pieces.endings.emplace_back(1, (*piece)->bytes.back());
  }
}

TEST(PieceReader, PiecesAreWholeRecordsAndTogetherTheText) {
  std::string text = "\n\nfirst\n";
  for (int i = 0; i < 300; ++i) text += std::string(static_cast<std::size_t>(i % 23), 'x') + '\n';
  for (const bool ahead : {false, true}) {
    for (const std::size_t piece_bytes : {1U, 10U, 64U, 100'000U}) {
      for (const std::size_t step : {1U, 7U, 1000U}) {
        for (const std::string& whole : {text, text + "no end"}) {
          const Pieces pieces = read_all_pieces(
              whole, step, {.piece_bytes = piece_bytes, .max_line = 50, .read_ahead = ahead});
          EXPECT_EQ(pieces.text, whole);
          EXPECT_TRUE(pieces.over_long.empty());
          for (std::size_t i = 0; i + 1 < pieces.endings.size(); ++i) {
            EXPECT_EQ(pieces.endings[i], "\n");
          }
        }
      }
    }
  }
}

TEST(PieceReader, ARecordLongerThanTheLimitIsSkippedNotKept) {
  const std::string longer(5000, 'y');
  const std::string text = "one\n" + longer + "\ntwo\n" + longer + "\n" + longer;
  for (const std::size_t step : {1U, 9U, 333U, 100'000U}) {
    const Pieces pieces = read_all_pieces(text, step, {.piece_bytes = 64, .max_line = 100});
    // With large steps whole records that are too long come through, and the parser finds them.
    if (step > 1000) continue;
    EXPECT_EQ(pieces.text, "one\ntwo\n");
    EXPECT_EQ(pieces.over_long, (std::vector<std::uint64_t>{4, 5009, 10010}));
  }
}

TEST(PieceReader, ARecordUpToTheLimitComesWholeWhateverTheBuffer) {
  const std::string record(100'000, 'z');
  const Pieces pieces =
      read_all_pieces("a\n" + record + "\nb\n", 1000, {.piece_bytes = 16, .max_line = 100'000});
  EXPECT_EQ(pieces.text, "a\n" + record + "\nb\n");
}

TEST(PieceReader, QuotedLineEndsDoNotEndARecordWithMultiline) {
  const std::string text = "a,\"1\n2\"\nb,\"\"\"\n\n\"\nc,\"never closed\n\n";
  for (const std::size_t step : {1U, 3U, 100U}) {
    PieceReader reader(in_steps(text, step), {.piece_bytes = 4, .multiline = true});
    std::string all;
    while (true) {
      const auto piece = reader.next();
      ASSERT_TRUE(piece);
      if (!piece->has_value()) break;
      const std::string_view bytes = (*piece)->bytes;
      all += bytes;
      const bool is_last = all.size() == text.size();
      EXPECT_TRUE(is_last || std::count(bytes.begin(), bytes.end(), '"') % 2 == 0);
    }
    EXPECT_EQ(all, text);
  }
}

class FailingSource : public ByteSource {
 public:
  Result<std::size_t> read(std::span<char> to) override {
    if (reads_++ > 2) return Error{ErrorCode::kDamaged, "broken here"};
    to[0] = '\n';
    return std::size_t{1};
  }

 private:
  int reads_ = 0;
};

TEST(PieceReader, AFailureOfTheSourceComesOutAfterWhatCameBefore) {
  for (const bool ahead : {false, true}) {
    PieceReader reader(std::make_unique<FailingSource>(), {.read_ahead = ahead});
    std::size_t bytes = 0;
    while (true) {
      const auto piece = reader.next();
      if (!piece) {
        EXPECT_EQ(piece.error().message, "broken here");
        break;
      }
      ASSERT_TRUE(piece->has_value());
      bytes += (*piece)->bytes.size();
    }
    EXPECT_EQ(bytes, 3U);
  }
}

TEST(PieceReader, CanBeLeftBeforeTheEnd) {
  PieceReader reader(in_steps(std::string(1'000'000, '\n'), 100),
                     {.piece_bytes = 100, .read_ahead = true});
  EXPECT_TRUE(reader.next());
}

}  // namespace
}  // namespace bloomery
