// Answers in the daemon's place when a test needs an extension's message, or a refusal that is hard
// to provoke.

// Answers the types in `answers`, and passes on everything else. Call it before opening the page.
export async function withAnswers(context, address, answers) {
  const sockets = [];
  await context.routeWebSocket(`${address.replace("http", "ws")}/ws`, (socket) => {
    const server = socket.connectToServer();
    sockets.push(socket);
    socket.onMessage(async (data) => {
      const message = typeof data === "string" ? JSON.parse(data) : {};
      const answer = await answers[message.type]?.(message.data, message.request);
      if (answer) socket.send(JSON.stringify({ type: answer.type, request: message.request, data: answer.data }));
      else server.send(data);
    });
  });
  return {
    say: (type, data) => sockets.at(-1).send(JSON.stringify({ type, data })),
  };
}
