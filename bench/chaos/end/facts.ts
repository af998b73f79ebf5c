import { encodeIdempotencyKey } from "@/lib/engine/idempotency-key";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import type { EffectFact } from "@/bench/chaos/oracle/end";

type Made = { -readonly [K in keyof EffectFact]: EffectFact[K] };

/** @param records without a parent's */
export const effectFacts = (run: string, records: readonly LedgerRecord[]): EffectFact[] => {
  const facts = new Map<string, Made>();
  for (const { control, proposal_kind: kind } of records) {
    for (const event of control) {
      if (event.type === "effect_intended") {
        const { effect_id: id, effect, idempotent } = event;
        const known = facts.get(id);
        if (known) {
          known.intents += 1;
          if (kind === "recover") known.resentUnasked += 1;
        } else {
          facts.set(id, {
            id: encodeIdempotencyKey(event),
            run,
            tool: effect.tool,
            idempotent,
            intents: 1,
            resentUnasked: 0,
            outcome: null,
            simulated: false,
          });
        }
      }
      const settled = event.type === "effect_settled" ? facts.get(event.effect_id) : undefined;
      if (settled && event.type === "effect_settled") {
        settled.outcome = event.outcome;
        settled.simulated = event.simulated;
      }
    }
  }

  return [...facts.values()];
};
