import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { isServiceAccount } from "@/lib/engine/principal";
import type { RunState } from "@/lib/engine/state";
import { REFUSALS, refusalCodeSchema, type RefusalCode } from "@/lib/refusal";

type Tried = Pick<LedgerRecord, "principal" | "refusal">;

/** Excludes service accounts, which must not change the view a person decides on. */
const isWorker = (principal: Tried["principal"]): boolean =>
  principal.type === "executor" || (principal.type === "agent" && !isServiceAccount(principal.scopes));

/** Returns whether a run's program proposed something forbidden, not just late or twice. */
export const isRefusedAttempt = ({ principal, refusal }: Tried): boolean =>
  refusal !== null && !REFUSALS[refusal.code].retry && isWorker(principal);

const MOST_KINDS = 40;
const MOST_NAMES = 3;
const OTHERS = "not_found";

export const countAttempt = ({ attempts, tried }: RunState, { refusal }: Tried): Pick<RunState, "attempts" | "tried"> => {
  const named = refusal ? [refusal.code, ...refusal.ids.slice(0, MOST_NAMES)].join(" ") : OTHERS;
  const key = Object.hasOwn(tried, named) || Object.keys(tried).length < MOST_KINDS ? named : OTHERS;

  return { attempts: attempts + 1, tried: { ...tried, [key]: (tried[key] ?? 0) + 1 } };
};

export type Attempt = { readonly code: RefusalCode; readonly names: readonly string[]; readonly times: number };

/** Lists the attempts, most frequent first. */
export const listAttempts = ({ tried }: Pick<RunState, "tried">): readonly Attempt[] =>
  Object.entries(tried)
    .flatMap(([key, times]): Attempt[] => {
      const [code, ...names] = key.split(" ");
      const known = refusalCodeSchema.safeParse(code);

      return known.success ? [{ code: known.data, names, times }] : [];
    })
    .toSorted((a, b) => b.times - a.times);
