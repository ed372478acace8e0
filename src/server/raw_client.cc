#include "server/raw_client.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <utility>

namespace sightline::server {

RawClient::RawClient(int port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(port));
  const timeval patience{20, 0};
  setsockopt(fd_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  EXPECT_EQ(connect(fd_.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
}

bool RawClient::Send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

bool RawClient::ReadMore() {
  std::array<char, 4096> piece;
  const ssize_t got = recv(fd_.get(), piece.data(), piece.size(), 0);
  if (got <= 0) return false;
  buffer_.append(piece.data(), static_cast<size_t>(got));
  return true;
}

std::string RawClient::ReadUntil(std::string_view end) {
  while (buffer_.find(end) == std::string::npos && ReadMore()) {
  }
  return std::exchange(buffer_, {});
}

std::string RawClient::ReadAll() {
  while (ReadMore()) {
  }
  return std::exchange(buffer_, {});
}

std::string RawClient::ReadResponse() {
  size_t head_end = std::string::npos;
  while ((head_end = buffer_.find("\r\n\r\n")) == std::string::npos) {
    if (!ReadMore()) return std::exchange(buffer_, {});
  }
  const size_t length_at = buffer_.find("Content-Length: ");
  const size_t length = length_at < head_end ? std::stoul(buffer_.substr(length_at + 16)) : 0;
  const size_t size = head_end + 4 + length;
  while (buffer_.size() < size && ReadMore()) {
  }
  std::string response = buffer_.substr(0, size);
  buffer_.erase(0, size);
  return response;
}

}  // namespace sightline::server
