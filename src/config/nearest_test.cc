#include "config/nearest.h"

#include <gtest/gtest.h>

#include <array>

namespace config {
namespace {

TEST(NearestTest, ASlipFindsItsWordAndAnotherWordFindsNone) {
  constexpr std::array<std::string_view, 3> kWords = {"listen", "shell", "output_buffer_size"};
  EXPECT_EQ(nearest("listne", kWords), "listen");
  EXPECT_EQ(nearest("Listen", kWords), "listen");
  EXPECT_EQ(nearest("shel", kWords), "shell");
  EXPECT_EQ(nearest("output_bufer_size", kWords), "output_buffer_size");
  EXPECT_EQ(nearest("output-buffer-size", kWords), "output_buffer_size");
  EXPECT_EQ(nearest("port", kWords), "");
  EXPECT_EQ(nearest("", kWords), "");
}

}  // namespace
}  // namespace config
