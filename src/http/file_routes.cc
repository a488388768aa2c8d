// Files of a session's folder: docs/files.md.

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/serializer.hpp>
#include <boost/beast/http/write.hpp>

#include "http/byte_range.h"
#include "http/server.h"
#include "http/text.h"
#include "wire/json_writer.h"

namespace http {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::awaitable;
using beast::http::field;
using beast::http::status;
using beast::http::verb;

namespace {

constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t kPiece = 64 * 1024;
// A reader that takes no piece for so long is cut off.
constexpr std::chrono::seconds kSlowest{30};

Response to_response(const Request& request, const base::Error& error) {
  ApiAnswer answer = problem(error);
  if (error.code == base::Code::too_large) answer.status = status::payload_too_large;
  if (error.code == base::Code::mismatch) answer.status = status::conflict;
  if (error.sys_errno == ENOSPC || error.sys_errno == EDQUOT)
    answer.status = status::insufficient_storage;
  return respond(request, answer.status, answer.type, std::move(answer.body));
}

Response to_response(const Request& request, const base::Result<operation::Received>& received) {
  if (!received) return to_response(request, received.error());
  std::string body;
  wire::JsonWriter writer(body);
  writer.begin_object().field("offset", received->offset);
  if (!received->path.empty()) writer.field("path", received->path);
  writer.end_object();
  return respond(request, status::ok, kJson, std::move(body));
}

base::Error invalid(std::string what) {
  return {.code = base::Code::invalid_argument, .what = std::move(what), .advice = {}};
}

std::string text_of(const Request& request, std::string_view name) {
  return query_parameter(view(request.target()), name).value_or("");
}

struct Piece {
  operation::Upload upload;
  std::uint64_t offset = 0;
};

base::Result<Piece> parse_piece(const Request& request, std::string id) {
  const auto size = parse_whole(text_of(request, "size"));
  const auto offset = parse_whole(text_of(request, "offset"));
  if (!size || !offset) return base::fail(invalid("\"size\" and \"offset\" must be whole numbers"));
  return Piece{.upload = {.id = std::move(id), .name = text_of(request, "name"), .size = *size},
               .offset = *offset};
}

// The answer without the file's bytes.
Response describe(const Request& request, const operation::FoundFile& file,
                  const ByteRange& range) {
  const bool is_part = range.size < file.size;
  Response head = respond(request, is_part ? status::partial_content : status::ok,
                          "application/octet-stream", "");
  head.content_length(range.size);
  set_header(head, "Accept-Ranges", "bytes");
  set_header(head, "ETag", "\"" + file.version + "\"");
  // No browser may show what a file says as a page of this origin.
  set_header(head, "Content-Disposition", "attachment");
  set_header(head, "Content-Security-Policy", "sandbox; default-src 'none'");
  if (is_part)
    set_header(head, "Content-Range",
               "bytes " + std::to_string(range.begin) + "-" +
                   std::to_string(range.begin + range.size - 1) + "/" + std::to_string(file.size));
  return head;
}

template <class Stream>
awaitable<bool> write_head(Stream& stream, Response& head) {
  beast::http::response_serializer<beast::http::string_body> header(head);
  beast::get_lowest_layer(stream).expires_after(kSlowest);
  const auto [error, size] = co_await beast::http::async_write_header(stream, header, kNoThrow);
  co_return !error;
}

}  // namespace

template <class Stream>
awaitable<std::optional<Response>> Server::send_file(Stream& stream, const Request& request,
                                                     const User& user, operation::Caller caller) {
  operation::FileOperations& files = operations_.files();
  operation::Target target(text_of(request, "terminal"));
  std::string path = text_of(request, "path");
  const auto file = co_await files.find(caller, std::move(target), std::move(path));
  if (!file) co_return to_response(request, file.error());
  const std::string wanted(view(request[field::if_match]));
  if (!wanted.empty() && wanted != "\"" + (*file)->version + "\"")
    co_return respond(request, status::precondition_failed, kProblem,
                      problem(status::precondition_failed, "mismatch",
                              "The file has changed. Download it again from the beginning.")
                          .body);
  const auto range = parse_range(view(request[field::range]), (*file)->size);
  if (!range)
    co_return respond(
        request, status::range_not_satisfiable, kProblem,
        problem(status::range_not_satisfiable, "invalid_argument", "The file is shorter than that.")
            .body);
  Response head = describe(request, **file, *range);
  if (request.method() == verb::head) co_return head;
  head.keep_alive(false);
  const LongCalls::Entry sending(long_calls_, user, caller.permit, socket_of(stream));
  const bool is_head_written = co_await write_head(stream, head);
  if (!is_head_written) co_return std::nullopt;
  const std::uint64_t end = range->begin + range->size;
  for (std::uint64_t at = range->begin; at < end;) {
    // Its length was promised. If the rest does not come, the connection breaks, and the client
    // notices.
    if (stopping_ || !caller.permit.check()) co_return std::nullopt;
    const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, end - at));
    const auto piece = co_await files.read(*file, at, most);
    if (!piece || piece->empty()) co_return std::nullopt;
    at += piece->size();
    beast::get_lowest_layer(stream).expires_after(kSlowest);
    const auto [error, size] = co_await asio::async_write(stream, asio::buffer(*piece), kNoThrow);
    if (error) co_return std::nullopt;
  }
  co_return std::nullopt;
}

template <class Stream>
awaitable<std::optional<Response>> Server::answer_file(Stream& stream, const Request& request,
                                                       const Peer& peer) {
  auto user = who_asks(request, peer);
  if (!user) co_return std::move(user.error());
  const std::string_view path = path_of(view(request.target()));
  operation::FileOperations& files = operations_.files();
  operation::Caller caller{.reach = {user->id, user->scope},
                           .permit = session::Permit("from " + peer.address)};
  operation::Target target(text_of(request, "terminal"));
  const bool reads = request.method() == verb::get || request.method() == verb::head;
  if (path == kFilesPath) {
    if (reads) {
      auto sent = co_await send_file(stream, request, *user, std::move(caller));
      co_return sent;
    }
    co_return refuse(request, status::method_not_allowed, "Use GET.");
  }
  std::string id(path.substr(kUploadPath.size()));
  if (request.method() == verb::delete_) {
    const auto dropped = co_await files.drop(std::move(caller), std::move(target), std::move(id));
    if (!dropped) co_return to_response(request, dropped.error());
    co_return respond(request, status::no_content, kJson, "");
  }
  if (reads) {
    const auto received =
        co_await files.received(std::move(caller), std::move(target), std::move(id));
    co_return to_response(request, received);
  }
  if (request.method() != verb::put)
    co_return refuse(request, status::method_not_allowed, "Use PUT or GET or DELETE.");
  auto piece = parse_piece(request, std::move(id));
  if (!piece) co_return to_response(request, piece.error());
  std::string bytes = request.body();
  const auto received =
      co_await files.add(std::move(caller), std::move(target), std::move(piece->upload),
                         piece->offset, std::move(bytes));
  co_return to_response(request, received);
}

template awaitable<std::optional<Response>> Server::answer_file(PlainStream& stream,
                                                                const Request& request,
                                                                const Peer& peer);
template awaitable<std::optional<Response>> Server::answer_file(TlsStream& stream,
                                                                const Request& request,
                                                                const Peer& peer);

}  // namespace http
