import type { Trigger } from "./trigger";

export const startsIn = ({ environment }: Pick<Trigger, "environment">, id: string, last: string): boolean => (environment ?? last) === id;

type Live = { readonly environment: string; readonly triggers: readonly Trigger[] };

export const listInForce = (live: readonly Live[], last: string): readonly Trigger[] => {
  const found = live.flatMap(({ environment, triggers }) => triggers.filter((trigger) => startsIn(trigger, environment, last)));

  return [...new Map(found.toReversed().map((trigger) => [trigger.id, trigger])).values()].toReversed();
};
