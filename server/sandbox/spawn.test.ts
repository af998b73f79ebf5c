import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { expect, it, vi } from "vitest";
import { freePort } from "@/bin/postgres/cluster";
import { ensureHome } from "@/bin/start/home";
import { inTemporaryFolder } from "@/bin/testing";
import { landlockAbi } from "./launcher/native.mjs";
import { NO_NETWORK, type SandboxPolicy } from "./policy.ts";
import { probeIsolation } from "./probe.ts";
import { buildRunnerPolicy, buildWebPolicy } from "./process-policy.ts";
import { buildServerPolicy } from "./server-policy.ts";
import { spawnSandboxed } from "./spawn.ts";
import { SYSTEM_EXECUTE, SYSTEM_READ, SYSTEM_WRITE } from "./system-files.ts";

const root = path.resolve(import.meta.dirname, "../..");
const hasLandlock = process.platform === "linux" && landlockAbi() >= 4;

const BARE: SandboxPolicy = {
  read: SYSTEM_READ,
  execute: [...SYSTEM_EXECUTE, process.execPath],
  write: SYSTEM_WRITE,
  network: NO_NETWORK,
  processes: false,
  limits: null,
  capabilities: false,
};

const outcomes = async (policy: SandboxPolicy, attempts: readonly string[]): Promise<readonly string[]> => {
  const script = `const fs = require("node:fs"), net = require("node:net");
    const listen = (port) => new Promise((done, fail) => net.createServer().once("error", fail).listen(port, "127.0.0.1", done));
    (async () => { for (const attempt of [${attempts.map((each) => `() => ${each}`).join(", ")}])
      try { await attempt(); console.log("done"); } catch (error) { console.log(error.code); } process.exit(0); })();`;
  const spec = { command: process.execPath, args: ["-e", script], env: {}, cwd: "/", policy, parentPid: process.pid };
  const child = spawnSandboxed(root, spec, ["ignore", "pipe", "inherit"]);

  return (child.stdout ? await text(child.stdout) : "").trim().split("\n");
};

const isAlive = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/mu.test(fs.readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

const inHome = (work: (home: string) => Promise<void>): Promise<void> =>
  inTemporaryFolder(async (folder) => {
    const home = path.join(fs.realpathSync(folder), "state");
    ensureHome(home);
    fs.writeFileSync(path.join(home, "database.json"), "{}", { mode: 0o600 });
    fs.writeFileSync(path.join(home, "build", "runner.mjs"), "");
    await work(home);
  });

it.runIf(hasLandlock)("the web process opens only the vault key and trust anchor, replaced ones too", () =>
  inHome(async (home) => {
    const policy = buildWebPolicy({ home, root }, { port: 1, databaseUrl: "postgresql://u@127.0.0.1/d", certificates: null });
    const read = (file: string) => `fs.readFileSync(${JSON.stringify(path.join(home, file))})`;
    const replaced = path.join(home, "keys", "vault", "vault.key");
    fs.writeFileSync(`${replaced}.new`, "", { mode: 0o600 });
    fs.renameSync(`${replaced}.new`, replaced);
    expect(
      await outcomes(
        policy,
        ["keys/vault.key", "keys/trust-anchor.json", "keys/signing.key", "keys/session.key", "keys/postgres.key", "database.json"].map(
          read,
        ),
      ),
    ).toEqual(["done", "done", ...Array.from({ length: 4 }, () => "EACCES")]);
  }),
);

it.runIf(hasLandlock)("the web process listens only on its port, and changes neither keys nor programs", () =>
  inHome(async (home) => {
    const [port, other] = [await freePort(), await freePort()];
    const policy = buildWebPolicy({ home, root }, { port, databaseUrl: "postgresql://u@127.0.0.1/d", certificates: null });
    const write = (file: string) => `fs.writeFileSync(${JSON.stringify(file)}, "")`;
    expect(
      await outcomes(policy, [
        `listen(${port})`,
        `listen(${other})`,
        write(path.join(home, "keys", "vault", "vault.key")),
        write(path.join(home, "inbox", "mail")),
        write(path.join(root, "server", "planted")),
        `require("node:child_process").execFileSync(process.execPath, ["--version"])`,
      ]),
    ).toEqual(["done", "EACCES", "EACCES", "EACCES", "EACCES", "EPERM"]);
  }),
);

it.runIf(hasLandlock)("the runner writes its state, but no program", () =>
  inHome(async (home) => {
    const write = (file: string) => `fs.writeFileSync(${JSON.stringify(file)}, "")`;
    const files = ["inbox/mail", "keys/draft", "journal/entry", "scratch/x", "build/runner.mjs", "build/planted.mjs"].map((file) =>
      path.join(home, file),
    );
    expect(
      await outcomes(buildRunnerPolicy({ home, root }), [
        ...files.map(write),
        write(path.join(root, "server", "planted.ts")),
        `require("node:child_process").execFileSync(process.execPath, ["--version"])`,
      ]),
    ).toEqual(["done", "done", "done", "done", "EACCES", "EACCES", "EACCES", "done"]);
  }),
);

it.runIf(hasLandlock)("the runner executes only Node, installed and offered programs", () =>
  inHome(async (home) => {
    const [offered, other] = ["offered", "other"].map((name) => path.join(path.dirname(home), name)) as [string, string];
    const installed = path.join(home, "programs", "tool");
    for (const file of [offered, other, installed]) fs.copyFileSync("/bin/true", file);
    fs.writeFileSync(
      path.join(home, "keys", "programs.json"),
      JSON.stringify({ v: 1, programs: [{ runs: { kind: "file", path: offered } }] }),
    );
    const execute = (file: string) => `require("node:child_process").execFileSync(${JSON.stringify(file)})`;
    expect(await outcomes(buildRunnerPolicy({ home, root }), [offered, installed, other, "/bin/true", "/bin/sh"].map(execute))).toEqual([
      "done",
      "done",
      "EACCES",
      "EACCES",
      "EACCES",
    ]);
  }),
);

it.runIf(hasLandlock)("the runner starts children in an empty network", () =>
  inHome(async (home) => {
    const { holds } = await probeIsolation(root, path.join(home, "scratch"));
    const inner = { command: process.execPath, args: ["-e", "console.log(require('node:fs').readlinkSync('/proc/self/ns/net'))"], env: {} };
    const policy = { ...BARE, namespace: holds.includes("namespace") };
    const started = `import(${JSON.stringify(pathToFileURL(path.join(import.meta.dirname, "spawn.ts")).href)}).then(({ spawnSandboxed }) =>
      new Promise((done) => { const child = spawnSandboxed(${JSON.stringify(root)}, { ...${JSON.stringify({ ...inner, cwd: "/", policy })}, parentPid: process.pid }, ["ignore", "pipe", "ignore"]);
        child.stdout.on("data", (text) => done(console.log(String(text).trim()))); }))`;
    const [link] = await outcomes(buildRunnerPolicy({ home, root }), [started]);
    expect(link).toMatch(/^net:/);
    expect(link === fs.readlinkSync("/proc/self/ns/net")).toBe(!policy.namespace);
  }),
);

it.runIf(hasLandlock)("a non-script program executes only its own file", () =>
  inTemporaryFolder(async (folder) => {
    const [own, beside] = ["own", "beside"].map((name) => path.join(fs.realpathSync(folder), name));
    if (own === undefined || beside === undefined) throw new Error("two files");
    for (const file of [own, beside]) fs.copyFileSync("/bin/true", file);
    const policy = buildServerPolicy({ entry: own, command: own, given: [], own: [], read: [], network: null }, { home: "/nowhere", root });
    const codeOf = async (command: string): Promise<number | null> => {
      const child = spawnSandboxed(root, { command, args: [], env: {}, cwd: "/", policy, parentPid: process.pid }, [
        "ignore",
        "ignore",
        "ignore",
      ]);
      const [code] = (await once(child, "exit")) as [number | null];

      return code;
    };
    expect(await codeOf(own)).toBe(0);
    expect(await codeOf(beside)).not.toBe(0);
  }),
);

it("a program that may not read itself fails to start instead of running unsandboxed", async () => {
  const spec = { command: "/nowhere", args: [], env: {}, cwd: "/", policy: BARE, parentPid: process.pid };
  const child = spawnSandboxed(root, spec, ["ignore", "ignore", "ignore"]);
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
    child.once("exit", (...end) => resolve(end)),
  );
  expect(code === 0 && signal === null).toBe(false);
});

it(
  "a server ignoring input and signals ends with its parent killed with -9",
  () =>
    inTemporaryFolder(async (folder) => {
      const seen = path.join(folder, "pid");
      const script = `process.on("SIGTERM", () => {}); require("node:fs").writeFileSync(${JSON.stringify(seen)}, String(process.pid)); for (;;);`;
      const spec = { command: process.execPath, args: ["-e", script], env: {}, cwd: "/", policy: { ...BARE, write: [folder] } };
      const program = `const { spawnSandboxed } = await import(${JSON.stringify(pathToFileURL(path.join(import.meta.dirname, "spawn.ts")).href)});
      spawnSandboxed(${JSON.stringify(root)}, { ...${JSON.stringify(spec)}, parentPid: process.pid }, ["pipe", "pipe", "ignore"]);`;
      const parent = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: "ignore" });
      await vi.waitFor(() => expect(Number(fs.readFileSync(seen, "utf8"))).toBeGreaterThan(0), { timeout: 10_000 });
      const pid = Number(fs.readFileSync(seen, "utf8"));
      expect(isAlive(pid)).toBe(true);
      parent.kill("SIGKILL");
      await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 5_000 });
    }),
  20_000,
);
