import net from "node:net";
import { StartFailure, getCode, wordsOf } from "./failure.ts";

const problems: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (_, port) =>
    `Port ${port} is already in use. Stop the other program or choose another port, for example PORT=${port + 1} npm start.`,
  EACCES: (_, port) => `You don't have permission to use port ${port}. Choose one above 1023, for example PORT=3000 npm start.`,
  EADDRNOTAVAIL: (host) => `HOST is "${host}", which is not an address of this machine.`,
  ENOTFOUND: (host) => `HOST is "${host}", which is not an address of this machine.`,
};

/** Checks the port before slow steps. @throws StartFailure for an unusable port */
export const checkPort = (host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const probe = net.createServer();

    probe.once("error", (error) => {
      const tell = problems[getCode(error) ?? ""];

      reject(
        new StartFailure(
          tell === undefined ? `The web server cannot listen on ${host}:${port}: ${wordsOf(error)}.` : tell(host, port),
          error,
        ),
      );
    });
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()));
  });
