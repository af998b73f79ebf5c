import { expect, type Page } from "@playwright/test";
import { add, choose, include, chosen, fill, holds, lists, open, turnOn } from "./form.ts";

export type Case = {
  readonly kind: string;
  readonly id: string;
  readonly fillIn: (page: Page) => Promise<void>;
  /** After a reload, unfolded. */
  readonly says: (page: Page) => Promise<void>;
};

/** Later cases refer to earlier ones. */
export const CASES: readonly Case[] = [
  {
    kind: "Tool",
    id: "work",
    fillIn: async (page) => {
      await choose(page, "Tool", /update_plan/);
      await choose(page, "Source of plan", "Fixed value");
      await fill(page, "Value of plan", "team");
      await turnOn(page, "Undo its effects");
      await choose(page, "Undo tool", /update_plan/);
      await page.getByRole("combobox", { name: "Source of plan", exact: true }).last().click();
      await page.getByRole("option", { name: "Same as in the call" }).click();
    },
    says: async (page) => {
      await holds(page, "Value of plan", "team");
      await chosen(page, "Undo tool", /update_plan/);
      await holds(page, "Argument for plan", "plan");
    },
  },
  {
    kind: "Agent",
    id: "helper",
    fillIn: async (page) => {
      await fill(page, "Instructions", "Answer in one word.");
      await choose(page, "Answer", "JSON");
      await turnOn(page, "Retry until good enough");
      await fill(page, "Max answers", "7");
      await turnOn(page, "Hand off to peers");
      await include(page, "Peers", "Update plan");
      await turnOn(page, "Recall earlier runs");
      await add(page, "Topics", "refunds");
      await open(page, /^Budget/);
      await fill(page, "Max tokens per run", "5000");
    },
    says: async (page) => {
      await holds(page, "Instructions", "Answer in one word.");
      await chosen(page, "Answer", "JSON");
      await holds(page, "Max answers", "7");
      await lists(page, "Peers", "Update plan");
      await lists(page, "Topics", "refunds");
      await holds(page, "Max tokens per run", "5000");
    },
  },
  {
    kind: "Transform",
    id: "sums",
    fillIn: (page) => fill(page, "Expression 1", '"done"'),
    says: (page) => holds(page, "Expression 1", '"done"'),
  },
  {
    kind: "Code",
    id: "counts",
    fillIn: async (page) => {
      await choose(page, "Language", /^Python/);
      await fill(page, "Function", "def main(memory):\n    return len(memory)\n");
    },
    says: async (page) => {
      await chosen(page, "Language", /^Python/);
      await holds(page, "Function", "def main(memory):\n    return len(memory)\n");
    },
  },
  {
    kind: "Wait",
    id: "listens",
    fillIn: async (page) => {
      await choose(page, "Continue when", "A program answers");
      await fill(page, "Times out after (hours)", "2");
    },
    says: async (page) => {
      await chosen(page, "Continue when", "A program answers");
      await holds(page, "Times out after (hours)", "2");
    },
  },
  {
    kind: "Subgraph",
    id: "desk",
    fillIn: async (page) => {
      await choose(page, "Graph", /Support desk/);
      await page.getByRole("button", { name: "Add a path" }).click();
      await fill(page, "Path in the subgraph 1", "change.plan");
    },
    says: async (page) => {
      await chosen(page, "Graph", /Support desk/);
      await holds(page, "Path in this graph 1", "verdict");
      await holds(page, "Path in the subgraph 1", "change.plan");
    },
  },
  {
    kind: "Reflection",
    id: "learns",
    fillIn: async (page) => {
      await fill(page, "Topic", "refunds");
      await choose(page, "Facts", /agent/);
      await open(page, /^Limits/);
      await fill(page, "Max facts", "4");
    },
    says: async (page) => {
      await holds(page, "Topic", "refunds");
      await chosen(page, "Facts", /agent/);
      await holds(page, "Max facts", "4");
    },
  },
  { kind: "Router", id: "splits", fillIn: async () => {}, says: (page) => expect(page.getByText("A router does no work")).toBeVisible() },
  {
    kind: "Approval",
    id: "asks",
    fillIn: async (page) => {
      await choose(page, "On rejection, go to", "sums");
      await page.getByRole("button", { name: "Add a path" }).click();
      await fill(page, "Reviewed as 1", "items");
    },
    says: async (page) => {
      await chosen(page, "On rejection, go to", "sums");
      await holds(page, "Shown value 1", "verdict");
      await holds(page, "Reviewed as 1", "items");
    },
  },
  {
    kind: "Supervisor",
    id: "leads",
    fillIn: async (page) => {
      await include(page, "Managed nodes", "sums");
      await fill(page, "Max choices per run", "12");
    },
    says: async (page) => {
      await lists(page, "Managed nodes", "sums");
      await holds(page, "Max choices per run", "12");
    },
  },
  {
    kind: "Verifier",
    id: "checks",
    fillIn: async (page) => {
      await choose(page, "Check", /judge agent/);
      await fill(page, "Passing score", "0.7");
      await choose(page, "If the check fails", /^Fail the node/);
    },
    says: async (page) => {
      await holds(page, "Passing score", "0.7");
      await chosen(page, "If the check fails", /^Fail the node/);
    },
  },
  {
    kind: "Map",
    id: "each",
    fillIn: async (page) => {
      await choose(page, "Worker", "Update plan");
      await fill(page, "List path", "items");
      await turnOn(page, "Combine results into one answer");
      await open(page, /^Limits/);
      await choose(page, "When an item fails", /^Fail/);
    },
    says: async (page) => {
      await chosen(page, "Worker", "Update plan");
      await holds(page, "List path", "items");
      await expect(page.getByRole("combobox", { name: "Combining agent" })).toBeVisible();
      await chosen(page, "When an item fails", /^Fail/);
    },
  },
  {
    kind: "Voting",
    id: "votes",
    fillIn: async (page) => {
      await choose(page, "Decided by", /weight/);
      await fill(page, "Weight of voter 1", "2.5");
      await add(page, "Allowed votes", "yes");
      await open(page, /^Quorum/);
      await choose(page, "On a tie", /^Use a default value/);
    },
    says: async (page) => {
      await holds(page, "Weight of voter 1", "2.5");
      await lists(page, "Allowed votes", "yes");
      await holds(page, "Default value", "yes");
    },
  },
  {
    kind: "Synthesizer",
    id: "merges",
    fillIn: (page) => choose(page, "Rule", /^Text with one paragraph/),
    says: (page) => chosen(page, "Rule", /^Text with one paragraph/),
  },
  {
    kind: "Evolution",
    id: "breeds",
    fillIn: async (page) => {
      await choose(page, "Fitness", /expression/);
      await fill(page, "Expression", "item.size");
      await open(page, /^Search/);
      await fill(page, "Best candidates kept unchanged", "3");
      await fill(page, "Candidates per generation", "3");
    },
    says: async (page) => {
      await holds(page, "Expression", "item.size");
      await holds(page, "Candidates per generation", "3");
      await holds(page, "Best candidates kept unchanged", "2");
    },
  },
  {
    kind: "Extract",
    id: "pulls",
    fillIn: async (page) => {
      await fill(page, "Extract from", "items");
      await fill(page, "Name of field 1", "plan");
      await choose(page, "Type of field 1", /^One of/);
      await add(page, "Values of plan", "maybe");
      await page.getByRole("button", { name: "Add a field" }).click();
      await choose(page, "Type of field 2", /^URL/);
      await fill(page, "Description of field 2", "Where it was said");
      await fill(page, "Write form to", "verdict");
    },
    says: async (page) => {
      await holds(page, "Name of field 1", "plan");
      await lists(page, "Values of plan", "maybe");
      await chosen(page, "Type of field 2", /^URL/);
      await holds(page, "Description of field 2", "Where it was said");
    },
  },
  {
    kind: "Review",
    id: "reads",
    fillIn: async (page) => {
      // Starts from the extract's output and its source.
      await holds(page, "Target", "verdict");
      await holds(page, "Source", "items");
      await fill(page, "Number of people for reviewer 1", "2");
      await page.getByRole("button", { name: "Add an agent" }).click();
      await fill(page, "Required approvals", "3");
      await turnOn(page, "Send back rejected work");
      await choose(page, "Send back to", "pulls");
      await open(page, /^Findings/);
      await add(page, "Finding codes", "invented");
    },
    says: async (page) => {
      await holds(page, "Number of people for reviewer 1", "2");
      await expect(page.getByRole("combobox", { name: "Agent of reviewer 2" })).toBeVisible();
      await holds(page, "Required approvals", "3");
      await chosen(page, "Send back to", "pulls");
      await lists(page, "Finding codes", "invented");
    },
  },
  {
    kind: "Judge",
    id: "weighs",
    fillIn: async (page) => {
      await chosen(page, "Verdicts from", "reads");
      await holds(page, "Form to judge", "verdict");
      await fill(page, "Write reviewed copy to", "items");
      await page.getByRole("button", { name: "Add missing rules" }).click();
      await page.getByRole("button", { name: "Remove maybe from Allowed for plan" }).click();
      await add(page, "Origins of field", "https://example.org");
      await choose(page, "On rejection, go to", "sums");
    },
    says: async (page) => {
      await lists(page, "Allowed for plan", "yes");
      await expect(page.getByRole("list", { name: "Allowed for plan" })).not.toContainText("maybe");
      await lists(page, "Origins of field", "https://example.org");
      await chosen(page, "On rejection, go to", "sums");
    },
  },
];
