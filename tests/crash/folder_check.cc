#include "crash/folder_check.h"

#include <algorithm>

#include "io/file_system.h"

namespace sightline::crash {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;

/// Files that no row refers to: opening the store has collected them.
Status CheckNothingIsLeftOver(const store::LocalStoreOptions& options, store::LocalStore& store,
                              std::vector<std::string>& findings) {
  io::FileSystem& files = options.files != nullptr ? *options.files : io::PosixFileSystem();
  SIGHTLINE_ASSIGN_OR_RETURN(auto live, store.catalog->LiveSegmentFiles());
  SIGHTLINE_ASSIGN_OR_RETURN(auto segments, files.List(io::JoinPath(options.data_dir, "segments")));
  for (std::string& name : segments) name = io::JoinPath("segments", name);
  std::sort(live.begin(), live.end());
  if (segments != live) findings.emplace_back("segments are left over or lost");
  SIGHTLINE_ASSIGN_OR_RETURN(auto live_blobs, store.catalog->LiveBlobs());
  SIGHTLINE_ASSIGN_OR_RETURN(auto blobs, store.blobs->List());
  std::sort(live_blobs.begin(), live_blobs.end());
  std::sort(blobs.begin(), blobs.end());
  if (blobs != live_blobs) findings.emplace_back("blobs are left over or lost");
  SIGHTLINE_ASSIGN_OR_RETURN(const auto unfinished,
                             files.List(io::JoinPath(options.data_dir, "blobs/new")));
  if (!unfinished.empty()) findings.emplace_back("unfinished blobs are left over");
  return OkStatus();
}

}  // namespace

Result<std::vector<std::string>> CheckFolder(const store::LocalStoreOptions& options,
                                             store::LocalStore& store) {
  SIGHTLINE_ASSIGN_OR_RETURN(std::vector<std::string> findings, store.catalog->CheckIntegrity());
  SIGHTLINE_ASSIGN_OR_RETURN(const auto files,
                             store::CheckFiles(options, *store.catalog, *store.blobs));
  findings.insert(findings.end(), files.begin(), files.end());
  SIGHTLINE_RETURN_IF_ERROR(CheckNothingIsLeftOver(options, store, findings));
  return findings;
}

}  // namespace sightline::crash
