import { duplexPair } from "node:stream";
import { expect, it } from "vitest";
import { z } from "zod";
import { ChannelBreach, PeerLost, RemoteFailure, type PeerLostReason } from "./errors";
import { encodeFrame } from "./frames";
import { createPeer, PEER_LIMITS, type Handlers, type PeerLimits, type Protocol } from "./peer";

const protocol = {
  double: { request: z.number(), response: z.number() },
  wait: { request: z.null(), response: z.null() },
  trespass: { request: z.null(), response: z.null() },
  keep: { request: z.json(), response: z.null() },
  lie: { request: z.null(), response: z.number() },
  fail: { request: z.null(), response: z.null() },
} as const satisfies Protocol;
const none = {} as const satisfies Protocol;

const aborted: unknown[] = [];
const handlers: Handlers<typeof protocol> = {
  double: async (number) => number * 2,
  wait: (_, signal) =>
    new Promise((resolve) => {
      signal.addEventListener("abort", () => {
        aborted.push(signal.reason);
        resolve(null);
      });
    }),
  trespass: () => Promise.reject(new ChannelBreach("no right to it")),
  keep: async () => null,
  lie: async () => "text" as never,
  fail: () => Promise.reject(new Error("a secret sentence")),
};

const openPair = (limits: PeerLimits = PEER_LIMITS) => {
  const [near, far] = duplexPair();
  const lost: PeerLostReason[] = [];
  const client = createPeer(near, { serves: none, handlers: {}, calls: protocol });
  const server = createPeer(far, { serves: protocol, handlers, calls: none, limits, onLost: (reason) => lost.push(reason) });

  return { client, server, near, lost };
};

const send = (pair: ReturnType<typeof openPair>, message: unknown): Promise<void> =>
  new Promise((resolve) => pair.near.write(encodeFrame(message, 1_000_000), () => resolve()));

it("answers parallel calls", async () => {
  const { client } = openPair();
  const numbers = Array.from({ length: 200 }, (_, number) => number);
  expect(await Promise.all(numbers.map((number) => client.call("double", number)))).toEqual(numbers.map((number) => number * 2));
});

it("reveals of an unexpected error only that the call failed", async () => {
  const { client } = openPair();
  await expect(client.call("fail", null)).rejects.toEqual(new RemoteFailure("internal", "The call failed."));
});

it("aborts the handler of an abandoned call and rejects with the reason", async () => {
  const { client } = openPair();
  const controller = new AbortController();
  const call = client.call("wait", null, controller.signal);
  await client.ping();
  controller.abort(new Error("enough"));
  await expect(call).rejects.toThrow("enough");
  await client.ping();
  expect(aborted).toHaveLength(1);
  expect(client.lost()).toBeNull();
});

it("closes on an answer that its protocol does not allow", async () => {
  const { client } = openPair();
  await expect(client.call("lie", null)).rejects.toThrow(PeerLost);
  expect(client.lost()).toBe("message_malformed");
});

it("fails every pending call when the channel closes", async () => {
  const { client, server } = openPair();
  const calls = [client.call("wait", null), client.call("wait", null)];
  await client.ping();
  server.close();
  for (const call of calls) await expect(call).rejects.toThrow(PeerLost);
  await expect(client.call("double", 1)).rejects.toThrow(PeerLost);
});

it.each<[string, unknown, PeerLostReason]>([
  ["a method that is not served", { type: "call", id: 1, method: "toString", body: null }, "method_unknown"],
  ["a request of another form", { type: "call", id: 1, method: "double", body: "1" }, "message_malformed"],
  ["a message of no known form", { type: "shout" }, "message_malformed"],
  ["a member that does not belong there", { type: "ping", id: 1, more: true }, "message_malformed"],
  ["an answer to no call", { type: "answer", id: 7, body: null }, "answer_unasked"],
  ["a failure of no call", { type: "failure", id: 7, code: "internal", message: "", data: null }, "answer_unasked"],
])("closes on %s", async (_what, message, reason) => {
  const pair = openPair();
  await send(pair, message);
  await expect.poll(() => pair.lost).toEqual([reason]);
});

it("closes on a too deeply nested value", async () => {
  const pair = openPair();
  const deep = Buffer.from(`{"type":"call","id":1,"method":"keep","body":${"[".repeat(50_000)}${"]".repeat(50_000)}}`);
  const header = Buffer.alloc(4);
  header.writeUInt32BE(deep.length);
  pair.near.write(Buffer.concat([header, deep]));
  await expect.poll(() => pair.lost).toEqual(["message_malformed"]);
});

it("closes on an unauthorised request", async () => {
  const pair = openPair();
  await expect(pair.client.call("trespass", null)).rejects.toThrow(PeerLost);
  expect(pair.lost).toEqual(["breach"]);
});

it("closes on a reused id", async () => {
  const pair = openPair();
  await send(pair, { type: "call", id: 5, method: "wait", body: null });
  // Not awaited: a closed channel does not drain.
  void send(pair, { type: "call", id: 5, method: "wait", body: null });
  await expect.poll(() => pair.lost).toEqual(["message_malformed"]);
});

it("closes on too many parallel calls", async () => {
  const pair = openPair({ ...PEER_LIMITS, maxCalls: 3 });
  const calls = Array.from({ length: 4 }, () => pair.client.call("wait", null));
  for (const call of calls) await expect(call).rejects.toThrow(PeerLost);
  expect(pair.lost).toEqual(["too_many_calls"]);
});

it("yields to other work between the frames of a flood", async () => {
  const pair = openPair();
  const flood = Buffer.concat(Array.from({ length: 5_000 }, (_, id) => encodeFrame({ type: "ping", id }, 1_000)));
  let turns = 0;
  const counting = setInterval(() => (turns += 1), 0);
  pair.near.resume();
  await new Promise<void>((resolve) => pair.near.write(flood, () => resolve()));
  await expect.poll(() => pair.lost.length).toBe(1);
  clearInterval(counting);
  expect(turns).toBeGreaterThan(0);
});
