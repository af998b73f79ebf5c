import { randomUUID } from "node:crypto";
import http from "node:http";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { getShownTo } from "@/lib/engine/approvals/policy";
import type { Label } from "@/lib/graph/label";
import { testInstallation } from "@/server/mcp/testing/installation";
import { useSameModels } from "@/server/models/contract";
import { createModels } from "@/server/models/sdk/in-process";
import { streamChat } from "@/server/models/testing/sse";
import { openSaidOutside, openSaidSoFar } from "@/server/reading/said-so-far";
import { createSaidKeeper } from "@/server/runner/said";
import { command, openDesk, publishAs, type Desk } from "@/server/runner/testing/desk";
import { drive } from "@/server/runner/testing/run";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";

const CANARY = "canary-in-a-stream";
const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(urls, installation);
}, 120_000);
afterAll(() => desk.mcp.close());

const streamingServer = async () => {
  const started = Promise.withResolvers<void>();
  const responses: http.ServerResponse[] = [];
  const server = http.createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    responses.push(response);
    started.resolve();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");

  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    started: started.promise,
    send: (text: string) => responses.forEach((response) => response.write(text)),
    end: (text: string) => responses.forEach((response) => response.end(text)),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

/** Of the tool that the parser's memory came from. */
const CLASSES = [
  ["internal", "viewer", CANARY],
  ["pii", "viewer", null],
] as const;

test.each(CLASSES)(
  "a stream about %s data shows a %s %j, stores nothing in clear, and is gone with the call",
  { timeout: 60_000 },
  async (output, role, text) => {
    const server = await streamingServer();
    const notified: string[] = [];
    const keeper = createSaidKeeper(desk.deps.vault, (run) => notified.push(run));
    const models = createModels({ OPENAI_BASE_URL: server.url, OPENAI_MODEL: "llama" });
    const wired: Desk = { ...desk, deps: { ...desk.deps, said: keeper, modelsFor: useSameModels(models) } };
    const tools = desk.published.tools.map((tool) => ({ ...tool, output: tool.server === "filesystem" ? output : tool.output }));
    const memory = desk.published.graph.memory.map((key) => ({ ...key, classification: key.key === "mail" ? output : key.classification }));
    const graphHash = await publishAs(desk, { ...desk.published, tools, graph: { ...desk.published.graph, memory } }, desk.people.builder);
    const run = randomUUID();
    const inputs = { mail_file: "01-upgrade.txt" };
    await command(wired, run, desk.people.starter, {
      kind: "start",
      graph_hash: graphHash,
      goal: "Go",
      constraints: [],
      inputs,
      model: "openai-compatible:llama",
    });
    const driven = drive(wired, run);
    await server.started;
    const sentAt = performance.now();
    server.send(streamChat([CANARY], null));
    const shownTo = () => openSaidSoFar(desk.deps.vault, desk.workspace, run, getShownTo(role));
    const shown = await vi.waitUntil(
      async () => {
        const found = await shownTo();

        return found.length > 0 ? found : null;
      },
      { interval: 5 },
    );

    expect(performance.now() - sentAt).toBeLessThan(1_000);
    expect(shown).toEqual([{ node: "parse", task: "", text, tool: null }]);
    await vi.waitUntil(() => notified.includes(run));
    const outside = (clearance: "internal" | "pii", read_keys: readonly string[]) =>
      openSaidOutside(desk.deps.vault, desk.workspace, run, {
        ...desk.published,
        graph: { ...desk.published.graph, external: { read_keys: [...read_keys], clearance, instructions: "", idle_timeout_ms: 1_000 } },
      });
    const quoted = expect.stringContaining(`"text":"${CANARY}"`) as unknown;
    expect(await outside("internal", ["request"])).toEqual(output === "internal" ? quoted : null);
    expect(await outside("pii", ["request"])).toEqual(quoted);
    expect(await outside("pii", ["mail"])).toBeNull();
    const [rows] = await queryOn<{ text: string }>(urls.admin, "select string_agg(to_jsonb(s)::text, '') as text from said_so_far s");
    for (const form of [CANARY, Buffer.from(CANARY).toString("hex"), Buffer.from(CANARY).toString("base64")])
      expect(rows?.text).not.toContain(form);

    server.end(streamChat(['{"not":"the form"}']));
    server.close();
    await command(wired, run, desk.people.starter, { kind: "cancel" });
    await driven;
    await vi.waitUntil(async () => (await shownTo()).length === 0);
  },
);

test("a text of another run or task opens nowhere else", async () => {
  const keeper = createSaidKeeper(desk.deps.vault, () => undefined);
  const [one, other] = [randomUUID(), randomUUID()];
  const label: Label = { integrity: "untrusted", confidentiality: "public", provenance: [] };
  keeper.begin({ workspaceId: desk.workspace, runId: one, node: "parse", isInner: false, task: "", label })?.({ text: CANARY, tool: null });
  const read = (run: string) => openSaidSoFar(desk.deps.vault, desk.workspace, run, "secret");
  await vi.waitUntil(async () => (await read(one)).length > 0);
  await queryOn(urls.admin, "update said_so_far set run_id = $2 where run_id = $1", [one, other]);

  expect(await read(other)).toEqual([]);
  keeper.end(one, "");
});
