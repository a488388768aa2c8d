#include "vt/markup.h"

#include <gtest/gtest.h>

#include "vt/snapshot.h"
#include "vt/test_screen.h"

namespace vt {
namespace {

std::string body_of(const std::string& document) {
  const auto begin = document.find('>', document.find("<pre")) + 1;
  return document.substr(begin, document.find("</pre>") - begin);
}
std::string html_of(std::string_view output) {
  TestScreen t(20, 2);
  t.feed(output);
  return body_of(*html(t.screen(), {}));
}

TEST(MarkupTest, TextIsEscaped) {
  EXPECT_EQ(html_of("<b>&\"'"), "&lt;b&gt;&amp;&quot;&#39;\n\n");
  TestScreen t(20, 1);
  t.feed("\x1b]0;</title><script>\x07<x>");
  const std::string page = *html(t.screen(), {});
  EXPECT_NE(page.find("<title>&lt;/title&gt;&lt;script&gt;</title>"), std::string::npos) << page;
  const std::string picture = *svg(t.screen(), {});
  EXPECT_EQ(picture.find("<script"), std::string::npos);
  EXPECT_NE(picture.find("&lt;x&gt;</text>"), std::string::npos) << picture;
}

TEST(MarkupTest, ColoursAndAttributes) {
  EXPECT_EQ(html_of("\x1b[1;31;48;2;1;2;3mx"),
            "<span style=\"color:#cc0000;background:#010203;font-weight:bold\">x</span>\n\n");
  EXPECT_EQ(html_of("\x1b[38;5;196;3mx"),
            "<span style=\"color:#ff0000;font-style:italic\">x</span>\n\n");
  EXPECT_EQ(html_of("\x1b[7mx"), "<span style=\"color:#000000;background:#ffffff\">x</span>\n\n");
  EXPECT_EQ(html_of("\x1b[4:3;58:2::1:2:3mx"),
            "<span style=\"color:#ffffff;text-decoration:underline wavy #010203\">x</span>\n\n");
  EXPECT_EQ(html_of("\x1b[8mx"), "<span style=\"color:#000000\">x</span>\n\n");
  EXPECT_EQ(html_of("\x1b]4;1;rgb:10/20/30\x07\x1b[31mx"),
            "<span style=\"color:#102030\">x</span>\n\n")
      << "the program's palette";
}

TEST(MarkupTest, WideCharactersKeepTheirTwoColumns) {
  EXPECT_EQ(html_of("a日b"),
            "a<span style=\"color:#ffffff;display:inline-block;width:2ch\">日</span>b\n\n");
  TestScreen t(20, 1);
  t.feed("a日b");
  EXPECT_NE(svg(t.screen(), {})->find("<text x=\"8\" y=\"13\" textLength=\"16\""),
            std::string::npos);
}

TEST(MarkupTest, OnlyLinksThatRunNothing) {
  EXPECT_NE(html_of("\x1b]8;;https://a/?b&\"c\x07x").find("<a href=\"https://a/?b&amp;&quot;c\""),
            std::string::npos);
  for (const char* uri : {"javascript:alert(1)", "data:text/html,x", "file:///etc/passwd",
                          " https://x", "JaVaScRiPt:x", "vbscript:x"})
    EXPECT_EQ(html_of("\x1b]8;;" + std::string(uri) + "\x07x").find("<a"), std::string::npos)
        << uri;
}

TEST(MarkupTest, WhatTurnsTextAroundIsLeftOut) {
  EXPECT_EQ(html_of("a\u202eb\u2066c"), "abc\n\n");
}

TEST(MarkupTest, HistoryOnRequestAndABoundOnTheSize) {
  TestScreen t(4, 1);
  t.feed("1\r\n2\r\n3");
  EXPECT_EQ(body_of(*html(t.screen(), {.history_rows = kAllHistory})), "1\n2\n3\n");
  EXPECT_FALSE(html(t.screen(), {.most = 100}));
  EXPECT_FALSE(svg(t.screen(), {.most = 10}));
}

}  // namespace
}  // namespace vt
