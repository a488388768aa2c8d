// The marks that shells print around prompts and commands: OSC 133. docs/shell.md describes them.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vt {

struct ShellMark {
  enum class Kind : std::uint8_t {
    prompt,   // A: a prompt begins.
    command,  // B: the prompt has ended, and the shell reads a command.
    output,   // C: the command's output begins.
    end,      // D: the command has ended.
    more,     // A with k=s: the shell asks for the rest of the command.
  };
  static constexpr std::size_t kMaxText = 4096;
  static constexpr std::size_t kMaxKey = 64;

  Kind kind = Kind::prompt;
  std::optional<std::uint8_t> status{};  // Of `end`.
  std::string text{};       // Of `output`: the command, without controls but line feeds and tabs.
  std::uint64_t start = 0;  // In a snapshot: where the output of its command begins. 0: unknown.
  std::string key{};        // Tells the marks of one shell from those of others; see docs/shell.md.

  friend bool operator==(const ShellMark&, const ShellMark&) = default;
};

// None if it is not such a mark. `text` is what follows "133;".
[[nodiscard]] std::optional<ShellMark> parse_shell_mark(std::string_view text);

}  // namespace vt
