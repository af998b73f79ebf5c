import { expect, type Page } from "@playwright/test";
import { expectAccessible, faultsOf } from "./axe.ts";
import { addNode, declareKey, edge, fit, createEmptyGraph, node, openPanel, save, selectNode, typeEdge } from "./editor.ts";
import { add, choose, include, chosen, fill, holds, lists, turnOn } from "./form.ts";
import { CASES } from "./kind-cases.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";

// Axe takes seconds, twice per kind.
test.describe.configure({ timeout: 480_000 });

const unfold = async (page: Page): Promise<void> => {
  const folded = page.locator("details:not([open]) > summary");
  while ((await folded.count()) > 0) await folded.first().click();
};

test("each kind is added, filled in and saved; its form is the same after a reload, in light and dark", async ({ page }) => {
  await signInAs(page, "builder");
  await createEmptyGraph(page, "One of each");
  await declareKey(page, "verdict", '{"type":"string"}');
  await declareKey(page, "items", '{"type":"array"}');
  for (const { kind, id, fillIn } of CASES) {
    await test.step(`${kind} is filled in`, async () => {
      await addNode(page, kind, id);
      await fillIn(page);
    });
  }
  await save(page);
  const { pathname } = new URL(page.url());

  for (const { kind, id, says } of CASES) {
    await test.step(`${kind} is still there`, async () => {
      await page.goto(`${pathname}?node=${id}`);
      await holds(page, "Id", id);
      await unfold(page);
      await says(page);
      await expectAccessible(page, kind);
    });
  }
});

test("connections made in a form are drawn and follow a rename", async ({ page }) => {
  await signInAs(page, "builder");
  await createEmptyGraph(page, "Joined");
  await addNode(page, "Transform", "work");
  await addNode(page, "Supervisor", "leads");
  await include(page, "Managed nodes", "work");
  await addNode(page, "Map", "each");
  await choose(page, "Worker", "work");
  await expect(page.getByRole("img", { name: "leads can choose work" })).toHaveCount(1);
  await expect(page.getByRole("img", { name: "work runs for each, once per item" })).toHaveCount(1);
  await expect(edge(page, "leads", "work")).toHaveCount(0);
  await fit(page);
  await selectNode(page, /^Transform work/, "work");
  await fill(page, "Id", "job");
  await page.getByLabel("Id", { exact: true }).press("Enter");
  await expect(page.getByRole("img", { name: "leads can choose job" })).toHaveCount(1);
  await expect(page.getByRole("img", { name: "job runs for each, once per item" })).toHaveCount(1);
});

test("a driven graph keeps its isolation and verification settings and actions", async ({ page }) => {
  await signInAs(page, "builder");
  await createEmptyGraph(page, "From outside");
  await declareKey(page, "topic", '{"type":"string"}');
  await addNode(page, "Agent", "helper");
  await openPanel(page, "Graph");
  await turnOn(page, "Show agents untrusted values only as handles");
  await turnOn(page, "Verify effects first");
  await turnOn(page, "Security");
  await choose(page, "If a check fails", "Ask a person");
  await turnOn(page, "Driven by outside agents");
  await add(page, "Outside agents may read", "topic");
  await choose(page, "Cleared up to", "pii");
  await fill(page, "Instructions for the outside agent", "One step at a time.");
  await openPanel(page, "Inspector");
  await fill(page, "Description for the caller", "Writes about the topic.");
  await page.getByRole("button", { name: "Add an input" }).click();
  await fill(page, "Name of input 1", "about");
  await holds(page, "Write input 1 to", "topic");
  await save(page);
  await page.reload();
  await holds(page, "Description for the caller", "Writes about the topic.");
  await holds(page, "Name of input 1", "about");
  expect(await faultsOf(page)).toEqual([]);
  await openPanel(page, "Graph");
  await expect(page.getByRole("checkbox", { name: "Show agents untrusted values only as handles" })).toBeChecked();
  await expect(page.getByRole("combobox", { name: "Agent for security" })).toBeVisible();
  await chosen(page, "If a check fails", "Ask a person");
  await lists(page, "Outside agents may read", "topic");
  await chosen(page, "Cleared up to", "pii");
  await holds(page, "Instructions for the outside agent", "One step at a time.");
  expect(await faultsOf(page)).toEqual([]);
});

test("a node's output labels are shown in words and shape and follow its reads", async ({ page }) => {
  await signInAs(page, "builder");
  await createEmptyGraph(page, "Marks");
  await declareKey(page, "found", "{}");
  await declareKey(page, "said", "{}");
  await addNode(page, "Tool", "look");
  await add(page, "May write", "found");
  await addNode(page, "Synthesizer", "says");
  await add(page, "May write", "said");
  await fit(page);
  await typeEdge(page, node(page, /^Tool look/), "says");
  await expect(page.getByRole("list", { name: "Lowest integrity written" })).toContainText("Tainted");
  await expect(node(page, /^Tool look, start, writes tainted/)).toBeVisible();
  await expect(node(page, /^Synthesizer says, writes clean/)).toBeVisible();
  await node(page, /^Synthesizer says/).click();
  await add(page, "May read", "found");
  await expect(node(page, /^Synthesizer says, writes tainted/)).toBeVisible();
});

test("every field of a form is reached and left by keyboard, in order", async ({ page }) => {
  await signInAs(page, "builder");
  await createEmptyGraph(page, "By keyboard alone");
  await addNode(page, "Agent", "helper");
  await turnOn(page, "Retry until good enough");
  await unfold(page);
  const panel = page.getByRole("tabpanel");
  const fields = panel
    .locator("input:not([aria-hidden='true']), textarea, button, summary, [role=checkbox]:not([aria-disabled=true])")
    .filter({ visible: true });
  const count = await fields.count();
  await fields.first().focus();
  for (let place = 0; place < count; place += 1) {
    await expect(fields.nth(place)).toBeFocused();
    await page.keyboard.press("Tab");
  }
  await expect(panel.locator(":focus")).toHaveCount(0);
});
