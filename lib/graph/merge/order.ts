import { same } from "./same";

export type Side = "mine" | "theirs";

export const getOtherSide = (side: Side): Side => (side === "mine" ? "theirs" : "mine");

type Order = {
  readonly ids: readonly string[];
  /** Both moved existing things, differently. */
  readonly isContested: boolean;
};

/** By the id before; "" is the beginning. */
const runsOf = (ids: readonly string[], shared: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> => {
  const runs = new Map<string, string[]>();
  let anchor = "";
  for (const id of ids) {
    if (shared.has(id)) anchor = id;
    else runs.set(anchor, [...(runs.get(anchor) ?? []), id]);
  }

  return runs;
};

/** Orders `kept`; additions follow their predecessor. @param choice side where both moved things */
export const mergeOrder = (
  [base, mine, theirs]: readonly [readonly string[], readonly string[], readonly string[]],
  kept: ReadonlySet<string>,
  choice: Side,
): Order => {
  const inMine = new Set(mine);
  const shared = new Set(theirs.filter((id) => kept.has(id) && inMine.has(id)));
  const known = new Set(base);
  const before = base.filter((id) => shared.has(id));
  const ofMine = mine.filter((id) => shared.has(id));
  const ofTheirs = theirs.filter((id) => shared.has(id));
  const isMoved = (ids: readonly string[]) =>
    !same(
      ids.filter((id) => known.has(id)),
      before,
    );
  const isSame = same(ofMine, ofTheirs);
  const isContested = !isSame && isMoved(ofMine) === isMoved(ofTheirs);
  const leader: Side = isContested ? choice : isMoved(ofTheirs) ? "theirs" : "mine";
  const runs = [mine, theirs].map((ids) =>
    runsOf(
      ids.filter((id) => kept.has(id)),
      shared,
    ),
  );
  // Neither side comes first by name.
  const behind = (anchor: string): string[] =>
    runs
      .map((run) => run.get(anchor) ?? [])
      .toSorted(([one = ""], [other = ""]) => (one < other ? -1 : 1))
      .flat();

  return {
    ids: [...behind(""), ...(leader === "mine" ? ofMine : ofTheirs).flatMap((id) => [id, ...behind(id)])],
    isContested,
  };
};
