// A stream that counts the WebSocket frames that are read from it.

#pragma once

#include <functional>
#include <utility>

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/beast/core/role.hpp>
#include <boost/beast/websocket/teardown.hpp>
#include <boost/system/error_code.hpp>

#include "http/frame_counter.h"

namespace http {

template <class Next>
class CountedStream {
 public:
  using next_layer_type = Next;
  using executor_type = typename Next::executor_type;

  explicit CountedStream(Next next) : next_(std::move(next)) {}

  [[nodiscard]] executor_type get_executor() { return next_.get_executor(); }
  [[nodiscard]] Next& next_layer() { return next_; }
  // Called with the number of frames in each read. Set it before the first read.
  void on_frames(std::function<void(std::size_t)> call) { on_frames_ = std::move(call); }

  template <class Buffers, class Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    using Signature = void(boost::system::error_code, std::size_t);
    return boost::asio::async_initiate<Token, Signature>(
        [this](auto handler, Buffers to) {
          const auto executor = boost::asio::get_associated_executor(handler, get_executor());
          next_.async_read_some(
              to, boost::asio::bind_executor(
                      executor, [this, to, handler = std::move(handler)](
                                    boost::system::error_code error, std::size_t size) mutable {
                        count(to, size);
                        std::move(handler)(error, size);
                      }));
        },
        token, buffers);
  }

  template <class Buffers, class Token>
  auto async_write_some(const Buffers& buffers, Token&& token) {
    return next_.async_write_some(buffers, std::forward<Token>(token));
  }

 private:
  template <class Buffers>
  void count(const Buffers& buffers, std::size_t size) {
    std::size_t frames = 0;
    for (auto each = boost::asio::buffer_sequence_begin(buffers);
         each != boost::asio::buffer_sequence_end(buffers) && size > 0; ++each) {
      const boost::asio::mutable_buffer part(*each);
      const std::size_t filled = std::min(part.size(), size);
      frames += frames_.count({static_cast<const std::uint8_t*>(part.data()), filled});
      size -= filled;
    }
    if (frames > 0 && on_frames_) on_frames_(frames);
  }

  Next next_;
  FrameCounter frames_;
  std::function<void(std::size_t)> on_frames_;
};

// Lets Beast shut down the stream below.
template <class Next, class Handler>
void async_teardown(boost::beast::role_type role, CountedStream<Next>& stream, Handler&& handler) {
  using boost::beast::websocket::async_teardown;
  async_teardown(role, stream.next_layer(), std::forward<Handler>(handler));
}

}  // namespace http
