#include "extension/node.h"

#include <gtest/gtest.h>

namespace extension {
namespace {

std::string message(std::string_view said) {
  const auto node = parse_node("node", said);
  return node ? "" : node.error().message();
}

TEST(Node, OneThatIsNewEnoughSaysWhichItIs) {
  const auto node = parse_node("node", "\n22.19.0 /opt/with spaces/node\n");
  ASSERT_TRUE(node) << node.error().message();
  EXPECT_EQ(node->version, "22.19.0");
  EXPECT_EQ(node->path, "/opt/with spaces/node");
  EXPECT_TRUE(parse_node("node", "\n24.0.0-pre /n\n"));
  EXPECT_TRUE(parse_node("node", "a warning\nanother\n\n100.1.0 /n\n"));
}

TEST(Node, OneThatIsTooOldIsNamedWithWhatToDo) {
  for (const char* version : {"18.20.4", "20.20.2", "22.18.9"}) {
    const std::string text = message("\n" + std::string(version) + " /usr/bin/node\n");
    EXPECT_NE(text.find("Node " + std::string(version) + " (/usr/bin/node) is too old"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("Install Node 22.19 or newer"), std::string::npos) << text;
    EXPECT_NE(text.find("HOLDFAST_NODE"), std::string::npos) << text;
  }
}

TEST(Node, AnotherProgramIsNone) {
  EXPECT_NE(message("usage: node [-x]\n").find("node is not Node; it printed: usage"),
            std::string::npos);
  for (const char* said :
       {"", "22\n", "22.19.0\n", "v22.19.0 /n\n", "22.19.0 n\n", "99999999999999999999.1.0 /n\n"})
    EXPECT_FALSE(parse_node("node", said)) << said;
}

}  // namespace
}  // namespace extension
