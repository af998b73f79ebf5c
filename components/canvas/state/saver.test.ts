import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Graph } from "@/lib/graph/document";
import { createEmptyGraph } from "@/lib/graph/new-graph";
import { graphSchema } from "@/lib/graph/document";
import { createCanvasStore, type CanvasStore } from "./canvas-store";
import { createSaver, type SaveRequest, type SaverPorts } from "./saver";
import { resolved, type SaveAnswer } from "./saving";

const EMPTY = createEmptyGraph("Draft");
const FULL = graphSchema.parse({ ...EMPTY, nodes: [{ id: "one", kind: "router", config: {} }], start_node: "one" });

const opened = (document: Graph = EMPTY, readOnly: string | null = null) =>
  createCanvasStore({
    graphId: "g",
    revision: 1,
    hash: "1",
    document,
    catalog: { agents: [], tools: [], versions: [] },
    readOnly,
    selection: { nodes: [], edges: [] },
  });

const rename = (name: string) => [{ op: "settings" as const, settings: { name } }];
const describeIt = (description: string) => [{ op: "settings" as const, settings: { description } }];

/** Server with one document that may lose answers. */
const server = (document: Graph = EMPTY) => {
  const requests: SaveRequest[] = [];
  const state = { revision: 1, document, isAway: false, losesAnswers: false };
  const send = async (request: SaveRequest): Promise<SaveAnswer> => {
    requests.push(request);
    if (state.isAway) throw new Error("away");
    if (request.revision !== state.revision) {
      return { status: "conflict", revision: state.revision, hash: String(state.revision), document: state.document, by: ["Ada"] };
    }
    state.revision += 1;
    state.document = request.document;
    if (state.losesAnswers) throw new Error("lost");

    return { status: "saved", revision: state.revision, hash: String(state.revision) };
  };
  /** Saves as another person. */
  const saves = (change: Partial<Graph>) => {
    state.revision += 1;
    state.document = { ...state.document, ...change };
  };

  return { requests, state, send, saves };
};

const online = new Set<() => void>();

const saverOf = (store: CanvasStore, send: SaverPorts["send"]) =>
  createSaver(store, {
    send,
    describe: (error) => ({ why: "It failed.", isLasting: error instanceof RangeError }),
    onOnline: (listener) => {
      online.add(listener);

      return () => online.delete(listener);
    },
  });

const nameOf = (store: CanvasStore) => store.getState().history.document.name;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  online.clear();
});

describe("a saver", () => {
  test("sends nothing when nothing has changed, or when nothing may change", async () => {
    const { requests, send } = server();
    const reader = opened(EMPTY, "Needs builder");
    reader.getState().edit(rename("Changed"));
    expect(await saverOf(reader, send).saveNow()).toBe(1);
    expect(await saverOf(opened(), send).saveNow()).toBe(1);
    expect(requests).toEqual([]);
  });

  test("names the graph, the revision and the content that it has changed", async () => {
    const { requests, send } = server();
    const store = opened();
    store.getState().edit(rename("Changed"));
    await saverOf(store, send).saveNow();
    expect(requests).toMatchObject([{ id: "g", revision: 1, base: "1", document: { name: "Changed" }, allowEmpty: false }]);
  });

  test("two saves at once are one, and an edit in between is saved after it", async () => {
    const { requests, send } = server();
    const store = opened();
    const saver = saverOf(store, send);
    store.getState().edit(rename("First"));
    const saves = [saver.saveNow(), saver.saveNow()];
    store.getState().edit(rename("Second"));
    expect(await Promise.all(saves)).toEqual([3, 3]);
    expect(requests.map((request) => [request.revision, request.document.name])).toEqual([
      [1, "First"],
      [2, "Second"],
    ]);
    expect(store.getState()).toMatchObject({ save: { at: "rest" }, base: { revision: 3, hash: "3" } });
  });

  test("saves by itself after a pause in editing, and an undo after that is saved again", async () => {
    const { requests, send } = server();
    const store = opened();
    saverOf(store, send).start();
    store.getState().edit(rename("First"));
    await vi.advanceTimersByTimeAsync(1_400);
    store.getState().edit(rename("Second"));
    await vi.advanceTimersByTimeAsync(1_400);
    expect(requests).toEqual([]);
    await vi.advanceTimersByTimeAsync(100);
    store.getState().undo();
    await vi.advanceTimersByTimeAsync(1_500);
    store.getState().redo();
    await vi.advanceTimersByTimeAsync(1_500);
    expect(requests.map(({ document }) => document.name)).toEqual(["Second", "First", "Second"]);
  });

  test("leaving saves at once, into the graph that was left, and nothing after that", async () => {
    const { requests, send } = server();
    const store = opened();
    const stop = saverOf(store, send).start();
    store.getState().edit(rename("Left"));
    expect(await stop()).toBe(2);
    store.getState().edit(rename("Too late"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(requests.map(({ id, document }) => [id, document.name])).toEqual([["g", "Left"]]);
  });
});

describe("a concurrent save", () => {
  test("is merged without conflicts, including edits during the save", async () => {
    const { requests, send, saves, state } = server();
    const store = opened();
    saves({ description: "Theirs" });
    store.getState().edit(rename("Mine"));
    const saved = saverOf(store, send).saveNow();
    store.getState().edit([{ op: "settings", settings: { strict_taint: true } }]);
    expect(await saved).toBe(3);
    expect(state.document).toMatchObject({ name: "Mine", description: "Theirs", strict_taint: true });
    expect(requests).toHaveLength(2);
    expect(store.getState().merged).toMatchObject({ by: ["Ada"] });
  });

  test("is never overwritten where both changed the same, until the person chooses", async () => {
    const { requests, send, saves, state } = server();
    const store = opened();
    const saver = saverOf(store, send);
    saver.start();
    saves({ name: "Theirs" });
    store.getState().edit(rename("Mine"));
    expect(await saver.saveNow()).toBeNull();
    store.getState().edit(describeIt("More"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await saver.saveNow()).toBeNull();
    expect(requests).toHaveLength(1);
    expect(state.document.name).toBe("Theirs");

    store.getState().saving((draft) => resolved(draft, new Map([["settings::name", "theirs"]])));
    expect(await saver.saveNow()).toBe(3);
    expect(state.document).toMatchObject({ name: "Theirs", description: "More" });
  });

  test("is not retried forever when it keeps happening", async () => {
    const { requests, send, saves, state } = server();
    const store = opened();
    store.getState().edit(rename("Mine"));
    const saved = await saverOf(store, (request) => {
      saves({ budget_usd: state.revision });

      return send(request);
    }).saveNow();
    expect(saved).toBeNull();
    expect(requests).toHaveLength(10);
  });
});

describe("a save that failed", () => {
  test("is tried again by itself, less and less often, and at once when the connection is back", async () => {
    const { requests, send, state } = server();
    const store = opened();
    const saver = saverOf(store, send);
    saver.start();
    state.isAway = true;
    store.getState().edit(rename("Mine"));
    await vi.advanceTimersByTimeAsync(1_500);
    expect(store.getState().save).toMatchObject({ at: "waiting", why: "It failed." });
    await vi.advanceTimersByTimeAsync(2_000 + 4_000);
    expect(requests).toHaveLength(3);
    // Edits don't delay the retry.
    await vi.advanceTimersByTimeAsync(7_900);
    store.getState().edit(rename("Later"));
    await vi.advanceTimersByTimeAsync(100);
    expect(requests).toHaveLength(4);
    state.isAway = false;
    for (const listener of online) listener();
    await vi.advanceTimersByTimeAsync(0);
    expect(state.document.name).toBe("Later");
    expect(store.getState().save.at).toBe("rest");
  });

  test("that the server had all the same is no conflict with oneself", async () => {
    const { send, state } = server();
    const store = opened();
    const saver = saverOf(store, send);
    state.losesAnswers = true;
    store.getState().edit(rename("First"));
    expect(await saver.saveNow()).toBeNull();
    state.losesAnswers = false;
    store.getState().edit(rename("Second"));
    expect(await saver.saveNow()).toBe(3);
    expect(state.document.name).toBe("Second");
    expect(nameOf(store)).toBe("Second");
  });

  test("that the server had is taken back when it was undone meanwhile", async () => {
    const { send, state } = server();
    const store = opened();
    const saver = saverOf(store, send);
    state.losesAnswers = true;
    store.getState().edit(rename("First"));
    await saver.saveNow();
    state.losesAnswers = false;
    store.getState().undo();
    expect(await saver.saveNow()).toBe(3);
    expect(state.document.name).toBe("Draft");
  });

  test("that cannot come through says why, and waits for an edit", async () => {
    const { requests, send } = server();
    const store = opened();
    const saver = saverOf(store, () => Promise.reject(new RangeError("no")));
    saver.start();
    store.getState().edit(rename("Mine"));
    await vi.advanceTimersByTimeAsync(120_000);
    expect(store.getState().save).toEqual({ at: "stopped", why: "It failed." });
    store.getState().edit(rename("Another"));
    expect(store.getState().save.at).toBe("rest");
    expect(await saverOf(store, send).saveNow()).toBe(2);
    expect(requests).toHaveLength(1);
  });
});

describe("an empty graph", () => {
  const emptied = () => {
    const store = opened(FULL);
    store.getState().edit([{ op: "remove_node", node: "one", rejoin: false }]);

    return store;
  };

  test("does not replace one with nodes without confirmation", async () => {
    const { requests, send } = server(FULL);
    const store = emptied();
    const saver = saverOf(store, send);
    saver.start();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await saver.saveNow()).toBeNull();
    expect(store.getState().save.at).toBe("emptied");
    expect(requests).toEqual([]);
    store.getState().undo();
    expect(await saver.saveNow()).toBe(1);
  });

  test("is saved when the person says so, also when the first try fails, and only that document", async () => {
    const { requests, send, state } = server(FULL);
    const store = emptied();
    const saver = saverOf(store, send);
    expect(await saver.saveNow()).toBeNull();
    state.isAway = true;
    expect(await saver.saveEmpty()).toBeNull();
    state.isAway = false;
    expect(await saver.saveNow()).toBe(2);
    expect(requests.map((request) => request.allowEmpty)).toEqual([true, true]);
  });

  test("asks when only the server knows that there were nodes", async () => {
    const store = opened();
    store.getState().edit(rename("Mine"));
    expect(await saverOf(store, async () => ({ status: "refused", code: "empty_replaces" })).saveNow()).toBeNull();
    expect(store.getState().save.at).toBe("emptied");
  });
});
