/** Copy-on-write updates of tables and lists in a run's state. */

/** Sets an entry of a table keyed by UUID. */
export type Put = <T>(table: Readonly<Record<string, T>>, id: string, entry: T) => Readonly<Record<string, T>>;

export type Add = <T>(list: readonly T[], item: T) => readonly T[];

/** Update functions for a state's tables and lists. */
export type Grow = { readonly put: Put; readonly add: Add };

export const copyEntry: Put = (table, id, entry) => ({ ...table, [id]: entry });

export const growCopied: Grow = { put: copyEntry, add: (list, item) => [...list, item] };

/** Copies each table on its first write and mutates that copy afterwards. */
export const createCopyOnWrite = (): Put => {
  const own = new WeakSet<object>();

  return (table, id, entry) => {
    const mine = own.has(table) ? table : { ...table };
    own.add(mine);

    return Object.assign(mine, { [id]: entry });
  };
};

/** Copies each list on its first write and appends to that copy afterwards. */
const addInOwnCopy = (): Add => {
  const own = new WeakSet<object>();

  return <T>(list: readonly T[], item: T) => {
    // Lists in `own` were created here, so no caller holds them as read-only.
    const mine = own.has(list) ? (list as T[]) : [...list];
    own.add(mine);
    mine.push(item);

    return mine;
  };
};

export const createCopyOnWriteGrowth = (): Grow => ({ put: createCopyOnWrite(), add: addInOwnCopy() });
