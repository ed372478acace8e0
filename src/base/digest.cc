#include <openssl/evp.h>

#include "base/check.h"
#include "base/digest.h"

namespace sightline::base {

struct Sha256::State {
  State() : context(EVP_MD_CTX_new()) {
    CHECK(context != nullptr, "EVP_MD_CTX_new");
    CHECK(EVP_DigestInit_ex(context, EVP_sha256(), nullptr) == 1, "EVP_DigestInit_ex");
  }
  ~State() { EVP_MD_CTX_free(context); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  EVP_MD_CTX* context;
};

Sha256::Sha256() : state_(std::make_unique<State>()) {}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::Update(std::span<const std::byte> data) {
  CHECK(EVP_DigestUpdate(state_->context, data.data(), data.size()) == 1, "EVP_DigestUpdate");
}

void Sha256::Update(std::string_view data) { Update(std::as_bytes(std::span(data))); }

void Sha256::UpdateField(std::string_view field) {
  std::array<std::byte, 8> size;
  for (size_t i = 0; i < size.size(); ++i)
    size[i] = static_cast<std::byte>(field.size() >> (8 * i));
  Update(size);
  Update(field);
}

Sha256Digest Sha256::Finish() {
  std::array<unsigned char, 32> raw;
  unsigned int size = 0;
  CHECK(EVP_DigestFinal_ex(state_->context, raw.data(), &size) == 1 && size == raw.size(),
        "EVP_DigestFinal_ex");
  Sha256Digest digest;
  for (size_t i = 0; i < raw.size(); ++i) digest[i] = static_cast<std::byte>(raw[i]);
  return digest;
}

Sha256Digest Sha256Of(std::string_view data) {
  Sha256 hash;
  hash.Update(data);
  return hash.Finish();
}

std::string Sha256Hex(std::string_view data) { return HexEncode(Sha256Of(data)); }

std::string HexEncode(std::span<const std::byte> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const std::byte b : bytes) {
    text.push_back(kDigits[std::to_integer<size_t>(b >> 4)]);
    text.push_back(kDigits[std::to_integer<size_t>(b & std::byte{15})]);
  }
  return text;
}

namespace {

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

Result<std::vector<std::byte>> HexDecode(std::string_view text) {
  if (text.size() % 2 != 0) return InvalidArgument("hexadecimal text of odd length");
  std::vector<std::byte> bytes;
  bytes.reserve(text.size() / 2);
  for (size_t i = 0; i < text.size(); i += 2) {
    const int high = HexValue(text[i]);
    const int low = HexValue(text[i + 1]);
    if (high < 0 || low < 0) {
      return InvalidArgument("not hexadecimal at character " + std::to_string(i));
    }
    bytes.push_back(static_cast<std::byte>(high * 16 + low));
  }
  return bytes;
}

}  // namespace sightline::base
