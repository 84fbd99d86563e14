// The boxes of a node, and the picture in characters.
#include "report/picture.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "draudit/result.hpp"
#include "report/plain.hpp"
#include "support/nasty.hpp"
#include "support/state.hpp"

using namespace draudit;
using namespace draudit::test;

namespace {

/// A node of `gpus` devices, of which one claim each brings the first `given`; `pods` share the
/// first.
Jsons node_of(int gpus, int given, int pods, const std::string& stem = "gpu-") {
  const Names names = numbered(stem, gpus);
  Jsons out = {node("n1"), slice("n1", names)};
  for (int d = 0; d < given; ++d) {
    const std::string c = "c" + std::to_string(d);
    out.push_back(allocated(claim("a/" + c, {request()}),
                            {result(names[static_cast<std::size_t>(d)], kGpuDriver, "n1")}));
    for (int p = 0; p < (d == 0 ? pods : 1); ++p) {
      Json one = pod("a/" + c + "-" + std::to_string(p), {c});
      one["spec"]["nodeName"] = "n1";
      out.push_back(one);
    }
  }
  return out;
}

Picture picture_on(const Jsons& objects) {
  const Snapshot snapshot = read_objects(objects);
  const Result result = conclude(snapshot, {});
  return picture_of(report_node(result.audit.nodes.front()), true);
}

std::size_t of(const std::vector<Picture::Box>& boxes, Picture::What what) {
  return static_cast<std::size_t>(
      std::count_if(boxes.begin(), boxes.end(), [what](const auto& b) { return b.what == what; }));
}

void check_lines(const Picture& picture) {
  for (const bool ascii : {false, true}) {
    std::istringstream in(picture_text(picture, ascii));
    for (std::string line; std::getline(in, line);) {
      CAPTURE(line);
      CHECK(width(line) <= 100);
      CHECK(plain(line) == line);
      CHECK(!line.ends_with(' '));
      if (!ascii) continue;
      CHECK(std::all_of(line.begin(), line.end(), [](char c) { return c >= ' ' && c < '\x7f'; }));
    }
  }
}

}  // namespace

TEST_CASE("picture: a shared device, its ghosts, and the tie between them") {
  const Picture p = picture_on(node_of(2, 1, 3));
  REQUIRE(p.boxes.size() == 2);
  CHECK(p.boxes[0].what == Picture::What::device);
  CHECK(p.boxes[0].published);
  CHECK(p.boxes[1].what == Picture::What::free);
  REQUIRE(p.ghosts.size() == 2);
  for (const Picture::Box& g : p.ghosts) {
    CHECK(g.name == p.boxes[0].name);
    REQUIRE(g.pods.size() == 1);
    const auto& pods = p.boxes[0].pods;
    const auto tied = std::find_if(pods.begin(), pods.end(),
                                   [&g](const Picture::Pod& x) { return x.mark == g.mark; });
    REQUIRE(tied != pods.end());
    CHECK(tied->name == g.pods[0].name);
  }
  CHECK(p.boxes[0].pods[0].mark == 0);
  CHECK(to_string(*p.bars[0].value) == "2");
  CHECK(to_string(*p.bars[1].value) == "3");
  CHECK(to_string(*p.bars[3].value) == "1");
  CHECK(p.scale == 3);
}

TEST_CASE("picture: ghosts and held boxes add up to naive") {
  for (const int gpus : {1, 8, 16, 72}) {
    for (const int pods : {1, 2, 40}) {
      const Picture p = picture_on(node_of(gpus, std::max(1, gpus / 2), pods));
      CHECK(p.boxes.size() == static_cast<std::size_t>(gpus));
      CHECK(of(p.boxes, Picture::What::device) == static_cast<std::size_t>(std::max(1, gpus / 2)));
      CHECK(p.ghosts.size() == static_cast<std::size_t>(pods - 1));
      check_lines(p);
    }
  }
}

TEST_CASE("picture: device-plugin GPUs have boxes, and beyond 128 they are counted") {
  Jsons objects = {node("n1", 200)};
  for (int i = 0; i < 3; ++i) {
    Json one = pod("a/p" + std::to_string(i), {}, asks(2));
    one["spec"]["nodeName"] = "n1";
    objects.push_back(one);
  }
  const Picture p = picture_on(objects);
  CHECK(of(p.boxes, Picture::What::plugin) == 6);
  CHECK(of(p.boxes, Picture::What::free) == 122);
  CHECK(p.boxes_left_out == 72);
  CHECK(picture_text(p, true).find("and 72 more that are not drawn") != std::string::npos);
  check_lines(p);
}

TEST_CASE("picture: a device that is in no slice is marked") {
  Jsons objects = node_of(1, 1, 2);
  objects[1]["spec"]["devices"][0]["name"] = "another";
  const Picture p = picture_on(objects);
  REQUIRE(p.boxes.size() == 2);
  CHECK(!p.boxes[0].published);
  CHECK(of(p.boxes, Picture::What::free) == 1);
  CHECK(picture_text(p, true).find("in no slice") != std::string::npos);
}

TEST_CASE("picture: devices stand in the order of their numbers") {
  const Picture p = picture_on(node_of(12, 11, 2));
  REQUIRE(p.boxes.size() == 12);
  CHECK(p.boxes[2].name.ends_with("gpu-2"));
  CHECK(p.boxes[10].name.ends_with("gpu-10"));
}

TEST_CASE("picture: one claim of two devices is one bracket") {
  Jsons objects = {node("n1"), slice("n1", {"g0", "g1", "g2"})};
  objects.push_back(allocated(claim("a/c", {request()}),
                              {result("g0", kGpuDriver, "n1"), result("g2", kGpuDriver, "n1")}));
  Json one = pod("a/p", {"c"});
  one["spec"]["nodeName"] = "n1";
  objects.push_back(one);
  const Picture p = picture_on(objects);
  REQUIRE(p.boxes.size() == 3);
  CHECK(p.boxes[0].claims.at(0).starts);
  CHECK(!p.boxes[0].claims.at(0).ends);
  CHECK(!p.boxes[1].claims.at(0).starts);
  CHECK(p.boxes[1].claims.at(0).ends);
}

TEST_CASE("picture: hostile names stay in their box") {
  for (const std::string& name : nasty_names()) {
    CAPTURE(name);
    Picture p;
    p.boxes.push_back({.name = name, .claims = {{name}}, .pods = {{name, 1}}});
    p.ghosts.push_back({.what = Picture::What::ghost, .name = name, .pods = {{name}}, .mark = 1});
    check_lines(p);
  }
}

TEST_CASE("picture: ASCII by option or by locale, and only where it is asked for") {
  struct Given {
    std::map<std::string, std::string> env;
    std::vector<std::string> more;
    bool ascii;
  };
  const Given cases[] = {{{}, {}, false},
                         {{{"LC_ALL", "C"}}, {}, true},
                         {{{"LANG", "POSIX"}}, {}, true},
                         {{{"LC_ALL", "C.UTF-8"}, {"LANG", "C"}}, {}, false},
                         {{}, {"--ascii"}, true}};
  for (const Given& g : cases) {
    for (const bool trace : {false, true}) {
      MemoryIo world;
      world.files.contents["d.json"] = list_of(node_of(2, 1, 2)).dump();
      world.env.insert(g.env.begin(), g.env.end());
      std::vector<std::string> args =
          trace ? std::vector<std::string>{"trace", "n1", "d.json", "--complete"}
                : std::vector<std::string>{"check", "d.json", "--complete", "--graph"};
      args.insert(args.end(), g.more.begin(), g.more.end());
      const int status = world.run(args);
      CAPTURE(world.err.text);
      CHECK(status < 2);
      CHECK((world.out.text.find("╌") == std::string::npos) == g.ascii);
      CHECK((world.out.text.find("+......") != std::string::npos) == g.ascii);
    }
  }
  MemoryIo world;
  world.files.contents["d.json"] = list_of(node_of(2, 1, 2)).dump();
  CHECK(world.run({"check", "d.json", "--complete"}) == 1);
  CHECK(world.out.text.find("in the machine") == std::string::npos);
  CHECK(world.run({"check", "d.json", "--ascii"}) == 2);
  CHECK(world.run({"check", "d.json", "--graph", "--quiet"}) == 2);
  CHECK(world.run({"check", "d.json", "--graph", "--format", "json"}) == 2);
}
