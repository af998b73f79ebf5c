/** References by their place in the config. */
import type { Link } from "@/lib/graph/kinds/define-kind";

type Place<C, V> = Pick<Link<C>, "name" | "role" | "line"> & {
  readonly get: (config: C) => V;
  readonly set: (config: C, value: V) => C;
};

/** A reference that may be absent. */
export const optionalLink = <C>({ get, set, ...link }: Place<C, string | undefined>): Link<C> => ({
  ...link,
  targets: (config) => {
    const id = get(config);

    return id === undefined ? [] : [id];
  },
  follow: (config, follow) => {
    const id = get(config);
    const next = id === undefined ? undefined : follow(id);

    return next === id ? config : set(config, next);
  },
});

/** Keeps a removed target, for the validator to report. */
export const requiredLink = <C>({ get, set, ...link }: Place<C, string>): Link<C> => ({
  ...link,
  targets: (config) => [get(config)],
  follow: (config, follow) => {
    const id = get(config);
    const next = follow(id) ?? id;

    return next === id ? config : set(config, next);
  },
});

/** The schema requires one node, so a list never empties. */
const followList = (ids: string[], follow: (id: string) => string | undefined): string[] => {
  const kept = ids.flatMap((id) => {
    const next = follow(id);

    return next === undefined || (next !== id && ids.includes(next)) ? [] : [next];
  });
  const isSame = kept.length === ids.length && kept.every((id, index) => id === ids[index]);

  return isSame || kept.length === 0 ? ids : kept;
};

/** A list of references. */
export const listLink = <C>({ get, set, ...link }: Place<C, string[] | undefined>): Link<C> => ({
  ...link,
  targets: (config) => get(config) ?? [],
  follow: (config, follow) => {
    const ids = get(config);
    const next = ids && followList(ids, follow);

    return next === ids ? config : set(config, next);
  },
});
