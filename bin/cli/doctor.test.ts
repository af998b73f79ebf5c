import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { isolationSchema, listMissingLayers } from "@/lib/mcp/isolation";
import { inTemporaryFolder } from "@/bin/testing";

const standing = z.object({ name: z.string(), layers: z.array(z.string()), network: z.string().optional() });
const checkedSchema = z.object({ area: z.string(), code: z.string(), status: z.string(), says: z.string(), todo: z.string().nullable() });
const printedSchema = isolationSchema.extend({
  level: z.string(),
  processes: z.array(standing),
  servers: z.array(standing),
  checks: z.array(checkedSchema),
});

const doctor = (home: string, level: string, ...args: readonly string[]): Promise<{ readonly code: number; readonly out: string }> =>
  new Promise((resolve) => {
    const env = { PATH: process.env["PATH"], HOME: home, COUNTERSIGN_HOME: home, COUNTERSIGN_SANDBOX: level, NODE_ENV: "test" as const };
    const command = execFile(process.execPath, [path.resolve("bin/countersign.mjs"), "doctor", ...args], { env }, (_error, out) =>
      resolve({ code: command.exitCode ?? -1, out }),
    );
  });

const PROGRAM = { files: "0".repeat(64), args: [], env: {}, placeholders: {} };

const offer = (home: string, programs: readonly object[]): void => {
  fs.mkdirSync(path.join(home, "keys"));
  const listed = programs.map((program) => ({ ...PROGRAM, name: "Tool", runs: { kind: "file", path: "/srv/tool.mjs" }, ...program }));
  fs.writeFileSync(path.join(home, "keys", "programs.json"), JSON.stringify({ v: 1, programs: listed }), { mode: 0o600 });
};

it("lists the limits of web, runner and each program", () =>
  inTemporaryFolder(async (home) => {
    offer(home, [{ id: "closed" }, { id: "named", hosts: ["api.example.org"] }, { id: "open", network: "direct" }]);
    const { code, out } = await doctor(home, "", "--json");
    const { level, processes, servers, checks, ...isolation } = printedSchema.parse(JSON.parse(out));
    expect([level, code]).toEqual(["available", listMissingLayers(isolation).length === 0 ? 0 : 1]);
    expect(checks.flatMap(({ area, status }) => (area === "sandbox" ? [] : [status])).every((status) => status === "skipped")).toBe(true);
    const held = (...layers: readonly string[]) => layers.filter((layer) => (isolation.holds as readonly string[]).includes(layer));
    const alone = ["memory", "signals", "processes", "privileges"];
    expect(processes).toEqual([
      { name: "web", layers: held("files", ...alone) },
      { name: "runner", layers: held("memory", "signals", "privileges") },
    ]);
    expect(servers.filter(({ name }) => name !== "filesystem")).toEqual([
      { name: "closed", network: "none", layers: held("files", "network", ...alone, "namespace") },
      { name: "named", network: "api.example.org", layers: held("files", "ports", ...alone) },
      { name: "open", network: "any address", layers: held("files", ...alone) },
    ]);
  }));

it("says that the sandbox is off", () =>
  inTemporaryFolder(async (home) => {
    const { code, out } = await doctor(home, "off");
    expect(code).toBe(1);
    expect(out).toContain("COUNTERSIGN_SANDBOX=off: web, runner and MCP servers are not isolated.");
    expect(out).toMatch(/^ {2}web +not isolated$/m);
  }));
