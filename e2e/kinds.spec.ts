/** Every node kind from the palette: its form is filled in, saved, and still says the same after a reload. Axe finds nothing on any. */
import { expect, test, type Page } from "@playwright/test";
import { faultsOf } from "./axe.ts";
import { addNode, declareKey, edge, fit, newGraph, node, save } from "./editor.ts";
import { signInAs } from "./people.ts";

// Each look of axe takes seconds on a busy machine, and there are two per kind.
test.describe.configure({ timeout: 300_000 });

const choose = async (page: Page, label: string, option: string | RegExp): Promise<void> => {
  await page.getByRole("combobox", { name: label, exact: true }).click();
  await page.getByRole("option", { name: option }).click();
};

const chosen = (page: Page, label: string, option: string | RegExp) =>
  expect(page.getByRole("combobox", { name: label, exact: true })).toContainText(option);

const fill = (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);

const holds = (page: Page, label: string, text: string) => expect(page.getByLabel(label, { exact: true })).toHaveValue(text);

const add = async (page: Page, label: string, text: string): Promise<void> => {
  // The list that it is added to has the same name.
  const field = page.getByRole("combobox", { name: label, exact: true });
  await field.fill(text);
  await field.press("Enter");
};

const lists = (page: Page, label: string, text: string) => expect(page.getByRole("list", { name: label, exact: true })).toContainText(text);

const turnOn = (page: Page, section: string) => page.getByRole("checkbox", { name: section }).click();

const open = (page: Page, section: RegExp) => page.locator("summary").filter({ hasText: section }).click();

type Case = {
  readonly kind: string;
  readonly id: string;
  readonly fillIn: (page: Page) => Promise<void>;
  /** What the form says after a reload, with everything in it unfolded. */
  readonly says: (page: Page) => Promise<void>;
};

/** In this order: the later ones name the earlier ones. */
const CASES: readonly Case[] = [
  {
    kind: "Tool",
    id: "work",
    fillIn: async (page) => {
      await choose(page, "Tool", /update_plan/);
      await choose(page, "Source of plan", "Fixed");
      await fill(page, "Value of plan", "team");
      await turnOn(page, "Undo its effects");
      await choose(page, "Tool that undoes", /update_plan/);
      await page.getByRole("combobox", { name: "Source of plan", exact: true }).last().click();
      await page.getByRole("option", { name: "Same as in the call" }).click();
    },
    says: async (page) => {
      await holds(page, "Value of plan", "team");
      await chosen(page, "Tool that undoes", /update_plan/);
      await holds(page, "Argument for plan", "plan");
    },
  },
  {
    kind: "Agent",
    id: "helper",
    fillIn: async (page) => {
      await fill(page, "Instructions", "Answer in one word.");
      await choose(page, "Answer", "JSON");
      await turnOn(page, "Ask again until it is good");
      await fill(page, "Answers at most", "7");
      await turnOn(page, "Hand over to peers");
      await choose(page, "Peers", "work");
      await turnOn(page, "Recall earlier runs");
      await add(page, "Topics", "refunds");
      await open(page, /^Budget/);
      await fill(page, "Tokens at most, in the whole run", "5000");
    },
    says: async (page) => {
      await holds(page, "Instructions", "Answer in one word.");
      await chosen(page, "Answer", "JSON");
      await holds(page, "Answers at most", "7");
      await lists(page, "Peers", "work");
      await lists(page, "Topics", "refunds");
      await holds(page, "Tokens at most, in the whole run", "5000");
    },
  },
  {
    kind: "Transform",
    id: "sums",
    fillIn: (page) => fill(page, "Expression 1", '"done"'),
    says: (page) => holds(page, "Expression 1", '"done"'),
  },
  {
    kind: "Subgraph",
    id: "desk",
    fillIn: async (page) => {
      await choose(page, "Graph", /Support desk/);
      await page.getByRole("button", { name: "Add a path" }).click();
      await fill(page, "Its path 1", "change.plan");
    },
    says: async (page) => {
      await chosen(page, "Graph", /Support desk/);
      await holds(page, "Our path 1", "verdict");
      await holds(page, "Its path 1", "change.plan");
    },
  },
  {
    kind: "Reflection",
    id: "learns",
    fillIn: async (page) => {
      await fill(page, "Topic", "refunds");
      await choose(page, "What is a fact", /agent/);
      await open(page, /^Limits/);
      await fill(page, "Facts at most", "4");
    },
    says: async (page) => {
      await holds(page, "Topic", "refunds");
      await chosen(page, "What is a fact", /agent/);
      await holds(page, "Facts at most", "4");
    },
  },
  { kind: "Router", id: "splits", fillIn: async () => {}, says: (page) => expect(page.getByText("A router does no work")).toBeVisible() },
  {
    kind: "Approval",
    id: "asks",
    fillIn: async (page) => {
      await choose(page, "A rejection leads to", "sums");
      await page.getByRole("button", { name: "Add a path" }).click();
      await fill(page, "Reviewed as 1", "items");
    },
    says: async (page) => {
      await chosen(page, "A rejection leads to", "sums");
      await holds(page, "Shown value 1", "verdict");
      await holds(page, "Reviewed as 1", "items");
    },
  },
  {
    kind: "Supervisor",
    id: "leads",
    fillIn: async (page) => {
      await choose(page, "Managed nodes", "sums");
      await fill(page, "Choices at most, in the whole run", "12");
    },
    says: async (page) => {
      await lists(page, "Managed nodes", "sums");
      await holds(page, "Choices at most, in the whole run", "12");
    },
  },
  {
    kind: "Verifier",
    id: "checks",
    fillIn: async (page) => {
      await choose(page, "Holds when", /judging agent/);
      await fill(page, "Passes from a score of", "0.7");
      await choose(page, "A failed check", /^Fails/);
    },
    says: async (page) => {
      await holds(page, "Passes from a score of", "0.7");
      await chosen(page, "A failed check", /^Fails/);
    },
  },
  {
    kind: "Map",
    id: "each",
    fillIn: async (page) => {
      await choose(page, "Worker", "work");
      await fill(page, "Path of the list", "items");
      await turnOn(page, "One answer of all results");
      await open(page, /^Limits/);
      await choose(page, "When an item fails", /^Fail/);
    },
    says: async (page) => {
      await chosen(page, "Worker", "work");
      await holds(page, "Path of the list", "items");
      await expect(page.getByRole("combobox", { name: "Agent that sums up" })).toBeVisible();
      await chosen(page, "When an item fails", /^Fail/);
    },
  },
  {
    kind: "Voting",
    id: "votes",
    fillIn: async (page) => {
      await choose(page, "How it is decided", /weight/);
      await fill(page, "Weight of voter 1", "2.5");
      await add(page, "Votes that count", "yes");
      await open(page, /^Quorum/);
      await choose(page, "A tie", /^Is decided/);
    },
    says: async (page) => {
      await holds(page, "Weight of voter 1", "2.5");
      await lists(page, "Votes that count", "yes");
      await holds(page, "Value of a tie", "yes");
    },
  },
  {
    kind: "Synthesizer",
    id: "merges",
    fillIn: (page) => choose(page, "Rule", /^One text/),
    says: (page) => chosen(page, "Rule", /^One text/),
  },
  {
    kind: "Evolution",
    id: "breeds",
    fillIn: async (page) => {
      await choose(page, "Fitness", /expression/);
      await fill(page, "Expression", "item.size");
      await open(page, /^Search/);
      await fill(page, "Best that live on unchanged", "3");
      await fill(page, "Candidates per generation", "3");
    },
    says: async (page) => {
      await holds(page, "Expression", "item.size");
      await holds(page, "Candidates per generation", "3");
      await holds(page, "Best that live on unchanged", "2");
    },
  },
];

/** Opens everything that is folded in the form. */
const unfold = async (page: Page): Promise<void> => {
  const folded = page.locator("details:not([open]) > summary");
  while ((await folded.count()) > 0) await folded.first().click();
};

test("each kind is added, filled in and saved; after a reload its form says the same, in light and dark", async ({ page }) => {
  await signInAs(page, "builder");
  await newGraph(page, "One of each");
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
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        expect(await faultsOf(page), `${kind} in ${colorScheme}`).toEqual([]);
      }
    });
  }
});

test("what a form joins is drawn on the canvas, and follows a rename", async ({ page }) => {
  await signInAs(page, "builder");
  await newGraph(page, "Joined");
  await addNode(page, "Transform", "work");
  await addNode(page, "Supervisor", "leads");
  await choose(page, "Managed nodes", "work");
  await addNode(page, "Map", "each");
  await choose(page, "Worker", "work");
  await expect(page.getByRole("img", { name: "leads may choose work" })).toHaveCount(1);
  await expect(page.getByRole("img", { name: "work works for each, once per item" })).toHaveCount(1);
  await expect(edge(page, "leads", "work")).toHaveCount(0);
  await fit(page);
  await node(page, /^Transform work/).click();
  await fill(page, "Id", "job");
  await page.getByLabel("Id", { exact: true }).press("Enter");
  await expect(page.getByRole("img", { name: "leads may choose job" })).toHaveCount(1);
  await expect(page.getByRole("img", { name: "job works for each, once per item" })).toHaveCount(1);
});

test("every field of a form can be reached by keyboard, in order, and left again", async ({ page }) => {
  await signInAs(page, "builder");
  await newGraph(page, "By keyboard alone");
  await addNode(page, "Agent", "helper");
  await turnOn(page, "Ask again until it is good");
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
