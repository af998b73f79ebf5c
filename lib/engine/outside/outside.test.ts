import { describe, expect, test } from "vitest";
import { describeRefusal } from "@/lib/refusal";
import { isResting, toMemory } from "@/lib/engine/state";
import { plan } from "@/lib/engine/plan";
import { step as node } from "@/lib/engine/testing/kinds";
import { agent, atRest, does, driven, IDLE_MS, legal, OWNER, passes, SESSION, SOURCE, step, TOKEN } from "@/lib/engine/testing/outside";
import { getCode, decideAs, newRun, startBody, started, STARTER, user, type TestRun } from "@/lib/engine/testing/run";

const INPUTS = [{ name: "subject", path: "topic", description: "What about" }];
const TOPICAL = node("first", { read_keys: ["topic"], action: { description: "Begins", inputs: INPUTS } });
const ROW = driven([TOPICAL, node("second"), node("last")]);
const FORKING = driven([TOPICAL, node("left"), node("right"), node("other"), node("last")], {
  edges: [
    { id: "to_left", source: "first", target: "left", condition: "memory.out > 1.0" },
    { id: "to_right", source: "first", target: "right", condition: "memory.out > 2.0" },
    { id: "by_default", source: "first", target: "other", kind: "default" },
    { id: "left_done", source: "left", target: "last" },
    { id: "right_done", source: "right", target: "last" },
    { id: "other_done", source: "other", target: "last" },
  ],
});

const memory = (run: TestRun) => toMemory(run.state().cells);

describe("an externally driven run", () => {
  test("rests before its first action and names it", () => {
    const run = atRest(ROW);

    expect([legal(run), isResting(run.state()), run.state().status]).toEqual([["first"], true, "waiting"]);
    expect(plan(ROW, run.state(), run.now(), 1)).toEqual({ type: "wait", until: run.now() + IDLE_MS });
  });

  test("rests too when started by a person", () => {
    expect(legal(started(ROW, {}))).toEqual(["first"]);
  });

  test("takes a step, works, and rests where the edge leads", () => {
    const run = atRest(ROW);

    expect(getCode(step(run, "first", { subject: "plans" }))).toBe("accepted");
    expect([run.state().currentNode, run.state().status, memory(run)]).toEqual(["first", "running", { topic: "plans" }]);
    does(run);
    expect([legal(run), memory(run)]).toEqual([["second"], { topic: "plans", out: 1 }]);
  });

  test("ends with its end node", () => {
    const run = atRest(ROW);
    step(run, "first", { subject: "x" });
    passes(run);
    step(run, "second");
    passes(run);
    step(run, "last");
    passes(run);

    expect([run.state().status, legal(run)]).toEqual(["completed", []]);
    expect(getCode(step(run, "first"))).toBe("run_finished");
  });

  test.each([
    [1, ["other"]],
    [2, ["left"]],
    [3, ["left", "right"]],
  ])("offers exactly the open edges, else the default one: %i", (out, actions) => {
    const run = atRest(FORKING);
    step(run, "first", { subject: "x" });
    does(run, "out", out);

    expect(legal(run)).toEqual(actions);
  });

  test("excludes the token's owner and the agent from approving", () => {
    const ask = node("first", { approval: "always" });
    const run = atRest(driven([ask, node("last")]));
    step(run, "first");
    does(run);

    expect(run.state().start?.initiator).toBe(OWNER);
    expect(getCode(decideAs(run, user(OWNER)))).toBe("own_run");
    expect(getCode(decideAs(run, agent()))).toBe("principal_not_allowed");
  });

  test("excludes its driver's owner too when a person started it", () => {
    const run = started(driven([node("first", { approval: "always" }), node("last")]), {});
    step(run, "first");
    does(run);

    expect(run.state().start?.initiator).toBe(STARTER);
    expect(getCode(decideAs(run, user(OWNER)))).toBe("own_run");
  });

  test("records who took which action with which input names, without values", () => {
    const run = atRest(ROW);
    step(run, "first", { subject: "CANARY" });

    const chosen = run.records().at(-1)?.record;
    expect(chosen?.control[0]).toEqual({ type: "action_chosen", action: "first", inputs: ["subject"], token: TOKEN, session: SESSION });
    expect(JSON.stringify(chosen)).not.toContain("CANARY");
  });
});

describe("inputs", () => {
  const label = (integrity: "untrusted" | "trusted") => {
    const run = atRest(ROW);
    step(run, "first", { subject: "plans" }, agent({ integrity }));

    return run.state().cells.find((cell) => cell.path === "topic")?.label;
  };

  test("have the token's integrity and source", () => {
    expect(label("untrusted")).toEqual({ integrity: "untrusted", confidentiality: "internal", provenance: [SOURCE] });
    expect(label("trusted")?.integrity).toBe("trusted");
  });

  test("as text are the same as the object", () => {
    const [object, text] = [atRest(ROW), atRest(ROW)];
    step(object, "first", { subject: "plans" });
    step(text, "first", '{"subject": "plans"}');

    expect(memory(text)).toEqual(memory(object));
  });

  test.each<[string, Parameters<typeof step>[2]]>([
    ["are missing", {}],
    ["are no object", ["CANARY"]],
    ["cannot be parsed", '{"subject": "CANARY"'],
    ["say two things", '{"subject": "a", "subject": "CANARY"}'],
    ["say two things in two spellings", '{"subject": "a", "\\u0073ubject": "CANARY"}'],
    ["name an undeclared field", { subject: "a", CANARY: 1 }],
    ["are text that is no object", '"CANARY"'],
  ])("with %s are refused without echo or effect", (_name, inputs) => {
    const run = atRest(ROW);
    const verdict = step(run, "first", inputs);

    expect(verdict).toMatchObject({ ok: false, refusal: { code: "validation_failed", ids: ["subject"], legal: ["step:first"] } });
    expect(JSON.stringify(run.records().at(-1)?.record)).not.toContain("CANARY");
    expect([legal(run), memory(run)]).toEqual([["first"], {}]);
  });

  const FORM = driven(
    [
      node("first", {
        action: {
          inputs: [
            { name: "amount", path: "form.amount" },
            { name: "why", path: "form.why" },
            { name: "also", path: "note", required: false },
          ],
        },
      }),
      node("last"),
    ],
    {
      memory: [
        { key: "out", schema: {} },
        { key: "more", schema: {} },
        { key: "clean", schema: {} },
        { key: "note", schema: { type: "string" }, max_bytes: 50 },
        {
          key: "form",
          schema: { type: "object", properties: { amount: { type: "integer" }, why: { type: "string" } }, required: ["amount", "why"] },
        },
      ],
    },
  );

  test("of one key are judged together", () => {
    const run = atRest(FORM);

    expect(getCode(step(run, "first", { amount: 1, why: "so" }))).toBe("accepted");
    expect(memory(run)).toEqual({ form: { amount: 1, why: "so" } });
  });

  test.each<[Record<string, unknown>, string[]]>([
    [{ amount: "x", why: "so" }, ["amount"]],
    [{ amount: "x", why: 1 }, ["amount", "why"]],
    [{ amount: 1, why: "so", also: "x".repeat(60) }, ["also"]],
    [{ amount: 1 }, ["why"]],
  ])("that do not fit are named: %j", (inputs, ids) => {
    expect(step(atRest(FORM), "first", inputs as never)).toMatchObject({ refusal: { code: "validation_failed", ids } });
  });

  test("for a protected key need approval", () => {
    const guarded = driven([node("first", { action: { inputs: [{ name: "admin", path: "is_admin" }] } }), node("last")]);

    expect(step(atRest(guarded), "first", { admin: true })).toMatchObject({ refusal: { code: "key_protected", ids: ["admin"] } });
  });

  test("cannot exceed their token's integrity", () => {
    const memoryKeys = [
      { key: "verdict", schema: {}, min_integrity: "trusted" as const },
      ...["note", "out", "more", "clean"].map((key) => ({ key, schema: {} })),
    ];
    const guarded = driven([node("first", { action: { inputs: [{ name: "verdict", path: "verdict" }] } }), node("last")], {
      memory: memoryKeys,
    });

    expect(step(atRest(guarded), "first", { verdict: 1 })).toMatchObject({ refusal: { code: "integrity_too_low", ids: ["verdict"] } });
    expect(getCode(step(atRest(guarded), "first", { verdict: 1 }, agent({ integrity: "trusted" })))).toBe("accepted");
  });
});

describe("a refused step", () => {
  const at = () => atRest(FORKING);

  test("distinguishes missing from unreachable by the code only", () => {
    const [unknown, unreachable] = [step(at(), "nowhere"), step(at(), "right")];
    if (unknown.ok || unreachable.ok) throw new Error("both are refused");

    expect([unknown.refusal.code, unreachable.refusal.code]).toEqual(["unknown_action", "invalid_transition"]);
    expect({ ...unknown.refusal, code: "" }).toEqual({ ...unreachable.refusal, code: "" });
    expect(describeRefusal(unknown.refusal)).toBe(describeRefusal(unreachable.refusal));
    expect(unknown.refusal.legal).toEqual(["step:first"]);
  });

  test("reports a map's worker as missing", () => {
    const mapping = driven(
      [node("first"), { id: "each", kind: "map", config: { worker_node: "worker", items: { value: [1] } } }, node("worker"), node("last")],
      {
        edges: [
          { id: "a", source: "first", target: "each" },
          { id: "b", source: "each", target: "last" },
        ],
      },
    );

    expect(getCode(step(atRest(mapping), "worker"))).toBe("unknown_action");
  });

  test("must wait for the previous action", () => {
    const run = atRest(ROW);
    step(run, "first", { subject: "x" });

    expect(step(run, "first", { subject: "y" })).toMatchObject({ refusal: { code: "approval_pending", legal: ["step:first"] } });
  });

  test("was made for another state of the run", () => {
    const run = atRest(ROW);
    const { version } = run.state();

    expect(getCode(step(run, "first", { subject: "x" }, agent(), { expected_seq: version - 1 }))).toBe("version_conflict");
    expect(getCode(step(run, "first", { subject: "x" }, agent(), { expected_seq: version }))).toBe("version_conflict");
    expect(getCode(step(run, "first", { subject: "x" }, agent(), { expected_seq: version + 2 }))).toBe("accepted");
  });

  test("lacks its scope", () => {
    const run = atRest(ROW);
    const reader = agent({ scopes: ["run.read", "approval.request"] });

    expect(getCode(step(run, "first", { subject: "x" }, reader))).toBe("scope_missing");
    expect(getCode(run.propose(reader, { kind: "cancel" }))).toBe("scope_missing");
    expect(getCode(newRun(ROW).propose(reader, startBody(ROW, {})))).toBe("scope_missing");
  });

  test("is for a graph without external agents", () => {
    const internal = { ...ROW, graph: { ...ROW.graph, external: undefined } };

    expect(getCode(step(started(internal, {}), "first"))).toBe("principal_not_allowed");
    expect(getCode(newRun(internal).propose(agent(), startBody(internal, {})))).toBe("principal_not_allowed");
  });
});
