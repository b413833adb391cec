//===- SuggestionsTest.cpp - Names that a diagnostic proposes -------------===//

#include "JobDialect/Support/Suggestions.h"

#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::job;

TEST(SuggestionsTest, TheNearestNameWins) {
  EXPECT_EQ(findSimilarName("kernal", {"colonel", "kernel", "kernels"}),
            "kernel");
  EXPECT_EQ(findSimilarName("kernel1", {"kernel2", "kernel3"}), "kernel2");
  EXPECT_EQ(findSimilarName("predcit", {"train", "predict"}), "predict");
}

TEST(SuggestionsTest, LettersThatChangedPlacesAreOneEdit) {
  EXPECT_EQ(findSimilarName("ture", {"true", "false"}), "true");
  EXPECT_EQ(findSimilarName("tahn", {"none", "tanh"}), "tanh");
  EXPECT_EQ(findSimilarName("abcd", {"badc"}), std::nullopt);
  EXPECT_EQ(findSimilarName("ab", {"ba"}), "ba");
}

TEST(SuggestionsTest, OtherNamesAreNoneAtAll) {
  EXPECT_EQ(findSimilarName("bias", {"kernel", "weight"}), std::nullopt);
  EXPECT_EQ(findSimilarName("ab", {"xy"}), std::nullopt);
  EXPECT_EQ(findSimilarName("ab", {}), std::nullopt);
  // One letter of two may differ.
  EXPECT_EQ(findSimilarName("ab", {"ax"}), "ax");
}

TEST(SuggestionsTest, ANameThatExistsNeedsNone) {
  EXPECT_EQ(findSimilarName("w1", {"w2", "w1"}), std::nullopt);
}

TEST(SuggestionsTest, NotesArePrintedAndParsed) {
  MLIRContext context;
  std::vector<std::string> notes;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    for (Diagnostic &note : diagnostic.getNotes())
      notes.push_back(note.str());
  });
  {
    InFlightDiagnostic error = emitError(UnknownLoc::get(&context));
    suggestName(error, "ww", {"w"}, "@");
    suggestName(error, "bias", {"w"}, "@");
  }
  ASSERT_EQ(notes, std::vector<std::string>{"did you mean @w instead of @ww?"});
  std::optional<Suggestion> suggestion = parseSuggestion(notes[0]);
  ASSERT_TRUE(suggestion);
  EXPECT_EQ(suggestion->name, "@w");
  EXPECT_EQ(suggestion->got, "@ww");
}

TEST(SuggestionsTest, OtherNotesHaveNoNames) {
  EXPECT_FALSE(parseSuggestion("the variable is here"));
  EXPECT_FALSE(parseSuggestion("did you mean @w?"));
  EXPECT_FALSE(parseSuggestion("did you mean @w instead of @ww"));
  EXPECT_FALSE(parseSuggestion("did you mean  instead of @ww?"));
}
