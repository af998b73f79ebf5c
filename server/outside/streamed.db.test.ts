import http from "node:http";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { agentSchema, graphSchema, type PublishedGraph } from "@/lib/graph/document";
import { useDatabase } from "@/server/db/client";
import { streamChat } from "@/server/models/testing/sse";
import { connectModern } from "@/server/outside/testing/client";
import { openStand, type Stand } from "@/server/outside/testing/fixture";
import { publishAs, query } from "@/server/runner/testing/desk";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

const SAID = "Dear customer, ";
const SECRET = "canary-of-a-secret";

const responses: http.ServerResponse[] = [];
const provider = http.createServer((_request, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(streamChat([SAID], null));
  responses.push(response);
});
await new Promise<void>((resolve) => void provider.listen(0, "127.0.0.1", resolve));
const address = provider.address();
const port = typeof address === "object" && address ? address.port : 0;

const open = await openStand({ env: { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, OPENAI_MODEL: "llama" } });
let stand: Stand;
beforeAll(async () => {
  stand = await open();
});
afterAll(async () => {
  await stand.close();
  provider.closeAllConnections();
  provider.close();
});

const published = (id: string, clearance: "internal" | "pii"): PublishedGraph => ({
  graph: graphSchema.parse({
    format: "countersign/graph/v1",
    id,
    name: id,
    memory: [
      { key: "question", schema: { type: "string" }, classification: "pii" },
      { key: "reply", schema: { type: "string" }, classification: "pii" },
    ],
    nodes: [
      {
        id: "answer",
        kind: "agent",
        read_keys: ["question"],
        write_keys: ["reply"],
        action: { inputs: [{ name: "question", path: "question" }] },
        config: { agent_id: "clerk", answer: "text" },
      },
    ],
    edges: [],
    start_node: "answer",
    end_nodes: ["answer"],
    max_token_budget: 1_000_000,
    external: { read_keys: ["reply"], clearance },
  }),
  agents: [agentSchema.parse({ id: "clerk", name: "Clerk", model: "openai-compatible:llama" })],
  tools: [],
  subgraphs: [],
});

const urlOf = async (id: string, clearance: "internal" | "pii"): Promise<string> => {
  await useDatabase(stand.desk.urls.runner);
  const hash = await publishAs(stand.desk, published(id, clearance), stand.desk.people.builder);
  await useDatabase(stand.desk.urls.web);
  const [row] = await query<{ graph_id: string }>(stand.desk.urls.admin, "select graph_id from graph_version where hash = $1", [hash]);

  return stand.url(row?.graph_id ?? "");
};

const step = async (url: string) => {
  const driver = await connectModern(url, (await stand.mint()).token);
  const heard: { readonly progress: number; readonly message?: string | undefined }[] = [];
  const before = responses.length;
  const answer = driver.client.callTool(
    { name: "step", arguments: { action: "answer", inputs: { question: SECRET } } },
    { onprogress: (one) => void heard.push(one) },
  );
  await vi.waitUntil(() => responses.length > before, { timeout: 20_000, interval: 20 });

  return { driver, heard, answer, end: (text: string) => responses.at(-1)?.end(streamChat([text])) };
};

test("words of a running model arrive as progress, quoted, before they are memory, and the answer has the whole", async () => {
  const { driver, heard, answer, end } = await step(await urlOf("shown", "pii"));
  await vi.waitUntil(() => heard.some(({ message }) => message !== undefined), { timeout: 20_000, interval: 20 });
  const stored = await query(stand.desk.urls.admin, "select 1 from cell where path = 'reply'");
  const [first] = heard.flatMap(({ message }) => (message === undefined ? [] : [message]));
  expect(JSON.parse(first ?? "")).toMatchObject({ $untrusted: { text: SAID } });
  expect(stored).toEqual([]);

  end("your plan is set.");
  expect(JSON.stringify((await answer).structuredContent)).toContain(`${SAID}your plan is set.`);
  const numbers = heard.map(({ progress }) => progress);
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
  await driver.close();
});

test("words above the agent's clearance never arrive, and the answer redacts them", async () => {
  const { driver, heard, answer, end } = await step(await urlOf("hidden", "internal"));
  await vi.waitUntil(async () => (await query(stand.desk.urls.admin, "select 1 from said_so_far")).length > 0, { timeout: 20_000 });
  const before = heard.length;
  end("your plan is set.");
  const result = JSON.stringify((await answer).structuredContent);

  expect(result).toContain("$redacted");
  expect(result).not.toContain(SAID.trim());
  expect(heard.length).toBeGreaterThanOrEqual(before);
  expect(heard.filter(({ message }) => message !== undefined)).toEqual([]);
  await driver.close();
});
