import { expect, type Page } from "@playwright/test";
import type { GraphInput } from "../lib/graph/document.ts";
import { faultsOf } from "./axe.ts";
import { status } from "./desk.ts";
import { foundOwnWorkspace, signInAsOwn } from "./own-workspace.ts";
import { letIn, offerProgram, SDK_SERVER } from "./registry.ts";
import { test } from "./test.ts";
import { publish, startVersion } from "./versions.ts";
import { mutate } from "./wire.ts";

// Ids are never reused.
const SERVER = `steady_${Date.now()}`;
/** The run is cancelled. */
const STEPS = 1_000;

const DOCUMENT: GraphInput = {
  format: "countersign/graph/v1",
  id: SERVER,
  name: "Steady work",
  memory: [{ key: "done", schema: {} }],
  nodes: [
    {
      id: "work",
      kind: "tool",
      effect: "read",
      write_keys: ["done"],
      failure_policy: { attempts: 1 },
      config: { server: SERVER, tool: "work", arguments: { steps: { value: STEPS }, everyMs: { value: 100 } } },
    },
  ],
  edges: [],
  start_node: "work",
  end_nodes: ["work"],
  max_token_budget: 1_000,
};

const underWay = (page: Page) => page.getByRole("list", { name: "Calls in progress" });

/** Null: no progress. */
const shownStep = async (page: Page): Promise<number | null> => {
  const said = /([\d,]+) of 1,000/.exec((await underWay(page).textContent()) ?? "")?.[1];

  return said === undefined ? null : Number(said.replaceAll(",", ""));
};

test("a long call shows its progress in the server's words, marked as such, until it ends", async ({ page }) => {
  await foundOwnWorkspace(page);
  await offerProgram(page, "steady", SDK_SERVER);
  await letIn(page, { id: SERVER, name: "Steady", program: "steady", reading: ["work"], callers: ["node"] });
  await signInAsOwn(page, "builder");
  const { hash } = await publish(page, DOCUMENT);
  const run = await startVersion(page, hash);

  await page.goto(`/runs/${run}`);
  await expect(underWay(page)).toContainText("In progress");
  await expect(underWay(page)).toContainText(`${SERVER}/work`);
  await expect(underWay(page)).toContainText("Server message");
  await expect.poll(async () => (await shownStep(page)) ?? 0).toBeGreaterThan(0);
  const first = await shownStep(page);
  await expect(underWay(page)).toContainText(/step \d+/);
  await expect.poll(() => shownStep(page)).toBeGreaterThan(first ?? STEPS);
  expect(await faultsOf(page)).toEqual([]);

  await mutate(page, "runs.cancel", { runId: run });
  await expect(status(page)).toContainText("Cancelled");
  await expect(underWay(page)).toBeHidden();
});
