import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyFix } from "@/components/canvas/analyst/apply-fix";
import { openHere, type OpenPort } from "@/components/canvas/analyst/ports";
import { createAnalyst } from "@/lib/graph/analyst";
import { arbitraryGraph } from "@/lib/graph/arbitrary";
import { graphSchema } from "@/lib/graph/document";
import { collectFindings, NO_FINDINGS } from "@/lib/graph/findings";
import { changeOf, withChange } from "@/lib/graph/findings-change";
import { ZOO, ZOO_CONTEXT } from "@/lib/graph/testing/zoo";
import { startAnalyst } from "./analyst";
import { createCanvasStore } from "./canvas-store";

const DOCUMENT = graphSchema.parse(ZOO);

const opened = () =>
  createCanvasStore({
    graphId: "g",
    revision: 1,
    document: DOCUMENT,
    catalog: ZOO_CONTEXT,
    readOnly: null,
    selection: { nodes: [], edges: [] },
  });

const describeAs = (description: string) => [{ op: "settings" as const, settings: { description } }];

const wire = () => {
  const analyst = createAnalyst();
  const asked: Parameters<ReturnType<OpenPort>["post"]>[0][] = [];
  const end = { answer: () => {}, fail: () => {}, isOpen: true };
  const open: OpenPort = (onAnswer, onFailure) => {
    end.answer = () => {
      const request = asked.at(-1);
      if (request) onAnswer(structuredClone(analyst(structuredClone(request))));
    };
    end.fail = onFailure;

    return {
      post: (request) => void asked.push(request),
      close: () => {
        end.isOpen = false;
      },
    };
  };

  return { open, asked, end };
};

const problemsHere = (store: ReturnType<typeof opened>) => collectFindings(store.getState().history.document, ZOO_CONTEXT);

describe("the analyst", () => {
  test("answers about the newest document only: asks next about a change made meanwhile, and drops the answer about the older one", () => {
    const store = opened();
    const { open, asked, end } = wire();
    startAnalyst(store, [{ open, said: null }]);
    store.getState().edit(describeAs("one"));
    store.getState().edit(describeAs("two"));
    expect(asked).toHaveLength(1);
    end.answer();
    expect(store.getState().checked).toBeNull();
    expect(asked.map(({ document }) => document)).toEqual([DOCUMENT, store.getState().history.document]);
    end.answer();
    expect(store.getState().checked).toBe(store.getState().history.document);
    expect(store.getState().findings).toEqual(problemsHere(store));
  });

  test("is sent what nodes may name once, and again when it has changed", () => {
    const store = opened();
    const { open, asked, end } = wire();
    startAnalyst(store, [{ open, said: null }]);
    end.answer();
    store.getState().edit(describeAs("one"));
    end.answer();
    store.getState().set({ catalog: { ...ZOO_CONTEXT, agents: [] } });
    expect(asked.map(({ context }) => context?.agents.length ?? null)).toEqual([ZOO_CONTEXT.agents.length, null, 0]);
    end.answer();
    expect(store.getState().findings.problems.map(({ code }) => code)).toContain("agent_unknown");
  });

  test("that fell over is said and started again, and goes on from the newest document; the next time it works on the page", async () => {
    const store = opened();
    const [first, second] = [wire(), wire()];
    const said: string[] = [];
    const openings = [
      { open: first.open, said: null },
      { open: second.open, said: "again" },
      { open: openHere, said: "here" },
    ];
    startAnalyst(store, openings, ({ title }) => void said.push(title));
    first.end.answer();
    store.getState().edit(describeAs("one"));
    first.end.fail();
    expect([said, first.end.isOpen, second.end.isOpen]).toEqual([["again"], false, true]);
    second.end.answer();
    expect(store.getState().findings).toEqual(problemsHere(store));
    second.end.fail();
    expect(said).toEqual(["again", "here"]);
    store.getState().edit(describeAs("two"));
    await expect.poll(() => store.getState().checked === store.getState().history.document).toBe(true);
    expect(store.getState().findings).toEqual(problemsHere(store));
  });

  test("says nothing more after the canvas has gone", () => {
    const store = opened();
    const { open, asked, end } = wire();
    const stop = startAnalyst(store, [{ open, said: null }]);
    stop();
    store.getState().edit(describeAs("one"));
    expect([asked.length, end.isOpen]).toEqual([1, false]);
  });

  test("leaves what did not change as it was, so that it is not drawn again", () => {
    const store = opened();
    const { open, end } = wire();
    startAnalyst(store, [{ open, said: null }]);
    end.answer();
    const before = store.getState().findings;
    store.getState().edit(describeAs("one"));
    end.answer();
    expect(store.getState().findings).toBe(before);
    store.getState().edit([{ op: "settings", settings: { start_node: "nowhere" } }]);
    end.answer();
    const { problems } = store.getState().findings;
    const kept = before.problems.filter((one) => problems.some((other) => JSON.stringify(other) === JSON.stringify(one)));
    expect(problems.filter((one) => before.problems.includes(one))).toEqual(kept);
    expect(problems.map(({ code }) => code)).toContain("unknown_start");
  });
});

test("the change between any two findings, cloned, makes the second of the first", () => {
  fc.assert(
    fc.property(arbitraryGraph, arbitraryGraph, (a, b) => {
      const [before, next] = [collectFindings(a, ZOO_CONTEXT), collectFindings(b, ZOO_CONTEXT)];
      expect(withChange(before, structuredClone(changeOf(before, next)))).toEqual(next);
      expect(withChange(NO_FINDINGS, structuredClone(changeOf(NO_FINDINGS, next)))).toEqual(next);
    }),
    { numRuns: 40 },
  );
});

test("a fix offered for an older document does not undo later typing", () => {
  const store = opened();
  const { open, end } = wire();
  const node = DOCUMENT.nodes.find(({ kind }) => kind === "tool");
  if (!node) throw new Error("the zoo has no tool");
  const unused = DOCUMENT.memory.map(({ key }) => key).find((key) => !node.read_keys.includes(key)) ?? "";
  const nodeNow = () => store.getState().history.document.nodes.find(({ id }) => id === node.id);
  const { edit } = store.getState();
  edit([{ op: "replace_node", node: { ...node, read_keys: [...node.read_keys, unused] } }]);
  startAnalyst(store, [{ open, said: null }]);
  end.answer();
  const offered = store
    .getState()
    .findings.problems.find(({ code, fix }) => code === "unused_grant" && fix?.edits[0]?.op === "replace_node");
  if (!offered) throw new Error("nothing is offered");
  edit([{ op: "replace_node", node: { ...node, read_keys: [...node.read_keys, unused], title: "Typed since" } }]);
  applyFix(store, offered);
  expect(nodeNow()?.title).toBe("Typed since");
  expect(problemsHere(store).problems.map(({ message }) => message)).not.toContain(offered.message);
});
