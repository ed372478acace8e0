#include "store/text_lengths.h"

namespace sightline::store {

TextLengths::~TextLengths() {
  for (auto& slot : chunks_) {
    // Takes back what Remember let go.
    const std::unique_ptr<Chunk> owned(slot.load(std::memory_order_relaxed));
  }
}

int TextLengths::Find(index::UnitId id) const {
  const auto at = static_cast<std::size_t>(id);
  if (id < 0 || at / kChunkIds >= kChunks) return -1;
  const Chunk* chunk = chunks_[at / kChunkIds].load(std::memory_order_acquire);
  return chunk == nullptr ? -1 : (*chunk)[at % kChunkIds].load(std::memory_order_relaxed) - 1;
}

void TextLengths::Remember(index::UnitId id, int length) {
  const auto at = static_cast<std::size_t>(id);
  if (id < 0 || at / kChunkIds >= kChunks) return;
  std::atomic<Chunk*>& slot = chunks_[at / kChunkIds];
  Chunk* chunk = slot.load(std::memory_order_acquire);
  if (chunk == nullptr) {
    auto fresh = std::make_unique<Chunk>();
    // Of two threads that make the same chunk, one wins and the other's is freed.
    if (slot.compare_exchange_strong(chunk, fresh.get(), std::memory_order_acq_rel)) {
      chunk = fresh.release();
    }
  }
  (*chunk)[at % kChunkIds].store(length + 1, std::memory_order_relaxed);
}

}  // namespace sightline::store
