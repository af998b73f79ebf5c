import { assert, constantFrom, option, property, record, string } from "fast-check";
import { describe, expect, it } from "vitest";
import type { ToolDefinition } from "./definition";
import { proposeLabels, UNLABELLED } from "./label-proposal";
import { isLooser } from "./registry-command";
import captured from "./testing/real-tools.json";

type Captured = Pick<ToolDefinition, "name" | "description" | "annotations"> & {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
};

/** Lists of npm servers; descriptions only where they name destruction. */
const SERVERS: Readonly<Record<string, readonly Captured[]>> = captured;

const schemaOf = (names: readonly string[]) => ({ type: "object", properties: Object.fromEntries(names.map((name) => [name, {}])) });

const toDefinition = ({ name, description, annotations, inputs, outputs }: Captured): ToolDefinition => ({
  name,
  title: null,
  description,
  annotations,
  input_schema: schemaOf(inputs),
  output_schema: schemaOf(outputs),
});

const named = (name: string, change: Partial<Captured> = {}): ToolDefinition =>
  toDefinition({ name, description: "", annotations: null, inputs: [], outputs: [], ...change });

const toolsOf = (server: string): readonly ToolDefinition[] => {
  const found = Object.entries(SERVERS).find(([name]) => name.includes(server));
  if (!found) throw new Error(`no tools of ${server}`);

  return found[1].map(toDefinition);
};

const namesBy = (server: string, effect: string): readonly string[] =>
  toolsOf(server).flatMap((tool) => (proposeLabels(tool, false).labels.effect === effect ? [tool.name] : []));

describe("proposals for tools of real servers", () => {
  it("reads and writes files as their names and hints say", () => {
    expect(namesBy("filesystem", "irreversible")).toEqual(["write_file", "edit_file", "move_file"]);
    expect(namesBy("filesystem", "write")).toEqual(["create_directory"]);
    expect(namesBy("filesystem", "read")).toHaveLength(10);
  });

  it("propose a write for each tool of GitHub that changes something, without any hint", () => {
    expect(namesBy("github", "irreversible")).toEqual(["push_files", "fork_repository", "merge_pull_request"]);
    expect(namesBy("github", "read").filter((name) => !/^(?:get|list|search)_/.test(name))).toEqual([]);
    expect(namesBy("github", "write")).toHaveLength(9);
  });

  it("let a browser only look", () => {
    expect(namesBy("playwright", "read")).toEqual(["browser_find", "browser_take_screenshot", "browser_snapshot"]);
    expect(namesBy("playwright", "write")).toEqual([]);
  });

  it("keep pipelines that may write irreversible although their server says that they read", () => {
    expect(namesBy("mongodb", "irreversible")).toEqual(expect.arrayContaining(["aggregate", "export", "drop-database", "delete-many"]));
    expect(namesBy("mongodb", "read").toSorted()).toEqual(
      ["count", "find", "list-collections", "list-connections", "list-databases", "list-knowledge-sources", "search-knowledge"].toSorted(),
    );
  });
});

describe("a proposal", () => {
  it.each([
    ["get_order", "read"],
    ["listPosts", "read"],
    ["search_and_replace", "write"],
    ["find-and-delete", "irreversible"],
    ["order", "irreversible"],
    ["getUserThenSendMail", "irreversible"],
    ["frobnicate", "irreversible"],
    ["prune", "irreversible"],
    ["update_issue", "write"],
  ])("for %s is %s", (name, effect) => {
    expect(proposeLabels(named(name), true).labels.effect).toBe(effect);
  });

  it.each([
    ["an argument that may be code", { inputs: ["sql"] }],
    ["a description of destruction", { description: "Reads, and PERMANENTLY marks as seen." }],
    ["a hint of destruction", { annotations: { destructiveHint: true } }],
  ])("for a read with %s is irreversible", (_what, change) => {
    expect(proposeLabels(named("get_rows", change), true).labels.effect).toBe("irreversible");
  });

  it("calls a tool outward unless its program has no network and nothing says otherwise", () => {
    expect(proposeLabels(named("get_rows"), true).labels.outward).toBe(false);
    expect(proposeLabels(named("get_rows"), false).labels.outward).toBe(true);
    expect(proposeLabels(named("get_rows", { annotations: { openWorldHint: false } }), false).labels.outward).toBe(true);
    expect(proposeLabels(named("get_rows", { annotations: { openWorldHint: true } }), true).labels.outward).toBe(true);
  });

  it.each([
    [named("get_rows"), "internal"],
    [named("get_customer"), "pii"],
    [named("get_rows", { outputs: ["id", "customerEmail"] }), "pii"],
    [named("get_rows", { outputs: ["email", "api_key"] }), "secret"],
    [named("get-env"), "secret"],
  ])("for answers of %j is at least %s", (tool, output) => {
    expect(proposeLabels(tool, true).labels.output).toBe(output);
  });

  it("marks what the server said as a claim", () => {
    const { reasons } = proposeLabels(named("frobnicate", { annotations: { readOnlyHint: true, openWorldHint: true } }), true);
    expect(reasons.filter(({ isClaim }) => isClaim).map(({ text }) => text)).toEqual([
      "The server says that it only reads. Not used.",
      "The server says that it reaches others.",
    ]);
  });

  it("never becomes looser by what a server says about itself, and never lets a tool receive more", () => {
    const hint = option(constantFrom(true, false, "true"));
    const hints = record({ readOnlyHint: hint, destructiveHint: hint, idempotentHint: hint, openWorldHint: hint });
    const names = constantFrom("get_rows", "update_row", "delete_row", "frobnicate", "list_members");
    assert(
      property(names, hints, string(), constantFrom(true, false), (name, annotations, description, isSealed) => {
        const silent = proposeLabels(named(name), isSealed).labels;
        const { labels } = proposeLabels(named(name, { annotations, description }), isSealed);
        expect(isLooser(labels, silent)).toBe(false);
        expect(labels.clearance).toBe(UNLABELLED.clearance);
      }),
    );
  });
});
