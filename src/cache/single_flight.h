// Single flight: of many that need the same value at once, one makes it and the others wait.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>

#include "base/deadline.h"
#include "base/mutex.h"
#include "base/result.h"
#include "cache/cache_key.h"

namespace sightline::cache {

/// Thread-safe. `Value` is copied to each caller: a shared pointer, usually.
template <typename Value>
class SingleFlight {
 public:
  using Function = std::function<base::Result<Value>()>;

  /// The result of `make`, run by this caller or by another that came first with the same key. A
  /// failure is shared, except that a caller who was cancelled or ran out of time fails alone: then
  /// one of those who wait makes the value. Waiting ends with `cancel`. `make` must not ask for the
  /// same key.
  base::Result<Value> Do(const CacheKey& key, const base::CancelToken& cancel,
                         const Function& make) {
    while (true) {
      std::shared_ptr<Flight> flight;
      bool leads = false;
      {
        base::MutexLock lock(mutex_);
        std::shared_ptr<Flight>& entry = flights_[key];
        leads = entry == nullptr;
        if (leads) entry = std::make_shared<Flight>();
        flight = entry;
      }
      if (leads) return Lead(key, flight, make);
      SIGHTLINE_ASSIGN_OR_RETURN(std::optional<base::Result<Value>> shared, Await(*flight, cancel));
      if (shared.has_value()) return *std::move(shared);
    }
  }

 private:
  // Shared by the leader and those who wait; the last one out destroys it.
  struct Flight {
    base::Mutex mutex;
    base::CondVar done;
    bool landed SIGHTLINE_GUARDED_BY(mutex) = false;
    std::optional<base::Result<Value>> result SIGHTLINE_GUARDED_BY(mutex);
  };

  static bool IsOwnFailure(const base::Status& status) {
    return status.code() == base::StatusCode::kCancelled ||
           status.code() == base::StatusCode::kDeadlineExceeded;
  }

  base::Result<Value> Lead(const CacheKey& key, const std::shared_ptr<Flight>& flight,
                           const Function& make) {
    base::Result<Value> result = make();
    {
      base::MutexLock lock(mutex_);
      flights_.erase(key);
    }
    base::MutexLock lock(flight->mutex);
    flight->landed = true;
    if (!IsOwnFailure(result.status())) flight->result = result;
    flight->done.NotifyAll();
    return result;
  }

  /// The shared result, or nothing when the leader failed alone.
  base::Result<std::optional<base::Result<Value>>> Await(Flight& flight,
                                                         const base::CancelToken& cancel) {
    const std::stop_callback wake(cancel.stop_token(), [&flight] {
      base::MutexLock lock(flight.mutex);
      flight.done.NotifyAll();
    });
    base::MutexLock lock(flight.mutex);
    while (!flight.landed) {
      SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
      flight.done.WaitFor(flight.mutex, cancel.remaining());
    }
    return flight.result;
  }

  base::Mutex mutex_;
  std::unordered_map<CacheKey, std::shared_ptr<Flight>, CacheKeyHash> flights_
      SIGHTLINE_GUARDED_BY(mutex_);
};

}  // namespace sightline::cache
