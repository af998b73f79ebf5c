/** Pooler in transaction mode: each client signs in on its own connection, and the next transaction runs on any idle one. */
import net from "node:net";

type Backend = { readonly socket: net.Socket; use: (message: Buffer) => void };

const HEADER_BYTES = 5;
const [READY, IDLE] = ["Z".charCodeAt(0), "I".charCodeAt(0)];

const splitter = (each: (message: Buffer) => void): ((chunk: Buffer) => void) => {
  let rest = Buffer.alloc(0);

  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= HEADER_BYTES && rest.length > rest.readUInt32BE(1)) {
      const end = rest.readUInt32BE(1) + 1;
      each(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
  };
};

export const startTransactionPooler = async (databaseUrl: string, order: "newest" | "oldest") => {
  const { hostname, port } = new URL(databaseUrl);
  const idle: Backend[] = [];
  const sockets = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const socket = net.connect(Number(port), hostname);
    for (const one of [client, socket]) sockets.add(one.on("error", () => undefined));
    let backend: Backend | undefined = { socket, use: () => undefined };
    const receive = (message: Buffer): void => {
      client.write(message);
      if (message[0] !== READY || message[HEADER_BYTES] !== IDLE || !backend) return;
      idle.push(backend);
      backend = undefined;
    };
    backend.use = receive;
    const own = backend;
    socket.on(
      "data",
      splitter((message) => own.use(message)),
    );
    client.on("data", (chunk: Buffer) => {
      // Goodbye: the connection stays for others.
      if (chunk[0] === "X".charCodeAt(0)) {
        client.end();

        return;
      }
      backend ??= order === "newest" ? idle.pop() : idle.shift();
      if (!backend) {
        client.destroy();

        return;
      }
      backend.use = receive;
      backend.socket.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = new URL(databaseUrl);
  url.port = String(typeof address === "object" && address ? address.port : 0);

  return {
    url: url.toString(),
    close: async (): Promise<void> => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
};
