import { describe, expect, it } from "vitest";
import type { Principal } from "@/lib/engine/principal";
import { decide } from "@/lib/engine/decide";
import type { BodyOf } from "@/lib/engine/proposal";
import type { RunState } from "@/lib/engine/state";
import { getCode, decideAs, engine, executor, REVIEWER, STARTER, user, uuid, type TestRun } from "@/lib/engine/testing/run";
import { atReview, openCase, review, zone } from "@/lib/engine/testing/zones";

const AUDITOR = user(uuid(20), "viewer", true);

const people = (count = 1) => zone({ review: review({ reviewers: [{ type: "person", role: "reviewer", count }] }) });
const cellAt = (run: TestRun, path: string) => run.state().cells.find((cell) => cell.path === path)!;

const opening = (run: TestRun, path: string, change: Partial<BodyOf<"open_cell">> = {}): BodyOf<"open_cell"> => {
  const { seq, index } = cellAt(run, path);
  const found = openCase(run);

  return { kind: "open_cell", seq, index, purpose: "review", ...(found ? { case_id: found.case.id } : {}), ...change };
};

const ask = (run: TestRun, by: Principal, body: BodyOf<"open_cell">) => getCode(run.propose(by, body));
const FORK: NonNullable<RunState["fork"]> = {
  parentRun: uuid(30),
  parentSeq: 1,
  change: { type: "none" },
  effects: "simulate",
  depth: 1,
  initiators: [],
  approved: false,
  strictTaint: null,
  prompts: [],
};

const producedBy = (run: TestRun, id: string): RunState["cases"] => {
  const found = openCase(run)!;

  return { [found.case.id]: { ...found, case: { ...found.case, producers: [`user:${id}`] } } };
};

const last = (run: TestRun) => run.records().at(-1)!.record;

describe("an opening for audit", () => {
  it("is granted to auditors for any cell, with cell, person and reason on record", () => {
    const run = atReview();
    const { seq, index } = cellAt(run, "mail");
    expect(ask(run, AUDITOR, opening(run, "mail", { purpose: "audit", reason: "A complaint" }))).toBe("accepted");
    expect(run.values().at(-1)).toEqual(["A complaint"]);
    expect(last(run)).toMatchObject({
      kind: "transition",
      writes: [{ path: "$reason" }],
      control: [{ type: "cell_opened", path: "mail", seq, index, by: `user:${uuid(20)}`, purpose: "audit", case_id: null }],
    });
  });

  it.each(["viewer", "builder", "reviewer", "admin"] as const)(
    "is denied to a %s without the add-on, on record, without detail",
    (role) => {
      const run = atReview();
      const before = run.state();
      expect(ask(run, user(uuid(21), role), opening(run, "mail", { purpose: "audit" }))).toBe("opening_denied");
      expect(last(run)).toMatchObject({ kind: "refusal", control: [], refusal: { code: "opening_denied", ids: [], legal: [] } });
      expect(run.state().cells).toEqual(before.cells);
    },
  );

  it("is possible after the run ended, and changes nothing", () => {
    const run = atReview();
    run.propose(user(STARTER, "builder"), { kind: "cancel" });
    const before = run.state();
    expect(before.status).toBe("cancelled");
    const body = { kind: "open_cell", seq: 0, index: 0, purpose: "audit" } as const;
    expect(ask(run, AUDITOR, body)).toBe("accepted");
    const { version, head, proposals, ...after } = run.state();
    expect({ ...before, version, head, proposals }).toEqual({ ...after, version, head, proposals });
    expect(ask(run, user(uuid(21)), body)).toBe("opening_denied");
  });

  it("covers recorded cells only", () => {
    const run = atReview();
    const { version } = run.state();
    expect(ask(run, AUDITOR, { kind: "open_cell", seq: version, index: 0, purpose: "audit" })).toBe("opening_denied");
  });
});

describe("an opening for review", () => {
  it("is granted to reviewers of the open case for its subject and source", () => {
    const run = atReview(people());
    for (const path of ["form", "mail"]) {
      expect(ask(run, user(REVIEWER), opening(run, path))).toBe("accepted");
      expect(last(run).control).toMatchObject([{ type: "cell_opened", path, purpose: "review", case_id: openCase(run)?.case.id }]);
    }
  });

  it("covers nothing else", () => {
    const run = atReview(people());
    expect(ask(run, user(REVIEWER), opening(run, "topic"))).toBe("opening_denied");
    expect(ask(run, user(REVIEWER), opening(run, "form", { index: 9 }))).toBe("opening_denied");
    expect(ask(run, user(REVIEWER), { ...opening(run, "form"), seq: 0, index: 0 })).toBe("opening_denied");
  });

  it("is denied to other roles, initiators, producers, and in cases for models", () => {
    const run = atReview(people());
    for (const who of [user(uuid(22), "builder"), user(uuid(22), "admin"), user(STARTER), user(uuid(22), "viewer", true)]) {
      expect(ask(run, who, opening(run, "form"))).toBe("opening_denied");
    }
    for (const by of [engine, executor("review")]) expect(ask(run, by, opening(run, "form"))).toBe("principal_not_allowed");
    const models = atReview();
    expect(openCase(models)).toBeDefined();
    expect(ask(models, user(REVIEWER), opening(models, "form"))).toBe("opening_denied");
  });

  it.each<[string, (run: TestRun) => Partial<RunState>]>([
    ["produced the value under review", (run) => ({ cases: producedBy(run, REVIEWER) })],
    ["drove the run from outside", () => ({ drivers: [REVIEWER] })],
    ["started the run", (run) => ({ start: run.state().start && { ...run.state().start!, initiator: REVIEWER } })],
    ["started the run that this one was forked from", () => ({ fork: { ...FORK, initiators: [REVIEWER] } })],
  ])("is denied to a reviewer who %s", (_what, change) => {
    const run = atReview(people());
    const proposed = (state: RunState) =>
      decide(run.published, state, {
        id: uuid(40),
        workspace: state.workspace,
        run: state.run,
        at: run.now(),
        principal: user(REVIEWER),
        epoch: 1,
        fresh: [uuid(41), uuid(42)],
        body: opening(run, "form"),
      });
    expect(getCode(proposed(run.state()))).toBe("accepted");
    expect(getCode(proposed({ ...run.state(), ...change(run) }))).toBe("opening_denied");
  });

  it("names its case", () => {
    const run = atReview(people());
    for (const case_id of [undefined, uuid(99), "constructor"]) {
      const { case_id: _named, ...body } = opening(run, "form");
      expect(ask(run, user(REVIEWER), { ...body, ...(case_id === undefined ? {} : { case_id }) })).not.toBe("accepted");
    }
  });

  it("ends with the case: decided or expired", () => {
    const decided = atReview(people());
    const body = opening(decided, "form");
    expect(getCode(decideAs(decided, user(REVIEWER)))).toBe("accepted");
    expect(ask(decided, user(uuid(23)), body)).toBe("opening_denied");

    const late = atReview(people());
    late.pass(60_000);
    expect(ask(late, user(REVIEWER), opening(late, "form"))).toBe("opening_denied");
  });

  it("is denied under the purpose of an audit", () => {
    const run = atReview(people());
    expect(ask(run, user(REVIEWER), opening(run, "form", { purpose: "audit" }))).toBe("opening_denied");
  });
});
