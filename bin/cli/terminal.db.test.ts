/** Untrusted text never controls the terminal. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { COMMAND_NAMES } from "@/server/cli/main";
import { ROOT } from "../start/settings.ts";
import { countersign, countersignHere, fileIn, SMALL_GRAPH } from "./testing.ts";

vi.setConfig({ testTimeout: 120_000 });

/** OSC title, clear screen, C1 colour, bidi override, DEL and CR. */
const HOSTILE = "MARK\u001b]0;x\u0007\u001b[2J\u009b31m\u202ecod.exe\u2066\u007f\r";
const SHOWN = String.raw`MARK\u001b]0;x\u0007\u001b[2J\u009b31m\u202ecod.exe\u2066\u007f`;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-terminal-"));
const { adminUrl } = inject("testServer");
const hostileGraph = fileIn(folder, "graph.json", { ...SMALL_GRAPH, [HOSTILE]: 1, start_node: HOSTILE, name: HOSTILE });
const hostileYaml = fileIn(folder, "graph.yaml", JSON.stringify({ ...SMALL_GRAPH, [HOSTILE]: 1, name: HOSTILE }));
const graph = fileIn(folder, "small.json", SMALL_GRAPH);
const titled = fileIn(folder, "titled.json", { ...SMALL_GRAPH, nodes: SMALL_GRAPH.nodes.map((node) => ({ ...node, title: HOSTILE })) });
const inputs = fileIn(folder, "inputs.json", { topic: "rain" });
const said = fileIn(folder, "said.json", { agents: { writer: [{ text: HOSTILE }] } });
const fails = fileIn(folder, "fails.json", { agents: { writer: [{ error: { code: HOSTILE } }] } });
const hostileFile = fileIn(folder, "hostile.json", { format: HOSTILE, [HOSTILE]: HOSTILE });
const missing = path.join(folder, HOSTILE);
const home = path.join(folder, `home ${HOSTILE}`);
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const server = createServer((incoming, outgoing) => {
  incoming.resume();
  outgoing.writeHead(200, { "Content-Type": "application/json" });
  outgoing.end(`{"jsonrpc":"2.0","id":1,"result":{"text":"MARK\u009b31m\u202ecod.exe\u007f"}}`);
});
let url = "";
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Hostile input for each command. */
const CALLS: Readonly<Record<string, readonly (readonly [shows: "shows" | "is silent", ...args: string[]])[]>> = {
  validate: [
    ["shows", hostileGraph],
    ["shows", hostileYaml],
    ["shows", missing],
  ],
  run: [
    ["shows", hostileGraph],
    ["shows", graph, "--inputs", inputs, "--script", said],
    ["shows", graph, "--inputs", inputs, "--script", fails],
    ["shows", graph, "--inputs", missing],
    ["is silent", graph, "--mcp", hostileFile],
    ["shows", HOSTILE, "--token-env", HOSTILE, "--remote", "http://127.0.0.1:1/"],
  ],
  runs: [["shows", "show", HOSTILE, "--token-env", HOSTILE, "--remote", "http://127.0.0.1:1/"]],
  approvals: [["shows", "--token-env", HOSTILE, "--remote", "http://127.0.0.1:1/"]],
  export: [
    ["shows", HOSTILE],
    ["shows", "--workspace", "--id", HOSTILE],
  ],
  verify: [
    ["is silent", hostileFile],
    ["shows", missing],
    ["shows", "--checkpoint", missing],
  ],
  checkpoint: [["shows", "--since", missing]],
  authority: [["shows"]],
  passkeys: [["shows", "allow", HOSTILE]],
  policy: [["shows", "show", "--workspace", HOSTILE]],
  directory: [
    ["shows", "show", "--workspace", HOSTILE],
    ["is silent", "confirm", HOSTILE],
  ],
  rules: [
    ["shows", "list", "--workspace", HOSTILE],
    ["shows", "remove", HOSTILE],
  ],
  servers: [
    ["shows", "install", HOSTILE],
    ["shows", "remove", HOSTILE],
  ],
  diff: [
    ["is silent", "none", hostileGraph],
    ["shows", graph, missing],
    ["shows", "none", titled],
  ],
  publish: [["shows", missing]],
  pull: [["shows", "--token-env", HOSTILE, "--remote", "http://127.0.0.1:1/"]],
  push: [
    ["shows", missing],
    ["is silent", hostileGraph],
  ],
  "publish-requests": [["shows"], ["shows", "confirm", HOSTILE]],
  promote: [["shows", "x", "--to", HOSTILE, "--token-env", HOSTILE, "--remote", "http://127.0.0.1:1/"]],
  promotions: [["shows"], ["shows", "confirm", HOSTILE]],
  state: [["shows", HOSTILE]],
  stop: [["shows", "--workspace", HOSTILE]],
  resume: [["shows", "--workspace", HOSTILE]],
  workspaces: [["shows", HOSTILE]],
  restored: [["is silent", "--release", HOSTILE]],
  verifier: [["shows", "--out", path.join(missing, "x.html")]],
  mcp: [["shows", "--token-env", HOSTILE, "--url", "http://127.0.0.1:1/"]],
  keys: [["is silent", HOSTILE]],
  doctor: [["is silent", HOSTILE]],
};

/** Finds control and bidi characters except tab and newline. */
const controlsIn = (text: string): string[] => text.match(/[\p{Cc}\p{Bidi_Control}]/gu)?.filter((char) => !"\t\n".includes(char)) ?? [];

test("covers every command", () => {
  expect(Object.keys(CALLS).toSorted()).toEqual(COMMAND_NAMES.toSorted());
});

test.each(Object.entries(CALLS).flatMap(([name, calls]) => calls.map((call, index) => [name, index, call] as const)))(
  "%s (%i) sends no control characters from untrusted text",
  async (name, _index, [shows, ...args]) => {
    const { stdout, stderr } = await countersignHere([name, ...args], { DATABASE_URL: adminUrl, COUNTERSIGN_HOME: home });

    expect(controlsIn(stdout + stderr)).toEqual([]);
    expect((stdout + stderr).includes("MARK")).toBe(shows === "shows");
  },
);

test.each(COMMAND_NAMES)("%s --help prints its own usage", async (name) => {
  const { code, stdout, stderr } = await countersignHere([name, "--help"]);
  expect([code, stderr, stdout]).toEqual([0, "", expect.stringMatching(new RegExp(`^Usage: countersign ${name} .+\\n\\n  ${name} `, "u"))]);
});

test("prints the version of the package", async () => {
  const { version } = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8")) as { version: string };
  expect(await countersign(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
});

test("names an unknown command without its control characters", async () => {
  const { stderr } = await countersignHere([HOSTILE]);

  expect(controlsIn(stderr)).toEqual([]);
  expect(stderr).toContain(String.raw`unknown command "${SHOWN}\u000d"`);
});

test("keeps the value of a bridged answer and escapes its control characters", async () => {
  const child = spawn(process.execPath, [path.join(ROOT, "bin", "countersign.mjs"), "mcp", "--url", url], {
    env: { NODE_ENV: "test", PATH: process.env["PATH"], HOME: process.env["HOME"], COUNTERSIGN_TOKEN: `cs_${"A".repeat(43)}` },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`);
  let stdout = "";
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    stdout += chunk.toString("utf8");
    if (stdout.includes("\n")) break;
  }
  child.kill("SIGTERM");

  expect(controlsIn(stdout)).toEqual([]);
  expect(JSON.parse(stdout)).toMatchObject({ result: { text: "MARK\u009b31m\u202ecod.exe\u007f" } });
});
