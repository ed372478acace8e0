// What the processor can do, as far as the choice of a model's numeric form depends on it.
#pragma once

namespace sightline::model {

/// Whether products of unsigned and signed bytes are summed without saturation (VNNI on x86, any
/// other architecture). Where not, int8 models lose accuracy and the 4-bit form is used instead.
bool HasExactInt8Products();

/// Whether the speech library's code runs here (AVX2, FMA, F16C and BMI2 on x86; any other
/// architecture).
bool CanRunSpeechLibrary();

}  // namespace sightline::model
