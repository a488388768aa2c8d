// Speaks for the daemon where a test needs an extension to say something, or a refusal that takes long to bring about.

// Answers what `answers` has a function for, and lets everything else through. To be called before the page is opened.
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
