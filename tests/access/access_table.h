// Every way in, and what each kind of asker gets there.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ways_in {

enum class Gets {
  no,   // It is refused, or told that there is no such thing.
  own,  // It works, with the asker's own things alone.
  yes,
};

// One way in: `where` is a kind of door, `what` is what is asked for there.
struct Row {
  std::string where;
  std::string what;
  Gets nobody;  // No credential; at sockets and commands another account of the machine.
  Gets other;   // Another user.
  Gets view;    // A view-only token of the owner's.
  // Tokens of the owner's that are bound to what is asked for. "own" means that nothing else shows.
  Gets terminal;  // View-only, bound to the terminal.
  Gets session;   // Bound to the session.
  Gets owner;
};

// What a token that is bound to something else gets where one that is bound to what is asked for
// gets `bound`: no more than another user.
[[nodiscard]] inline Gets elsewhere(Gets bound, const Row& row) {
  return bound == Gets::no ? Gets::no : row.other;
}

[[nodiscard]] const std::vector<Row>& rows();
[[nodiscard]] std::vector<Row> rows_of(std::string_view where);
// Fails the test if the names and the table's rows are not the same.
void expect_rows(std::string_view where, std::vector<std::string> names);

[[nodiscard]] std::string_view to_string(Gets gets);
// As docs/access.md has it.
[[nodiscard]] std::string as_document();

}  // namespace ways_in
