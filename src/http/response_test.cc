#include "http/response.h"

#include <gtest/gtest.h>

#include "http/framing.h"

namespace http {
namespace {

namespace beast = boost::beast;
using beast::http::field;

TEST(ResponseTest, NoTextEndsAHeaderField) {
  const Request request(beast::http::verb::get, "/", 11);
  for (const std::string& text :
       {std::string("a\r\nSet-Cookie: b"), std::string("a\nb"), std::string("a\rb"),
        std::string("a\0b", 3), std::string("\x7f")}) {
    EXPECT_FALSE(is_header_text(text));
    Response response = respond(request, beast::http::status::ok, kText, "body");
    set_header(response, "X-Told", text);
    EXPECT_EQ(response.result(), beast::http::status::internal_server_error);
    EXPECT_EQ(response.count("X-Told"), 0U);
    EXPECT_EQ(response.count("Set-Cookie"), 0U);
  }
  Response response = respond(request, beast::http::status::ok, kText, "body");
  set_header(response, "X-Told", "a=b; c \xc3\xa9");
  EXPECT_EQ(response["X-Told"], "a=b; c \xc3\xa9");
}

TEST(FramingTest, WhatCanBeReadInTwoWaysIsNotRead) {
  const auto is_bad = [](std::initializer_list<std::pair<field, const char*>> fields) {
    Request request(beast::http::verb::post, "/", 11);
    for (const auto& [name, value] : fields) request.insert(name, value);
    return !ambiguity_of(request).empty();
  };
  EXPECT_FALSE(is_bad({}));
  EXPECT_FALSE(is_bad({{field::content_length, "5"}}));
  EXPECT_FALSE(is_bad({{field::transfer_encoding, "Chunked"}}));
  EXPECT_TRUE(is_bad({{field::content_length, "5"}, {field::content_length, "5"}}));
  EXPECT_TRUE(is_bad({{field::content_length, "5, 5"}}));
  EXPECT_TRUE(is_bad({{field::content_length, "+5"}}));
  EXPECT_TRUE(is_bad({{field::transfer_encoding, "xchunked"}}));
  EXPECT_TRUE(is_bad({{field::transfer_encoding, "identity"}}));
  EXPECT_TRUE(is_bad({{field::transfer_encoding, "gzip, chunked"}}));
  EXPECT_TRUE(is_bad({{field::transfer_encoding, "chunked"}, {field::content_length, "5"}}));
  EXPECT_TRUE(is_bad({{field::host, "a"}, {field::host, "a"}}));
}

}  // namespace
}  // namespace http
