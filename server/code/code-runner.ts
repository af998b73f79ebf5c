/** Runs a function of a graph in a fresh, isolated process. */
import { once } from "node:events";
import { chownSync, existsSync, realpathSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { z } from "zod";
import { LAYERS, type Isolation } from "@/lib/mcp/isolation";
import { jsonSchema, type Json } from "@/lib/json";
import { readJsonText } from "@/lib/json-text";
import type { CodeAnswer, CodeFault } from "@/server/executors/contract";
import { endProcess } from "@/server/ipc/spawn";
import { NO_NETWORK, type ProcessLimits, type SandboxPolicy } from "@/server/sandbox/policy";
import { spawnSandboxed } from "@/server/sandbox/spawn";
import { PYTHONS, SYSTEM_EXECUTE, SYSTEM_WRITE } from "@/server/sandbox/system-files";
import { claimUser, findFirstClosed, makePassable, type UserRange } from "@/server/sandbox/users";
import { argumentsFor, SOURCE_FILE, type Language } from "./harness";

export type CodeJob = { readonly language: Language; readonly source: string; readonly memory: Json; readonly timeoutMs: number };

export type CodeRunner = (job: CodeJob, signal: AbortSignal) => Promise<CodeAnswer>;

const MEGABYTE = 1_048_576;
const OUTPUT = { maxBytes: 4 * MEGABYTE, maxDepth: 64 };

const limitsFor = (timeoutMs: number): ProcessLimits => ({
  memoryBytes: 1_024 * MEGABYTE,
  processorSeconds: Math.ceil(timeoutMs / 1_000) + 1,
  openFiles: 64,
  fileBytes: 16 * MEGABYTE,
  threads: 64,
});

export const findPython = (): string | null => PYTHONS.find((file) => existsSync(file)) ?? null;

const READ = [
  "/dev/urandom",
  "/etc/ld.so.cache",
  "/etc/ssl/openssl.cnf",
  "/proc/self",
  "/proc/meminfo",
  "/proc/stat",
  "/proc/version",
  "/sys/fs/cgroup",
];

const policyFor = (command: string, folder: string, timeoutMs: number, isolation: Isolation): SandboxPolicy => ({
  read: [...READ, folder],
  execute: [...SYSTEM_EXECUTE, realpathSync(command)],
  write: [...SYSTEM_WRITE, folder],
  network: NO_NETWORK,
  processes: false,
  limits: limitsFor(timeoutMs),
  capabilities: false,
  ...(isolation.holds.includes("namespace") ? { namespace: true } : {}),
});

const failed = (code: CodeFault, message: string, line: number | null = null): CodeAnswer => ({ status: "failed", code, line, message });

const answerSchema = z.union([
  z.strictObject({ value: jsonSchema }),
  z.strictObject({ line: z.number().int().nullable(), message: z.string().max(500) }),
]);

/** Null: too much. */
const readAll = async (stream: Readable): Promise<string | null> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > OUTPUT.maxBytes) return null;
    chunks.push(chunk);
  }

  return Buffer.concat(chunks).toString("utf8");
};

const readAnswer = (text: string | null): CodeAnswer => {
  if (text === null) return failed("code_output_invalid", "The result is larger than 4 MiB.");
  if (text === "")
    return failed(
      "code_killed",
      "The process ended without a result. It used too much memory or processor time, or was denied a system call.",
    );
  const json = readJsonText(text, OUTPUT);
  const { data } = answerSchema.safeParse(json.ok ? json.value : null);
  if (!data) return failed("code_output_invalid", "The result is not plain JSON.");

  return "value" in data ? { status: "ok", value: data.value } : failed("code_failed", data.message.toWellFormed(), data.line);
};

type Place = { readonly root: string; readonly scratch: string; readonly isolation: () => Promise<Isolation>; readonly users: UserRange };

const runIn = async (
  folder: string,
  command: string,
  job: CodeJob,
  { root, users, isolation }: Place,
  signal: AbortSignal,
): Promise<CodeAnswer> => {
  const file = path.join(folder, SOURCE_FILE[job.language]);
  await writeFile(file, job.source, { mode: 0o644 });
  const known = await isolation();
  const isReachable = known.holds.includes("identity") && findFirstClosed({ read: [file, command], write: [] }, []) === null;
  const user = isReachable ? await claimUser(users) : null;
  try {
    if (user) chownSync(folder, user.uid, user.uid);
    const policy = policyFor(command, folder, job.timeoutMs, known);
    const spec = {
      command,
      args: argumentsFor(job.language, file),
      env: {},
      cwd: folder,
      policy: user ? { ...policy, user: { uid: user.uid, groups: [] } } : policy,
      parentPid: process.pid,
    };
    const child = spawnSandboxed(root, spec, ["pipe", "pipe", "ignore"]);
    let isLate = false;
    const end = () => void endProcess(child, 0);
    const timer = setTimeout(() => {
      isLate = true;
      end();
    }, job.timeoutMs);
    signal.addEventListener("abort", end, { once: true });
    try {
      await once(child, "spawn");
      // The program may end before it reads.
      child.stdin?.on("error", () => undefined);
      child.stdin?.end(JSON.stringify(job.memory));
      const text = child.stdout ? await readAll(child.stdout) : "";

      return isLate ? failed("code_timeout", `The function took longer than ${job.timeoutMs} ms.`) : readAnswer(text);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      await endProcess(child, 0);
    }
  } finally {
    user?.release();
  }
};

const describeMissing = (isolation: Isolation): string | null => {
  const missing = LAYERS.filter((layer) => layer !== "ports" && !isolation.holds.includes(layer));

  return missing.length === 0
    ? null
    : `Code needs an isolated process, which this machine lacks: ${isolation.reason ?? missing.join(", ")}.`;
};

/** @param place its scratch folder holds one folder per run */
export const createCodeRunner =
  (place: Place): CodeRunner =>
  async (job, signal) => {
    const missing = describeMissing(await place.isolation());
    if (missing !== null) return failed("code_unavailable", missing);
    const command = job.language === "typescript" ? process.execPath : findPython();
    if (command === null) return failed("code_unavailable", "Python needs python3 in /usr/bin or /usr/local/bin on the runner's machine.");
    const folder = realpathSync(await mkdtemp(path.join(place.scratch, "code-")));
    makePassable([place.scratch, folder]);
    try {
      return await runIn(folder, command, job, place, signal);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
