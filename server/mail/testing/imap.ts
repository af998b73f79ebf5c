import { once } from "node:events";
import net, { type AddressInfo, type Socket } from "node:net";
import tls from "node:tls";

type Stored = { readonly uid: number; readonly raw: Buffer; readonly arrivedMs: number };

export type Imap = {
  readonly port: number;
  readonly commands: readonly string[];
  readonly add: (raw: string | Buffer, arrivedMs?: number) => number;
  readonly renumber: () => void;
  readonly remove: (uid: number) => void;
  readonly hangUp: () => void;
  readonly close: () => void;
};

export type ImapOptions = {
  readonly certificate?: { readonly key: string; readonly cert: string };
  readonly startsPlain?: boolean;
  readonly password?: string;
  readonly port?: number;
};

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const formatDate = (ms: number): string => {
  const date = new Date(ms);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${two(date.getUTCDate())}-${MONTHS[date.getUTCMonth()]}-${date.getUTCFullYear()}`;

  return `${day} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())} +0000`;
};

const readRange = (text: string, last: number): ((uid: number) => boolean) => {
  const parts = text.split(",").map((part) => {
    const [from = "", to = from] = part.split(":");
    const [a, b] = [from, to].map((one) => (one === "*" ? last : Number(one))) as [number, number];

    return [Math.min(a, b), Math.max(a, b)] as const;
  });

  return (uid) => parts.some(([from, to]) => uid >= from && uid <= to);
};

export const openImap = async ({ certificate, startsPlain = false, password = "right", port = 0 }: ImapOptions = {}): Promise<Imap> => {
  let validity = 7;
  let next = 1;
  let stored: Stored[] = [];
  const commands: string[] = [];
  const open = new Set<Socket>();

  const fetch = (of: Stored, sequence: number, items: string): Buffer => {
    const window = /BODY(?:\.PEEK)?\[\]<(\d+)\.(\d+)>/u.exec(items);
    const parts = [`UID ${of.uid}`];
    if (items.includes("RFC822.SIZE")) parts.push(`RFC822.SIZE ${of.raw.length}`);
    if (items.includes("INTERNALDATE")) parts.push(`INTERNALDATE "${formatDate(of.arrivedMs)}"`);
    if (!window && !items.includes("BODY.PEEK[]")) return Buffer.from(`* ${sequence} FETCH (${parts.join(" ")})\r\n`);
    const body = window ? of.raw.subarray(Number(window[1]), Number(window[1]) + Number(window[2])) : of.raw;
    const name = window ? `BODY[]<${window[1]}>` : "BODY[]";

    return Buffer.concat([Buffer.from(`* ${sequence} FETCH (${parts.join(" ")} ${name} {${body.length}}\r\n`), body, Buffer.from(")\r\n")]);
  };

  const select = (query: string): string => {
    const range = /^UID ([\d:*,]+)/u.exec(query)?.[1];
    const since = /SINCE (\S+)/u.exec(query)?.[1];
    const isIn = range === undefined ? () => true : readRange(range, stored.at(-1)?.uid ?? 0);
    const fromMs = since === undefined ? -Infinity : Date.parse(`${since.replaceAll('"', "")} UTC`);

    return stored.flatMap(({ uid, arrivedMs }) => (isIn(uid) && arrivedMs >= fromMs ? [uid] : [])).join(" ");
  };

  const serve = (socket: Socket, isSecure: boolean, isGreeted = false): void => {
    open.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => open.delete(socket));
    const send = (...lines: readonly (string | Buffer)[]) =>
      socket.write(Buffer.concat(lines.map((line) => (typeof line === "string" ? Buffer.from(`${line}\r\n`) : line))));
    const capability = `CAPABILITY IMAP4rev1${isSecure || !certificate ? "" : " STARTTLS LOGINDISABLED"}`;
    const handle = (line: string): void => {
      commands.push(line);
      const [tag = "", name = "", ...rest] = line.split(" ");
      const text = rest.join(" ");
      const done = (...lines: readonly (string | Buffer)[]) => send(...lines, `${tag} OK ${name} done`);
      switch (name.toUpperCase()) {
        case "CAPABILITY":
          return void done(`* ${capability}`);
        case "STARTTLS": {
          send(`${tag} OK begin`);
          socket.removeAllListeners("data");
          serve(new tls.TLSSocket(socket, { isServer: true, ...certificate }), true, true);

          return;
        }
        case "LOGIN":
          return void (text.replaceAll('"', "").endsWith(` ${password}`) ? done() : send(`${tag} NO [AUTHENTICATIONFAILED] wrong`));
        case "EXAMINE":
          return void (/INBOX/iu.test(text)
            ? done("* FLAGS (\\Seen)", `* ${stored.length} EXISTS`, `* OK [UIDVALIDITY ${validity}] set`, `* OK [UIDNEXT ${next}] next`)
            : send(`${tag} NO [NONEXISTENT] no such mailbox`));
        case "UID": {
          const [verb = "", range = "", ...items] = rest;
          if (verb.toUpperCase() === "SEARCH") return void done(`* SEARCH ${select(rest.slice(1).join(" "))}`.trimEnd());
          const isIn = readRange(range, stored.at(-1)?.uid ?? 0);

          return void done(...stored.flatMap((one, at) => (isIn(one.uid) ? [fetch(one, at + 1, items.join(" "))] : [])));
        }
        case "LIST":
          return void (/INBOX|\*|%/iu.test(text) ? done('* LIST () "/" "INBOX"') : done());
        case "NAMESPACE":
          return void done('* NAMESPACE (("" "/")) NIL NIL');
        case "LOGOUT":
          done("* BYE");

          return void socket.end();
        case "ID":
        case "NOOP":
        case "CLOSE":
        case "UNSELECT":
          return void done();
        default:
          return void send(`${tag} BAD ${name} is unknown`);
      }
    };
    let buffered = "";
    socket.on("data", (bytes: Buffer) => {
      const lines = `${buffered}${bytes.toString("latin1")}`.split("\r\n");
      buffered = lines.pop() ?? "";
      for (const line of lines) handle(line);
    });
    if (!isGreeted) send(`* OK [${capability}] ready`);
  };

  const isImplicit = certificate !== undefined && !startsPlain;
  const server = isImplicit
    ? tls.createServer({ ...certificate }, (socket) => serve(socket, true))
    : net.createServer((socket) => serve(socket, false));
  server.on("tlsClientError", () => undefined);
  server.listen(port, "127.0.0.1");
  await once(server, "listening");

  return {
    port: (server.address() as AddressInfo).port,
    commands,
    add: (raw, arrivedMs = Date.now()) => {
      stored.push({ uid: next, raw: Buffer.from(raw), arrivedMs });
      next += 1;

      return next - 1;
    },
    renumber: () => {
      validity += 1;
      stored = stored.map((one, at) => ({ ...one, uid: at + 1 }));
      next = stored.length + 1;
    },
    remove: (uid) => {
      stored = stored.filter((one) => one.uid !== uid);
    },
    hangUp: () => {
      for (const socket of open) socket.destroy();
    },
    close: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
};
