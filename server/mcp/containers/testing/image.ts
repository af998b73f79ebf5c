import { execFileSync, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { spawnLeashed } from "@/bin/start/child";
import { ROOT } from "@/bin/start/settings";
import { readEngineEnvironment } from "@/server/env";
import type { Environment } from "@/server/mcp/programs/run-installer";

const isInstalled = (command: string): boolean => {
  try {
    execFileSync(command, ["--version"], { stdio: "ignore" });

    return true;
  } catch {
    return false;
  }
};

export const hasPodman = isInstalled("podman");

/** crun needs a newer kernel than some of our machines have. */
export const buildEngineEnvironment = (folder: string): Environment => {
  const env = readEngineEnvironment();
  if (!isInstalled("runc")) return env;
  const file = path.join(folder, "containers.conf");
  fs.writeFileSync(file, '[engine]\nruntime = "runc"\n');

  return { ...env, CONTAINERS_CONF: file };
};

const librariesOf = (file: string): readonly string[] => execFileSync("ldd", [file], { encoding: "utf8" }).match(/\/[^\s()]+/g) ?? [];

export type TestImage = { readonly name: string; readonly pinned: string; readonly remove: () => void };

export const importImage = (env: Environment, name = `localhost/countersign-test-${randomUUID()}`, note = ""): TestImage => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-image-"));
  const programs = ["bash", "base64"].map((base) => ({ base, file: fs.realpathSync(path.join("/usr/bin", base)) }));
  const places = new Map([
    ...programs.flatMap(({ file }) => librariesOf(file)).map((file) => [file, file] as const),
    ...programs.map(({ base, file }) => [file, `/bin/${base}`] as const),
  ]);
  for (const [file, inside] of places) {
    const place = path.join(root, inside);
    fs.mkdirSync(path.dirname(place), { recursive: true });
    fs.copyFileSync(file, place);
  }
  for (const folder of ["tmp", "etc", "proc", "dev", "sys"]) fs.mkdirSync(path.join(root, folder));
  fs.copyFileSync(path.join(import.meta.dirname, "server.sh"), path.join(root, "server.sh"));
  fs.writeFileSync(path.join(root, "etc", "note"), note);
  const archive = `${root}.tar`;
  execFileSync("tar", ["-C", root, "-cf", archive, "."]);
  const options = { env: { ...env, NODE_ENV: "test" as const }, encoding: "utf8" as const };
  const podman = (...args: string[]): string => execFileSync("podman", args, { ...options, stdio: ["ignore", "pipe", "ignore"] });
  podman("import", "--change", 'ENTRYPOINT ["/bin/bash","/server.sh"]', archive, `${name}:1`);
  fs.rmSync(root, { recursive: true });
  fs.rmSync(archive);
  const pinned = podman("image", "inspect", "--format", "{{index .RepoDigests 0}}", `${name}:1`).trim();

  return { name, pinned, remove: () => void podman("image", "rm", "--force", pinned) };
};

export const startBroker = (home: string, env: Environment, origins: string): ChildProcess => {
  const variables = {
    ...env,
    COUNTERSIGN_HOME: home,
    COUNTERSIGN_MCP_ORIGINS: origins,
    LOG_LEVEL: "warn",
    NODE_ENV: "production" as const,
  };
  const child = spawnLeashed({ args: [path.join(home, "build", "containers.mjs")], cwd: ROOT, env: variables, sandbox: null });
  child.stderr?.pipe(process.stderr, { end: false });

  return child;
};
