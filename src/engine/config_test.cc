#include "engine/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace sightline::engine {
namespace {

using ::testing::HasSubstr;

class ConfigTest : public ::testing::Test {
 protected:
  std::string WriteFile(const std::string& text) {
    const std::string path = ::testing::TempDir() + "/配置 config.toml";
    std::ofstream(path) << text;
    return path;
  }
};

TEST_F(ConfigTest, EverySettingHasADefaultAndSaysSo) {
  const auto config = LoadConfig({});
  ASSERT_TRUE(config.ok());
  EXPECT_EQ(config->data_dir, "sightline-data");
  for (const ConfigKey& key : ConfigKeys()) {
    EXPECT_EQ(config->sources.at(key.name), ConfigSource::kDefault) << key.name;
  }
}

TEST_F(ConfigTest, FlagsBeatEnvironmentBeatsFile) {
  ConfigInputs inputs;
  inputs.file = WriteFile("[server]\nport = 1\nlisten = \"::1\"\n[data]\ndir = \"/a\"\n");
  inputs.environment = {{"SIGHTLINE_PORT", "2"}, {"SIGHTLINE_DATA", "/数据"}};
  inputs.flags = {{"server.port", "3"}};
  const auto config = LoadConfig(inputs);
  ASSERT_TRUE(config.ok()) << config.status().ToString();
  EXPECT_EQ(config->port, 3);
  EXPECT_EQ(config->data_dir, "/数据");
  EXPECT_EQ(config->listen, "::1");
  EXPECT_EQ(config->sources.at("server.port"), ConfigSource::kFlag);
  EXPECT_EQ(config->sources.at("data.dir"), ConfigSource::kEnvironment);
  EXPECT_EQ(config->sources.at("server.listen"), ConfigSource::kFile);
  EXPECT_EQ(ConfigValue(*config, "server.port"), "3");
}

TEST_F(ConfigTest, UnknownKeysAreErrorsWithTheNearestName) {
  ConfigInputs inputs;
  inputs.file = WriteFile("[server]\nprot = 1\n");
  EXPECT_THAT(LoadConfig(inputs).status().message(),
              AllOf(HasSubstr("server.prot"), HasSubstr("server.port"), HasSubstr("line 2")));
  inputs = {};
  inputs.environment = {{"SIGHTLINE_PROT", "1"}};
  EXPECT_THAT(LoadConfig(inputs).status().message(), HasSubstr("SIGHTLINE_PORT"));
  inputs = {};
  inputs.flags = {{"server.lisen", "x"}};
  EXPECT_THAT(LoadConfig(inputs).status().message(), HasSubstr("server.listen"));
}

TEST_F(ConfigTest, VariablesOfTheToolsAroundTheProgramAreNoSettings) {
  ConfigInputs inputs;
  inputs.environment = {{"SIGHTLINE_APT_SOURCE", "mirror.list"}, {"SIGHTLINE_URL", "http://x"}};
  EXPECT_TRUE(LoadConfig(inputs).ok()) << LoadConfig(inputs).status().ToString();
}

TEST_F(ConfigTest, WrongValuesNameKeyValueAndSource) {
  ConfigInputs inputs;
  inputs.environment = {{"SIGHTLINE_PORT", "65536"}};
  EXPECT_THAT(LoadConfig(inputs).status().message(),
              AllOf(HasSubstr("server.port"), HasSubstr("65536"), HasSubstr("SIGHTLINE_PORT")));
  inputs.environment = {{"SIGHTLINE_SPEECH", "maybe"}};
  EXPECT_THAT(LoadConfig(inputs).status().message(), HasSubstr("true or false"));
  inputs.environment = {{"SIGHTLINE_PORT", "80x"}};
  EXPECT_THAT(LoadConfig(inputs).status().message(), HasSubstr("whole number"));
}

TEST_F(ConfigTest, PoolingIsOffUntilAskedForAndAtMostFourfold) {
  EXPECT_EQ(LoadConfig({})->pool_factor, 1);
  ConfigInputs inputs;
  inputs.file = WriteFile("[index]\npool_factor = 4\n");
  const auto config = LoadConfig(inputs);
  ASSERT_TRUE(config.ok()) << config.status().ToString();
  EXPECT_EQ(config->pool_factor, 4);
  inputs.environment = {{"SIGHTLINE_INDEX_POOL_FACTOR", "2"}};
  EXPECT_EQ(LoadConfig(inputs)->pool_factor, 2);
  for (const std::string value : {"0", "5", "-1", "2.5"}) {
    inputs.flags = {{"index.pool_factor", value}};
    EXPECT_THAT(LoadConfig(inputs).status().message(),
                AllOf(HasSubstr("index.pool_factor"), HasSubstr(value)));
  }
}

TEST_F(ConfigTest, BrokenAndMissingFilesAreNamed) {
  ConfigInputs inputs;
  inputs.file = WriteFile("[server\n");
  EXPECT_THAT(LoadConfig(inputs).status().message(), HasSubstr("config.toml line 1"));
  inputs.file = "/nowhere/config.toml";
  EXPECT_THAT(LoadConfig(inputs).status().message(), HasSubstr("/nowhere/config.toml"));
}

}  // namespace
}  // namespace sightline::engine
