import { readFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, it } from "vitest";
import type { Program } from "@/lib/mcp/program";
import type { Isolation } from "@/lib/mcp/isolation";
import { systemClock } from "@/server/clock";
import { probeIsolation } from "@/server/sandbox/probe";
import { listProgramTools } from "./list-tools";
import { allowFile, type Declared } from "./offer";
import { declared, makePlace, type Place } from "./testing/place";

const root = path.resolve(".");
const NONE: Isolation = { holds: [], reason: null };

/** Its one tool describes what it was given. */
const SERVER = `
import fs from "node:fs";
import net from "node:net";
import readline from "node:readline";
const tries = (work) => { try { return work(); } catch (error) { return error.code; } };
const seen = {
  args: process.argv.slice(2),
  env: Object.keys(process.env).filter((name) => name !== "HOME" && name !== "TMPDIR" && name !== "NODE_ENV"),
  token: process.env.API_TOKEN,
  key: tries(() => fs.readFileSync(process.argv[2], "utf8")),
  docs: tries(() => fs.readdirSync(process.argv[3])),
};
const socket = net.connect(Number(process.argv[4]), "127.0.0.1");
const reached = new Promise((resolve) => { socket.once("connect", () => resolve("yes")); socket.once("error", (error) => resolve(error.code)); });
if (process.argv[5] === "silent") { console.error("no licence"); process.exit(3); }
readline.createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const description = JSON.stringify({ ...seen, reached: await reached });
  const result = method === "initialize"
    ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "seen", version: "1" } }
    : method === "tools/list" ? { tools: [{ name: "seen", description, inputSchema: { type: "object" } }] } : null;
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error: { code: -32601, message: "unknown" } }) }));
});
`;

let place: Place;
let offered: (change?: Partial<Declared>) => Promise<Program>;

beforeEach(async () => {
  place = await makePlace();
  const file = await place.write("srv/server.mjs", SERVER, 0o644);
  offered = (change) => allowFile(file, declared(change), place.at);
});

const list = (program: Program, given: Readonly<Record<string, string>> = {}, isolation?: Isolation) => {
  const scratch = path.join(place.at.home, "scratch");

  return listProgramTools(program, given, {
    installation: { home: place.at.home, root },
    scratch,
    clock: systemClock,
    isolation: () => (isolation ? Promise.resolve(isolation) : probeIsolation(root, scratch)),
    engineEnvironment: {},
  });
};

const PLACEHOLDERS: Declared["placeholders"] = {
  unit: { type: "choice", options: ["metric", "imperial"] },
  days: { type: "text", pattern: "[0-9]+" },
  mirror: { type: "host" },
  token: { type: "secret" },
};

it("lists tools without the operator's folders, secrets and network, with stand-ins for values", async () => {
  await place.write("srv/docs/team/notes.txt", "private");
  const program = await offered({
    args: [path.join(place.root, "outside", "key"), "{docs}", "5432", "{unit}", "{days}", "{mirror}"],
    env: { API_TOKEN: "{token}" },
    placeholders: { ...PLACEHOLDERS, docs: { type: "folder", below: path.join(place.root, "srv", "docs") } },
    network: "direct",
  });
  await place.write("outside/key", "private");
  const listed = await list(program);
  if (!listed.ok) throw new Error(listed.error);
  const seen = JSON.parse(listed.value[0]?.description ?? "") as Record<string, unknown>;
  expect(seen).toMatchObject({ docs: "EACCES", key: "EACCES", env: ["API_TOKEN"], token: "[redacted]", reached: "EPERM" });
  expect((seen["args"] as string[]).slice(3)).toEqual(["metric", "1", "listing.example.org"]);
  expect(await readFile(path.join(place.root, "srv", "docs", "team", "notes.txt"), "utf8")).toBe("private");
});

it("takes a value that cannot be guessed from the operator, and checks it", async () => {
  const program = await offered({
    args: ["/srv/none", "/srv/none", "1", "{plan}"],
    placeholders: { plan: { type: "text", pattern: "plan-[0-9]{3}" } },
  });
  expect(await list(program)).toEqual({ ok: false, error: "Name a value with --value NAME=TEXT. plan: Enter a value." });
  expect(await list(program, { plan: "other" })).toMatchObject({ ok: false });
  expect(await list(program, { plan: "plan-123" })).toMatchObject({ ok: true, value: [{ name: "seen" }] });
});

it("says why a program ended", async () => {
  const listed = await list(await offered({ args: ["/srv/none", "/srv/none", "1", "silent"] }));
  expect(listed).toEqual({
    ok: false,
    error: "The MCP server did not respond: its process exited with code 3. Its last output: no licence",
  });
});

it.each([NONE, { ...NONE, holds: ["files" as const] }, { ...NONE, holds: ["network" as const] }])(
  "starts nothing where files and network are not isolated: $holds",
  async (isolation) => {
    expect(await list(await offered(), {}, isolation)).toEqual({
      ok: false,
      error: "This machine doesn't isolate programs, so it was not started.",
    });
  },
);
