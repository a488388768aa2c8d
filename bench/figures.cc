#include "bench/figures.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "end_to_end/process.h"

namespace bench {

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double cpu_seconds(const std::vector<pid_t>& pids) {
  double nanoseconds = 0;
  for (const pid_t pid : pids) {
    std::error_code gone;
    for (const auto& task :
         std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task", gone)) {
      double time = 0;
      std::ifstream(task.path() / "schedstat") >> time;
      nanoseconds += time;
    }
  }
  return 1e-9 * nanoseconds;
}

double status_kib(pid_t pid, const std::string& name) {
  const std::string status = e2e::proc_file(pid, "status");
  return std::stod(status.substr(status.find(name + ":") + name.size() + 1));
}

double pss_kib(const std::vector<pid_t>& pids) {
  double kib = 0;
  for (const pid_t pid : pids) {
    const std::string rollup = e2e::proc_file(pid, "smaps_rollup");
    kib += std::stod(rollup.substr(rollup.find("\nPss:") + 5));
  }
  return kib;
}

double quantile(std::vector<double> values, double part) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[std::min(values.size() - 1,
                         static_cast<std::size_t>(part * static_cast<double>(values.size())))];
}

double median(const std::vector<double>& values) {
  return quantile(values, 0.5);
}

std::string number(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string spread(const std::vector<double>& values, int digits) {
  return number(median(values), digits) + " (" + number(quantile(values, 0), digits) + " to " +
         number(quantile(values, 1), digits) + ")";
}

std::string at_least(double goal, double value) {
  char text[64];
  std::snprintf(text, sizeof text, ">= %g: %s", goal, value >= goal ? "met" : "MISSED");
  return text;
}

std::string at_most(double goal, double value) {
  char text[64];
  std::snprintf(text, sizeof text, "<= %g: %s", goal, value <= goal ? "met" : "MISSED");
  return text;
}

void print_table(const std::string& title, const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::printf("\n%s\n", title.c_str());
  for (const auto& row : rows) {
    std::string line = " ";
    for (std::size_t i = 0; i < row.size(); ++i)
      line += " " + row[i] + std::string(widths[i] - row[i].size() + 1, ' ');
    std::printf("%s\n", line.substr(0, line.find_last_not_of(' ') + 1).c_str());
  }
  std::fflush(stdout);
}

}  // namespace bench
