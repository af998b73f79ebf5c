import { describe, expect, test } from "vitest";
import { newGraph } from "@/lib/graph/new-graph";
import { createCanvasStore } from "./canvas-store";
import { createSaver, type SaveAnswer, type SaveRequest } from "./saver";

const opened = (readOnly: string | null = null) =>
  createCanvasStore({
    graphId: "g",
    revision: 1,
    document: newGraph("Draft"),
    catalog: { agents: [], tools: [], versions: [] },
    readOnly,
    selection: { nodes: [], edges: [] },
  });

const rename = (name: string) => [{ op: "settings" as const, settings: { name } }];

/** A server that keeps one document and compares revisions. */
const server = (revision = 1) => {
  const requests: SaveRequest[] = [];
  let newest = revision;
  const send = async (request: SaveRequest): Promise<SaveAnswer> => {
    requests.push(request);
    if (request.revision !== newest) return { status: "conflict", revision: newest, document: newGraph("Theirs") };
    newest += 1;

    return { status: "saved", revision: newest };
  };

  return { requests, send };
};

const fail = () => "It failed.";

describe("a saver", () => {
  test("sends nothing when nothing has changed, or when nothing may change", async () => {
    const { requests, send } = server();
    const reader = opened("Needs builder");
    reader.getState().edit(rename("Changed"));
    expect(await createSaver(reader, send, fail).saveNow()).toBe(1);
    expect(await createSaver(opened(), send, fail).saveNow()).toBe(1);
    expect(requests).toEqual([]);
  });

  test("two saves at once are one, and an edit in between is saved after it", async () => {
    const { requests, send } = server();
    const store = opened();
    const saver = createSaver(store, send, fail);
    store.getState().edit(rename("First"));
    const saves = [saver.saveNow(), saver.saveNow()];
    store.getState().edit(rename("Second"));
    expect(await Promise.all(saves)).toEqual([3, 3]);
    expect(requests.map((request) => [request.revision, request.document.name])).toEqual([
      [1, "First"],
      [2, "Second"],
    ]);
    expect(store.getState()).toMatchObject({ status: "saved", revision: 3 });
  });

  test("a conflict overwrites nothing until the person chooses", async () => {
    const { requests, send } = server(5);
    const store = opened();
    const saver = createSaver(store, send, fail);
    store.getState().edit(rename("Mine"));
    expect(await saver.saveNow()).toBeNull();
    expect(store.getState().conflict).toMatchObject({ revision: 5 });
    expect(await saver.saveNow()).toBeNull();
    expect(requests).toHaveLength(1);
    expect(await saver.keepMine()).toBe(6);
    expect(store.getState()).toMatchObject({ status: "saved", revision: 6, conflict: null });
  });

  test("taking theirs leaves nothing to save", async () => {
    const { send } = server(5);
    const store = opened();
    store.getState().edit(rename("Mine"));
    await createSaver(store, send, fail).saveNow();
    const { conflict, load } = store.getState();
    load(conflict!.revision, conflict!.document);
    expect(store.getState()).toMatchObject({ status: "saved", revision: 5, conflict: null, history: { document: { name: "Theirs" } } });
  });

  test("a failed save says why and can be tried again", async () => {
    const store = opened();
    store.getState().edit(rename("Mine"));
    await createSaver(store, () => Promise.reject(new Error("down")), fail).saveNow();
    expect(store.getState()).toMatchObject({ status: "failed", failure: "It failed." });
    expect(await createSaver(store, server().send, fail).saveNow()).toBe(2);
  });
});
