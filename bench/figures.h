// For the side-by-side benchmark: figures from /proc about processes, statistics, and a table for
// people.

#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

namespace bench {

using Clock = std::chrono::steady_clock;

[[nodiscard]] double seconds_since(Clock::time_point start);
// CPU seconds of all living threads.
[[nodiscard]] double cpu_seconds(const std::vector<pid_t>& pids);
// A line of /proc/PID/status, such as RssAnon, in KiB.
[[nodiscard]] double status_kib(pid_t pid, const std::string& name);

// The processes' memory (PSS) in KiB: shared pages count by their share.
[[nodiscard]] double pss_kib(const std::vector<pid_t>& pids);

// 0 <= part <= 1. Zero if there are none.
[[nodiscard]] double quantile(std::vector<double> values, double part);
[[nodiscard]] double median(const std::vector<double>& values);

// "1.02 (0.97 to 1.10)": the median, and the range of the rounds.
[[nodiscard]] std::string spread(const std::vector<double>& values, int digits);
[[nodiscard]] std::string number(double value, int digits);
// The goal, and whether `value` meets it.
[[nodiscard]] std::string at_least(double goal, double value);
[[nodiscard]] std::string at_most(double goal, double value);

void print_table(const std::string& title, const std::vector<std::vector<std::string>>& rows);

}  // namespace bench
