import { createSocket } from "node:dgram";
import { once } from "node:events";

export type Dns = { readonly address: string; readonly asked: readonly string[]; readonly close: () => void };

const nameAt = (query: Buffer): { readonly name: string; readonly end: number } => {
  const labels: string[] = [];
  let at = 12;
  for (let size = query.readUInt8(at); size > 0; size = query.readUInt8(at)) {
    labels.push(query.toString("latin1", at + 1, at + 1 + size));
    at += size + 1;
  }

  return { name: labels.join(".").toLowerCase(), end: at + 5 };
};

const answerTo = (query: Buffer, end: number, text: string | undefined, failure: number): Buffer => {
  const head = Buffer.from(query.subarray(0, 12));
  head.writeUInt16BE(0x8180 | failure, 2);
  head.writeUInt16BE(text === undefined ? 0 : 1, 6);
  head.writeUInt32BE(0, 8);
  if (text === undefined) return Buffer.concat([head, query.subarray(12, end)]);
  const parts = (text.match(/.{1,255}/gsu) ?? []).map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)]));
  const data = Buffer.concat(parts);
  const record = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, data.length >> 8, data.length & 255]);

  return Buffer.concat([head, query.subarray(12, end), record, data]);
};

const [SERVER_FAILURE, NO_SUCH_NAME] = [2, 3];

export const openDns = async (records: ReadonlyMap<string, string | null>): Promise<Dns> => {
  const socket = createSocket("udp4");
  const asked: string[] = [];
  socket.on("message", (query, { port, address }) => {
    const { name, end } = nameAt(query);
    asked.push(name);
    const text = records.get(name);
    const failure = text === null ? SERVER_FAILURE : text === undefined ? NO_SUCH_NAME : 0;
    socket.send(answerTo(query, end, text ?? undefined, failure), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");

  return { address: `127.0.0.1:${socket.address().port}`, asked, close: () => socket.close() };
};
