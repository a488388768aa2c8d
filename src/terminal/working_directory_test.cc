#include "terminal/working_directory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>

namespace terminal {
namespace {

TEST(WorkingDirectoryTest, AProgramSaysWhereItIs) {
  EXPECT_EQ(path_of_file_uri("file:///home/ada"), "/home/ada");
  EXPECT_EQ(path_of_file_uri("file://localhost/tmp"), "/tmp");
  EXPECT_EQ(path_of_file_uri("file:///a%20b/%C3%BC"), "/a b/ü");
  std::array<char, 256> host{};
  ASSERT_EQ(::gethostname(host.data(), host.size() - 1), 0);
  EXPECT_EQ(path_of_file_uri("file://" + std::string(host.data()) + "/x"), "/x");
}

TEST(WorkingDirectoryTest, WhatIsNoPathOfThisMachineIsNotBelieved) {
  for (const char* uri : {"", "/home", "http://localhost/x", "file://", "file://elsewhere/x",
                          "file:///a%00b", "file:/x"})
    EXPECT_EQ(path_of_file_uri(uri), "") << uri;
}

TEST(WorkingDirectoryTest, APercentThatEncodesNothingStays) {
  EXPECT_EQ(path_of_file_uri("file:///100%"), "/100%");
  EXPECT_EQ(path_of_file_uri("file:///%4"), "/%4");
  EXPECT_EQ(path_of_file_uri("file:///%zz"), "/%zz");
}

TEST(WorkingDirectoryTest, OtherwiseTheKernelKnows) {
  EXPECT_EQ(working_directory_of("", ::getpid()), std::filesystem::current_path());
  EXPECT_EQ(working_directory_of("file:///said", ::getpid()), "/said");
  EXPECT_EQ(working_directory_of("", 0), "");
  EXPECT_EQ(working_directory_of("", ::getpid(), ::getuid()), std::filesystem::current_path());
  EXPECT_EQ(working_directory_of("", ::getpid(), ::getuid() + 1), "") << "it is another account's";
}

}  // namespace
}  // namespace terminal
