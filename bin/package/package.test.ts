/** Uses the packed file's entry points from an empty project. */
import { execFile } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { chromium } from "@playwright/test";
import { build, stop } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findChromium } from "@/bin/test/chromium";
import { pickEnvironment } from "@/bin/testing";
import { ROOT } from "@/bin/start/settings";
import { anchoredKey, anchorOfKeys } from "@/lib/engine/testing/anchor";
import { chainOf, exportOf } from "@/lib/engine/testing/ledger";
import { atGate, uuid } from "@/lib/engine/testing/run";

const INSTALL_TIMEOUT_MS = 600_000;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-package-"));
const [project, elsewhere] = [path.join(folder, "project"), path.join(folder, "elsewhere")];
const installed = path.join(project, "node_modules", "countersign");

const run = async (file: string, args: readonly string[], cwd: string): Promise<string> => {
  const environment = pickEnvironment(["PATH", "HOME", "NODE_EXTRA_CA_CERTS"]);
  const PATH = `${path.dirname(process.execPath)}${path.delimiter}${environment["PATH"] ?? ""}`;

  return (await promisify(execFile)(file, args, { cwd, env: { ...environment, PATH, NODE_ENV: "test" }, maxBuffer: 1e8 })).stdout;
};

const runScript = async (source: string): Promise<unknown> => {
  fs.writeFileSync(path.join(project, "script.mjs"), source);

  return JSON.parse(await run(process.execPath, ["script.mjs"], project)) as unknown;
};

/** An export with its anchor, a changed export, and a stranger's anchor. */
const makeTexts = async () => {
  const [key, stranger] = [await anchoredKey(), await anchoredKey()];
  const gate = atGate();
  const ledger = exportOf(
    gate,
    await chainOf(
      gate.records().map(({ record }) => record),
      key,
    ),
  );
  const document = { format: "countersign/export/v1", ledger, public_keys: {}, published: gate.published, signature: null };
  const exported = JSON.stringify(document);

  return {
    run: ledger.run,
    records: ledger.records.length,
    exported,
    changed: exported.replaceAll('"value":{"text":"hello"}', '"value":{"text":"hullo"}'),
    anchor: JSON.stringify(await anchorOfKeys(key)),
    other: JSON.stringify(await anchorOfKeys(stranger)),
  };
};

let texts: Awaited<ReturnType<typeof makeTexts>>;

beforeAll(async () => {
  for (const made of [project, elsewhere]) fs.mkdirSync(made);
  fs.writeFileSync(path.join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await run("npm", ["pack", "--pack-destination", folder, "--loglevel=error"], ROOT);
  const [packed = ""] = fs.globSync("countersign-*.tgz", { cwd: folder });
  // The optional packages are 300 MB of binaries for one platform.
  const options = ["--omit=optional", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  await run("npm", ["install", ...options, path.join(folder, packed)], project);
  texts = await makeTexts();
}, INSTALL_TIMEOUT_MS);

afterAll(async () => {
  await stop();
  fs.rmSync(folder, { recursive: true, force: true });
}, INSTALL_TIMEOUT_MS);

test("has no sources, benches, tests or demo data", () => {
  // npm nests a dependency whose version differs from another package's optional peer.
  const files = fs
    .globSync("**/*.*", { cwd: installed, exclude: ["node_modules/**"] })
    .filter((name) => fs.statSync(path.join(installed, name)).isFile());
  const isShipped =
    /^(?:package\.json|README\.md|LICENSE|bin\/(?:countersign|terminal|ready\/node-version)\.mjs|lib\/terminal-text\.mjs|server\/sandbox\/launcher\/\w+\.mjs|dist\/.+)$/u;
  expect(files.filter((name) => !isShipped.test(name))).toEqual([]);
  expect(files.filter((name) => /\.test\.|\/testing\/|\b(?:bench|e2e|seed)\//u.test(name))).toEqual([]);
  const contents = files.map((name) => fs.readFileSync(path.join(installed, name), "utf8"));
  // Subject of a mail in the demo's inbox.
  expect(fs.readFileSync(path.join(ROOT, "server", "seed", "support-desk", "inbox.ts"), "utf8")).toContain("06-unknown-sender");
  expect(contents.filter((text) => text.includes("06-unknown-sender"))).toEqual([]);
});

test("runs the command from any folder, with state in that folder", async () => {
  const command = path.join(project, "node_modules", ".bin", "countersign");
  const [help, problems] = [
    await run(command, ["--help"], elsewhere),
    await run(command, ["validate", path.join(ROOT, "docs", "tutorials", "first.yaml")], elsewhere),
  ];
  expect(help).toMatch(/^Usage: countersign COMMAND/u);
  expect(JSON.parse(problems)).toEqual({ problems: [] });
  await expect(run(command, ["keys"], elsewhere)).rejects.toThrow(path.join(elsewhere, ".countersign"));
  fs.writeFileSync(path.join(elsewhere, "run.json"), texts.exported);
  fs.writeFileSync(path.join(elsewhere, "anchor.json"), texts.anchor);
  const verified = await run(command, ["verify", "run.json", "--anchor", "anchor.json"], elsewhere);
  expect(JSON.parse(verified)).toMatchObject({ ok: true, run: texts.run, records: texts.records });
});

const ENGINE_SCRIPT = `
import { randomBytes, generateKeyPairSync, sign } from "node:crypto";
import fs from "node:fs";
import { commit, createRun, decide, plan, publishGraph } from "countersign/engine";

const document = ${JSON.stringify({
  format: "countersign/graph/v1",
  id: "greet",
  name: "Greet",
  memory: [{ key: "greeting", schema: { type: "string" } }],
  nodes: [{ id: "greet", kind: "transform", write_keys: ["greeting"], config: { set: [{ path: "greeting", value: '"hello"' }] } }],
  edges: [],
  start_node: "greet",
  end_nodes: ["greet"],
})};
const published = publishGraph(document);
const broken = publishGraph({ ...document, start_node: "nowhere" });
const { privateKey } = generateKeyPairSync("ed25519");
const sealing = {
  salt: () => randomBytes(32).toString("hex"),
  sign: (bytes) => ({ kid: "example", signature: sign(null, bytes, privateKey).toString("base64url") }),
};
const { graph, hash } = published.value;
const id = (n) => \`00000000-0000-4000-8000-\${String(n).padStart(12, "0")}\`;
const run = createRun(id(1), id(2), hash);
const propose = (state, n, principal, body) => {
  const proposal = { id: id(n), workspace: id(1), run: id(2), at: 1_800_000_000_000, principal, epoch: 1, fresh: [id(n + 1), id(n + 2)], body };
  const verdict = decide(graph, state, proposal);

  return { verdict, ...commit(state, proposal, verdict, sealing) };
};
const builder = { type: "user", id: id(9), role: "builder", auditor: false };
const engine = { type: "engine", epoch: 1 };
const start = { kind: "start", graph_hash: hash, goal: "", constraints: [], inputs: {}, model: "none", author: id(9) };
const early = propose(run, 10, engine, { kind: "begin" });
const started = propose(run, 20, builder, start);
const begun = propose(started.state, 30, engine, { kind: "begin" });
console.log(JSON.stringify({
  problems: broken.ok ? [] : broken.error.map(({ code }) => code),
  refused: early.verdict.ok ? null : early.verdict.refusal.code,
  refusedVersion: early.state.version,
  next: plan(graph, begun.state, 1_800_000_000_000),
  chained: begun.signed.record.parent === started.signed.digest,
  status: begun.state.status,
}));
`;

test("countersign/engine publishes a graph, refuses, decides, chains and plans", async () => {
  expect(await runScript(ENGINE_SCRIPT)).toEqual({
    problems: expect.arrayContaining(["unknown_start"]) as unknown,
    refused: "not_found",
    refusedVersion: 1,
    next: { type: "execute", node: "greet", activation: 1 },
    chained: true,
    status: "running",
  });
});

test("countersign/client is one small file that imports nothing", () => {
  const text = fs.readFileSync(path.join(installed, "dist", "client.js"), "utf8");
  expect(text).not.toMatch(/\b(?:import|require)\b\s*[("'{*]/u);
  expect(gzipSync(text).length).toBeLessThan(5_000);
});

test("the entry points have types for a strict project", async () => {
  const source = `
import { createClient } from "countersign/client";
import { createRun, decide, type Proposal } from "countersign/engine";
import { verifyRun } from "countersign/verify";
export const ids: [string, string] = [createRun("a", "b", "c").run, "${uuid(1)}"];
export const verdictOf = (proposal: Proposal, graph: Parameters<typeof decide>[0]) => decide(graph, createRun("a", "b", "c"), proposal).ok;
export const headOf = async (): Promise<string> => { const verified = await verifyRun("", ""); return verified.ok ? verified.head : verified.reason; };
const client = createClient({ url: "http://localhost:3000", token: "" });
export const start = async (): Promise<string> => (await client.startRun({ graphId: "${uuid(1)}", inputs: { amount: 1 } })).runId;
export const follow = async (runId: string): Promise<void> => { for await (const { status } of client.followRun({ runId })) if (status === "completed") return; };
export const list = async (): Promise<number> => (await client.listRuns({ limit: 2, waiting: true })).items.length;
// @ts-expect-error a run has a graph
export const groundless = client.startRun({});
// @ts-expect-error a run has no such member
export const nowhere = (await client.getRun({ runId: "" })).nothing;
// @ts-expect-error a verdict has no such member
export const wrong = (await verifyRun("", "")).nothing;
`;
  fs.writeFileSync(path.join(project, "use.ts"), source);
  const tsc = path.join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024", "--types", "", "use.ts"];
  expect(await run(process.execPath, [tsc, ...options], project)).toBe("");
}, 60_000);

const expected = () => [
  expect.objectContaining({ ok: true, run: texts.run, records: texts.records, isWhole: false }) as unknown,
  { ok: false, reason: "commitment", seq: expect.any(Number) as unknown },
  { ok: false, reason: "unknown_key", seq: 0 },
  { ok: false, reason: "not_an_anchor", seq: null },
  { ok: false, reason: "not_an_export", seq: null },
];

const VERIFY =
  "Promise.all([[exported, anchor], [changed, anchor], [exported, other], [exported, '{}'], ['', anchor]].map(([a, b]) => verifyRun(a, b)))";

test("countersign/verify verifies an export in Node", async () => {
  expect(texts.changed).not.toBe(texts.exported);
  const source = `import { verifyRun } from "countersign/verify";\nconst { exported, changed, anchor, other } = ${JSON.stringify(texts)};\nconsole.log(JSON.stringify(await ${VERIFY}));`;
  expect(await runScript(source)).toEqual(expected());
});

test("countersign/verify verifies an export in a browser, without a bundler", async () => {
  const server = http.createServer((request, response) => {
    const name = path.basename(request.url ?? "");
    const isModule = name.endsWith(".js");
    response.setHeader("content-type", isModule ? "text/javascript" : "text/html");
    response.end(isModule ? fs.readFileSync(path.join(installed, "dist", "verify", name)) : "<!doctype html>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox"] });
  try {
    const address = server.address();
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/`);
    const { exported, changed, anchor, other } = texts;
    const given = JSON.stringify({ exported, changed, anchor, other });
    const found = await page.evaluate<unknown>(
      `(async () => { const { verifyRun } = await import("/verify.js"); const { exported, changed, anchor, other } = ${given}; return await ${VERIFY}; })()`,
    );
    expect(found).toEqual(expected());
  } finally {
    await browser.close();
    server.close();
  }
}, 60_000);

test("what countersign/verify loads is below 60 kB gzipped, and imports nothing from Node", async () => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: installed,
    entryPoints: { verify: "dist/verify/verify.js" },
    outdir: folder,
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  const bytesByName = new Map(outputFiles.map(({ path: file, contents }) => [path.basename(file), gzipSync(contents).length]));
  const loaded = new Set<string>(["verify.js"]);
  for (const name of loaded) {
    const output = Object.entries(metafile.outputs).find(([file]) => path.basename(file) === name)?.[1];
    for (const { path: file, kind } of output?.imports ?? []) if (kind === "import-statement") loaded.add(path.basename(file));
  }
  const total = [...loaded].reduce((sum, name) => sum + (bytesByName.get(name) ?? Number.NaN), 0);
  expect(total).toBeGreaterThan(20_000);
  expect(total).toBeLessThan(60_000);
});
