#include "server/event_hub.h"

#include <algorithm>
#include <boost/json.hpp>
#include <map>

#include "server/document_json.h"

namespace sightline::server {

using base::MutexLock;

class EventHub::Stream final : public EventStream {
 public:
  std::string Take() override {
    MutexLock lock(mutex_);
    std::string out;
    for (const std::string& id : order_) out += waiting_[id];
    waiting_.clear();
    order_.clear();
    return out;
  }

  void OnEvent(std::function<void()> wake) override {
    MutexLock lock(mutex_);
    wake_ = std::move(wake);
  }

  // The newest state of a document takes the place of one that still waits.
  void Add(const std::string& document_id, const std::string& message) {
    std::function<void()> wake;
    {
      MutexLock lock(mutex_);
      const bool is_new = waiting_.insert_or_assign(document_id, message).second;
      if (is_new) order_.push_back(document_id);
      if (order_.size() > kMaxWaiting) {
        // The client has stopped reading.
        waiting_.erase(order_.front());
        order_.erase(order_.begin());
      }
      wake = wake_;
    }
    if (wake != nullptr) wake();
  }

 private:
  base::Mutex mutex_;
  std::map<std::string, std::string> waiting_ SIGHTLINE_GUARDED_BY(mutex_);
  std::vector<std::string> order_ SIGHTLINE_GUARDED_BY(mutex_);
  std::function<void()> wake_ SIGHTLINE_GUARDED_BY(mutex_);
};

EventHub::EventHub(engine::Engine& engine, size_t max_streams)
    : engine_(engine), max_streams_(max_streams) {
  listener_id_ =
      engine_.AddListener([this](const store::Document& document) { Publish(document); });
}

EventHub::~EventHub() { engine_.RemoveListener(listener_id_); }

std::shared_ptr<EventStream> EventHub::Open() {
  MutexLock lock(mutex_);
  std::erase_if(streams_, [](const auto& stream) { return stream.expired(); });
  if (streams_.size() >= max_streams_) return nullptr;
  auto stream = std::make_shared<Stream>();
  streams_.push_back(stream);
  return stream;
}

size_t EventHub::open_streams() const {
  MutexLock lock(mutex_);
  return static_cast<size_t>(
      std::ranges::count_if(streams_, [](const auto& stream) { return !stream.expired(); }));
}

void EventHub::Publish(const store::Document& document) {
  std::vector<std::shared_ptr<Stream>> streams;
  {
    MutexLock lock(mutex_);
    for (const auto& weak : streams_) {
      if (auto stream = weak.lock()) streams.push_back(std::move(stream));
    }
  }
  if (streams.empty()) return;
  const std::string message =
      "event: document\ndata: " + boost::json::serialize(DocumentToJson(document)) + "\n\n";
  for (const auto& stream : streams) stream->Add(document.id, message);
}

}  // namespace sightline::server
