#include "access/access_table.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace ways_in {
namespace {

// HOLDFAST_WRITE_DOCUMENTS=1 writes it.
TEST(AccessTableTest, TheDocumentIsTheTable) {
  const std::filesystem::path path = std::filesystem::path(HOLDFAST_SOURCE) / "docs" / "access.md";
  if (std::getenv("HOLDFAST_WRITE_DOCUMENTS") != nullptr) std::ofstream(path) << as_document();
  std::ifstream file(path);
  const std::string written(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(written, as_document())
      << "write it with HOLDFAST_WRITE_DOCUMENTS=1 build/release/tests/access/access_test";
}

}  // namespace
}  // namespace ways_in
