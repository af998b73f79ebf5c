/** I3. */
import { applyRecord } from "@/lib/engine/reduce";
import { createRunState } from "@/lib/engine/state";
import { chainOf, exportOf, getKeys, type TestKey } from "@/lib/engine/testing/ledger";
import { verifyLedger } from "@/lib/engine/verify/verify";
import { POLICY_HASH } from "@/lib/engine/approvals/policy";
import { toCanonicalJson } from "@/lib/json";
import { randomOf } from "@/bench/adversary/random";
import type { Violation, World } from "@/bench/adversary/world";

const replays = ({ run }: World): boolean => {
  const { workspace, run: id, graphHash, policyHash } = run.state();
  const replayed = run
    .records()
    .reduce(
      (state, signed, index) =>
        applyRecord(state, JSON.parse(toCanonicalJson(signed)), JSON.parse(toCanonicalJson(run.values()[index] ?? []))),
      createRunState(workspace, id, graphHash, POLICY_HASH),
    );

  return toCanonicalJson({ ...replayed, policyHash }) === toCanonicalJson(run.state());
};

export const judgeProof = async (world: World, key: TestKey, seed: number): Promise<Violation[]> => {
  const chain = await chainOf(
    world.run.records().map(({ record }) => record),
    key,
  );
  const ledger = exportOf(world.run, chain);
  const keys = getKeys(key);
  const found: Violation[] = [];
  const blame = (what: string) => found.push({ property: "I3", what });
  if (!(await verifyLedger(ledger, keys)).ok) blame("an honest ledger does not verify");
  const at = randomOf(seed).int(ledger.records.length);
  const records = ledger.records.map((record, index) =>
    index === at ? { ...record, body: record.body.replace(/"at":\d/, '"at":9') } : record,
  );
  if ((await verifyLedger({ ...ledger, records }, keys)).ok) blame("a changed record verifies");
  if ((await verifyLedger({ ...ledger, records: ledger.records.filter((_record, index) => index !== at) }, keys)).ok)
    blame("a ledger without a record verifies");
  if (!replays(world)) blame("a replay is not the live state");

  return found;
};
