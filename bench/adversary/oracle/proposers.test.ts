import { expect, test } from "vitest";
import { NO_SESSION, serviceScopeSchema, type Principal, type ServiceScope } from "@/lib/engine/principal";
import type { LedgerRecord, SignedRecord } from "@/lib/engine/ledger/record";
import { agent } from "@/lib/engine/testing/outside";
import { episodeOf, play } from "@/bench/adversary/episode";
import { judgeLedger } from "./ledger";

const account = (scopes: readonly ServiceScope[] = serviceScopeSchema.options): Principal =>
  agent({ session: NO_SESSION, scopes: [...scopes] });

const isDecision = ({ control }: LedgerRecord, decision: string) =>
  control.some((event) => event.type === "decision_made" && event.decision === decision);

const WORLDS = [play(episodeOf(2642, "A5")), ...Array.from({ length: 60 }, (_, seed) => play(episodeOf(seed)))];

/** R1 after an account made these records instead of a person. @returns also how many there are */
const blamed = (made: (record: LedgerRecord) => boolean, by: Principal) => {
  const results = WORLDS.map((world) => {
    const signed = world.run.records();
    const mine = signed.filter(({ record }) => record.kind !== "refusal" && made(record)).length;
    const records = signed.map((one): SignedRecord => (made(one.record) ? { ...one, record: { ...one.record, principal: by } } : one));
    const found = judgeLedger({ ...world, run: { ...world.run, records: () => records } });

    return { mine, faults: found.filter(({ property, what }) => property === "R1" && what.includes("agent spoke for user")).length };
  });
  const sum = (key: "mine" | "faults") => results.reduce((total, one) => total + one[key], 0);

  return { mine: sum("mine"), faults: sum("faults") };
};

test.each([
  ["start", ({ proposal_kind: kind }: LedgerRecord) => kind === "start"],
  ["cancel", ({ proposal_kind: kind }: LedgerRecord) => kind === "cancel"],
  ["reject", (record: LedgerRecord) => isDecision(record, "reject")],
] as const)("does not blame a service account's %s, unless it lacks the scope", (_what, made) => {
  const { mine, faults } = blamed(made, account());
  expect([mine > 0, faults]).toEqual([true, 0]);
  expect(blamed(made, account(["runs:read"])).faults).toBe(mine);
});

test("blames a service account that approves", () => {
  const { mine, faults } = blamed((record) => isDecision(record, "approve"), account());
  expect([mine > 0, faults]).toEqual([true, mine]);
});
