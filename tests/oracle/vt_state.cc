// Feeds a stream file to the screen and prints its state or its snapshot. Formats and command line:
// README.md beside this file.

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "base/result.h"
#include "oracle/state_json.h"
#include "vt/screen_json.h"
#include "vt/snapshot.h"
#include "vt/test_edits.h"

namespace oracle {
namespace {

constexpr std::size_t kRingSize = std::size_t{64} << 20;

base::Result<std::string> read_file(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  if (!file) return base::fail(base::Code::io, "cannot read " + name);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// The records of a stream, front to back.
class StreamReader {
 public:
  explicit StreamReader(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] bool at_end() const { return at_ == bytes_.size(); }
  [[nodiscard]] std::size_t position() const { return at_; }

  // Words of the next line.
  base::Result<std::vector<std::string>> line() {
    const std::size_t end = bytes_.find('\n', at_);
    if (end == std::string_view::npos) return expected("a line that ends with LF");
    std::istringstream words{std::string(bytes_.substr(at_, end - at_))};
    at_ = end + 1;
    return std::vector<std::string>(std::istream_iterator<std::string>(words), {});
  }
  base::Result<std::string_view> payload(std::size_t length) {
    if (length >= bytes_.size() - at_ || bytes_[at_ + length] != '\n')
      return expected(std::to_string(length) + " bytes and LF");
    const std::string_view bytes = bytes_.substr(at_, length);
    at_ += length + 1;
    return bytes;
  }
  [[nodiscard]] std::unexpected<base::Error> expected(const std::string& what) const {
    return base::fail(base::Code::corrupt,
                      "not a stream: expected " + what + " at byte " + std::to_string(at_));
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

std::optional<int> number(const std::string& word) {
  if (word.empty() || word.size() > 9 || word.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  return std::stoi(word);
}

base::Result<vt::Size> size_of(const StreamReader& reader, const std::string& cols,
                               const std::string& rows) {
  const std::optional<int> c = number(cols);
  const std::optional<int> r = number(rows);
  if (!c || *c < 2 || *c > 500) return reader.expected("cols from 2 to 500");
  if (!r || *r < 1 || *r > 500) return reader.expected("rows from 1 to 500");
  return vt::Size{.cols = *c, .rows = *r};
}

// The stream as a viewer is sent it: a stream again, with the screen's edits.
class SentStream {
 public:
  SentStream(const std::string& header, std::string_view bytes) : text_(header + "\n") {
    output_.reserve(bytes.size());
  }

  [[nodiscard]] vt::StreamSink& edits() { return edits_; }
  void fed(std::string_view bytes, const vt::Screen& screen) {
    output_ += bytes;
    const std::string part = edits_.part(output_, sent_, screen.settled());
    sent_ = screen.settled();
    if (!part.empty()) text_ += "output " + std::to_string(part.size()) + "\n" + part + "\n";
  }
  void resized(vt::Size size) {
    text_ += "resize " + std::to_string(size.cols) + " " + std::to_string(size.rows) + "\n";
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  vt::EditedStream edits_;
  std::string output_;
  std::uint64_t sent_ = 0;
  std::string text_;
};

base::Status apply_record(StreamReader& reader, vt::Screen& screen, SentStream& sent) {
  const auto words = reader.line();
  if (!words) return base::fail(words.error());
  if (words->size() == 2 && (*words)[0] == "output" && number((*words)[1])) {
    const auto bytes = reader.payload(static_cast<std::size_t>(*number((*words)[1])));
    if (!bytes) return base::fail(bytes.error());
    screen.feed(*bytes);
    sent.fed(*bytes, screen);
    return {};
  }
  if (words->size() == 3 && (*words)[0] == "resize") {
    const auto size = size_of(reader, (*words)[1], (*words)[2]);
    if (!size) return base::fail(size.error());
    screen.resize(*size);
    sent.resized(*size);
    return {};
  }
  return reader.expected("`output N` or `resize COLS ROWS`");
}

struct Result {
  std::string state;
  std::string snapshot;
  std::string sent;
};

base::Result<Result> play(const std::string& name) {
  const auto bytes = read_file(name);
  if (!bytes) return base::fail(bytes.error());
  StreamReader reader(*bytes);
  const auto header = reader.line();
  if (!header) return base::fail(header.error());
  const bool good = header->size() == 5 && (*header)[0] == "holdfast-stream" &&
                    (*header)[1] == "1" && number((*header)[4]);
  if (!good) return reader.expected("the header `holdfast-stream 1 COLS ROWS SCROLLBACK`");
  const auto size = size_of(reader, (*header)[2], (*header)[3]);
  if (!size) return base::fail(size.error());

  static std::vector<std::byte> ring(kRingSize);
  SentStream sent(bytes->substr(0, bytes->find('\n')), *bytes);
  vt::Screen screen(*size, &sent.edits());
  screen.attach_history(vt::History(ring));
  while (!reader.at_end()) {
    const base::Status status = apply_record(reader, screen, sent);
    if (!status) return base::fail(status.error());
  }
  // The receiver resets itself.
  constexpr std::string_view kReset =
      "\x1b"
      "c";
  return Result{.state = state_json(screen),
                .snapshot = vt::snapshot(screen).substr(kReset.size()),
                .sent = sent.text()};
}

std::string hex(std::string_view bytes) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  out.reserve(2 * bytes.size());
  for (const char c : bytes) {
    out += kDigits[static_cast<unsigned char>(c) >> 4];
    out += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return out;
}

int batch() {
  for (std::string name; std::getline(std::cin, name);) {
    const auto result = play(name);
    if (result) {
      std::cout << "{\"state\":" << result->state << ",\"snapshot\":\"" << hex(result->snapshot)
                << "\",\"sent\":\"" << hex(result->sent) << "\"}\n";
    } else {
      std::string message;
      vt::append_json_string(message, result.error().what);
      std::cout << "{\"error\":" << message << "}\n";
    }
    std::cout.flush();
  }
  return 0;
}

int one(const std::string& name, bool snapshot) {
  const auto result = play(name);
  if (!result) {
    std::cerr << "vt_state: " << result.error().what << "\n";
    return 2;
  }
  if (snapshot) {
    std::cout << result->snapshot;
  } else {
    std::cout << result->state << "\n";
  }
  return 0;
}

}  // namespace
}  // namespace oracle

int main(int argc, char** argv) {
  const std::vector<std::string> args(argv + 1, argv + argc);
  if (args.size() == 1 && args[0] == "--batch") return oracle::batch();
  if (args.size() == 1) return oracle::one(args[0], false);
  if (args.size() == 2 && args[0] == "--snapshot") return oracle::one(args[1], true);
  std::cerr << "usage: vt_state [--snapshot] FILE | --batch\n";
  return 2;
}
