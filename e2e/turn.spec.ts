import { expect, type Page } from "@playwright/test";
import type { GraphInput } from "../lib/graph/document.ts";
import { startFake, type Fake } from "../server/models/testing/fake.ts";
import { chatCalls, describeChat } from "../server/models/testing/openai-fake.ts";
import { expectAccessible } from "./axe.ts";
import { armByKey, commitByKey, commitNow, status } from "./desk.ts";
import { signInAs } from "./people.ts";
import { letIn } from "./registry.ts";
import { test } from "./test.ts";
import { publish } from "./versions.ts";
import { mutate, query } from "./wire.ts";

// Ids are never reused.
const ID = `turn_${Date.now()}`;
const PROVIDER = `turn-${Date.now()}`;
const MODEL = `${PROVIDER}:small`;
const ORDERS = ["ord_2001", "ord_2002", "ord_2003", "ord_2004"];

let fake: Fake;
test.beforeAll(async () => {
  const calls = ORDERS.map((order, index) => ({
    id: `call_${index}`,
    name: `${ID}__reserve_stock`,
    arguments: JSON.stringify({ order_id: order }),
  }));
  fake = await startFake(({ body }) => ({
    body: JSON.stringify(body).includes("call_0") ? describeChat("Done.") : chatCalls(...calls),
  }));
});
test.afterAll(() => fake.close());

const addModel = async (page: Page): Promise<void> => {
  const change = (input: object) => mutate(page, "models.change", { change: input });
  await change({
    type: "add_provider",
    provider: { id: PROVIDER, kind: "openai-compatible", name: ID, base_url: fake.url, allow_local: true },
    key: null,
  });
  await change({ type: "add_model", model: MODEL });
  const { models } = await query<{ models: { id: string; revision: number }[] }>(page, "models.settings", undefined);
  const revision = models.find(({ id }) => id === MODEL)?.revision;
  const price = { input_usd_per_million: 1, output_usd_per_million: 2, source: "Our own", as_of: "2026-01-01" };
  await change({ type: "set_price", model: MODEL, revision, price });
};

const DOCUMENT: GraphInput = {
  format: "countersign/graph/v1",
  id: ID,
  name: ID,
  memory: [{ key: "said", schema: {} }],
  nodes: [{ id: "work", kind: "agent", title: "Reserve goods", effect: "write", write_keys: ["said"], config: { agent_id: ID } }],
  edges: [],
  start_node: "work",
  end_nodes: ["work"],
};

test("calls of one turn are reviewed on one page: one is rejected, the rest approved together, each with its own receipt", async ({
  page,
}) => {
  await signInAs(page, "admin");
  await letIn(page, { id: ID, name: ID, program: "shop", reading: ["find_order"], writing: ["reserve_stock"], callers: [ID] });
  await addModel(page);
  await signInAs(page, "builder");
  await mutate(page, "agents.save", {
    agent: { id: ID, name: ID, system_prompt: "Reserve.", tools: [{ server: ID, tool: "reserve_stock" }] },
    revision: null,
  });
  const { hash } = await publish(page, DOCUMENT);
  await signInAs(page, "second builder");
  const { runId } = await mutate<{ runId: string }>(page, "runs.start", { graphHash: hash, goal: "Reserve.", model: MODEL, inputs: {} });
  await page.goto(`/runs/${runId}`);
  await expect(status(page)).toContainText("Waiting");

  await signInAs(page, "reviewer");
  await page.goto(`/approvals?text=${ID}`);
  await expect(page.getByRole("button", { name: "Show 3 more from this run within an hour" })).toBeVisible();
  await page.getByRole("link", { name: "Review together" }).click();
  const list = page.getByRole("list", { name: "Approvals to decide together" });
  await expect(list.getByRole("button", { name: /^Copy view digest/ })).toHaveCount(ORDERS.length);
  for (const order of ORDERS) await expect(list).toContainText(order);
  await expectAccessible(page, "calls of one turn");

  await test.step("one is rejected alone", async () => {
    const reject = list.getByRole("button", { name: /^Reject .*ord_2002/ });
    const reason = page.getByRole("textbox", { name: "Reason", exact: true });
    await expect(async () => {
      await reject.click();
      await expect(reason).toBeVisible({ timeout: 500 });
    }).toPass();
    await reason.fill("Not this order.");
    await commitByKey(page);
    await commitNow(page, "1 of 1 committed.");
    await expect(list.getByText("Rejected")).toHaveCount(1);
  });

  await test.step("the others are approved together", async () => {
    await armByKey(page, "a");
    await commitByKey(page);
    await commitNow(page, "3 of 3 committed.");
    await expect(list.getByText("Committed as")).toHaveCount(3);
  });
  await page.goto(`/runs/${runId}`);
  await expect(status(page)).not.toContainText("Waiting for");
  const decided = await query<{ rows: { status: string }[] }>(page, "approvals.queue", {
    filter: { tab: "decided", text: ID },
  });
  expect(decided.rows.map((row) => row.status).toSorted()).toEqual(["approved", "approved", "approved", "rejected"]);
});
