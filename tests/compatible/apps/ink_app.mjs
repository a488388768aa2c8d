// An Ink program: boxes that are laid out again at every key and every resize.

import { Box, render, Text, useInput, useStdout } from "ink";
import { createElement as h, useEffect, useState } from "react";

function App() {
  const { stdout } = useStdout();
  const [lines, setLines] = useState(3);
  const [chosen, setChosen] = useState(0);
  const [, resized] = useState(0);
  useEffect(() => {
    const again = () => resized((count) => count + 1);
    stdout.on("resize", again);
    return () => stdout.off("resize", again);
  }, [stdout]);
  useInput((input, key) => {
    if (key.upArrow) setChosen((now) => Math.max(now - 1, 0));
    if (key.downArrow) setChosen((now) => Math.min(now + 1, lines - 1));
    if (input === "+") setLines((now) => Math.min(now + 1, 12));
    if (input === "-") setLines((now) => Math.max(now - 1, 1));
  });
  const row = (_, index) =>
    h(Text, { key: index, inverse: index === chosen, color: ["red", "green", "cyan"][index % 3] }, `choice ${index}, café 日本`);
  return h(
    Box,
    { borderStyle: "round", flexDirection: "column", width: Math.min(stdout.columns, 60) },
    h(Text, { bold: true }, `${stdout.columns} columns`),
    ...Array.from({ length: lines }, row),
  );
}

render(h(App), { exitOnCtrlC: false });
