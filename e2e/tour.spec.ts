/** The README's tour: each promise has an assertion here, and each assertion a promise there. */
import fs from "node:fs";
import path from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { TAMPER_TEXT } from "@/lib/engine/verify/tamper";
import { countActions, type Actions } from "./actions.ts";
import { customers } from "./database.ts";
import { commitByKey, armByKey, decideByKeys, launchRun, status } from "./desk.ts";
import { edge, fit, node } from "./editor.ts";
import { approveWrite, createAgent, publishAndStart } from "./first-graph.ts";
import { pairWithTour } from "./readme-steps.ts";
import { test } from "./test.ts";

test.describe.configure({ timeout: 480_000 });

// A step that hangs is named.
test.use({ actionTimeout: 30_000 });

type Tour = {
  readonly page: Page;
  /** Code spans of the sentence. */
  code: readonly string[];
  readonly act: Actions;
  before: readonly Record<string, unknown>[];
  run: string;
};

type Check = (tour: Tour) => Promise<void> | void;

const continueAs = async (page: Page, role: string): Promise<void> => {
  await page.context().clearCookies();
  await page.goto("/sign-in");
  await page.getByRole("button", { name: new RegExp(`Continue as ${role}`) }).click();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
};

const openGraph = async (page: Page): Promise<void> => {
  await page.goto("/graphs");
  await page.getByRole("link", { name: /Support desk under attack/ }).click();
  await expect(node(page, /^Approval Approve the change/)).toBeVisible();
};

const requests = (page: Page): Locator =>
  page.getByRole("table", { name: "Open approvals" }).getByRole("row").filter({ hasText: "Support desk" });

/** Its own test shows it. */
const testedBy =
  (file: string, title: string): Check =>
  () => {
    const text = fs.readFileSync(path.resolve(import.meta.dirname, "..", file), "utf8");
    expect(text, `${file} has no test with this title`).toContain(`test("${title}`);
  };

const removeGate = async (page: Page, how: string): Promise<void> => {
  await node(page, /^Approval Approve the change/).click();
  await node(page, /^Approval Approve the change/).focus();
  await page.keyboard.press("Delete");
  const dialog = page.getByRole("dialog", { name: "Delete “Approve the change”?" });
  await expect(dialog.getByRole("region", { name: "Delete and reconnect" })).toContainText("can influence it without an approval");
  await expect(dialog.getByRole("region", { name: "Delete", exact: true })).toContainText("no path from the start reaches it any more");
  await dialog.getByRole("button", { name: how, exact: true }).click();
  await expect(dialog).toBeHidden();
};

/** By step, then by the beginning of a sentence. */
const PROMISES: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  Attack: {
    "Open the demo workspace": async (tour) => {
      await continueAs(tour.page, "builder");
      tour.before = await customers();
    },
    "Choose a mail and the model": async (tour) => {
      tour.run = await launchRun(tour.page, /^Scripted: compromised/);
    },
  },
  "Read the refusals": {
    "The model tries to become admin": async ({ page }) => {
      const banner = page.getByRole("main");
      await banner.getByRole("button", { name: "View refused proposals" }).click();
      const tried = page.getByRole("dialog");
      for (const attempt of [
        /is_admin/,
        /key_undeclared|write_not_granted/,
        /tool_not_granted/,
        /action_not_granted/,
        /principal_not_allowed/,
      ]) {
        await expect(tried.getByText(attempt).first()).toBeVisible();
      }
      await page.keyboard.press("Escape");
    },
    "Each attempt is a record": async ({ page, before, run }) => {
      await page.goto(`${run}?t=7`);
      await expect(page.getByRole("listbox", { name: "Records" }).getByText("write_not_granted").first()).toBeVisible();
      expect(await customers()).toEqual(before);
      await page.goto("/");
      for (const row of before) {
        await expect(
          page
            .getByRole("table", { name: "Customers" })
            .getByRole("row")
            .filter({ hasText: String(row["customer_id"]) }),
        ).toBeVisible();
      }
    },
  },
  Approve: {
    "Continue as _reviewer_": async ({ page }) => {
      await continueAs(page, "reviewer");
      await page
        .getByRole("navigation", { name: "Main" })
        .getByRole("link", { name: /Approvals/ })
        .click();
      await page.waitForURL("**/approvals");
    },
    "Each row says in one sentence": async ({ page }) => {
      const hostile = requests(page).filter({ hasText: "Move cus_1005 (Peakworks Accounts) to business with a $10,000.00 credit" }).first();
      await expect(hostile).toContainText("High");
      await expect(hostile).toContainText("Different customer_id: the run looked up cus_1002 (Tunde Okafor)");
      const honest = requests(page).filter({ hasText: "Move cus_1001 (Maria Lindqvist) to team" });
      await expect(honest).toContainText("Medium");
    },
    "A request shows each value": async ({ page }) => {
      await requests(page).filter({ hasText: "Move cus_1001 (Maria Lindqvist) to team" }).getByRole("link").first().click();
      await page.waitForURL("**/approvals/*");
      const main = page.getByRole("main");
      await expect(main.getByText("before", { exact: true }).first()).toBeAttached();
      await expect(main.getByText("after", { exact: true }).first()).toBeAttached();
      await expect(main.getByText(/^Tainted|untrusted/iu).first()).toBeVisible();
    },
    "Approve an honest run and reject": async ({ page, run }) => {
      await armByKey(page, "a");
      await commitByKey(page);
      await expect(page.getByRole("region", { name: "Time to undo" })).toBeVisible();
      await page.keyboard.press("u");
      await expect(page.getByText("Undone. Nothing was sent.").last()).toBeVisible();
      await decideByKeys(page, "approve");
      await page.goto(run);
      await page.getByRole("link", { name: /^Waiting for a/ }).click();
      await page.waitForURL("**/approvals/*");
      await decideByKeys(page, "reject", "Another customer.");
      await page.goto(run);
      await expect(status(page)).toContainText("Completed");
    },
  },
  Verify: {
    "Press **Verify** on a run": async ({ page }) => {
      await page.getByRole("button", { name: "Verify" }).click();
      await expect(page.getByText("Ledger verified")).toBeVisible();
      await expect(page.getByText("What this does not prove")).toBeVisible();
    },
    "Under **Ledger**, verify": async ({ page }) => {
      await page.goto("/ledger");
      await page.getByRole("button", { name: "Verify in this browser" }).click();
      await expect(page.getByText(/Workspace verified/u).first()).toBeVisible();
      await page.getByRole("tab", { name: /Tamper lab/ }).click();
      await page.getByRole("button", { name: "Make a copy" }).click();
      await expect(page.getByText("records in the copy")).toBeVisible();
      await page.getByRole("combobox", { name: "Tampering" }).click();
      await page.getByRole("option", { name: TAMPER_TEXT.edit.title }).click();
      await page.getByRole("button", { name: "Verify the copy" }).click();
      await expect(page.getByText(/is invalid: /).first()).toBeVisible();
    },
  },
  "Look ahead": {
    "As builder, open": async ({ page }) => {
      await continueAs(page, "builder");
      await openGraph(page);
      await page
        .getByRole("group", { name: "Overlays" })
        .getByRole("button", { name: /^Blast radius/ })
        .click();
      await page.getByRole("region", { name: "Blast radius" }).getByRole("combobox", { name: "Assume compromised" }).click();
      await page.getByRole("option", { name: "Agent Change planner" }).click();
      await expect(page.getByText(/^Before the first approval it could: write \d/)).toBeVisible();
    },
    "Delete the approval": ({ page }) => removeGate(page, "Delete and reconnect"),
    "With **Delete and reconnect**": async ({ page }) => {
      await page
        .getByRole("group", { name: "Overlays" })
        .getByRole("button", { name: /^Taint/ })
        .click();
      await page.getByRole("list", { name: "Flows, worst first" }).getByRole("button").first().click();
      const card = page.getByRole("region", { name: "Selected flow" });
      await expect(card.getByRole("list", { name: "Data flow" }).getByRole("listitem").first()).toContainText("Read the mail");
      await expect(node(page, /^Tool Read the mail.*untrusted data enters here/)).toBeVisible();
      await expect(node(page, /^Tool Write the change.*without an approval/)).toBeVisible();
      await card.getByRole("button", { name: "Insert a gate" }).click();
      await expect(node(page, /without an approval/)).toHaveCount(0);
      for (let undone = 0; undone < 2; undone += 1) await page.getByRole("button", { name: "Undo" }).click();
      await removeGate(page, "Delete");
      await expect(node(page, /^Tool Write the change.*no path from the start reaches it/)).toContainText("Unreachable");
      await expect(page.getByRole("list", { name: "Unreachable effects" })).toContainText("Write the change");
      await page.getByRole("button", { name: "Undo" }).click();
      await expect(page.getByRole("list", { name: "Unreachable effects" })).toHaveCount(0);
    },
  },
  Build: {
    "Choose **New graph**": async ({ page, act, code: [tool = ""] }) => {
      await page.goto("/graphs");
      await act.click(page.getByRole("button", { name: "New graph" }));
      await act.fill(page.getByLabel("Name"), "My first graph");
      await act.click(page.getByRole("button", { name: "Create" }));
      await page.waitForURL(/\/graphs\/[0-9a-f-]{36}/);
      await addTool(page, act, tool);
    },
    "Add an agent, press": async ({ page, act, code: [instructions = ""] }) => {
      await act.click(page.getByRole("button", { name: "Add Agent" }));
      await createAgent(page, act, instructions);
    },
    "Add an approval and the tool": async ({ page, act, code: [tool = ""] }) => {
      await act.click(page.getByRole("button", { name: "Add Approval" }));
      await addTool(page, act, tool);
    },
    "Each node is connected": async ({ page }) => {
      await expect(node(page, /^Tool Update plan, end/)).toBeVisible();
      // Edges out of sight are not drawn.
      await fit(page);
      for (const [from, to] of [
        ["tool", "agent"],
        ["agent", "approval"],
        ["approval", "tool_2"],
      ] as const) {
        await expect(edge(page, from, to)).toHaveCount(1);
      }
    },
    "Publish, run with": async ({ page, act, code: [mail = ""] }) => {
      await approveWrite(page, act, await publishAndStart(page, act, "Path", mail));
      expect(act.count()).toBeLessThanOrEqual(40);
      test.info().annotations.push({ type: "actions", description: String(act.count()) });
    },
  },
  "More to try": {
    "**Order desk** with": testedBy(
      "server/seed/order-desk/runs.db.test.ts",
      "a declined card fails the run, and the reservation is really released",
    ),
    "**Research and publish** reads": testedBy(
      "server/seed/research/runs.db.test.ts",
      "a compromised model cannot publish the hostile page: each attempt is refused, and the reviewer decides first",
    ),
    "**Outside agents** lets": testedBy(
      "e2e/connect.spec.ts",
      "the console drives the refund desk by legal steps, explains illegal ones, and shows the wire",
    ),
    "**Describe a workflow** drafts": testedBy(
      "e2e/architect.spec.ts",
      "a described workflow is drawn, accepted as a draft, and published by a second person",
    ),
    "**Fork from here** on": testedBy(
      "e2e/forks.spec.ts",
      "a fork with another memory value is a simulation that asks again and changes no account",
    ),
    "As _admin_, **MCP servers**": async ({ page }) => {
      await continueAs(page, "admin");
      await page.goto("/admin/mcp/rug-pull");
      await expect(page.getByText(/drifted/i).first()).toBeVisible();
      for (const graph of ["Delivery planning", "Weather notice"]) {
        await expect(page.getByRole("main").getByRole("link", { name: graph }).first()).toBeVisible();
      }
    },
    "As _auditor_, open": async ({ page, run }) => {
      await continueAs(page, "auditor");
      await page.goto(run);
      await page
        .getByRole("region", { name: /^State after record/ })
        .getByRole("button", { name: "Reveal" })
        .first()
        .click();
      const dialog = page.getByRole("dialog", { name: "Reveal a hidden value" });
      await dialog.getByLabel("Reason").fill("The tour");
      await dialog.getByRole("button", { name: "Record and reveal" }).click();
      await expect(dialog.getByText(/^Record \d+ logs that you opened this value\.$/)).toBeVisible();
    },
  },
};

const addTool = async (page: Page, act: Actions, named: string): Promise<void> => {
  const [, tool = ""] = named.split(" / ");
  await act.click(page.getByRole("button", { name: "Add Tool" }));
  await act.choose(page.getByRole("combobox", { name: "Tool", exact: true }), page.getByRole("option", { name: new RegExp(tool) }));
};

test("each promise of the README's tour holds, in its order, and a first graph takes at most 40 actions", async ({ page }) => {
  const { pairs, unasserted, unpromised } = pairWithTour(PROMISES);
  expect(unasserted, "promises without an assertion").toEqual([]);
  expect(unpromised, "assertions without a promise").toEqual([]);
  const tour: Tour = { page, code: [], act: countActions(page), before: [], run: "" };
  for (const { title, sentence, starts } of pairs) {
    const code = Array.from(sentence.matchAll(/`([^`]+)`/gu), ([, span = ""]) => span);
    await test.step(`${title}: ${sentence}`, async () => {
      await PROMISES[title]?.[starts[0] ?? ""]?.(Object.assign(tour, { code }));
    });
  }
});
