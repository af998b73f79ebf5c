/** One case per node kind: what to fill in, and what its form shows afterwards. */
import { expect, type Page } from "@playwright/test";
import { add, choose, chosen, fill, holds, lists, open, turnOn } from "./form.ts";

export type Case = {
  readonly kind: string;
  readonly id: string;
  readonly fillIn: (page: Page) => Promise<void>;
  /** Asserts the form after a reload, with everything unfolded. */
  readonly says: (page: Page) => Promise<void>;
};

/** In this order: later cases refer to earlier ones. */
export const CASES: readonly Case[] = [
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
  {
    kind: "Extract",
    id: "pulls",
    fillIn: async (page) => {
      await fill(page, "Extract from", "items");
      await fill(page, "Name of field 1", "plan");
      await choose(page, "Field 1 holds", /^One of/);
      await add(page, "Values of plan", "maybe");
      await page.getByRole("button", { name: "Add a field" }).click();
      await choose(page, "Field 2 holds", /^A web address/);
      await fill(page, "What field 2 means", "Where it was said");
      await fill(page, "Form goes to", "verdict");
    },
    says: async (page) => {
      await holds(page, "Name of field 1", "plan");
      await lists(page, "Values of plan", "maybe");
      await chosen(page, "Field 2 holds", /^A web address/);
      await holds(page, "What field 2 means", "Where it was said");
    },
  },
  {
    kind: "Review",
    id: "reads",
    fillIn: async (page) => {
      // Starts from the extract's output and its source.
      await holds(page, "Target", "verdict");
      await holds(page, "Made from", "items");
      await fill(page, "People of reviewer 1", "2");
      await page.getByRole("button", { name: "Add an agent" }).click();
      await fill(page, "Approvals that are needed", "3");
      await turnOn(page, "Send back what does not pass");
      await choose(page, "Done again at", "pulls");
      await open(page, /^Findings/);
      await add(page, "What can be found", "invented");
    },
    says: async (page) => {
      await holds(page, "People of reviewer 1", "2");
      await expect(page.getByRole("combobox", { name: "Agent of reviewer 2" })).toBeVisible();
      await holds(page, "Approvals that are needed", "3");
      await chosen(page, "Done again at", "pulls");
      await lists(page, "What can be found", "invented");
    },
  },
  {
    kind: "Judge",
    id: "weighs",
    fillIn: async (page) => {
      await chosen(page, "Counts the verdicts of", "reads");
      await holds(page, "Judges the form at", "verdict");
      await fill(page, "Reviewed copy goes to", "items");
      await page.getByRole("button", { name: "Add missing rules" }).click();
      await page.getByRole("button", { name: "Remove maybe from Allowed for plan" }).click();
      await add(page, "Origins of field", "https://example.org");
      await choose(page, "A rejection leads to", "sums");
    },
    says: async (page) => {
      await lists(page, "Allowed for plan", "yes");
      await expect(page.getByRole("list", { name: "Allowed for plan" })).not.toContainText("maybe");
      await lists(page, "Origins of field", "https://example.org");
      await chosen(page, "A rejection leads to", "sums");
    },
  },
];
