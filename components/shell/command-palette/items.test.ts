import { describe, expect, test } from "vitest";
import type { Shortcut } from "@/components/shortcuts/registry";
import { listCommandItems, jumpItems, listOffered } from "./items";

const command = (label: string, group: string, more: Partial<Shortcut> = {}): Shortcut => ({
  keys: [],
  label,
  group,
  run: () => undefined,
  ...more,
});

const commands = listCommandItems([
  command("Undo", "Editor", { whyNot: () => "Nothing to undo" }),
  command("Home", "Go to"),
  command("Tidy up", "Editor"),
  command("Move", "Editor", { keys: ["Alt+Arrow"] }),
  command("Arm", "Decision", { when: () => false }),
]);
const jumps = jumpItems([
  { id: "plan", label: "Plan the change", about: "Agent", run: () => undefined },
  { id: "undo", label: "Undo it", about: "Tool", run: () => undefined },
]);
const labels = (text: string, recent: readonly string[] = []) =>
  listOffered({ commands, jumps, recent }, text).map(({ group, label }) => `${group}: ${label}`);

describe("the command palette", () => {
  test("lists available commands by group, with reasons for unavailable ones", () => {
    expect(labels("")).toEqual(["Editor: Undo", "Editor: Tidy up", "Go to: Home"]);
    expect(commands[0]?.reason).toBe("Nothing to undo");
  });

  test("lists recent commands first, once", () => {
    expect(labels("", ["Go to: Home", "Runs: Replay"])).toEqual(["Recent: Home", "Editor: Undo", "Editor: Tidy up"]);
  });

  test("finds commands by name and group, prefix matches first", () => {
    expect(labels("u")).toEqual(["Editor: Undo", "Editor: Tidy up"]);
    expect(labels("GO TO")).toEqual(["Go to: Home"]);
    expect(labels("plan")).toEqual([]);
  });

  test("finds only jumps after @", () => {
    expect(labels("@")).toEqual(["Nodes: Plan the change", "Nodes: Undo it"]);
    expect(labels("@ undo")).toEqual(["Nodes: Undo it"]);
    expect(labels("@agent")).toEqual(["Nodes: Plan the change"]);
  });

  test("prefers the command registered last", () => {
    const inner = command("Undo", "Editor", { keys: ["x"] });
    expect(listCommandItems([command("Undo", "Editor"), inner]).map(({ keys }) => keys)).toEqual([["x"]]);
  });
});
