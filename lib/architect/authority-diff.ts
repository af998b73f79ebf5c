import type { Authority } from "@/lib/architect/authority";
import { compareMeasures, FACETS, listGranted, subjectKey, type Difference, type Facet, type Right } from "@/lib/architect/rights";
import { describeFacet } from "@/lib/architect/labels";

export type AuthorityChange = {
  readonly direction: "wider" | "narrower";
  /** Weakens people, trust or isolation, which an architect may never do. */
  readonly loosens: boolean;
  readonly facet: Facet;
  readonly text: string;
  readonly node?: string;
};

const isGuard = (facet: Facet): boolean => FACETS[facet] === "guard";

const changeOf = (right: Right, direction: "wider" | "narrower", said: readonly string[], isNew: boolean): AuthorityChange => ({
  direction,
  loosens: direction === "wider" && isGuard(right.facet),
  facet: right.facet,
  text: describeFacet(right, direction, said, isNew),
  ...(right.subject.type === "node" && right.subject.inside === "" ? { node: right.subject.id } : {}),
});

const changesOf = (right: Right, found: Difference): AuthorityChange[] => {
  if (found.isWider) {
    // Removals cannot make up for additions.
    return [
      changeOf(right, "wider", found.wider, false),
      ...(right.measure.type === "is" || found.narrower.length === 0 ? [] : [changeOf(right, "narrower", found.narrower, false)]),
    ];
  }

  return found.narrower.length === 0 ? [] : [changeOf(right, "narrower", found.narrower, false)];
};

const bySubject = (authority: Authority): Map<string, Map<Facet, Right>> =>
  new Map(
    [...Map.groupBy(authority, (right) => subjectKey(right.subject))].map(([key, rights]) => [
      key,
      new Map(rights.map((right) => [right.facet, right])),
    ]),
  );

const added = (rights: ReadonlyMap<Facet, Right>): AuthorityChange[] =>
  [...rights.values()].flatMap((right) => {
    const items = listGranted(right.measure);

    return items.length === 0 ? [] : [changeOf(right, "wider", items, true)];
  });

const removed = (rights: ReadonlyMap<Facet, Right>): AuthorityChange[] => {
  const works = rights.get("works");

  return works && listGranted(works.measure).length > 0 ? [changeOf(works, "narrower", listGranted(works.measure), true)] : [];
};

const changed = (before: ReadonlyMap<Facet, Right>, after: ReadonlyMap<Facet, Right>): AuthorityChange[] => [
  ...[...after.values()].flatMap((right) => {
    const known = before.get(right.facet);
    if (known) return changesOf(right, compareMeasures(known.measure, right.measure));
    const items = listGranted(right.measure);

    return items.length === 0 ? [] : [changeOf(right, "wider", items, false)];
  }),
  ...[...before.values()].flatMap((right) => lost(right, after)),
];

const lost = (right: Right, after: ReadonlyMap<Facet, Right>): AuthorityChange[] => {
  if (after.has(right.facet)) return [];
  const { measure } = right;
  if (measure.type === "must" && measure.items.length > 0) return [changeOf(right, "wider", measure.items, false)];
  const items = listGranted(measure);

  return items.length === 0 ? [] : [changeOf(right, "narrower", items, false)];
};

const weightOf = ({ direction, loosens, facet }: AuthorityChange): number => {
  if (direction === "narrower") return 4;
  if (loosens) return 0;
  if (facet === "calls" || facet === "outside_gives" || facet === "outside_reads") return 1;

  return facet === "tells" || facet === "reached" || facet === "promotes" ? 2 : 3;
};

/** Returns differences, wider and weightier first. @param before null: unpublished */
export const diffAuthority = (before: Authority | null, after: Authority): readonly AuthorityChange[] => {
  const old = bySubject(before ?? []);
  const now = bySubject(after);
  const found = [...now].flatMap(([key, rights]) => {
    const known = old.get(key);

    return known ? changed(known, rights) : added(rights);
  });
  const gone = [...old].flatMap(([key, rights]) => (now.has(key) ? [] : removed(rights)));

  return [...found, ...gone].toSorted((a, b) => weightOf(a) - weightOf(b));
};

export const widens = (changes: readonly AuthorityChange[]): boolean => changes.some(({ direction }) => direction === "wider");
