import { describe, expect, it } from "vitest";
import { computeIdempotencyKey, encodeIdempotencyKey } from "@/lib/engine/idempotency-key";
import type { ProposalBody } from "@/lib/engine/proposal";
import type { Effect } from "@/lib/engine/state";
import { atGate, decideAs, executor, intent, REVIEWER, started, user, uuid, type TestRun } from "@/lib/engine/testing/run";
import { END, step, version, writer } from "@/lib/engine/testing/kinds";
import { drive } from "@/lib/engine/testing/work";
import { cancel, write } from "@/lib/engine/testing/undo";

const effectsOf = (run: TestRun): Effect[] => Object.values(run.state().effects);
const lastOf = (run: TestRun): Effect => {
  const effect = effectsOf(run).at(-1);
  if (!effect) throw new Error("there is no effect");

  return effect;
};

const callApproved = (run: TestRun, random: number): Effect => {
  decideAs(run, user(REVIEWER));
  const { currentNode, activation } = run.state();
  const body = { ...intent("crm", "update", { plan: "team" }), activation } as ProposalBody;
  run.propose(executor(currentNode ?? ""), body, { fresh: [uuid(random), uuid(random + 1)] });

  return lastOf(run);
};

describe("the idempotency key of a call", () => {
  it("repeats for a replayed approval, under a new effect id", () => {
    const [first, replayed] = [callApproved(atGate(), 9_000), callApproved(atGate(), 9_100)];
    expect(first.approval_id).toBe(replayed.approval_id);
    expect(first.effect_id).not.toBe(replayed.effect_id);
    expect(encodeIdempotencyKey(replayed)).toBe(encodeIdempotencyKey(first));
  });

  it("differs by approval, transition, place, tool and arguments", () => {
    const run = atGate();
    const effect = callApproved(run, 9_000);
    const receipt = Object.values(run.state().gates).at(-1)?.receipt;
    if (!receipt) throw new Error("the run has no receipt");
    const { payload } = receipt;
    const of = (change: Partial<typeof payload>) => ({ ...receipt, payload: { ...payload, ...change } });
    const digest = "0".repeat(64);
    const keys = [
      encodeIdempotencyKey(effect),
      computeIdempotencyKey(uuid(2), effect, of({ nonce: uuid(77) })),
      computeIdempotencyKey(uuid(2), effect, of({ transition_digest: digest })),
      computeIdempotencyKey(uuid(2), effect, null),
      computeIdempotencyKey(uuid(3), effect, null),
      computeIdempotencyKey(uuid(2), { ...effect, activation: 99 }, null),
      computeIdempotencyKey(uuid(2), { ...effect, call_id: "other" }, null),
      computeIdempotencyKey(uuid(2), { ...effect, effect: { ...effect.effect, tool: "erase" } }, null),
      computeIdempotencyKey(uuid(2), { ...effect, effect: { ...effect.effect, arguments_digest: digest } }, null),
    ];
    expect(computeIdempotencyKey(uuid(3), { ...effect, activation: 99 }, receipt)).toBe(keys[0]);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("stays the same for a repetition approved after a crash", () => {
    const run = atGate();
    const before = callApproved(run, 9_000);
    run.propose({ type: "engine", epoch: 2 }, { kind: "recover", effect_id: before.effect_id }, { epoch: 2 });
    decideAs(run, user(REVIEWER));
    const after = lastOf(run);
    expect(after.approval_id).not.toBe(before.approval_id);
    expect(after.effect_id).toBe(before.effect_id);
    expect(encodeIdempotencyKey(after)).toBe(encodeIdempotencyKey(before));
  });

  it("differs for each call of a run, its undo, and the same call of another visit", () => {
    const run = started(version([writer("w1"), writer("w2"), step("last"), END]));
    write(run);
    write(run);
    cancel(run);
    drive(run);
    const keys = effectsOf(run).map(encodeIdempotencyKey);
    expect(keys.length).toBeGreaterThan(2);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("is the effect id in older records", () => {
    const { idempotency_key: _key, ...old } = callApproved(atGate(), 9_000);
    expect(encodeIdempotencyKey(old)).toBe(old.effect_id);
  });
});
