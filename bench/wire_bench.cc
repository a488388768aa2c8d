// How fast terminal output becomes JSON for the compatible protocol, compared with copying the same
// bytes and with Boost.JSON's own serialiser, and how fast a megabyte of input is parsed. Usage:
//   wire_bench [Google Benchmark's options]

#include <benchmark/benchmark.h>

#include <string>
#include <string_view>

#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>

#include "wire/compatible.h"
#include "wire/json_text.h"

namespace {

constexpr std::size_t kSize = 64 * 1024;  // what a viewer takes at a time

std::string repeated(std::string_view line) {
  std::string text;
  while (text.size() + line.size() <= kSize) text += line;
  return text;
}

const std::string& corpus(int number) {
  static const std::string corpora[] = {
      repeated("2026-11-15 04:12:07.123 INFO  request handled path=/api/v1/terminals status=200 "
               "bytes=5120 ms=12\r\n"),
      repeated("\x1b[90m04:12:07\x1b[0m \x1b[32mINFO\x1b[0m  \x1b[1mserver\x1b[0m: request "
               "\x1b[36mGET\x1b[0m /health \x1b[32m200\x1b[0m in \x1b[33m12ms\x1b[0m\r\n"),
      repeated("Die Größe des Fensters ändert sich. Ширина символов разная. 端末の幅は二桁です。 "
               "😀 ok\r\n"),
      repeated("\x1b[31m\"\\\"\x1b[0m\r\n"),
      repeated("\xff\xfe binary \x80\xe2\x82 noise\r\n"),
  };
  return corpora[number];
}

constexpr const char* kNames[] = {"ascii_log", "coloured_log", "utf8_text", "all_escapes",
                                  "binary"};

void finish(benchmark::State& state) {
  const int number = static_cast<int>(state.range(0));
  state.SetLabel(kNames[number]);
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(corpus(number).size()));
}

void copy(benchmark::State& state) {
  const std::string& text = corpus(static_cast<int>(state.range(0)));
  std::string out;
  for (auto _ : state) {
    out.clear();
    out += text;
    benchmark::DoNotOptimize(out.data());
  }
  finish(state);
}
BENCHMARK(copy)->Arg(0);

void append_output(benchmark::State& state) {
  const std::string& text = corpus(static_cast<int>(state.range(0)));
  std::string out;
  for (auto _ : state) {
    out.clear();
    wire::compatible::append_output(out, "6d1f0e5e-3f3c-4c5e-9d53-0f6a4c7c2a11",
                                    std::as_bytes(std::span(text)), 4660);
    benchmark::DoNotOptimize(out.data());
  }
  finish(state);
}
BENCHMARK(append_output)->DenseRange(0, 4);

void boost_serialize(benchmark::State& state) {
  const boost::json::string text(corpus(static_cast<int>(state.range(0))));
  for (auto _ : state) benchmark::DoNotOptimize(boost::json::serialize(text));
  finish(state);
}
BENCHMARK(boost_serialize)->DenseRange(0, 3);

void parse_input(benchmark::State& state) {
  std::string message = R"({"type":"input","sessionId":"a","data":{"data":)";
  std::string text;
  const auto size = static_cast<std::size_t>(state.range(1));
  while (text.size() < size) text += corpus(static_cast<int>(state.range(0)));
  text.resize(size);
  wire::append_json_string(message, text);
  message += "}}";
  for (auto _ : state) benchmark::DoNotOptimize(wire::compatible::parse(message));
  state.SetLabel(kNames[state.range(0)]);
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(message.size()));
}
BENCHMARK(parse_input)->Args({0, 1})->Args({0, 1000 * 1000})->Args({1, 700 * 1000});

}  // namespace

BENCHMARK_MAIN();
