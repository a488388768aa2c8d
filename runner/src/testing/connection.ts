// A client of the native protocol (docs/protocol.md).

export type Data = Record<string, unknown>;

export interface Message {
  type: string;
  data: Data;
}

interface Waiting {
  resolve(message: Message): void;
  reject(error: Error): void;
}

export class Connection {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, Waiting>();
  readonly #heard: (message: Message) => void;
  #last = 0;

  private constructor(socket: WebSocket, heard: (message: Message) => void) {
    this.#socket = socket;
    this.#heard = heard;
    socket.onmessage = ({ data }) => {
      if (typeof data === 'string') this.#received(JSON.parse(data));
    };
    socket.onclose = () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the daemon has ended'));
      this.#waiting.clear();
    };
  }

  static open(url: string, token: string, heard: (message: Message) => void): Promise<Connection> {
    const socket = new WebSocket(`${url}/ws?token=${token}`, 'holdfast.v1');
    const connection = new Connection(socket, heard);
    return new Promise((resolve, reject) => {
      socket.onopen = () => resolve(connection);
      socket.onerror = () => reject(new Error(`no daemon listens at ${url}`));
    });
  }

  /** The answer's data. Rejects if it is an error. */
  async ask<Answer = Data>(type: string, data: Data): Promise<Answer> {
    this.#last += 1;
    const request = this.#last;
    const answered = new Promise<Message>((resolve, reject) =>
      this.#waiting.set(request, { resolve, reject }),
    );
    this.tell(type, data, request);
    const answer = await answered;
    if (answer.type === 'error') throw new Error(String(answer.data.error));
    return answer.data as Answer;
  }

  tell(type: string, data: Data, request?: number) {
    this.#socket.send(JSON.stringify({ type, request, data }));
  }

  close() {
    this.#socket.close();
  }

  #received({ type, request, data = {} }: { type: string; request?: number; data?: Data }) {
    const waiting = request === undefined ? undefined : this.#waiting.get(request);
    if (!waiting) return this.#heard({ type, data });
    this.#waiting.delete(request as number);
    waiting.resolve({ type, data });
  }
}
