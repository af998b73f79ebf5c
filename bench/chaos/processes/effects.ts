/**
 * World of the runs: a file per arrived call, and one, flushed before the answer, per executed one. Names begin with the
 * idempotency key.
 *
 * Arguments: `<folder of calls> <folder of deeds> <file with the fault rate> <file for faults>`.
 */
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { IDEMPOTENCY_KEY } from "@/lib/mcp/meta";

const [, , received = "", deeds = "", rateFile = "", misdeeds = ""] = process.argv;

type Message = { readonly id?: string | number; readonly method?: string; readonly params?: Call };
type Call = { readonly name?: string; readonly arguments?: object; readonly _meta?: Readonly<Record<string, unknown>> };

const text = { type: "string", maxLength: 200 };
const inputSchema = { type: "object", properties: { text }, required: ["text"], additionalProperties: false };
const TOOLS = [
  { name: "look", description: "Looks up a text.", inputSchema },
  { name: "post", description: "Posts a text, once for each key.", inputSchema },
  { name: "withdraw", description: "Takes a posted text back, once for each key.", inputSchema },
  { name: "send", description: "Sends a text, each time it is asked to.", inputSchema },
  { name: "refuse", description: "Always says no.", inputSchema },
];

const flush = (file: string): void => {
  const handle = fs.openSync(file, "r");
  fs.fsyncSync(handle);
  fs.closeSync(handle);
};

/** An existing name counts once. */
const keep = (folder: string, name: string): void => {
  try {
    const handle = fs.openSync(path.join(folder, name), "wx");
    fs.fsyncSync(handle);
    fs.closeSync(handle);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  flush(folder);
};

const say = (value: object | string): void => void process.stdout.write(`${typeof value === "string" ? value : JSON.stringify(value)}\n`);
const answer = (id: Message["id"], result: object): void => say({ jsonrpc: "2.0", id, result });
const words = (value: string, isError = false) => ({ content: [{ type: "text", text: value }], isError });

const WAYS = [
  "slow",
  "slow after the deed",
  "error",
  "error after the deed",
  "malformed",
  "silent",
  "hang up",
  "hang up after the deed",
] as const;

const rate = (): number => {
  try {
    return Number(fs.readFileSync(rateFile, "utf8"));
  } catch {
    return 0;
  }
};

const act = (name: string, key: string): void => {
  if (name === "send") keep(deeds, `${key}.send.${randomUUID()}`);
  if (name === "post" || name === "withdraw") keep(deeds, `${key}.${name}`);
};

const call = async (id: Message["id"], { name = "", _meta: meta }: Call): Promise<void> => {
  const given = meta?.[IDEMPOTENCY_KEY];
  const key = typeof given === "string" ? given : "none";
  // Idempotent calls may arrive repeatedly.
  keep(received, `${key}.received.${randomUUID()}`);
  const way = Math.random() < rate() ? WAYS[Math.floor(Math.random() * WAYS.length)] : undefined;
  const pauseMs = 200 + Math.random() * 1_800;
  if (way !== undefined) fs.appendFileSync(misdeeds, `${way}\n`);
  if (way === "slow") await wait(pauseMs);
  if (way === "error") return answer(id, words("not now", true));
  if (way === "hang up") process.exit(1);
  act(name, key);
  if (way === "slow after the deed") await wait(pauseMs);
  if (way === "error after the deed") return answer(id, words("something went wrong", true));
  if (way === "malformed") return say(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":`);
  if (way === "silent") return;
  if (way === "hang up after the deed") process.exit(1);

  return answer(id, name === "refuse" ? words("no", true) : words(`${name} done`));
};

const take = async (line: string): Promise<void> => {
  const { id, method = "", params = {} } = JSON.parse(line) as Message;
  if (id === undefined) return;
  if (method === "tools/call") return call(id, params);
  if (method === "tools/list") return answer(id, { tools: TOOLS });
  if (method === "ping") return answer(id, {});
  if (method !== "initialize") return say({ jsonrpc: "2.0", id, error: { code: -32_601, message: "Method not found" } });

  return answer(id, { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "world", version: "1.0.0" } });
};

readline.createInterface({ input: process.stdin }).on("line", (line) => void take(line).catch(() => process.exit(1)));
