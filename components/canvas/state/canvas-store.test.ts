import { expect, test } from "vitest";
import { drawn, router } from "@/lib/graph/testing/graph-builders";
import { createCanvasStore } from "./canvas-store";
import { arrived } from "./saving";

const DOCUMENT = drawn([router("one"), router("two")], ["one>two"]);

const opened = (readOnly: string | null = null) =>
  createCanvasStore({
    graphId: "g",
    revision: 1,
    document: DOCUMENT,
    catalog: { agents: [], tools: [], versions: [] },
    readOnly,
    selection: { nodes: [], edges: [] },
  });

test("deselects items removed by an undo or a merge", () => {
  const store = opened();
  const { edit, select, undo, saving } = store.getState();
  edit([{ op: "add_node", node: { ...DOCUMENT.nodes[0]!, id: "three" } }]);
  select({ nodes: ["one", "three"], edges: ["e0"] });
  undo();
  expect(store.getState().selection).toEqual({ nodes: ["one"], edges: ["e0"] });
  const theirs = { ...DOCUMENT, nodes: DOCUMENT.nodes.filter(({ id }) => id === "two"), edges: [] };
  saving((draft) => arrived(draft, { revision: 2, hash: null, document: theirs, by: [] }));
  expect(store.getState().selection).toEqual({ nodes: [], edges: [] });
});

test("keeps the selection through unrelated edits", () => {
  const store = opened();
  store.getState().select({ nodes: ["one"], edges: ["e0"] });
  const { selection } = store.getState();
  store.getState().edit([{ op: "settings", settings: { name: "Other" } }]);
  expect(store.getState().selection).toBe(selection);
});

test("ignores every edit when read-only", () => {
  const store = opened("Needs builder");
  store.getState().edit([{ op: "settings", settings: { name: "Other" } }]);
  store.getState().replace({ ...DOCUMENT, name: "Other" });
  expect(store.getState().history.document).toBe(DOCUMENT);
});
