/** Some tests run only as root. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { inTemporaryFolder } from "@/bin/testing";
import { NO_NETWORK, type SandboxPolicy } from "./policy.ts";
import { probeIsolation } from "./probe.ts";
import { SERVER_LIMITS } from "./server-policy.ts";
import { spawnSandboxed } from "./spawn.ts";
import { SYSTEM_EXECUTE, SYSTEM_READ, SYSTEM_WRITE } from "./system-files.ts";
import { claimUser, findFirstClosed, makePassable, shareFolder } from "./users.ts";

const root = path.resolve(import.meta.dirname, "../..");
const isRoot = process.geteuid?.() === 0;
const RANGE = { first: 60_000, last: 60_002 };

describe.runIf(process.platform === "linux")("a user of the range", () => {
  it("belongs to one process across the machine until released; the first is reserved", async () => {
    const one = await claimUser(RANGE);
    const program = `const { claimUser } = await import(${JSON.stringify(pathToFileURL(path.join(import.meta.dirname, "users.ts")).href)});
      const { uid } = await claimUser(${JSON.stringify(RANGE)}); console.log(uid);`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program]);
    const two = await claimUser(RANGE);
    expect([one.uid, Number(stdout), two.uid]).toEqual([60_001, 60_002, 60_002]);
    await expect(claimUser(RANGE)).rejects.toThrow("in use");
    one.release();
    two.release();
    await expect.poll(async () => (await claimUser(RANGE).catch(() => null))?.uid ?? null).toBe(60_001);
  });
});

describe("what an unprivileged user can use", () => {
  const inPlace = (work: (folder: string) => void): Promise<void> =>
    inTemporaryFolder((temporary) => {
      const folder = fs.realpathSync(temporary);
      fs.chmodSync(folder, 0o711);
      fs.mkdirSync(path.join(folder, "inner"), { mode: 0o700 });
      fs.writeFileSync(path.join(folder, "inner", "file"), "", { mode: 0o644 });
      work(folder);
    });

  it("requires every parent folder to be passable", () =>
    inPlace((folder) => {
      const file = path.join(folder, "inner", "file");
      expect(findFirstClosed({ read: [file], write: [] }, [])).toBe(file);
      makePassable([path.join(folder, "inner"), path.join(folder, "missing")]);
      expect(findFirstClosed({ read: [file], write: [] }, [])).toBeNull();
      expect(findFirstClosed({ read: [], write: [file] }, [])).toBe(file);
      expect(findFirstClosed({ read: [path.join(folder, "missing")], write: [] }, [])).toBe(path.join(folder, "missing"));
    }));

  it("includes what its groups permit", () =>
    inPlace((folder) => {
      const inner = path.join(folder, "inner");
      const { gid } = fs.statSync(inner);
      fs.chmodSync(inner, 0o770);
      expect(findFirstClosed({ read: [], write: [inner] }, [])).toBe(inner);
      expect(findFirstClosed({ read: [], write: [inner] }, [gid])).toBeNull();
      fs.chmodSync(inner, 0o750);
      expect(findFirstClosed({ read: [], write: [inner] }, [gid])).toBe(inner);
    }));
});

const POLICY: SandboxPolicy = {
  read: SYSTEM_READ,
  execute: [...SYSTEM_EXECUTE, process.execPath],
  write: SYSTEM_WRITE,
  network: NO_NETWORK,
  processes: false,
  limits: SERVER_LIMITS,
  capabilities: false,
};

const printed = async (policy: SandboxPolicy, cwd: string, script: string): Promise<string> => {
  const spec = { command: process.execPath, args: ["-e", script], env: {}, cwd, policy, parentPid: process.pid };
  const child = spawnSandboxed(root, spec, ["ignore", "pipe", "inherit"]);

  return child.stdout ? text(child.stdout) : "";
};

describe.runIf(isRoot)("a server that root starts", () => {
  it("has only its user and groups, no capability, and cannot regain root", async () => {
    const script = `const fs = require("node:fs");
      const status = fs.readFileSync("/proc/self/status", "utf8");
      const line = (name) => status.match(new RegExp("^" + name + ":\\\\s*(.*)$", "m"))[1].trim();
      const again = (become) => { try { become(); return "root"; } catch (error) { return error.code; } };
      console.log(JSON.stringify([line("Uid"), line("Gid"), line("Groups"), line("CapPrm"), line("CapEff"), line("CapAmb"),
        again(() => process.setuid(0)), again(() => process.setgid(0)), again(() => process.setgroups([0]))]));`;
    const [uid, gid] = ["60001", "60001"].map((id) => Array.from({ length: 4 }, () => id).join("\t"));
    const none = "0000000000000000";
    expect(JSON.parse(await printed({ ...POLICY, user: { uid: 60_001, groups: [60_000] } }, "/", script))).toEqual([
      uid,
      gid,
      "60000",
      none,
      none,
      none,
      ...Array.from({ length: 3 }, () => "EPERM"),
    ]);
  });

  it("owns its working folder, cannot read our files even where rules allow, and shares a bundled server's folder", () =>
    inTemporaryFolder(async (temporary) => {
      const folder = fs.realpathSync(temporary);
      fs.chmodSync(folder, 0o711);
      const [scratch, shared, key] = ["scratch", "shared", "key"].map((name) => path.join(folder, name)) as [string, string, string];
      fs.mkdirSync(scratch, { mode: 0o700 });
      fs.chownSync(scratch, 60_001, 60_001);
      fs.mkdirSync(path.join(shared, "inner"), { recursive: true, mode: 0o700 });
      fs.writeFileSync(path.join(shared, "inner", "old"), "old", { mode: 0o600 });
      fs.writeFileSync(key, "secret", { mode: 0o600 });
      fs.symlinkSync(key, path.join(shared, "link"));
      shareFolder(shared, 60_000);
      expect([fs.statSync(key).gid, fs.statSync(key).mode & 0o777]).toEqual([0, 0o600]);
      const script = `const fs = require("node:fs");
        const attempt = (work) => { try { return String(work() ?? "done"); } catch (error) { return error.code; } };
        console.log(JSON.stringify([attempt(() => fs.writeFileSync("own", "")), attempt(() => fs.readFileSync(${JSON.stringify(key)}, "utf8")),
          attempt(() => fs.appendFileSync(${JSON.stringify(path.join(shared, "inner", "old"))}, "er")),
          attempt(() => fs.writeFileSync(${JSON.stringify(path.join(shared, "inner", "new"))}, "new"))]));`;
      const write = [...POLICY.write, scratch, shared];
      const asUser = (uid: number) =>
        printed({ ...POLICY, read: [...POLICY.read, key], write, user: { uid, groups: [60_000] } }, scratch, script);
      expect(JSON.parse(await asUser(60_001))).toEqual(["done", "EACCES", "done", "done"]);
      // Another server has the shared folder but not the first one's own.
      expect(JSON.parse(await asUser(60_002))).toEqual(["EACCES", "EACCES", "done", "done"]);
      expect(fs.readFileSync(path.join(shared, "inner", "old"), "utf8")).toBe("olderer");
    }));

  it("ends with the process that started it", () =>
    inTemporaryFolder(async (folder) => {
      const spec = {
        command: process.execPath,
        args: ["-e", "console.log(process.pid); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);"],
        env: {},
        cwd: "/",
        policy: { ...POLICY, user: { uid: 60_001, groups: [] } },
      };
      const program = `const { spawnSandboxed } = await import(${JSON.stringify(pathToFileURL(path.join(import.meta.dirname, "spawn.ts")).href)});
        const child = spawnSandboxed(${JSON.stringify(root)}, { ...${JSON.stringify(spec)}, parentPid: process.pid }, ["pipe", "pipe", "ignore"]);
        child.stdout.once("data", (pid) => { require("node:fs").writeFileSync("pid", pid); process.kill(process.pid, "SIGKILL"); });`;
      const parent = execFile(process.execPath, ["--input-type=module", "-e", program.replace("require(", "process.getBuiltinModule(")], {
        cwd: folder,
      });
      await once(parent, "exit");
      const pid = Number(fs.readFileSync(path.join(folder, "pid"), "utf8"));
      expect(pid).toBeGreaterThan(0);
      await expect.poll(() => fs.existsSync(`/proc/${pid}`), { timeout: 5_000 }).toBe(false);
    }));
});

describe.runIf(process.platform === "linux")("a server without network", () => {
  it("has only a downed loopback where the probe reports a namespace", async () => {
    const { holds } = await inTemporaryFolder((folder) => probeIsolation(root, folder));
    const script = `console.log(require("node:fs").readFileSync("/proc/net/dev", "utf8").match(/^ *[a-z0-9]+(?=:)/gmu).map((name) => name.trim()).join())`;
    const policy = { ...POLICY, read: ["/proc"], namespace: true };
    const seen = await printed({ ...policy, read: [...POLICY.read, "/proc"] }, "/", script).catch(() => "");
    expect(seen.trim()).toBe(holds.includes("namespace") ? "lo" : "");
  });
});
