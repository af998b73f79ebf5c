import { isTerminal } from "@/lib/engine/event";
import type { Check, EffectFact, End } from "@/bench/chaos/oracle/end";

/** Reads leave only their arrival. */
const isCounted = ({ tool }: EffectFact): boolean => tool !== "look" && tool !== "refuse";

type Seen = { readonly received: number; readonly done: number; readonly isOver: boolean };

const wrong = (fact: EffectFact, { received, done, isOver }: Seen): string[] => {
  const name = `${fact.run}: ${fact.tool} ${fact.id}`;

  return [
    ...(fact.simulated && received > 0 ? [`${name} was simulated, and was called`] : []),
    ...(received > fact.intents ? [`${name} was called ${received} times, and the record says ${fact.intents} at most`] : []),
    ...(done > received ? [`${name} was done ${done} times, and called ${received} times`] : []),
    ...(fact.outcome === "ok" && received === 0 && !fact.simulated ? [`${name} is recorded as done, and was never called`] : []),
    ...(isCounted(fact) ? wrongDeed(fact, name, { received, done, isOver }) : []),
  ];
};

const wrongDeed = (fact: EffectFact, name: string, { received, done, isOver }: Seen): string[] => [
  ...(fact.outcome === "ok" && received > 0 && done === 0 ? [`${name} is recorded as done, and was not`] : []),
  ...(fact.outcome === null && isOver ? [`${name} has no outcome, and its run is over`] : []),
  ...(!fact.idempotent && fact.resentUnasked > 0 && !fact.simulated ? [`${name} was sent again without asking anybody`] : []),
];

export const checkEffects = ({ runs, received, deeds }: End): Check => {
  const facts = runs.flatMap(({ effects, status }) =>
    effects.map((fact) => ({ fact, isOver: status !== "unknown" && isTerminal(status) })),
  );
  const known = new Set(facts.map(({ fact }) => fact.id));
  const seen = new Set([...received.keys(), ...deeds.keys()]);

  return {
    name: "effects",
    count: [...received.values()].reduce((sum, times) => sum + times, 0),
    says: "every call that reached the world was decided before, as often as it came, and every effect recorded as done was done",
    failures: [
      ...facts.flatMap(({ fact, isOver }) => wrong(fact, { received: received.get(fact.id) ?? 0, done: deeds.get(fact.id) ?? 0, isOver })),
      ...[...seen].filter((id) => !known.has(id)).map((id) => `${id} was called, and no record says so`),
    ],
  };
};
