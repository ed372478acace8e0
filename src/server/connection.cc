#include "server/connection.h"

#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <cerrno>
#include <optional>

#include "base/clock.h"
#include "server/error_response.h"
#include "server/origin_check.h"
#include "server/request_target.h"
#include "server/response_head.h"

namespace sightline::server {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::awaitable;
using boost::system::error_code;
using std::chrono::milliseconds;
using tcp = asio::ip::tcp;
using Parser = http::request_parser<http::buffer_body>;

constexpr size_t kReadBytes = 64 << 10;
constexpr size_t kHeadSlackBytes = 1 << 10;
constexpr size_t kUploadPieceBytes = 256 << 10;
constexpr size_t kLingerBytes = 1 << 20;
constexpr milliseconds kLingerTime{2000};

bool IsRequestId(std::string_view text) {
  return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  });
}

double MillisSince(base::MonotonicTime start) {
  return std::chrono::duration<double, std::milli>(base::SystemClock().Now() - start).count();
}

// A request whose head has been read, or the answer that it gets without more.
struct Received {
  Request request;
  const Route* route = nullptr;
  std::string route_pattern = "unknown";
  std::optional<Response> refusal;
};

class ConnectionImpl final : public Connection,
                             public std::enable_shared_from_this<ConnectionImpl> {
 public:
  ConnectionImpl(tcp::socket socket, const ConnectionContext& context)
      : context_(context),
        limits_(context.limits),
        socket_(std::move(socket)),
        deadline_(socket_.get_executor()),
        buffer_(limits_.head_bytes + kReadBytes) {}

  awaitable<void> Run() override {
    // g++ 12 evaluates a co_await behind && whatever is before it: each stands alone in this file.
    bool more = true;
    while (more && !stopping_) {
      more = co_await WaitForRequest();
      if (!more) break;
      idle_ = false;
      more = co_await ServeRequest();
      idle_ = true;
    }
    if (linger_) co_await Linger();
    deadline_.cancel();
    error_code ignored;
    socket_.shutdown(tcp::socket::shutdown_both, ignored);
    Close();
  }

  void Stop() override {
    stopping_ = true;
    if (idle_) Close();
    if (event_wake_ != nullptr) event_wake_->cancel();
  }

  void Abort() override {
    stopping_ = true;
    gone_ = true;
    cancel_.Cancel();
    Close();
    if (event_wake_ != nullptr) event_wake_->cancel();
  }

 private:
  void Close() {
    error_code ignored;
    socket_.close(ignored);
  }

  // ---- Time ----

  // What is read or written from now on fails at `at`, and `expired_` says so.
  void ExpireAt(base::MonotonicTime at) {
    expired_ = false;
    deadline_.expires_at(at);
    deadline_.async_wait([self = shared_from_this(), at](error_code error) {
      // A deadline that was replaced may have been on its way already.
      if (error || self->deadline_.expiry() != at) return;
      self->expired_ = true;
      error_code ignored;
      self->socket_.cancel(ignored);
    });
  }

  void ExpireAfter(milliseconds timeout) { ExpireAt(base::SystemClock().Now() + timeout); }

  void ExpireNever() { deadline_.expires_at(base::MonotonicTime::max()); }

  // ---- Reading ----

  // Whether a request begins before the connection is idle for too long or closed.
  awaitable<bool> WaitForRequest() {
    if (buffer_.size() > 0) co_return true;
    ExpireAfter(milliseconds(first_request_ ? limits_.head_timeout_ms : limits_.idle_timeout_ms));
    first_request_ = false;
    error_code error;
    const size_t got = co_await socket_.async_read_some(
        buffer_.prepare(kReadBytes / 16), asio::redirect_error(asio::use_awaitable, error));
    buffer_.commit(got);
    co_return !error;
  }

  // Reads the head and answers the request; whether another one may follow.
  awaitable<bool> ServeRequest() {
    Parser parser;
    // The parser's own bound is not exact: a head over ours is refused below.
    parser.header_limit(static_cast<std::uint32_t>(limits_.head_bytes + kHeadSlackBytes));
    parser.body_limit(boost::none);
    ExpireAfter(milliseconds(limits_.head_timeout_ms));
    error_code error;
    const size_t head_bytes = co_await http::async_read_header(
        socket_, buffer_, parser, asio::redirect_error(asio::use_awaitable, error));
    start_ = base::SystemClock().Now();
    ExpireNever();
    if (!error && head_bytes > limits_.head_bytes) error = http::error::header_limit;
    if (error) co_return co_await RefuseHead(error);
    Received received = Receive(parser.get());
    cancel_ = received.request.cancel;
    Response response = co_await Answer(parser, received);
    if (gone_) co_return false;
    const bool keep_alive =
        parser.is_done() && parser.get().keep_alive() && !stopping_ && response.events == nullptr;
    linger_ = !parser.is_done();
    co_return co_await Finish(received, std::move(response), keep_alive);
  }

  awaitable<bool> RefuseHead(error_code error) {
    ApiError answer{400, "bad_request", "the request is not HTTP/1.1: " + error.message(), ""};
    const bool closed = error == http::error::end_of_stream || error == asio::error::eof ||
                        error == asio::error::connection_reset ||
                        error == asio::error::operation_aborted ||
                        error == http::error::partial_message;
    if (closed && !expired_) co_return false;
    if (expired_) {
      answer = {408, "head_timeout", "the request's head took too long", ""};
    } else if (error == http::error::header_limit || error == http::error::buffer_overflow) {
      answer = {431, "head_too_large",
                "the request line and headers are longer than " +
                    std::to_string(limits_.head_bytes) + " bytes",
                ""};
    }
    context_.metrics.AddRefusal(answer.code);
    Received received;
    received.request.request_id = context_.request_ids.Next().ToString();
    linger_ = true;
    co_await Finish(received, ErrorResponse(answer), false);
    co_return false;
  }

  Received Receive(const http::request<http::buffer_body>& message) {
    Received received;
    Request& request = received.request;
    request.method = std::string(message.method_string());
    size_t host_count = 0;
    for (const auto& field : message) {
      host_count += field.name() == http::field::host ? 1 : 0;
      request.headers.push_back({std::string(field.name_string()), std::string(field.value())});
    }
    const std::string_view given_id = request.header("x-request-id");
    request.request_id =
        IsRequestId(given_id) ? std::string(given_id) : context_.request_ids.Next().ToString();
    const base::Status status = Examine(message.target(), host_count, received);
    if (!status.ok() && !received.refusal.has_value()) received.refusal = ErrorResponse(status);
    return received;
  }

  // Fills in the target and the route; a failure, or `refusal`, when there is none.
  base::Status Examine(std::string_view raw_target, size_t host_count, Received& received) {
    Request& request = received.request;
    SIGHTLINE_ASSIGN_OR_RETURN(RequestTarget target, ParseRequestTarget(raw_target));
    request.path = std::move(target.path);
    request.query = std::move(target.query);
    if (host_count > 1) return base::InvalidArgument("the request has several Host headers");
    SIGHTLINE_RETURN_IF_ERROR(CheckOrigin(request));
    RouteMatch match = context_.router.Match(request.method, request.path);
    request.parameters = std::move(match.parameters);
    received.route = match.route;
    if (match.route != nullptr) {
      received.route_pattern = match.route->pattern;
      if (const auto fault = FindQueryFault(*match.route, request)) {
        received.refusal = ErrorResponse(*fault);
        return base::OkStatus();
      }
      if (match.route->timeout_ms > 0) {
        request.cancel = base::CancelToken::After(milliseconds(match.route->timeout_ms));
      }
      return base::OkStatus();
    }
    if (match.allowed_methods.empty()) return base::NotFound("there is nothing at this address");
    std::string allowed;
    for (const std::string& method : match.allowed_methods) {
      allowed += (allowed.empty() ? "" : ", ") + method;
    }
    received.refusal =
        ErrorResponse({405, "method_not_allowed", "this address takes " + allowed + " only", ""});
    received.refusal->AddHeader("Allow", allowed);
    return base::OkStatus();
  }

  // ---- Answering ----

  awaitable<Response> Answer(Parser& parser, Received& received) {
    if (received.refusal.has_value()) {
      co_return *std::move(received.refusal);
    }
    if (!context_.admission.BeginRequest()) {
      co_return ErrorResponse({503, "too_many_requests", "too many requests are at work", ""});
    }
    RequestPermit permit(context_.admission);
    const Route& route = *received.route;
    const auto announced = parser.content_length();
    if (announced && *announced > route.max_body_bytes) {
      context_.metrics.AddRefusal("body");
      co_return TooLarge(route);
    }
    if (EqualsIgnoringCase(received.request.header("expect"), "100-continue")) {
      const bool continued = co_await WriteAll("HTTP/1.1 100 Continue\r\n\r\n");
      gone_ = gone_ || !continued;
      if (gone_) co_return Response();
    }
    if (route.upload != nullptr) co_return co_await AnswerUpload(parser, received);
    std::optional<Response> refused = co_await ReadWholeBody(parser, received);
    if (refused.has_value()) co_return *std::move(refused);
    co_return co_await RunHandler(received);
  }

  static Response TooLarge(const Route& route) {
    return ErrorResponse(
        {413, "body_too_large",
         "the body is longer than " + std::to_string(route.max_body_bytes) + " bytes", ""});
  }

  // Runs `work` on a pool; nullopt when its queue is full. The coroutine waits on a timer that
  // never runs out, which the work ends by a message to the I/O thread.
  template <typename Value>
  awaitable<std::optional<Value>> OnPool(base::ThreadPool& pool, std::function<Value()> work) {
    struct State {
      explicit State(const asio::any_io_executor& executor) : done(executor) {}
      asio::steady_timer done;
      std::optional<Value> value;
    };
    const asio::any_io_executor executor = socket_.get_executor();
    auto state = std::make_shared<State>(executor);
    state->done.expires_at(asio::steady_timer::time_point::max());
    const base::Status submitted =
        pool.TrySubmit([state, executor, work = std::move(work), self = shared_from_this()] {
          state->value.emplace(work());
          asio::post(executor, [state] { state->done.cancel(); });
        });
    if (!submitted.ok()) co_return std::nullopt;
    error_code cancelled;
    co_await state->done.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    co_return std::move(state->value);
  }

  base::ThreadPool& PoolOf(HandlerPool pool) {
    if (pool == HandlerPool::kSearch) return context_.search_pool;
    return pool == HandlerPool::kDraw ? context_.draw_pool : context_.engine_pool;
  }

  static Response Overloaded() {
    return ErrorResponse({503, "overloaded", "too much is waiting already; try again", ""});
  }

  awaitable<Response> RunHandler(const Received& received) {
    const Route& route = *received.route;
    const HandlerPool pool =
        route.choose_pool == nullptr ? route.pool : route.choose_pool(received.request);
    if (pool == HandlerPool::kInline) co_return route.handler(received.request);
    WatchForClose();
    std::optional<Response> response = co_await OnPool<Response>(PoolOf(pool), [&] {
      // It may have waited in the queue for longer than its caller did.
      const base::Status status = received.request.cancel.Check();
      return status.ok() ? route.handler(received.request) : ErrorResponse(status);
    });
    StopWatching();
    if (!response.has_value()) {
      context_.metrics.AddRefusal("queue");
      co_return Overloaded();
    }
    co_return *std::move(response);
  }

  // Reads the body into the request; the answer when that fails.
  awaitable<std::optional<Response>> ReadWholeBody(Parser& parser, Received& received) {
    BodyPace pace = StartPace();
    std::string& body = received.request.body;
    while (!parser.is_done()) {
      const size_t before = body.size();
      std::optional<Response> refused = co_await ReadSome(parser, pace, body);
      if (refused.has_value()) co_return refused;
      pace.received += body.size() - before;
      if (body.size() > received.route->max_body_bytes) co_return TooLarge(*received.route);
    }
    co_return std::nullopt;
  }

  awaitable<Response> AnswerUpload(Parser& parser, const Received& received) {
    using Begun = std::variant<std::unique_ptr<BodySink>, Response>;
    const Route& route = *received.route;
    base::ThreadPool& pool = context_.engine_pool;
    std::optional<Begun> begun =
        co_await OnPool<Begun>(pool, [&] { return route.upload(received.request); });
    if (!begun.has_value()) co_return Overloaded();
    if (std::holds_alternative<Response>(*begun)) co_return std::get<Response>(std::move(*begun));
    auto sink = std::get<std::unique_ptr<BodySink>>(std::move(*begun));
    std::optional<Response> refused = co_await PassBodyOn(parser, route, *sink);
    if (refused.has_value() || gone_) {
      // Discarding a large file takes time: not on this thread. A lambda in a co_await must own
      // nothing: g++ 12 destroys its captures twice.
      co_await OnPool<bool>(pool, [&] {
        sink.reset();
        return true;
      });
      co_return refused.has_value() ? *std::move(refused) : Response();
    }
    std::optional<Response> response =
        co_await OnPool<Response>(pool, [&] { return sink->Finish(); });
    co_return response.has_value() ? *std::move(response) : Overloaded();
  }

  awaitable<std::optional<Response>> PassBodyOn(Parser& parser, const Route& route,
                                                BodySink& sink) {
    BodyPace pace = StartPace();
    std::string piece;
    uint64_t total = 0;
    while (!parser.is_done() || !piece.empty()) {
      if (!parser.is_done()) {
        const size_t before = piece.size();
        std::optional<Response> refused = co_await ReadSome(parser, pace, piece);
        if (refused.has_value()) co_return refused;
        pace.received += piece.size() - before;
        total += piece.size() - before;
        if (total > route.max_body_bytes) co_return TooLarge(route);
        if (!parser.is_done() && piece.size() < kUploadPieceBytes) continue;
      }
      const base::MonotonicTime paused = base::SystemClock().Now();
      const std::optional<base::Status> appended =
          co_await OnPool<base::Status>(context_.engine_pool, [&] { return sink.Append(piece); });
      if (!appended.has_value()) co_return Overloaded();
      if (!appended->ok()) co_return ErrorResponse(*appended);
      piece.clear();
      // The client is not slow while we are.
      pace.start += base::SystemClock().Now() - paused;
    }
    co_return std::nullopt;
  }

  struct BodyPace {
    base::MonotonicTime start;
    uint64_t received = 0;
  };

  static BodyPace StartPace() { return {base::SystemClock().Now(), 0}; }

  // Appends what comes next of the body to `out`; the answer when the client is too slow or wrong.
  awaitable<std::optional<Response>> ReadSome(Parser& parser, const BodyPace& pace,
                                              std::string& out) {
    const size_t before = out.size();
    out.resize(before + kReadBytes);
    auto& body = parser.get().body();
    body.data = out.data() + before;
    body.size = kReadBytes;
    body.more = true;
    const auto earned = milliseconds(pace.received * 1000 / limits_.body_bytes_per_second);
    ExpireAt(pace.start + milliseconds(limits_.body_grace_ms) + earned);
    error_code error;
    co_await http::async_read_some(socket_, buffer_, parser,
                                   asio::redirect_error(asio::use_awaitable, error));
    ExpireNever();
    out.resize(before + kReadBytes - parser.get().body().size);
    if (!error || error == http::error::need_buffer) co_return std::nullopt;
    if (expired_) {
      context_.metrics.AddRefusal("body_rate");
      co_return ErrorResponse({408, "body_timeout",
                               "the body came slower than " +
                                   std::to_string(limits_.body_bytes_per_second) +
                                   " bytes a second",
                               ""});
    }
    if (error.category() == make_error_code(http::error::bad_chunk).category() &&
        error != http::error::partial_message && error != http::error::end_of_stream) {
      co_return ErrorResponse(
          {400, "bad_body", "the body is not sent as HTTP/1.1 says: " + error.message(), ""});
    }
    gone_ = true;
    co_return Response();
  }

  // ---- A client that goes away ----

  // While a handler runs, a closed connection cancels it. One that has sent its next request
  // already cannot be watched.
  void WatchForClose() {
    const uint64_t watch = ++watch_;
    socket_.async_wait(tcp::socket::wait_read,
                       [self = shared_from_this(), watch](error_code error) {
                         if (!error && watch == self->watch_) self->LookForClose();
                       });
  }

  void LookForClose() {
    char byte = 0;
    const ssize_t got = recv(socket_.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    if (got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR))) return;
    gone_ = true;
    cancel_.Cancel();
    if (event_wake_ != nullptr) event_wake_->cancel();
  }

  void StopWatching() {
    ++watch_;
    error_code ignored;
    socket_.cancel(ignored);
  }

  // ---- Writing ----

  awaitable<bool> WriteAll(std::string_view bytes) {
    ExpireAfter(milliseconds(limits_.write_timeout_ms));
    error_code error;
    co_await asio::async_write(socket_, asio::buffer(bytes.data(), bytes.size()),
                               asio::redirect_error(asio::use_awaitable, error));
    ExpireNever();
    co_return !error;
  }

  awaitable<bool> Finish(const Received& received, Response response, bool keep_alive) {
    const ResponseContext context{received.request.request_id, keep_alive, MillisSince(start_),
                                  base::SystemClock().UtcNow()};
    std::string head = FormatResponseHead(response, context);
    const bool has_body = received.request.method != "HEAD" && StatusHasBody(response.status);
    const bool small = response.source == nullptr && response.events == nullptr;
    if (has_body && small) head += response.body;
    bool written = co_await WriteAll(head);
    if (written && has_body && response.source != nullptr) {
      written = co_await WriteSource(*response.source);
    }
    context_.metrics.AddRequest({received.request.method.size() <= 8 ? received.request.method : "",
                                 received.route_pattern, response.status,
                                 MillisSince(start_) / 1000});
    if (written && has_body && response.events != nullptr) {
      co_await WriteEvents(*response.events);
    }
    co_return written&& keep_alive;
  }

  // Whether all of it was sent. After a failure the connection is closed, so that the client sees
  // that the body is cut.
  awaitable<bool> WriteSource(BodySource& source) {
    for (;;) {
      const auto piece = co_await OnPool<base::Result<std::string>>(context_.engine_pool,
                                                                    [&] { return source.Next(); });
      if (!piece.has_value() || !piece->ok()) co_return false;
      if ((*piece)->empty()) co_return true;
      const bool written = co_await WriteAll(**piece);
      if (!written) co_return false;
    }
  }

  awaitable<void> WriteEvents(EventStream& events) {
    const asio::any_io_executor executor = socket_.get_executor();
    event_wake_ = std::make_shared<asio::steady_timer>(executor);
    events.OnEvent(
        [wake = event_wake_, executor] { asio::post(executor, [wake] { wake->cancel(); }); });
    WatchForClose();
    bool open = co_await WriteAll(": sightline\n\n");
    while (open && !stopping_ && !gone_) {
      std::string text = events.Take();
      if (text.empty()) {
        error_code woken;
        event_wake_->expires_after(milliseconds(limits_.heartbeat_ms));
        co_await event_wake_->async_wait(asio::redirect_error(asio::use_awaitable, woken));
        if (woken) continue;
        text = ": heartbeat\n\n";
      }
      open = co_await WriteAll(text);
    }
    StopWatching();
    event_wake_ = nullptr;
  }

  // Closing with bytes unread would reset the connection before the client has read its answer.
  awaitable<void> Linger() {
    error_code error;
    socket_.shutdown(tcp::socket::shutdown_send, error);
    ExpireAfter(kLingerTime);
    std::string scratch(kReadBytes, '\0');
    size_t total = 0;
    while (!error && total < kLingerBytes) {
      total += co_await socket_.async_read_some(asio::buffer(scratch),
                                                asio::redirect_error(asio::use_awaitable, error));
    }
  }

  const ConnectionContext& context_;
  const ServerLimits& limits_;
  tcp::socket socket_;
  asio::steady_timer deadline_;
  beast::flat_buffer buffer_;
  base::MonotonicTime start_;
  base::CancelToken cancel_;
  std::shared_ptr<asio::steady_timer> event_wake_;
  uint64_t watch_ = 0;
  bool first_request_ = true;
  // The last operation failed because its time was over.
  bool expired_ = false;
  bool idle_ = true;
  bool stopping_ = false;
  // The client has closed: nothing more can be written.
  bool gone_ = false;
  bool linger_ = false;
};

}  // namespace

std::shared_ptr<Connection> Connection::Make(tcp::socket socket, const ConnectionContext& context) {
  return std::make_shared<ConnectionImpl>(std::move(socket), context);
}

}  // namespace sightline::server
