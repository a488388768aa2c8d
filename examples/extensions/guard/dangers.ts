// Finds what a shell command could destroy. It looks at words, as a person skimming the command
// would, so it catches slips, not attempts to hide something.

interface Rule {
  does: string;
  applies(program: string, args: string[]): boolean;
}

const has = (args: string[], ...words: string[]) => args.some((each) => words.includes(each));
// Whether grouped short options contain a letter: -rf has r and f.
const letter = (args: string[], letters: string) =>
  args.some((each) => /^-[A-Za-z]+$/.test(each) && [...letters].some((one) => each.includes(one)));
const git = (args: string[], subcommand: string) => args.find((each) => !each.startsWith("-")) === subcommand;

const rules: Rule[] = [
  {
    does: "removes directories and everything in them",
    applies: (program, args) => program === "rm" && (letter(args, "rR") || has(args, "--recursive")),
  },
  {
    does: "overwrites a device or file",
    applies: (program, args) =>
      program === "dd" && args.some((each) => each.startsWith("of=") && each !== "of=/dev/null"),
  },
  {
    does: "creates a new file system",
    applies: (program) =>
      program === "mkfs" || program.startsWith("mkfs.") || program === "mkswap" || program === "wipefs",
  },
  { does: "overwrites files beyond recovery", applies: (program) => program === "shred" },
  { does: "stops the machine", applies: (program) => ["shutdown", "poweroff", "reboot", "halt"].includes(program) },
  {
    does: "stops the machine",
    applies: (program, args) => program === "systemctl" && has(args, "poweroff", "reboot", "halt", "kexec"),
  },
  {
    does: "overwrites commits that others may have",
    applies: (program, args) =>
      program === "git" &&
      git(args, "push") &&
      (letter(args, "f") || args.some((each) => each.startsWith("--force") || /^\+./.test(each))),
  },
  {
    does: "discards changes",
    applies: (program, args) => program === "git" && git(args, "reset") && has(args, "--hard"),
  },
  {
    does: "removes files that git does not track",
    applies: (program, args) => program === "git" && git(args, "clean") && (letter(args, "f") || has(args, "--force")),
  },
  {
    does: "changes permissions of directories and everything in them",
    applies: (program, args) => ["chmod", "chown"].includes(program) && (letter(args, "R") || has(args, "--recursive")),
  },
];

// Programs that run the command after them, and their options that take an argument.
const wrappers = new Map([
  ["sudo", "ugCDhpRrTt"],
  ["doas", "uC"],
  ["env", "uCS"],
  ["nice", "n"],
  ["nohup", ""],
  ["time", ""],
  ["exec", "a"],
  ["command", ""],
  ["xargs", "adEILnPs"],
]);

/** The dangerous things that the command does. */
export function dangers(command: string): string[] {
  const found = new Set<string>();
  for (const words of simpleCommands(command)) {
    const [program, ...args] = unwrap(words);
    if (program === undefined) continue;
    const name = program.slice(program.lastIndexOf("/") + 1);
    for (const rule of rules) if (rule.applies(name, args)) found.add(rule.does);
    const script = ["sh", "bash", "dash", "zsh"].includes(name)
      ? args[args.findIndex((each) => /^-[a-z]*c$/.test(each)) + 1]
      : undefined;
    if (script !== undefined && args.some((each) => /^-[a-z]*c$/.test(each)))
      for (const each of dangers(script)) found.add(each);
    if (name === "eval") for (const each of dangers(args.join(" "))) found.add(each);
    if (name === "find" && args.includes("-delete")) found.add("removes every file it finds");
    const run = name === "find" ? args.findIndex((each) => /^-(exec|ok)(dir)?$/.test(each)) : -1;
    if (run >= 0) for (const each of dangers(args.slice(run + 1).join(" "))) found.add(each);
  }
  return [...found];
}

function unwrap(words: string[]): string[] {
  let rest = words;
  for (;;) {
    while (
      rest[0] !== undefined &&
      (/^[A-Za-z_]\w*=/.test(rest[0]) || ["then", "do", "else", "!", "{", "if", "while"].includes(rest[0]))
    )
      rest = rest.slice(1);
    const options = rest[0] === undefined ? undefined : wrappers.get(rest[0].slice(rest[0].lastIndexOf("/") + 1));
    if (options === undefined) return rest;
    rest = rest.slice(1);
    while (rest[0]?.startsWith("-")) {
      const takesMore = rest[0].length === 2 && options.includes(rest[0].slice(1));
      rest = rest.slice(takesMore ? 2 : 1);
    }
  }
}

/** The simple commands of a line, as unquoted words. $(…) and `…` are commands of their own. */
function simpleCommands(line: string): string[][] {
  const commands: string[][] = [[]];
  let word: string | undefined;
  let quote = "";
  const endWord = () => {
    if (word !== undefined) commands.at(-1)?.push(word);
    word = undefined;
  };
  const endCommand = () => {
    endWord();
    commands.push([]);
  };
  for (let at = 0; at < line.length; ++at) {
    const char = line[at] ?? "";
    if (quote === "'") {
      if (char === quote) quote = "";
      else word = (word ?? "") + char;
    } else if (char === "\\") {
      ++at;
      if (line[at] !== "\n") word = (word ?? "") + (line[at] ?? "");
    } else if (char === "`" || (char === "$" && line[at + 1] === "(")) {
      const end = char === "`" ? line.indexOf("`", at + 1) : closing(line, at + 2);
      const inner = line.slice(at + (char === "`" ? 1 : 2), end < 0 ? undefined : end);
      commands.splice(-1, 0, ...simpleCommands(inner));
      word ??= "";
      at = end < 0 ? line.length : end;
    } else if (char === '"') {
      quote = quote ? "" : char;
      word ??= "";
    } else if (quote) word = (word ?? "") + char;
    else if (char === "'") {
      quote = char;
      word ??= "";
    } else if (/[;&|\n()]/.test(char)) endCommand();
    else if (/\s/.test(char)) endWord();
    else word = (word ?? "") + char;
  }
  endWord();
  return commands.filter((words) => words.length > 0);
}

// The position of the parenthesis that closes the one before `from`.
function closing(line: string, from: number): number {
  let depth = 1;
  for (let at = from; at < line.length; ++at) {
    if (line[at] === "(") ++depth;
    if (line[at] === ")" && --depth === 0) return at;
  }
  return -1;
}
