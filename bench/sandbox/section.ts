import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { figure, markdown, median } from "@/bench/report";
import { must, type Bench, type Section } from "@/bench/section";
import { createStdioTransport } from "@/server/mcp/stdio-transport";
import { probeIsolation } from "@/server/sandbox/probe";
import type { SandboxPolicy } from "@/server/sandbox/policy";
import { buildServerPolicy } from "@/server/sandbox/server-policy";

const TIMES = { full: 40, quick: 5 } as const;

const PROGRAM = `process.stdout.write(JSON.stringify({ jsonrpc: "2.0", method: "ready" }) + "\\n"); process.stdin.resume();`;

/** Medians, ms. */
export type SandboxResult = { readonly without: number; readonly with: number; readonly ratio: number; readonly probe: number };

const startOnce = async (
  entry: string,
  cwd: string,
  sandbox: { readonly root: string; readonly policy: SandboxPolicy } | null,
): Promise<number> => {
  const startedAt = performance.now();
  const transport = createStdioTransport({ command: process.execPath, args: [entry], env: {}, cwd, maxMessageBytes: 1_024, sandbox });
  const ready = new Promise<void>((resolve) => {
    Object.assign(transport, { onmessage: () => resolve() });
  });
  await transport.start();
  await ready;
  const ms = performance.now() - startedAt;
  await transport.close();

  return ms;
};

const run = async (bench: Bench): Promise<SandboxResult> => {
  const root = process.cwd();
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), "countersign-sandbox-"));
  try {
    const [entry, home] = [path.join(folder, "server.mjs"), path.join(folder, "home")];
    fs.writeFileSync(entry, PROGRAM);
    fs.mkdirSync(home);
    const startedAt = performance.now();
    const { holds, reason } = await probeIsolation(root, home);
    const probe = performance.now() - startedAt;
    must(holds.includes("files"), `nothing isolates here: ${reason ?? ""}`);
    const policy = buildServerPolicy({ entry, command: process.execPath, given: [], own: [home], read: [], network: null }, { home, root });
    const times = TIMES[bench.scale];
    const all: { readonly plain: number; readonly boxed: number }[] = [];
    bench.progress(`sandbox: ${times} starts with the launcher and without, in turn`);
    // So that load affects both.
    while (all.length < times)
      all.push({ plain: await startOnce(entry, home, null), boxed: await startOnce(entry, home, { root, policy }) });
    const [without, boxed] = [median(all.map(({ plain }) => plain)), median(all.map((one) => one.boxed))];

    return { without, with: boxed, ratio: boxed / without, probe };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
};

const table = (result: SandboxResult): string =>
  markdown(
    ["start of a stdio server, to its first message", ""],
    [
      ["without the launcher", figure(result.without, "ms")],
      ["in its sandbox", figure(result.with, "ms")],
      ["ratio", figure(result.ratio)],
      ["the probe, once for each runner", figure(result.probe, "ms")],
    ],
  );

export const SANDBOX: Section<SandboxResult> = {
  name: "sandbox",
  says: "what the sandbox costs at the start of a stdio server",
  run,
  table,
};
