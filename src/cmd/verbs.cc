#include "cmd/verb.h"

namespace sightline::cmd {

std::vector<std::unique_ptr<Verb>> MakeVerbs() {
  std::vector<std::unique_ptr<Verb>> verbs;
  verbs.push_back(MakeAddVerb());
  verbs.push_back(MakeSearchVerb());
  verbs.push_back(MakeDocumentsVerb());
  verbs.push_back(MakeShowVerb());
  verbs.push_back(MakeRemoveVerb());
  verbs.push_back(MakeServeVerb());
  verbs.push_back(MakeModelsVerb());
  verbs.push_back(MakeInspectVerb());
  verbs.push_back(MakeEvalVerb());
  verbs.push_back(MakeBenchVerb());
  verbs.push_back(MakeDoctorVerb());
  verbs.push_back(MakeConfigVerb());
  return verbs;
}

}  // namespace sightline::cmd
