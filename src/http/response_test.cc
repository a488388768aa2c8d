#include "http/response.h"

#include <gtest/gtest.h>

#include "http/framing.h"
#include "http/refusal_page.h"

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

TEST(RefusalPageTest, OnlyABrowserThatOpensAnAddressGetsAPage) {
  const auto wants = [](beast::http::verb method, const char* accept) {
    Request request(method, "/", 11);
    if (*accept != 0) request.set(field::accept, accept);
    return wants_page(request);
  };
  using beast::http::verb;
  EXPECT_TRUE(wants(verb::get, "text/html,application/xhtml+xml,*/*;q=0.8"));
  EXPECT_TRUE(wants(verb::get, "application/xml, text/html;q=0.9"));
  EXPECT_FALSE(wants(verb::get, "*/*")) << "curl, or a script";
  EXPECT_FALSE(wants(verb::get, ""));
  EXPECT_FALSE(wants(verb::post, "text/html"));
}

TEST(RefusalPageTest, ThePageSaysWhatHappenedAndRunsNothing) {
  const Request request(beast::http::verb::get, "/", 11);
  const Response refusal =
      try_later(refuse(request, beast::http::status::too_many_requests, "Too <many> & \"such\"."),
                std::chrono::seconds(7));
  const Response page = as_page(request, refusal);
  EXPECT_EQ(page.result(), beast::http::status::too_many_requests);
  EXPECT_EQ(page[field::content_type], "text/html; charset=utf-8");
  EXPECT_EQ(page[field::retry_after], "7");
  EXPECT_EQ(page["X-Frame-Options"], "DENY");
  EXPECT_TRUE(page["Content-Security-Policy"].starts_with("default-src 'none';"));
  for (const char* text : {"<h1>Too many requests</h1>", "Too &lt;many&gt; &amp; \"such\".",
                           "Try again in 7 seconds."})
    EXPECT_NE(page.body().find(text), std::string::npos) << text << " in " << page.body();
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
