#include "model/onnx_session.h"

#include <malloc.h>
#include <onnxruntime_cxx_api.h>

#include <algorithm>
#include <new>
#include <utility>

#include "model/run_watchdog.h"

namespace sightline::model {
namespace {

base::Status FromOrt(const Ort::Exception& error, std::string_view what) {
  const std::string message = std::string(what) + ": " + error.what();
  switch (error.GetOrtErrorCode()) {
    case ORT_NO_SUCHFILE:
      return base::NotFound(message);
    case ORT_INVALID_ARGUMENT:
      return base::InvalidArgument(message);
    case ORT_EP_FAIL:
    case ORT_ENGINE_ERROR:
      return base::Unavailable(message);
    default:
      return base::DataLoss(message);
  }
}

/// One environment a process: it owns the logger and outlives every session.
Ort::Env& Environment() {
  static Ort::Env env = [] {
    // Each heap of the allocator keeps its own freed activations: with the default of eight a core
    // an idle program held 212 MB after encoding, with two 156 MB.
    mallopt(M_ARENA_MAX, 2);
    return Ort::Env(ORT_LOGGING_LEVEL_ERROR, "sightline");
  }();
  return env;
}

Ort::SessionOptions MakeOptions(const OnnxOptions& options) {
  Ort::SessionOptions session;
  session.SetIntraOpNumThreads(std::max(1, options.intra_op_threads));
  session.SetInterOpNumThreads(1);
  session.SetExecutionMode(ORT_SEQUENTIAL);
  session.SetGraphOptimizationLevel(ORT_ENABLE_ALL);
  session.AddConfigEntry("session.intra_op.allow_spinning", "0");
  session.AddConfigEntry("session.inter_op.allow_spinning", "0");
  // Weights are allocated one by one at their size instead of inside the growing arena.
  session.AddConfigEntry("session.use_device_allocator_for_initializers", "1");
  if (options.arena == OnnxOptions::Arena::kOff) {
    session.DisableCpuMemArena();
    session.DisableMemPattern();
  }
  return session;
}

OnnxPort DescribePort(std::string name, const Ort::TypeInfo& type) {
  OnnxPort port{std::move(name), {}};
  if (type.GetONNXType() == ONNX_TYPE_TENSOR) {
    port.shape = type.GetTensorTypeAndShapeInfo().GetShape();
  }
  return port;
}

std::size_t ElementCount(std::span<const std::int64_t> shape) {
  std::size_t count = 1;
  for (const std::int64_t size : shape)
    count *= static_cast<std::size_t>(std::max<std::int64_t>(size, 0));
  return count;
}

template <typename T>
Ort::Value MakeValue(const Ort::MemoryInfo& memory, std::span<const T> values,
                     std::span<const std::int64_t> shape) {
  // The runtime takes inputs by pointer to non-const and does not write to them.
  T* data = const_cast<T*>(values.data());
  return Ort::Value::CreateTensor<T>(memory, data, values.size(), shape.data(), shape.size());
}

base::Status CheckInput(const OnnxInput& input) {
  const std::size_t size =
      std::visit([](const auto& values) { return values.size(); }, input.values);
  if (size == ElementCount(input.shape)) return base::OkStatus();
  return base::InvalidArgument("the values of a model input do not fill its shape: " + input.name);
}

base::Result<OnnxTensor> TakeOutput(Ort::Value value, const std::string& name) {
  const auto info = value.GetTensorTypeAndShapeInfo();
  const std::size_t count = info.GetElementCount();
  switch (info.GetElementType()) {
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT: {
      auto storage = std::make_shared<Ort::Value>(std::move(value));
      return OnnxTensor{info.GetShape(), {storage->GetTensorData<float>(), count}, storage};
    }
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16: {
      const auto* data = value.GetTensorData<Ort::Float16_t>();
      auto storage = std::make_shared<std::vector<float>>(count);
      for (std::size_t i = 0; i < count; ++i) (*storage)[i] = data[i].ToFloat();
      return OnnxTensor{info.GetShape(), *storage, storage};
    }
    default:
      return base::DataLoss("a model output is not a float tensor: " + name);
  }
}

}  // namespace

struct OnnxSession::Impl {
  std::string path;
  Ort::Session session{nullptr};
  std::vector<OnnxPort> inputs;
  std::vector<OnnxPort> outputs;
};

OnnxSession::OnnxSession(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
OnnxSession::~OnnxSession() = default;

base::Result<std::unique_ptr<OnnxSession>> OnnxSession::Open(const std::filesystem::path& path,
                                                             const OnnxOptions& options) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return base::NotFound("the model file is missing: " + path.string());
  }
  try {
    auto impl = std::make_unique<Impl>();
    impl->path = path.string();
    impl->session = Ort::Session(Environment(), path.c_str(), MakeOptions(options));
    Ort::AllocatorWithDefaultOptions allocator;
    for (std::size_t i = 0; i < impl->session.GetInputCount(); ++i) {
      impl->inputs.push_back(DescribePort(impl->session.GetInputNameAllocated(i, allocator).get(),
                                          impl->session.GetInputTypeInfo(i)));
    }
    for (std::size_t i = 0; i < impl->session.GetOutputCount(); ++i) {
      impl->outputs.push_back(DescribePort(impl->session.GetOutputNameAllocated(i, allocator).get(),
                                           impl->session.GetOutputTypeInfo(i)));
    }
    return std::unique_ptr<OnnxSession>(new OnnxSession(std::move(impl)));
  } catch (const Ort::Exception& exception) {
    return FromOrt(exception, "cannot open the model " + path.string());
  } catch (const std::bad_alloc&) {
    return base::ResourceExhausted("not enough memory to open the model " + path.string());
  } catch (const std::exception& exception) {
    return base::DataLoss("cannot open the model " + path.string() + ": " + exception.what());
  }
}

const std::vector<OnnxPort>& OnnxSession::inputs() const { return impl_->inputs; }
const std::vector<OnnxPort>& OnnxSession::outputs() const { return impl_->outputs; }

bool OnnxSession::HasInput(std::string_view name) const {
  return std::ranges::any_of(impl_->inputs, [&](const OnnxPort& p) { return p.name == name; });
}

bool OnnxSession::HasOutput(std::string_view name) const {
  return std::ranges::any_of(impl_->outputs, [&](const OnnxPort& p) { return p.name == name; });
}

std::optional<std::string> OnnxSession::Metadata(const std::string& key) const {
  try {
    Ort::AllocatorWithDefaultOptions allocator;
    const auto value =
        impl_->session.GetModelMetadata().LookupCustomMetadataMapAllocated(key.c_str(), allocator);
    if (value == nullptr) return std::nullopt;
    return std::string(value.get());
  } catch (const Ort::Exception&) {
    // The runtime reports an absent key as null; an exception means that there is no metadata.
    return std::nullopt;
  }
}

base::Result<std::vector<OnnxTensor>> OnnxSession::Run(std::span<const OnnxInput> inputs,
                                                       std::span<const std::string> output_names,
                                                       const base::CancelToken& cancel) const {
  SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
  for (const OnnxInput& input : inputs) SIGHTLINE_RETURN_IF_ERROR(CheckInput(input));
  try {
    const auto memory = Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);
    std::vector<Ort::Value> values;
    std::vector<const char*> input_names;
    for (const OnnxInput& input : inputs) {
      input_names.push_back(input.name.c_str());
      values.push_back(std::visit(
          [&](const auto& data) { return MakeValue(memory, data, std::span(input.shape)); },
          input.values));
    }
    std::vector<const char*> outputs;
    for (const std::string& name : output_names) outputs.push_back(name.c_str());
    Ort::RunOptions run_options;
    std::vector<Ort::Value> results;
    {
      const RunWatchdog::Watch watch(cancel, [&] { run_options.SetTerminate(); });
      results = impl_->session.Run(run_options, input_names.data(), values.data(), values.size(),
                                   outputs.data(), outputs.size());
    }
    std::vector<OnnxTensor> tensors;
    for (std::size_t i = 0; i < results.size(); ++i) {
      SIGHTLINE_ASSIGN_OR_RETURN(OnnxTensor tensor,
                                 TakeOutput(std::move(results[i]), output_names[i]));
      tensors.push_back(std::move(tensor));
    }
    return tensors;
  } catch (const Ort::Exception& exception) {
    SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
    return FromOrt(exception, "the model failed: " + impl_->path);
  } catch (const std::bad_alloc&) {
    return base::ResourceExhausted("not enough memory to run the model " + impl_->path);
  } catch (const std::exception& exception) {
    return base::DataLoss("the model failed: " + impl_->path + ": " + exception.what());
  }
}

}  // namespace sightline::model
