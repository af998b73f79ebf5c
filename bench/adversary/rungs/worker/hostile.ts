/** The goal names attack and targets. */
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import koffi from "koffi";
import { encodeFrame } from "@/server/ipc/frames";
import { connectToParent } from "@/server/ipc/parent";
import type { Peer } from "@/server/ipc/peer";
import { CHANNEL_FD } from "@/server/sandbox/channel";
import { Suspended } from "@/server/executors/contract";
import { describeFailure } from "@/server/worker/failures";
import { controlProtocol, workerProtocol } from "@/server/worker/protocol";
import { MARK, type CHANNEL_ATTACKS, type RUN_ATTACKS, type SYSTEM_ATTACKS, type Targets } from "./attacks";

type Given = { readonly attack: string; readonly targets: Targets };

const MAX_FRAME_BYTES = 33_554_432;
const [PTRACE_SEIZE, PTRACE_INTERRUPT] = [0x4206, 0x4207];

const never = (): Promise<never> => new Promise(() => undefined);
const read = (file: string): string => fs.readFileSync(file, "utf8");

/** The channel does not block, so this waits. */
const write = (bytes: Buffer): void => {
  for (let at = 0; at < bytes.length;) {
    try {
      at += fs.writeSync(CHANNEL_FD, bytes, at);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
    }
  }
};
const say = (message: unknown): void => write(encodeFrame(message, MAX_FRAME_BYTES));

const header = (length: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);

  return bytes;
};

const callTool = (execution: string, changes: object = {}) =>
  control.call("tool", {
    execution,
    request: { task: "", call_id: "call", server: "customers", tool: "update_plan", arguments: {}, ...changes },
  });

const logIn = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const client = net.connect({ port, host: "127.0.0.1", timeout: 5_000 });
    const body = Buffer.from("user\0countersign_runner\0database\0postgres\0\0");
    client.once("error", reject).once("timeout", () => reject(new Error("timeout")));
    client.once("connect", () => client.write(Buffer.concat([header(body.length + 8), Buffer.from([0, 3, 0, 0]), body])));
    client.once("data", (answer: Buffer) => {
      client.destroy();
      // `R` with 0 grants.
      if (answer[0] === 0x52 && answer.readUInt32BE(5) === 0) resolve("logged in");
      else reject(new Error("denied: a password is demanded"));
    });
  });

const connectSocket = (file: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const client = net.connect({ path: file, timeout: 2_000 });
    client.once("error", reject).once("connect", () => client.end("taken", () => resolve("connected")));
  });

const listen = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once("error", reject).listen(0, "127.0.0.1", () => server.close(() => resolve("listening")));
  });

const trace = (pid: number): string => {
  const ptrace = koffi.load(null).func("ptrace", "long", ["long", "int", "long", "long"]) as (...given: number[]) => number;
  for (const request of [PTRACE_SEIZE, PTRACE_INTERRUPT])
    if (ptrace(request ?? 0, pid, 0, 0) < 0) throw Object.assign(new Error("ptrace"), { code: koffi.errno() === 1 ? "EPERM" : "EACCES" });

  return "traced";
};

const inherited = (): string => {
  const texts = Array.from({ length: 64 }, (_none, index) => {
    try {
      const bytes = Buffer.alloc(4_096);

      return bytes.toString("utf8", 0, fs.readSync(index + 5, bytes, 0, bytes.length, 0));
    } catch {
      return "";
    }
  });
  const found = texts.join("");
  if (found === "") throw new Error("denied: nothing");

  return found;
};

const overLink = (home: string): string => {
  const link = path.join(os.tmpdir(), `worker-rung-${process.pid}`);
  fs.symlinkSync(path.join(home, "keys", "signing.key"), link);
  try {
    return read(link);
  } finally {
    fs.unlinkSync(link);
  }
};

let ended = "";
const begun: string[] = [];

type Attack = (targets: Targets, execution: string) => unknown;

const SYSTEM: Readonly<Record<(typeof SYSTEM_ATTACKS)[number], Attack>> = {
  "read signing.key": ({ home }) => read(path.join(home, "keys", "signing.key")),
  "read vault.key": ({ home }) => read(path.join(home, "keys", "vault.key")),
  "read session.key": ({ home }) => read(path.join(home, "keys", "session.key")),
  "read postgres.key": ({ home }) => read(path.join(home, "keys", "postgres.key")),
  "read database.json": ({ home }) => read(path.join(home, "database.json")),
  "read a key by /proc/self/root": ({ home }) => read(`/proc/self/root${home}/keys/signing.key`),
  "read a key over a link in the temporary folder": ({ home }) => overLink(home),
  "read the runner's environment": ({ runner }) => read(`/proc/${runner}/environ`),
  "open the runner's memory": ({ runner }) => fs.openSync(`/proc/${runner}/mem`, "r+"),
  "list the runner's descriptors": ({ runner }) => fs.readdirSync(`/proc/${runner}/fd`).join(" "),
  "trace a process of the same user": ({ victim }) => trace(victim),
  "end a process of the same user": ({ victim }) => process.kill(victim, "SIGKILL"),
  // oxlint-disable-next-line node/no-process-env -- the attack reads all of it
  "find secrets in its environment": () => JSON.stringify(process.env),
  "read an inherited descriptor": inherited,
  "log in to the database": ({ database }) => logIn(database),
  "connect to a local service by a socket": ({ socket }) => connectSocket(socket),
  "listen on a port": listen,
  "start a process": () => {
    const { error } = spawnSync(process.execPath, ["-e", "0"]);
    if (error) throw error;

    return "spawned";
  },
  "write the worker's bundle": ({ home }) => fs.appendFileSync(path.join(home, "build", "worker.mjs"), "// taken"),
  "write into the packages": ({ root }) => fs.writeFileSync(path.join(root, "node_modules", ".worker-taken"), "taken"),
  "write into the temporary folder": () => fs.writeFileSync(path.join(os.tmpdir(), "worker-taken"), "taken"),
};

const CHANNEL: Readonly<Record<(typeof CHANNEL_ATTACKS)[number], Attack>> = {
  "call for a guessed execution": () => callTool(randomBytes(16).toString("hex")),
  "call for an execution that has ended": async (_targets, execution) => {
    const before = ended;
    ended = execution;
    if (before !== "") await callTool(before);
  },
  "call for another workspace's execution": ({ foreign }) => callTool(foreign),
  "say that the run is suspended": () => Promise.reject(new Suspended()),
  "answer a call that was not made": () => (say({ type: "answer", id: 4_000, body: null }), never()),
  "call an unknown method": () => (say({ type: "call", id: 9_000, method: "sign", body: null }), never()),
  "send a malformed message": () => (write(Buffer.concat([header(2), Buffer.from("{{")])), never()),
  "send members that do not belong there": (_targets, execution) => (
    say({ type: "call", id: 9_000, method: "verdict", body: { execution, task: "", agent: "another" } }),
    never()
  ),
  "use the id of a call twice": (_targets, execution) => {
    for (let times = 0; times < 2; times += 1)
      say({ type: "call", id: 9_000, method: "action", body: { execution, action: { type: "none" } } });

    return never();
  },
  "send a frame above the limit": () => (write(Buffer.concat([header(MAX_FRAME_BYTES + 1), Buffer.from("{")])), never()),
  "nest a value deeply": (_targets, execution) => {
    const deep = `${"[".repeat(500_000)}${"]".repeat(500_000)}`;
    const body = Buffer.from(`{"type":"call","id":9000,"method":"action","body":{"execution":"${execution}","action":${deep}}}`);
    write(Buffer.concat([header(body.length), body]));

    return never();
  },
  "flood with calls": (_targets, execution) => {
    for (let id = 10_000; id < 20_000; id += 1)
      say({
        type: "call",
        id,
        method: "tool",
        body: { execution, request: { task: "", call_id: `c${id}`, server: "held", tool: "held", arguments: null } },
      });

    return never();
  },
  "flood with pings": () => {
    const frame = encodeFrame({ type: "ping", id: 1 }, 1_000);
    const block = Buffer.concat(Array.from({ length: 1_000 }, () => frame));
    for (let times = 0; times < 200; times += 1) write(block);
    say({ type: "end" });

    return never();
  },
};

const RUN: Readonly<Record<(typeof RUN_ATTACKS)[number], Attack>> = {
  "call a tool that its node was not granted": (_targets, execution) =>
    callTool(execution, { arguments: { customer_id: "c1", plan: "team" } }),
  "change the arguments of a call that has an intent": async (_targets, execution) => {
    const request = { server: "filesystem", tool: "read_text_file" };
    const honest = await callTool(execution, { ...request, arguments: { path: "01-upgrade.txt" } });
    const changed = await callTool(execution, { ...request, arguments: { path: "07-urgent-from-management.txt" } });

    return JSON.stringify(changed) === JSON.stringify(honest) ? "denied: the recorded answer" : "changed";
  },
  "speak in a task of another agent": (_targets, execution) => callTool(execution, { task: "voter.0" }),
  "propose an action of another node": (_targets, execution) =>
    control.call("action", { execution, action: { type: "update_memory", updates: [{ path: "plan", value: MARK }] } }),
  "end with what another node writes": () => "outcome",
};

const ATTACKS: Readonly<Record<string, Attack>> = { ...SYSTEM, ...CHANNEL, ...RUN };

const outcomeOf = (said: object) => ({ type: "failure", code: "attack_end", retryable: false, detail: JSON.stringify(said) }) as const;

const play = async (execution: string, { attack, targets }: Given) => {
  if (attack === "tell the execution before") return outcomeOf({ done: begun.at(-2) ?? "" });
  if (attack === "wait") {
    await callTool(execution);

    return outcomeOf({ done: "waited" });
  }
  try {
    const said = (await ATTACKS[attack]?.(targets, execution)) ?? "done";
    if (attack === "end with what another node writes")
      return { type: "result", actions: [{ type: "update_memory", updates: [{ path: "plan", value: MARK }] }] } as const;

    return outcomeOf({ done: (typeof said === "string" ? said : JSON.stringify(said)).slice(0, 8_000) });
  } catch (error) {
    if (attack === "say that the run is suspended") throw error;

    return outcomeOf({ failed: error instanceof Error && "code" in error ? String(error.code) : String(error) });
  }
};

const control: Peer<typeof controlProtocol> = connectToParent({
  serves: workerProtocol,
  calls: controlProtocol,
  describeError: describeFailure,
  handlers: {
    execute: async ({ execution, input }) => {
      begun.push(execution);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the rung writes its goals
      return (await play(execution, JSON.parse(input.goal) as Given)) as never;
    },
    stop: async () => null,
    generate: never,
  },
});
