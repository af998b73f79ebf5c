import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { createServer } from "node:http";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { agentSchema, graphSchema, type Graph } from "@/lib/graph/document";
import { computeContentHash, readGraphFile, writeGraphFile } from "@/lib/graph/file";
import { serviceScopeSchema } from "@/lib/engine/principal";
import { openStand, type Stand } from "@/server/outside/testing/fixture";
import { query } from "@/server/runner/testing/desk";
import { SUPPORT_DESK_AGENTS } from "@/server/seed/support-desk/agents";
import { saveAgent } from "@/server/store/agents/agents";
import { listGraphsNamed } from "@/server/store/graphs/document-ids";
import { getGraph, saveRevision } from "@/server/store/graphs/graphs";
import { listPublishRequests } from "@/server/store/graphs/publish-requests";
import { listVersions } from "@/server/store/graphs/versions";
import { openTestSession } from "@/server/testing/authority";
import { askToApprove, askToDecline } from "@/server/web/publishing";
import { countersign, fileIn } from "./testing.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-graphs-"));
const open = await openStand();
let stand: Stand;
let token = "";
const scopes = [...serviceScopeSchema.options].filter((scope) => scope.startsWith("graphs:"));

beforeAll(async () => {
  stand = await open();
  const { home } = stand.desk.installation;
  fs.writeFileSync(path.join(home, "database.json"), JSON.stringify(stand.desk.urls), { mode: 0o600 });
  for (const agent of SUPPORT_DESK_AGENTS) await saveAgent(stand.desk.workspace, agentSchema.parse(agent), null);
  token = (await stand.mint({ ownerId: stand.desk.people.builder, scopes })).token;
});
afterAll(async () => {
  await stand.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

type Source = "installed" | "remote";

const call = async (source: Source, args: readonly string[], shown = token) => {
  const isRemote = source === "remote";
  const env = isRemote ? { COUNTERSIGN_TOKEN: shown } : { COUNTERSIGN_HOME: stand.desk.installation.home };
  const { code, stdout, stderr } = await countersign([...args, ...(isRemote ? ["--remote", stand.origin] : [])], env);
  const lines = stdout.startsWith("{") ? (JSON.parse(`[${stdout.replaceAll("}\n{", "},{")}]`) as Record<string, unknown>[]) : [];

  return { code, stdout, stderr, first: lines[0] ?? {}, lines };
};

const documentOf = (id: string, change: Partial<Record<keyof Graph, unknown>> = {}): Graph =>
  graphSchema.parse({
    format: "countersign/graph/v1",
    id,
    name: `Graph ${id}`,
    start_node: "write",
    end_nodes: ["write"],
    memory: [{ key: "out", schema: {} }],
    edges: [],
    nodes: [{ id: "write", kind: "transform", write_keys: ["out"], config: { set: [{ path: "out", value: "1" }] } }],
    ...change,
  });

const write = (document: Graph, into = fs.mkdtempSync(path.join(folder, "work-"))): string =>
  fileIn(into, `${document.id}.yaml`, writeGraphFile(document, "yaml")?.text ?? "");

const read = (file: string): Graph => {
  const found = readGraphFile(fs.readFileSync(file, "utf8"));
  if (!found.ok) throw new Error(JSON.stringify(found.error));

  return found.value.graph;
};

const graphNamed = async (id: string): Promise<string> => (await listGraphsNamed(stand.desk.workspace, id))[0] ?? "";

const draftOf = async (id: string) => {
  const draft = await getGraph(stand.desk.workspace, await graphNamed(id));
  if (!draft) throw new Error(`${id} has no draft`);

  return draft;
};

const saveInBrowser = async (document: Graph): Promise<void> => {
  const { id, revision } = await draftOf(document.id);
  await saveRevision(stand.desk.workspace, id, { revision, document, authorId: stand.desk.people.builder });
};

const personOf = async (id: string) => ({ type: "user", id, session: await openTestSession(stand.desk.urls.admin, id) }) as const;

const freshId = (): string => `g-${randomUUID()}`;

describe.each(["installed", "remote"] as const)("%s", (source) => {
  test("pushes a new file as a draft, pulls it elsewhere, and pushes the change", async () => {
    const id = freshId();
    const file = write(documentOf(id));
    const created = await call(source, ["push", file]);
    expect([created.stderr, created.code, created.first]).toEqual(["", 0, expect.objectContaining({ status: "created", revision: 1 })]);
    expect((await call(source, ["push", file])).first).toMatchObject({ status: "unchanged" });

    const elsewhere = fs.mkdtempSync(path.join(folder, "other-"));
    const pulled = await call(source, ["pull", id, "--dir", elsewhere]);
    expect([pulled.code, pulled.first["status"]]).toEqual([0, "written"]);
    const copy = path.join(elsewhere, `${id}.yaml`);
    expect(read(copy)).toEqual(documentOf(id));
    fs.writeFileSync(copy, writeGraphFile(documentOf(id, { name: "Changed" }), "yaml")?.text ?? "");
    expect((await call(source, ["push", copy])).first).toMatchObject({ status: "pushed", revision: 2 });
    expect((await draftOf(id)).document.name).toBe("Changed");
    expect(await listVersions(stand.desk.workspace, await graphNamed(id))).toEqual([]);
  });

  test("does not push over a draft that changed since the pull, and loses nothing", async () => {
    const id = freshId();
    const file = write(documentOf(id));
    await call(source, ["push", file]);
    await saveInBrowser(documentOf(id, { name: "Browser" }));
    fs.writeFileSync(file, writeGraphFile(documentOf(id, { name: "File" }), "yaml")?.text ?? "");

    const pushed = await call(source, ["push", file]);
    expect([pushed.code, pushed.first]).toEqual([2, expect.objectContaining({ status: "conflict", code: "draft_changed" })]);
    expect((await draftOf(id)).document.name).toBe("Browser");
    const pulled = await call(source, ["pull", id, "--dir", path.dirname(file)]);
    expect([pulled.code, pulled.first]).toEqual([2, expect.objectContaining({ status: "conflict", code: "file_changed" })]);
    expect(read(file).name).toBe("File");
    expect((await call(source, ["pull", id, "--dir", path.dirname(file), "--force"])).code).toBe(0);
    expect(read(file).name).toBe("Browser");
  });

  test("pushes over exactly the content of --base, or where the graph must be new", async () => {
    const id = freshId();
    const base = write(documentOf(id));
    const next = write(documentOf(id, { name: "Next" }));
    expect((await call(source, ["push", base, "--base", "none"])).first).toMatchObject({ status: "created" });
    expect((await call(source, ["push", next])).first).toMatchObject({ status: "conflict", code: "base_unknown" });
    expect((await call(source, ["push", next, "--base", "none"])).first).toMatchObject({ status: "conflict", code: "draft_changed" });
    expect((await call(source, ["push", next, "--base", base])).first).toMatchObject({ status: "pushed" });
    const other = write(documentOf(freshId()));
    expect((await call(source, ["push", other, "--base", base])).first).toMatchObject({ status: "conflict", code: "graph_missing" });
  });

  test("does not bring a deleted graph's id back", async () => {
    const id = freshId();
    const file = write(documentOf(id));
    await call(source, ["push", file]);
    await query(stand.desk.urls.admin, "update graph set deleted_at = now() where id = $1", [await graphNamed(id)]);
    const pushed = await call(source, ["push", file, "--base", "none"]);
    expect([pushed.code, pushed.first]).toEqual([2, expect.objectContaining({ status: "conflict", code: "id_taken" })]);
  });

  test("keeps the agents that a file carries when it is pulled", async () => {
    const id = freshId();
    const file = write(documentOf(id));
    await call(source, ["push", file]);
    const carried = `${fs.readFileSync(file, "utf8")}agents:\n  - id: writer\n    system_prompt: You write.\n`;
    fs.writeFileSync(file, carried);
    await saveInBrowser(documentOf(id, { name: "Browser" }));
    expect((await call(source, ["pull", id, "--dir", path.dirname(file)])).first).toMatchObject({ status: "written" });
    expect([read(file).name, fs.readFileSync(file, "utf8")]).toEqual(["Browser", expect.stringContaining("You write.")]);
  });

  test("asks once, is published by a person alone, and says so", async () => {
    const id = freshId();
    const file = write(documentOf(id));
    await call(source, ["push", file]);
    const asked = await call(source, ["publish", file]);
    expect([asked.stderr, asked.code, asked.first["status"]]).toEqual(["", 3, "waiting"]);
    const again = await call(source, ["publish", file]);
    expect([again.code, again.first["request"]]).toEqual([3, asked.first["request"]]);
    const graphId = await graphNamed(id);
    expect(await listVersions(stand.desk.workspace, graphId)).toEqual([]);

    const { workspace, people } = stand.desk;
    const [request] = await listPublishRequests(workspace, graphId);
    expect(request?.id).toBe(asked.first["request"]);
    expect(request?.requesterName === "the operator").toBe(source === "installed");
    await askToApprove(workspace, await personOf(people.starter), String(request?.id), String(request?.hash));
    const published = await call(source, ["publish", file]);
    expect([published.code, published.first]).toEqual([0, expect.objectContaining({ status: "published", version: 1 })]);
    const version = await call(source, ["pull", id, "--version", "1", "--dir", fs.mkdtempSync(path.join(folder, "version-"))]);
    expect([version.code, read(String(version.first["file"]))]).toEqual([0, documentOf(id)]);
  });

  test.each([
    ["published", 0, askToApprove],
    ["declined", 2, (...[workspace, who, id]: Parameters<typeof askToApprove>) => askToDecline(workspace, who, id, "No.")],
  ] as const)("waits with --wait until a person answers: %s", async (answer, code, decide) => {
    const id = freshId();
    const file = write(documentOf(id));
    await call(source, ["push", file]);
    const waiting = call(source, ["publish", file, "--wait"]);
    const graphId = await graphNamed(id);
    const { workspace, people } = stand.desk;
    const request = await vi.waitFor(
      async () => {
        const [first] = await listPublishRequests(workspace, graphId);
        expect(first).toBeDefined();

        return first;
      },
      { timeout: 60_000 },
    );
    await decide(workspace, await personOf(people.starter), String(request?.id), String(request?.hash));
    const ended = await waiting;
    expect([ended.code, ended.stdout]).toEqual([code, expect.stringContaining(`"${answer}"`)]);
  });

  test("refuses to publish another content than the draft's, an invalid graph, or again after a person declined", async () => {
    const id = freshId();
    const file = write(documentOf(id));
    await call(source, ["push", file]);
    const differs = await call(source, ["publish", write(documentOf(id, { name: "Never pushed" }))]);
    expect([differs.code, differs.first]).toEqual([2, expect.objectContaining({ status: "refused", code: "draft_differs" })]);

    const asked = await call(source, ["publish", file]);
    const second = await personOf(stand.desk.people.starter);
    await askToDecline(stand.desk.workspace, second, String(asked.first["request"]), "Not before Monday.");
    const declined = await call(source, ["publish", file]);
    expect([declined.code, declined.first]).toEqual([2, expect.objectContaining({ code: "declined", reason: "Not before Monday." })]);
    expect((await call(source, ["publish", file, "--again"])).code).toBe(3);

    const broken = write(documentOf(freshId(), { start_node: "nowhere" }));
    await call(source, ["push", broken]);
    const refused = await call(source, ["publish", broken]);
    expect([refused.code, refused.first]).toEqual([2, expect.objectContaining({ code: "invalid_graph" })]);
  });

  test("compares versions, draft and file by the registry, as text, JSON and exit code", async () => {
    const graphId = await stand.graphId("support-desk");
    const desk = stand.demo.of("support-desk").published.graph;
    const at = (version: string | number): string => `${graphId}@${version}`;
    const node = desk.nodes.find(({ kind }) => kind === "approval");
    expect((await call(source, ["diff", at(1), at("newest")])).code).toBe(0);
    const wider = write({ ...desk, max_iterations: desk.max_iterations + 100 });
    const found = await call(source, ["diff", at("newest"), wider, "--json"]);
    expect([found.stderr, found.code, found.first["second_person"]]).toEqual(["", 2, "wider"]);
    const narrower = await call(source, ["diff", wider, at(1)]);
    expect([narrower.code, narrower.stdout]).toEqual([0, expect.stringContaining("Authority decreases")]);
    const renamed = write({ ...desk, nodes: desk.nodes.map((one) => (one === node ? { ...one, title: "x\nNo authority change" } : one)) });
    expect(
      (await call(source, ["diff", at("newest"), renamed])).stdout.split("\n").filter((line) => line === "No authority change"),
    ).toHaveLength(1);
    const unknown = write({
      ...desk,
      nodes: desk.nodes.map((one) => (one.kind === "agent" ? { ...one, config: { ...one.config, agent_id: "ghost" } } : one)),
    });
    expect((await call(source, ["diff", at("newest"), unknown])).code).toBe(1);
  });
});

describe("a program", () => {
  test("needs the scope, its graph, and an address that keeps its token", async () => {
    const file = write(documentOf(freshId()));
    const reader = (await stand.mint({ scopes: ["graphs:read"] })).token;
    const unscoped = await call("remote", ["push", file], reader);
    expect([unscoped.code, unscoped.stderr]).toEqual([1, expect.stringContaining("scope_missing")]);
    const bound = (await stand.mint({ scopes, graphs: [await stand.graphId("refund-desk")] })).token;
    expect((await call("remote", ["push", file], bound)).code).toBe(1);
    expect((await call("remote", ["pull", await stand.graphId("support-desk"), "--dir", folder], bound)).stderr).toContain("not_found");
    const plain = await countersign(["push", file, "--remote", "http://countersign.example"], { COUNTERSIGN_TOKEN: token });
    expect([plain.code, plain.stderr]).toEqual([1, expect.stringContaining("https")]);
  });

  test("can't be confirmed by its owner", async () => {
    const id = freshId();
    const file = write(documentOf(id));
    await call("remote", ["push", file]);
    const { first } = await call("remote", ["publish", file]);
    const { workspace, people } = stand.desk;
    const owner = askToApprove(workspace, await personOf(people.builder), String(first["request"]), String(first["hash"]));
    await expect(owner).rejects.toMatchObject({ code: "forbidden" });
    expect(await listVersions(workspace, await graphNamed(id))).toEqual([]);
  });

  test("does not send its token after a redirect", async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer((incoming, outgoing) => {
      seen.push(incoming.headers.authorization);
      outgoing.writeHead(307, { Location: `http://localhost:${incoming.socket.localPort}/elsewhere` }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const origin = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
    const { code } = await countersign(["pull", "--remote", origin], { COUNTERSIGN_TOKEN: token });
    server.close();
    expect([code, seen]).toEqual([1, [`Bearer ${token}`]]);
  });
});

describe("two files", () => {
  test("need no installation, and an unlisted tool counts as the worst", async () => {
    const id = freshId();
    const before = write(documentOf(id));
    const tool = { id: "send", kind: "tool", config: { server: "mail", tool: "send", arguments: {} } };
    const after = write(
      documentOf(id, {
        nodes: [...documentOf(id).nodes, tool],
        edges: [{ id: "e", source: "write", target: "send" }],
        end_nodes: ["send"],
      }),
    );
    const wider = await countersign(["diff", before, after]);
    expect([wider.stderr, wider.code, wider.stdout]).toEqual(["", 2, expect.stringContaining("send")]);
    expect((await countersign(["diff", before, before])).stdout).toContain("No authority change");
    expect((await countersign(["diff", "none", before])).code).toBe(0);
    expect((await countersign(["diff", before, path.join(folder, "missing.yaml")])).code).toBe(1);
  });
});

test("a pull replaces a link instead of writing through it", async () => {
  const id = freshId();
  const file = write(documentOf(id));
  await call("installed", ["push", file]);
  const outside = fileIn(folder, "outside.txt", "mine");
  const into = fs.mkdtempSync(path.join(folder, "linked-"));
  fs.symlinkSync(outside, path.join(into, `${id}.yaml`));
  await call("installed", ["pull", id, "--dir", into, "--force"]);
  expect([fs.readFileSync(outside, "utf8"), computeContentHash(read(path.join(into, `${id}.yaml`)))]).toEqual([
    "mine",
    computeContentHash(documentOf(id)),
  ]);
});
