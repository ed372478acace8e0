// One loaded ONNX model. The only file that speaks to ONNX Runtime is onnx_session.cc.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"

namespace sightline::model {

/// How a session uses the machine.
struct OnnxOptions {
  /// Threads that share one operator of one `Run`; concurrent `Run`s bring their own thread each.
  int intra_op_threads = 1;
  /// Keep freed activations for the next run. Faster for fixed shapes; off keeps idle memory small.
  enum class Arena { kOff, kOn } arena = Arena::kOff;
};

/// An input of a run; the values stay the caller's and must outlive the call.
struct OnnxInput {
  std::string name;
  std::vector<std::int64_t> shape;
  std::variant<std::span<const float>, std::span<const std::int64_t>, std::span<const std::uint8_t>>
      values;
};

/// An output of a run, row-major, in the runtime's own memory. Half-precision outputs are widened.
struct OnnxTensor {
  std::vector<std::int64_t> shape;
  std::span<const float> values;
  std::shared_ptr<const void> storage;  ///< Owns `values`.
};

/// What a model says about one of its inputs or outputs. Unknown sizes are -1.
struct OnnxPort {
  std::string name;
  std::vector<std::int64_t> shape;
};

/// A model loaded into memory. Thread-safe: `Run` may be called at the same time by many threads.
class OnnxSession {
 public:
  /// Loads the file. `kNotFound` where it is missing, `kDataLoss` where it is not a model that
  /// this runtime can run.
  static base::Result<std::unique_ptr<OnnxSession>> Open(const std::filesystem::path& path,
                                                         const OnnxOptions& options);
  ~OnnxSession();
  OnnxSession(const OnnxSession&) = delete;
  OnnxSession& operator=(const OnnxSession&) = delete;

  /// In the order of the model.
  const std::vector<OnnxPort>& inputs() const;
  /// In the order of the model.
  const std::vector<OnnxPort>& outputs() const;
  /// Whether there is an input of that name.
  bool HasInput(std::string_view name) const;
  /// Whether there is an output of that name.
  bool HasOutput(std::string_view name) const;
  /// Value of a custom metadata key, or nothing.
  std::optional<std::string> Metadata(const std::string& key) const;

  /// Runs the model and returns `output_names` in that order. Stops inside the run, within some
  /// ten milliseconds, when `cancel` fires; then the status is that of `cancel`.
  base::Result<std::vector<OnnxTensor>> Run(std::span<const OnnxInput> inputs,
                                            std::span<const std::string> output_names,
                                            const base::CancelToken& cancel) const;

 private:
  struct Impl;
  explicit OnnxSession(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sightline::model
