import { describe, expect, test } from "vitest";
import { toMemory } from "@/lib/engine/state";
import type { ForkChange } from "@/lib/engine/forks/fork-change";
import { parseEntries, recordsOf } from "@/lib/engine/testing/entries";
import { ask } from "@/lib/engine/testing/work";
import { FORK, FORKER, forkOf, type ForkedRun } from "@/lib/engine/testing/fork";
import { edgesWith, nodesWith, publishWith } from "@/lib/engine/testing/graph";
import {
  atGate,
  atParse,
  atTriage,
  call,
  getCode,
  hashOf,
  intent,
  newRun,
  result,
  started,
  startBody,
  STARTER,
  update,
  user,
  uuid,
  type TestRun,
} from "@/lib/engine/testing/run";
import { stateAt } from "@/lib/engine/timeline";
import { explainTaint } from "@/lib/engine/labels/why-tainted";

const NONE = { type: "none" } as const;
const end = (run: TestRun) => run.state().version;
const atEnd = (run: TestRun, change: ForkChange, wanted: Parameters<typeof forkOf>[3] = {}): ForkedRun =>
  forkOf(run, end(run), change, wanted);
const memory = (run: TestRun) => toMemory(run.state().cells);

describe("a changed memory value", () => {
  test("is in the fork, as tainted as the replaced one, with its editor as source", () => {
    const fork = atEnd(atTriage(), { type: "memory", path: "request.plan", value: "free" });
    const cell = fork.state().cells.find(({ path }) => path === "request.plan");

    expect(memory(fork)).toMatchObject({ request: { plan: "free" } });
    expect(cell?.label.integrity).toBe("untrusted");
    expect(cell?.label.provenance).toEqual(expect.arrayContaining(["mcp:docs/read", `user:${FORKER}`]));
    expect(
      explainTaint(
        fork.entries().map(({ signed }) => signed.record),
        "request.plan",
        end(fork) - 1,
      )?.chains[0]?.source,
    ).toBe("mcp:docs/read");
  });

  test.each([
    ["an undeclared path", "nowhere", 1, "key_undeclared"],
    ["a value of another form", "request", { plan: 1 }, "value_invalid"],
    ["a protected key, which only an approval changes", "is_admin", true, "key_protected"],
  ])("is refused for %s", (_what, path, value, code) => {
    expect(getCode(atEnd(atTriage(), { type: "memory", path, value }).verdict)).toBe(code);
  });

  test("leaves the parent unchanged", () => {
    const parent = atTriage();
    const before = JSON.stringify(parent.state());
    atEnd(parent, { type: "memory", path: "request.plan", value: "free" });

    expect(JSON.stringify(parent.state())).toBe(before);
  });
});

describe("another model, prompt, version or policy", () => {
  test("is executed by the fork under a new hash", () => {
    const parent = atParse();
    const prompted = atEnd(parent, { type: "prompt", agent: "parser", system_prompt: "Be careful." });
    const strict = atEnd(parent, { type: "strict_taint", value: true });

    expect(atEnd(parent, { type: "model", model: "scripted:other" }).state().start?.model).toBe("scripted:other");
    expect(prompted.published.agents[0]?.system_prompt).toBe("Be careful.");
    expect(prompted.state().fork?.prompts).toEqual(["parser"]);
    expect(strict.published.graph.strict_taint).toBe(true);
    const names = [parent, prompted, strict].map((run) => run.records().at(-1)?.record.graph_hash);
    expect(names).toEqual([hashOf(parent.published), hashOf(prompted.published), hashOf(strict.published)]);
    expect(new Set(names).size).toBe(3);
  });

  test("keeps earlier replacements until the version changes", () => {
    const first = atEnd(atParse(), { type: "prompt", agent: "parser", system_prompt: "One." });
    const second = forkOf(first, end(first), { type: "strict_taint", value: true }, { id: uuid(31) });
    const third = forkOf(
      second,
      end(second),
      { type: "version", graph_hash: hashOf(publishWith()) },
      { id: uuid(32), version: publishWith() },
    );

    expect(second.state().fork).toMatchObject({ depth: 2, prompts: ["parser"], strictTaint: true });
    expect(third.state().fork).toMatchObject({ depth: 3, prompts: [], strictTaint: null });
  });

  test("is refused when the version lacks the node, or has no such agent", () => {
    const without = publishWith({ nodes: nodesWith("triage", { id: "sort" }), edges: edgesWith("parsed", { target: "sort" }) });
    const change = { type: "version", graph_hash: hashOf(without) } as const;

    expect(getCode(atEnd(atTriage(), change, { version: without }).verdict)).toBe("fork_change");
    expect(getCode(atEnd(atParse(), change, { version: without }).verdict)).toBe("accepted");
    expect(getCode(atEnd(atParse(), { type: "prompt", agent: "missing", system_prompt: "" }).verdict)).toBe("fork_change");
  });
});

describe("another route", () => {
  const routed = (): TestRun => {
    const run = atTriage();
    run.work(result());

    return run;
  };

  test("leaves the previous node by another edge under the same control labels", () => {
    const parent = routed();
    const fork = atEnd(parent, { type: "route", edge: "free" });

    expect([parent.state().currentNode, fork.state().currentNode]).toEqual(["ask", "decline"]);
    expect(fork.state().controls).toEqual(parent.state().controls);
  });

  test("is refused when not drawn, or when work was done since", () => {
    const parent = routed();
    expect(getCode(atEnd(parent, { type: "route", edge: "asked" }).verdict)).toBe("fork_change");
    parent.work(result({ type: "request_human_input", prompt: "" }));

    expect(getCode(atEnd(parent, { type: "route", edge: "free" }).verdict)).toBe("fork_change");
  });
});

describe("another tool result", () => {
  const pending = (): { run: TestRun; effect: string } => {
    const run = started(publishWith());
    run.work(intent("docs", "read", { topic: "plans" }));

    return { run, effect: Object.keys(run.state().effects)[0] ?? "" };
  };

  test("answers a call in flight, untrusted as always and marked simulated", () => {
    const { run, effect } = pending();
    const fork = atEnd(run, { type: "tool_result", effect_id: effect, result: { text: "made up" } });

    expect(fork.state().effects[effect]).toMatchObject({ outcome: "ok" });
    expect(fork.state().aside.find(({ path }) => path === `$result.${effect}`)?.label).toMatchObject({
      integrity: "untrusted",
      provenance: ["mcp:docs/read", `user:${STARTER}`, `user:${FORKER}`].toSorted(),
    });
    expect(fork.records()[0]?.record.control.at(-1)).toMatchObject({ type: "effect_settled", simulated: true });
  });

  test("is refused once the model has read the answer", () => {
    const run = atParse(publishWith({ agentTools: [{ server: "docs", tool: "read" }] }));
    ask(run);
    call(run, "docs", "read", { topic: "plans" }, { text: "more" });
    const effect = Object.keys(run.state().effects).at(-1) ?? "";
    const change = { type: "tool_result", effect_id: effect, result: { text: "other" } } as const;
    expect(getCode(atEnd(run, change).verdict)).toBe("accepted");
    ask(run);

    expect(getCode(atEnd(run, change).verdict)).toBe("fork_change");
  });

  test("is refused for unknown calls and those of other nodes", () => {
    const elsewhere = atParse();
    const [effect = ""] = Object.keys(elsewhere.state().effects);

    expect(getCode(atEnd(elsewhere, { type: "tool_result", effect_id: effect, result: 1 }).verdict)).toBe("fork_change");
    expect(getCode(atEnd(pending().run, { type: "tool_result", effect_id: uuid(77), result: 1 }).verdict)).toBe("fork_change");
  });
});

describe("a fork at the very start", () => {
  test("starts fresh with the same request and another input", () => {
    const parent = atParse();
    const fork = forkOf(parent, 0, { type: "input", path: "topic", value: "prices" });

    expect(getCode(fork.verdict)).toBe("accepted");
    expect(memory(fork)).toEqual({ topic: "prices" });
    expect(fork.state()).toMatchObject({ status: "scheduled", version: 1, start: { initiator: FORKER }, fork: { parentSeq: 0 } });
    expect(fork.records()[0]?.record.parent).toBe(parent.records()[0]?.record.parent);
  });

  test("validates the input like any start, and nowhere else accepts one", () => {
    expect(getCode(forkOf(atParse(), 0, { type: "input", path: "topic", value: 7 }).verdict)).toBe("value_invalid");
    expect(getCode(atEnd(atParse(), { type: "input", path: "topic", value: "x" }).verdict)).toBe("fork_change");
    expect(getCode(forkOf(atParse(), 0, { type: "memory", path: "topic", value: "x" }).verdict)).toBe("fork_change");
  });
});

describe("starting again", () => {
  test("with untrusted inputs keeps their labels and sources", () => {
    const parent = atParse();
    const { kind: _kind, graph_hash: _hash, author: _author, ...start } = startBody(parent.published);
    const foreign = { integrity: "untrusted", confidentiality: "pii", provenance: ["agent:outside"] } as const;
    const labels = { topic: { ...foreign, provenance: [...foreign.provenance] } };
    const labelOf = (fork: TestRun) => fork.state().cells.find(({ path }) => path === "topic")?.label;

    const again = labelOf(forkOf(parent, 0, { type: "none" }, { effects: "live", body: { start: { ...start, labels } } }));
    expect(again).toMatchObject({ integrity: "untrusted", confidentiality: "pii" });
    expect(again?.provenance).toEqual(expect.arrayContaining(["agent:outside", `user:${FORKER}`]));
    expect(labelOf(forkOf(parent, 0, { type: "none" }, { effects: "live" }))).toMatchObject({ integrity: "trusted" });
  });
});

describe("a fork is refused", () => {
  const ended = (): TestRun => {
    const run = atParse();
    run.propose(user(STARTER, "builder"), { kind: "cancel" });

    return run;
  };

  test("without the right to start runs", () => {
    for (const role of ["viewer", "reviewer", "admin"] as const) {
      expect(getCode(atEnd(atParse(), NONE, { by: user(FORKER, role) }).verdict)).toBe("principal_not_allowed");
    }
  });

  test("after the end of an ended run, but not before", () => {
    expect(getCode(atEnd(ended(), NONE).verdict)).toBe("run_finished");
    expect(getCode(forkOf(ended(), end(ended()) - 1, NONE).verdict)).toBe("accepted");
  });

  test("at a record that does not match the state, or of a run that never started", () => {
    expect(getCode(atEnd(atParse(), NONE, { body: { parent_seq: 2 } }).verdict)).toBe("fork_point");
    const refused = newRun(publishWith());
    refused.propose(user(STARTER, "viewer"), startBody(publishWith()));
    expect(getCode(atEnd(refused, NONE).verdict)).toBe("fork_point");
  });

  test("deeper than 32 levels", () => {
    let run: TestRun | ForkedRun = atParse();
    for (let depth = 1; depth <= 32; depth += 1) {
      const next: ForkedRun = atEnd(run, NONE, { id: uuid(100 + depth) });
      expect(getCode(next.verdict)).toBe("accepted");
      run = next;
    }

    expect(getCode(atEnd(run, NONE, { id: uuid(200) }).verdict)).toBe("fork_depth");
  });

  test("in the parent, whose ledger records the refusal and its reason", () => {
    const parent = atGate();
    const body = { kind: "fork", run: FORK, parent_run: parent.state().run, parent_seq: 2, change: NONE, effects: "live" } as const;
    const before = parent.state().cells;
    const verdict = parent.propose(user(FORKER, "builder"), {
      ...body,
      author: STARTER,
      start: null,
      widens: false,
      refused: "fork_depth",
    });

    expect(getCode(verdict)).toBe("fork_depth");
    expect(recordsOf(parent).at(-1)).toMatchObject({ kind: "refusal", proposal_kind: "fork", refusal: { code: "fork_depth" } });
    expect(stateAt(parseEntries(parent), end(parent) - 1).cells).toEqual(before);
    expect(getCode(parent.propose(user(FORKER, "builder"), { ...body, author: STARTER, start: null, widens: false, refused: null }))).toBe(
      "malformed",
    );
  });
});

describe("reads in the fork's first record", () => {
  test("name the replaced cell", () => {
    const parent = atTriage();
    const fork = atEnd(parent, { type: "memory", path: "request", value: { plan: "free" } });

    expect(fork.records()[0]?.record.reads).toEqual([{ key: "request", seq: 5 }]);
    fork.work(result(update("nowhere", 1)));
    expect(fork.state().refusals).toBe(1);
  });
});
