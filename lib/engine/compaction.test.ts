import { array, assert, integer, oneof, property, record, constant, constantFrom } from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "@/lib/json";
import { CLASSIFICATIONS, createSourceLabel, joinLabels, type Label } from "@/lib/graph/label";
import { pinnedToolSchema } from "@/lib/graph/document";
import { countTurnsToReplace, getCompaction, getCompactionPath, getThreadLimit, getTurnsAfter, splitTurns } from "@/lib/engine/compaction";
import { applyRecords } from "@/lib/engine/reduce";
import { createRunState, findAside } from "@/lib/engine/state";
import { AGENTS, END, TOOLS, version } from "@/lib/engine/testing/kinds";
import { call, getCode, started, type TestRun } from "@/lib/engine/testing/run";
import { answer, ask, drive, reserve } from "@/lib/engine/testing/work";
import { collectThreads, getThreadPath } from "@/lib/engine/thread-of";
import type { ThreadMessage } from "@/lib/engine/thread";
import { getContextLabel } from "@/lib/engine/view";

const USAGE = { model: "m", input_tokens: 7, output_tokens: 2, cost_micro_usd: 5, price_source: "test" };
const LOOKUPS = CLASSIFICATIONS.map((output) => pinnedToolSchema.parse({ ...TOOLS[0], tool: output, output, clearance: "secret" }));
const handy = AGENTS.map((agent) =>
  agent.id === "handy" ? { ...agent, tools: [...agent.tools, ...LOOKUPS.map(({ server, tool }) => ({ server, tool }))] } : agent,
);

const graphWith = (over?: "drop") =>
  version(
    [{ id: "n", kind: "agent", read_keys: ["topic"], write_keys: ["out"], config: { agent_id: "handy" } }, END],
    over ? { over_thread: over } : {},
    { agents: handy, tools: [...TOOLS, ...LOOKUPS] },
  );

const atAgent = (over?: "drop"): TestRun => {
  const run = started(graphWith(over));
  drive(run);

  return run;
};

const turn = (run: TestRun, tool: string, nth: number): void => {
  ask(run, "", { text: `turn ${nth}`, tool_calls: [{ id: `s${nth}c0`, name: `docs__${tool}`, input: {} }] });
  call(run, "docs", tool, { topic: "plans" }, { text: `result ${nth}` }, `0//s${nth}c0`);
};

const summarised = (run: TestRun, summary = "so far") => ({ summary, reservation_id: reserve(run), usage: USAGE });
const compact = (run: TestRun, turns: number, by: object | null = summarised(run)) =>
  run.work({ kind: "compaction", turns, summarised: by });

const node = graphWith().graph.nodes[0]!;
const labelNow = (run: TestRun): Label => getContextLabel(run.published, run.state(), node);
const covers = (label: Label, part: Label): boolean => {
  const both = joinLabels([label, part]);

  return both.integrity === label.integrity && both.confidentiality === label.confidentiality;
};

const threeTurns = (over?: "drop"): TestRun => {
  const run = atAgent(over);
  for (const nth of [0, 1, 2]) turn(run, "public", nth);

  return run;
};

describe("a compaction", () => {
  test("names what it replaced, is paid, and leaves every record as it was", () => {
    const run = threeTurns();
    const before = findAside(run.state(), getThreadPath(run.state()));
    const [spentBefore, threadBefore] = [run.state().totalTokens, collectThreads(run.state())];
    expect(getCode(compact(run, 2))).toBe("accepted");

    const events = run.records().at(-1)?.record.control ?? [];
    expect(events.find((event) => event.type === "thread_compacted")).toMatchObject({
      turns: 2,
      how: "summarise",
      replaced: before.slice(0, 2).map(({ commitment }) => commitment),
    });
    expect(run.state().totalTokens).toBe(spentBefore + 9);
    expect(run.state().reservations).toEqual({});
    expect(collectThreads(run.state())).toEqual(threadBefore);
    expect(getCompaction(run.state(), "")).toEqual({ turns: 2, summary: "so far" });
  });

  test("never takes the last turn, whose calls may be undecided, nor goes back", () => {
    const run = threeTurns();
    expect(getCode(compact(run, 3))).toBe("version_conflict");
    expect(getCode(compact(run, 2))).toBe("accepted");
    for (const turns of [1, 2, 3]) expect(getCode(compact(run, turns))).toBe("version_conflict");
    turn(run, "public", 3);
    expect(getCode(compact(run, 3))).toBe("accepted");
  });

  test("needs a reservation of its own task, and pays it once", () => {
    const run = threeTurns();
    expect(getCode(compact(run, 1, { ...summarised(run), reservation_id: "00000000-0000-4000-8000-0000000000ff" }))).toBe(
      "reservation_unknown",
    );
    const paid = summarised(run);
    expect(getCode(compact(run, 1, paid))).toBe("accepted");
    expect(getCode(compact(run, 2, paid))).toBe("reservation_unknown");
  });

  test("follows the graph: turns are dropped only where it says so, and then cost nothing", () => {
    const [summing, dropping] = [threeTurns(), threeTurns("drop")];
    expect(getCode(compact(summing, 1, null))).toBe("version_conflict");
    expect(getCode(compact(dropping, 1))).toBe("version_conflict");
    const { totalTokens } = dropping.state();
    expect(getCode(compact(dropping, 1, null))).toBe("accepted");
    expect(dropping.state().totalTokens).toBe(totalTokens);
    expect(getCompaction(dropping.state(), "")).toEqual({ turns: 1, summary: null });
  });

  test("is of an agent's task that exists", () => {
    const run = threeTurns();
    expect(getCode(run.work({ kind: "compaction", task: "voter.0", turns: 1, summarised: null }))).toBe("task_unknown");
  });

  test("does not move the count of turns that the next answer continues", () => {
    const run = threeTurns();
    compact(run, 2);
    expect(getCode(answer(run, reserve(run), "", { step: 1 }))).toBe("version_conflict");
    expect(getCode(answer(run, reserve(run), "", { step: 3 }))).toBe("accepted");
  });
});

const steps = array(
  oneof(record({ tool: constantFrom(...CLASSIFICATIONS) }), record({ keep: integer({ min: 1, max: 4 }) }), constant("answer" as const)),
  {
    minLength: 1,
    maxLength: 12,
  },
);

test.each(["summarise", "drop"] as const)("whatever was replaced (%s), its label stays on the rest of the conversation", (how) => {
  assert(
    property(steps, (plan) => {
      const run = atAgent(how === "drop" ? how : undefined);
      let highest: Label = labelNow(run);
      let nth = 0;
      const uncovered: number[] = [];
      for (const one of plan) {
        if (one === "answer") ask(run, "", { text: `turn ${(nth += 1) - 1}` });
        else if ("tool" in one) {
          turn(run, one.tool, (nth += 1) - 1);
          highest = joinLabels([highest, createSourceLabel("untrusted", one.tool, "test")]);
        } else {
          const turns = nth - one.keep;
          const by = how === "drop" ? null : summarised(run);
          const isAccepted = getCode(compact(run, turns, by)) === "accepted";
          const [cell] = findAside(run.state(), getCompactionPath(run.state(), "")).slice(-1);
          uncovered.push(...(isAccepted && !(cell && covers(cell.label, highest)) ? [turns] : []));
        }
        const now = labelNow(run);
        expect(covers(now, highest)).toBe(true);
        highest = joinLabels([highest, now]);
      }
      expect(uncovered).toEqual([]);
      const entries = run.records().map((signed, seq) => ({ signed, values: run.values()[seq] as readonly Json[] }));
      const { workspace, run: of, graphHash, policyHash } = run.state();
      const replayed = applyRecords(createRunState(workspace, of, graphHash, policyHash), entries);
      expect(getCompaction(replayed, "")).toEqual(getCompaction(run.state(), ""));
      expect(collectThreads(replayed)).toEqual(collectThreads(run.state()));
    }),
    { numRuns: 60 },
  );
});

const said = (text: string): ThreadMessage => ({ role: "assistant", text, tool_calls: [] });
const found = (text: string): ThreadMessage => ({ role: "tool", call_id: text, name: "f", status: "ok", result: text });
const measure = (part: readonly ThreadMessage[]): number => part.length;

describe("the kept part", () => {
  test("begins with an answer of the model, so calls keep their results", () => {
    const thread = [said("0"), found("a"), found("b"), said("1"), { role: "check", text: "no" } as const, said("2"), found("c")];
    expect(splitTurns(thread).map((part) => part.length)).toEqual([3, 2, 2]);
    expect(getTurnsAfter(thread, { turns: 1, summary: null })).toEqual(thread.slice(3));
    expect(getTurnsAfter(thread, null)).toEqual(thread);
  });

  test("is as much as half the room, and the last turn in any case", () => {
    const thread = Array.from({ length: 10 }, (_, index) => said(String(index)));
    expect(countTurnsToReplace(thread, 0, 8, measure)).toBe(6);
    expect(countTurnsToReplace(thread, 0, 0, measure)).toBe(9);
    expect(countTurnsToReplace(thread, 9, 0, measure)).toBe(0);
    expect(countTurnsToReplace([said("only")], 0, 0, measure)).toBe(0);
    expect(countTurnsToReplace([], 0, 0, measure)).toBe(0);
  });

  test("is bounded by the graph and by the model's context, whichever is less", () => {
    const { graph } = graphWith();
    expect(getThreadLimit(graph, null)).toBeNull();
    expect(getThreadLimit(graph, 9_000)).toBe(9_000);
    expect(getThreadLimit({ ...graph, max_thread_tokens: 2_000 }, 9_000)).toBe(2_000);
    expect(getThreadLimit({ ...graph, max_thread_tokens: 20_000 }, 9_000)).toBe(9_000);
    expect(getThreadLimit({ ...graph, max_thread_tokens: 2_000 }, null)).toBe(2_000);
  });
});
