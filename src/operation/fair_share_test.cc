#include "operation/fair_share.h"

#include <gtest/gtest.h>

namespace operation {
namespace {

using Sizes = std::vector<std::size_t>;

TEST(FairShareTest, EveryoneKeepsAllIfThereIsRoom) {
  EXPECT_EQ(fair_shares({}, 10), Sizes{});
  EXPECT_EQ(fair_shares({3, 0, 7}, 10), (Sizes{3, 0, 7}));
}

TEST(FairShareTest, TheFirstDoesNotTakeWhatOthersNeed) {
  EXPECT_EQ(fair_shares({100, 2, 100}, 10), (Sizes{4, 2, 4}));
  EXPECT_EQ(fair_shares({100, 1}, 10), (Sizes{9, 1}));
}

TEST(FairShareTest, WhatDoesNotDivideGoesToTheFirst) {
  EXPECT_EQ(fair_shares({5, 5, 5}, 10), (Sizes{4, 3, 3}));
  EXPECT_EQ(fair_shares({1, 1, 1}, 2), (Sizes{1, 1, 0}));
}

}  // namespace
}  // namespace operation
