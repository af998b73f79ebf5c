/** Folds bursts: many requests of one run or agent in a short time become one row. */
import type { QueueRow } from "@/components/approvals/types";

/** More within an hour are a burst. */
const MOST_ASKS = 3;
const HOUR_MS = 3_600_000;

type Row = Pick<QueueRow, "id" | "runId" | "graphId" | "agent" | "openedAt" | "status">;

export type Burst = {
  readonly key: string;
  readonly by: "run" | "agent";
  /** Members besides the shown one. */
  readonly rest: number;
  readonly ids: readonly string[];
  readonly isOpen: boolean;
};

export type BurstRow<R> = { readonly row: R; /** On the row that stands for a burst. */ readonly burst: Burst | null };

/** Members of any hour with too many. */
const inBursts = <R extends Row>(rows: readonly R[]): readonly R[] => {
  const byTime = rows.toSorted((a, b) => a.openedAt - b.openedAt);
  const members = new Set<R>();
  for (const [index, first] of byTime.entries()) {
    const last = byTime[index + MOST_ASKS];
    if (last && last.openedAt - first.openedAt <= HOUR_MS) for (const row of byTime.slice(index, index + MOST_ASKS + 1)) members.add(row);
  }

  return rows.filter((row) => members.has(row));
};

type Group<R> = { readonly key: string; readonly by: Burst["by"]; readonly members: readonly R[] };

const groupBy = <R extends Row>(rows: readonly R[], by: Burst["by"], keyOf: (row: R) => string | null): readonly Group<R>[] =>
  [...Map.groupBy(rows, keyOf)].flatMap(([key, own]) => {
    const members = key === null ? [] : inBursts(own);

    return key === null || members.length === 0 ? [] : [{ key: `${by} ${key}`, by, members }];
  });

/** Folds all but each burst's first row, in list order. @param unfolded keys of bursts listed whole */
export const foldBursts = <R extends Row>(rows: readonly R[], unfolded: ReadonlySet<string>): readonly BurstRow<R>[] => {
  const open = rows.filter(({ status }) => status === "open");
  const ofRuns = groupBy(open, "run", ({ runId }) => runId);
  const taken = new Set(ofRuns.flatMap(({ members }) => members));
  const others = open.filter((row) => !taken.has(row));
  const ofAgents = groupBy(others, "agent", ({ graphId, agent }) => (agent === null ? null : `${graphId} ${agent}`));
  const groupOf = new Map([...ofRuns, ...ofAgents].flatMap((group) => group.members.map((row) => [row, group] as const)));

  return rows.flatMap((row): BurstRow<R>[] => {
    const group = groupOf.get(row);
    if (!group) return [{ row, burst: null }];
    const [head, ...rest] = group.members;
    if (head !== row) return [];
    const isOpen = unfolded.has(group.key);
    const burst = { key: group.key, by: group.by, rest: rest.length, ids: group.members.map(({ id }) => id), isOpen };

    return [{ row, burst }, ...(isOpen ? rest.map((member) => ({ row: member, burst: null })) : [])];
  });
};
