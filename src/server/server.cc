#include "server/server.h"

#include <sys/socket.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <exception>
#include <optional>
#include <set>
#include <thread>

#include "base/check.h"
#include "base/mutex.h"
#include "base/random.h"
#include "base/thread_pool.h"
#include "server/api.h"
#include "server/connection.h"
#include "server/origin_check.h"

namespace sightline::server {
namespace {

namespace asio = boost::asio;
using asio::awaitable;
using base::MutexLock;
using boost::system::error_code;
using std::chrono::milliseconds;
using tcp = asio::ip::tcp;

// What a connection over a limit is told; the request is not read.
constexpr std::string_view kBusy =
    "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nConnection: close\r\n"
    "Retry-After: 1\r\nContent-Length: 116\r\n\r\n"
    R"({"error":{"message":"too many connections are open","type":"overloaded","code":"too_many_connections","param":null}})";
static_assert(kBusy.size() - kBusy.find("{\"error") == 116);

class ServerImpl final : public Server {
 public:
  ServerImpl(const ServerOptions& options, engine::Engine& engine)
      : options_(options),
        web_(options_.web_dir),
        events_(std::in_place, engine, options_.limits.event_streams),
        api_{engine, *events_, metrics_, web_, options_},
        router_(MakeApiRouter(api_)),
        admission_(options_.limits, metrics_),
        request_ids_(base::SystemClock(), base::SystemRandom()),
        acceptor_(io_),
        search_pool_({"search", options_.search_threads, options_.limits.in_flight_requests}),
        engine_pool_({"engine", options_.engine_threads, options_.limits.in_flight_requests}),
        draw_pool_({"draw", options_.draw_threads, options_.limits.in_flight_requests}),
        context_{router_,      options_.limits, metrics_,     admission_,
                 request_ids_, search_pool_,    engine_pool_, draw_pool_} {}

  ~ServerImpl() override { Stop(); }

  base::Status Listen() {
    if (options_.temporary_dir.empty()) {
      return base::InvalidArgument("the server has no folder for temporary files");
    }
    if (!IsLoopbackName(options_.listen)) {
      return base::InvalidArgument(
          "the server listens on this machine only (127.0.0.1, ::1, localhost), since it asks "
          "nobody "
          "for a key yet; use an SSH tunnel to reach it from elsewhere. Not: " +
          options_.listen);
    }
    error_code error;
    const std::string address = options_.listen == "localhost" ? "127.0.0.1" : options_.listen;
    const auto ip = asio::ip::make_address(address, error);
    if (error) return base::InvalidArgument("not an address: " + options_.listen);
    const tcp::endpoint endpoint(ip, static_cast<std::uint16_t>(options_.port));
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (error) return ListenFailure(error);
    port_ = acceptor_.local_endpoint(error).port();
    if (error) return base::IoError("cannot see the port: " + error.message());
    return api_.engine.AnnounceUrl(url());
  }

  void Run() {
    asio::co_spawn(io_, Accept(), [](std::exception_ptr failure) {
      // Only running out of memory gets here.
      CHECK(failure == nullptr, "the acceptor failed");
    });
    thread_ = std::thread([this] {
      base::SetThreadName("server-io");
      io_.run();
    });
  }

  void Stop() override {
    {
      MutexLock lock(mutex_);
      if (stopped_) return;
      stopped_ = true;
    }
    if (thread_.joinable()) {
      asio::post(io_, [this] { BeginStop(); });
      if (!WaitUntilEmpty(milliseconds(options_.limits.shutdown_ms))) {
        asio::post(io_, [this] {
          for (const auto& connection : connections_) connection->Abort();
        });
        // Cancelled handlers end at their next look at their token.
        while (!WaitUntilEmpty(std::chrono::hours(1))) {
        }
      }
    }
    events_.reset();
    search_pool_.Shutdown();
    engine_pool_.Shutdown();
    draw_pool_.Shutdown();
    io_.stop();
    if (thread_.joinable()) thread_.join();
  }

  int port() const override { return port_; }

  std::string url() const override {
    const std::string host = options_.listen == "::1" ? "[::1]" : options_.listen;
    return "http://" + host + ":" + std::to_string(port_);
  }

 private:
  base::Status ListenFailure(error_code error) const {
    const std::string where = options_.listen + ":" + std::to_string(options_.port);
    if (error == asio::error::address_in_use) {
      return base::Unavailable(
          "another program listens there already; choose another port with "
          "--port, or stop it: " +
          where);
    }
    if (error == asio::error::access_denied) {
      return base::PermissionDenied("may not listen there; ports below 1024 are reserved: " +
                                    where);
    }
    return base::IoError("cannot listen on " + where + ": " + error.message());
  }

  awaitable<void> Accept() {
    for (;;) {
      error_code error;
      tcp::socket socket =
          co_await acceptor_.async_accept(asio::redirect_error(asio::use_awaitable, error));
      if (!acceptor_.is_open()) co_return;
      if (error) {
        // Out of descriptors, as a rule: let some connections end first.
        metrics_.AddRefusal("accept");
        asio::steady_timer pause(io_, milliseconds(100));
        error_code ignored;
        co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        continue;
      }
      Admit(std::move(socket));
    }
  }

  void Admit(tcp::socket socket) {
    error_code error;
    const tcp::endpoint peer = socket.remote_endpoint(error);
    if (error) return;
    const std::string address = peer.address().to_string();
    if (!admission_.BeginConnection(address)) {
      // Never waits: a client that does not read it does not get it.
      send(socket.native_handle(), kBusy.data(), kBusy.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      socket.shutdown(tcp::socket::shutdown_send, error);
      return;
    }
    socket.set_option(tcp::no_delay(true), error);
    std::shared_ptr<Connection> connection = Connection::Make(std::move(socket), context_);
    AddConnection(connection);
    asio::co_spawn(io_, connection->Run(), [this, connection, address](std::exception_ptr failure) {
      // Out of memory for this one: its client sees the connection close.
      if (failure != nullptr) metrics_.AddRefusal("memory");
      admission_.EndConnection(address);
      RemoveConnection(connection);
    });
  }

  void AddConnection(const std::shared_ptr<Connection>& connection) {
    connections_.insert(connection);
    MutexLock lock(mutex_);
    ++open_connections_;
  }

  void RemoveConnection(const std::shared_ptr<Connection>& connection) {
    connections_.erase(connection);
    MutexLock lock(mutex_);
    --open_connections_;
    changed_.NotifyAll();
  }

  void BeginStop() {
    error_code ignored;
    acceptor_.close(ignored);
    for (const auto& connection : connections_) connection->Stop();
    MutexLock lock(mutex_);
    draining_ = true;
    changed_.NotifyAll();
  }

  // Whether every connection has ended within `timeout`.
  bool WaitUntilEmpty(std::chrono::nanoseconds timeout) {
    const base::CancelToken deadline = base::CancelToken::After(timeout);
    MutexLock lock(mutex_);
    while (!draining_ || open_connections_ > 0) {
      if (!deadline.Check().ok()) return false;
      changed_.WaitFor(mutex_, deadline.remaining());
    }
    return true;
  }

  // Constant after construction, or with synchronisation of its own.
  const ServerOptions options_;
  const WebAssets web_;
  ServerMetrics metrics_;
  // The network's executor outlives whatever posts to it.
  asio::io_context io_{1};
  std::optional<EventHub> events_;
  const ApiContext api_;
  const Router router_;

  // On the I/O thread only.
  Admission admission_;
  base::UlidGenerator request_ids_;
  tcp::acceptor acceptor_;
  std::set<std::shared_ptr<Connection>> connections_;

  base::ThreadPool search_pool_;
  base::ThreadPool engine_pool_;
  base::ThreadPool draw_pool_;
  const ConnectionContext context_;
  int port_ = 0;
  std::thread thread_;

  base::Mutex mutex_;
  base::CondVar changed_;
  bool stopped_ SIGHTLINE_GUARDED_BY(mutex_) = false;
  bool draining_ SIGHTLINE_GUARDED_BY(mutex_) = false;
  size_t open_connections_ SIGHTLINE_GUARDED_BY(mutex_) = 0;
};

}  // namespace

base::Result<std::unique_ptr<Server>> Server::Start(const ServerOptions& options,
                                                    engine::Engine& engine) {
  auto server = std::make_unique<ServerImpl>(options, engine);
  SIGHTLINE_RETURN_IF_ERROR(server->Listen());
  server->Run();
  return std::unique_ptr<Server>(std::move(server));
}

}  // namespace sightline::server
