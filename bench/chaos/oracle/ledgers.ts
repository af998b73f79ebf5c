import { isTerminal } from "@/lib/engine/event";
import type { Check, CommandEnd, End, RunEnd } from "@/bench/chaos/oracle/end";

const unsettled = (run: RunEnd): string | null => {
  if (run.frozen !== null) return `${run.id} is frozen: ${run.frozen}`;
  if (run.status !== "unknown" && isTerminal(run.status)) return null;
  if (run.leased) return `${run.id} is ${run.status} and still under lease`;

  return run.status === "waiting" && run.next === "wait"
    ? null
    : `${run.id} is ${run.status}, and its next step is ${run.next ?? "unknown"}`;
};

export const checkSettled = ({ runs, wanted }: End): Check => {
  const there = new Set(runs.map(({ id }) => id));

  return {
    name: "settled",
    count: runs.length,
    says: "every run that was asked for is there, and has ended or waits for what plan says",
    failures: [
      ...runs.map(unsettled).filter((failure) => failure !== null),
      ...wanted.filter((id) => !there.has(id)).map((id) => `${id} was never begun`),
    ],
  };
};

export const checkLedgers = ({ runs }: End): Check => ({
  name: "ledgers",
  count: runs.reduce((sum, { records }) => sum + records.length, 0),
  says: "every record of every ledger verifies: form, hash, link, signature, values",
  failures: runs.flatMap(({ id, fault }) => (fault === null ? [] : [`${id}: ${fault}`])),
});

const sameHead = (run: RunEnd): string[] => {
  const { replayed } = run;
  if (!replayed) return [];
  const differs = (["status", "version", "head"] as const).filter((key) => replayed[key] !== run[key]);

  return differs.map((key) => `${run.id}: ${key} is ${run[key]} in its row and ${replayed[key]} in its ledger`);
};

export const checkHeads = ({ runs }: End): Check => ({
  name: "heads",
  count: runs.length,
  says: "what lists show of a run is what its ledger says",
  failures: runs.flatMap(sameHead),
});

/** Epochs never fall, numbers have no gap, records have one successor. */
const fencing = ({ id, records }: RunEnd): string[] =>
  records.flatMap((record, index) => {
    const before = records[index - 1];
    if (!before) return [];
    const earlier = records.slice(0, index).reduce((most, { epoch }) => Math.max(most, epoch ?? 0), 0);

    return [
      ...(record.seq === before.seq + 1 ? [] : [`${id}: record ${record.seq} follows ${before.seq}`]),
      ...(record.parent === before.digest ? [] : [`${id}: record ${record.seq} does not go on from ${before.seq}`]),
      ...(record.epoch === null || record.epoch >= earlier
        ? []
        : [`${id}: record ${record.seq} is of epoch ${record.epoch}, after ${earlier}`]),
    ];
  });

export const checkFencing = ({ runs }: End): Check => ({
  name: "fencing",
  count: runs.reduce((sum, { records }) => sum + records.length, 0),
  says: "no two records of one number, and no runner commits after another has taken the lease",
  failures: runs.flatMap(fencing),
});

const answeredBadly = (command: CommandEnd, records: ReadonlyMap<string, readonly number[]>): string | null => {
  const seqs = records.get(command.id) ?? [];
  const name = `${command.kind} ${command.id} of ${command.run}`;
  if (command.status === "pending") return `${name} was never answered`;
  if (seqs.length > 1) return `${name} was answered by records ${seqs.join(" and ")}`;

  return seqs.length === 1 && command.seq !== seqs[0] ? `${name} is record ${seqs[0]}, and was told ${command.seq ?? "nothing"}` : null;
};

export const checkCommands = ({ runs, asked, commands }: End): Check => {
  const records = new Map<string, number[]>();
  for (const { records: own } of runs) for (const { proposal, seq } of own) records.set(proposal, [...(records.get(proposal) ?? []), seq]);
  const stored = new Set(commands.map(({ id }) => id));

  return {
    name: "commands",
    count: commands.length,
    says: "everything that was asked for is stored, and was answered once",
    failures: [
      ...asked.filter(({ id }) => !stored.has(id)).map(({ id, run }) => `${id} of ${run} was stored and is gone`),
      ...commands.map((command) => answeredBadly(command, records)).filter((failure) => failure !== null),
    ],
  };
};

const faultText = ({ what, run }: { readonly what: string; readonly run: string | null }): string =>
  run === null ? what : `${run}: ${what}`;

export const checkCheckpoints = ({ audit }: End): Check => ({
  name: "checkpoints",
  count: audit.checkpoints,
  says: "the workspace still has the records counted on the way, by verify --checkpoint",
  failures: [...audit.faults.map(faultText), ...(audit.checkpoints === 0 ? ["no checkpoint was taken"] : [])],
});

export const checkTrust = ({ trust, runs }: End): Check => ({
  name: "trust log",
  count: runs.length,
  says: "the trust log is what the ledgers say",
  failures: trust.faults.map(faultText),
});
