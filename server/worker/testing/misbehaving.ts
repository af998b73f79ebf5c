/** Worker that misbehaves as its execution's goal says. */
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { encodeFrame } from "@/server/ipc/frames";
import { connectToParent } from "@/server/ipc/parent";
import type { Peer } from "@/server/ipc/peer";
import { CHANNEL_FD } from "@/server/sandbox/channel";
import { ModelError } from "@/server/models/contract";
import { Suspended, type ExecutorOutcome } from "@/server/executors/contract";
import { describeFailure } from "@/server/worker/failures";
import { controlProtocol, workerProtocol } from "@/server/worker/protocol";

const DONE: ExecutorOutcome = { type: "result", actions: [] };
const MAX_FRAME_BYTES = 33_554_432;

const never = (): Promise<never> => new Promise(() => undefined);

/** Bypasses the peer, which would reject it. */
const write = (message: unknown): void => void fs.writeSync(CHANNEL_FD, encodeFrame(message, MAX_FRAME_BYTES));

const callTool = (execution: string) =>
  control.call("tool", { execution, request: { task: "", call_id: "c", server: "s", tool: "t", arguments: {} } });

let lastId = "";
const begun: string[] = [];

const ACTS: Readonly<Record<string, (execution: string) => Promise<ExecutorOutcome>>> = {
  finish: () => Promise.resolve(DONE),
  "call a tool": async (execution) => {
    await callTool(execution);

    return DONE;
  },
  "tell the id before": async () => ({ type: "failure", code: begun.at(-2) ?? "", retryable: false, detail: "" }),
  "use a guessed id": async () => {
    await callTool(randomBytes(16).toString("hex"));

    return DONE;
  },
  "use an ended id": async (execution) => {
    const ended = lastId;
    lastId = execution;
    if (ended !== "") await callTool(ended);

    return DONE;
  },
  "say that it is suspended": () => Promise.reject(new Suspended()),
  "throw a model error": () =>
    Promise.reject(new ModelError("model_rate_limited", true, "The model's provider asks to wait.", { retryAfterMs: 7, billed: "no" })),
  "throw an error": () => Promise.reject(new Error("a secret sentence")),
  "ignore the end of its attempt": never,
  hang: () => {
    for (;;);
  },
  crash: () => process.exit(3),
  "answer with another form": async () => ({ type: "result", actions: [], more: true }) as never,
  "answer a call that was not made": async () => {
    write({ type: "answer", id: 4_000, body: null });

    return never();
  },
  "nest a value deeply": async (execution) => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    const body = `{"type":"call","id":9000,"method":"action","body":{"execution":"${execution}","action":${deep}}}`;
    const frame = Buffer.from(body);
    const header = Buffer.alloc(4);
    header.writeUInt32BE(frame.length);
    fs.writeSync(CHANNEL_FD, Buffer.concat([header, frame]));

    return never();
  },
};

const control: Peer<typeof controlProtocol> = connectToParent({
  serves: workerProtocol,
  calls: controlProtocol,
  describeError: describeFailure,
  handlers: {
    execute: async ({ execution, input }) => {
      begun.push(execution);
      const [name = "", id = execution] = input.goal.split(": ");

      return (await ACTS[name]?.(id)) as never;
    },
    stop: async () => null,
    generate: never,
  },
});
