import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryEdit, arbitraryGraph, consistentGraph } from "@/lib/graph/arbitrary";
import { graphSchema, type Graph } from "@/lib/graph/document";
import { applyEdit } from "@/lib/graph/edit";
import { mergeGraphs, type Choices, type MergeConflict } from "@/lib/graph/merge";
import { same } from "@/lib/graph/merge/same";

const edits = fc.array(arbitraryEdit, { maxLength: 6 });

const threeWays = fc
  .tuple(consistentGraph, edits, edits)
  .map(([base, own, other]) => ({ base, mine: own.reduce(applyEdit, base), theirs: other.reduce(applyEdit, base) }));

const strangers = fc.record({ base: arbitraryGraph, mine: arbitraryGraph, theirs: arbitraryGraph });

/** Ignores positions and orders that change no behaviour. */
const behaviourOf = (graph: Graph) => ({
  ...graph,
  nodes: graph.nodes.map((node) => ({ ...node, position: null })).toSorted((one, other) => (one.id < other.id ? -1 : 1)),
  memory: graph.memory.toSorted((one, other) => (one.key < other.key ? -1 : 1)),
  edges: Object.fromEntries(Map.groupBy(graph.edges, (edge) => edge.source)),
});

const turned = (conflicts: readonly MergeConflict[]) => conflicts.map(({ id, mine, theirs }) => ({ id, mine: theirs, theirs: mine }));
const asked = (conflicts: readonly MergeConflict[]) => conflicts.map(({ id, mine, theirs }) => ({ id, mine, theirs }));
const sorted = <T extends { id: string }>(items: readonly T[]) => items.toSorted((one, other) => (one.id < other.id ? -1 : 1));

const flipped = (conflicts: readonly MergeConflict[]): Choices => new Map(conflicts.map(({ id }) => [id, "theirs"]));

const partsOf = (graph: Graph): ReadonlyMap<string, unknown> =>
  new Map<string, unknown>([
    ...graph.nodes.flatMap(({ id, position: _position, config, kind, ...node }) => [
      [`node:${id}:kind`, kind] as const,
      ...Object.entries(node).map(([field, value]) => [`node:${id}:${field}`, value] as const),
      ...Object.entries(config).map(([field, value]) => [`node:${id}:${kind}.${field}`, value] as const),
    ]),
    ...graph.edges.flatMap(({ id, ...edge }) => Object.entries(edge).map(([field, value]) => [`edge:${id}:${field}`, value] as const)),
    ...graph.memory.flatMap(({ key, ...rest }) => Object.entries(rest).map(([field, value]) => [`key:${key}:${field}`, value] as const)),
    ...Object.entries(graph).flatMap(([field, value]) =>
      ["nodes", "edges", "memory"].includes(field) ? [] : [[`settings::${field}`, value] as const],
    ),
  ]);

const concerns = ({ on, subject, mine, theirs, namedBy }: MergeConflict, place: string): boolean => {
  const ways = on === "node" ? [mine, theirs] : [];
  const isWay = ways.length > 0 && place.startsWith("edge:") && namedBy.length + Number(mine === undefined || theirs === undefined) > 0;

  return (
    place.startsWith(`${on}:${subject}:`) || isWay || namedBy.some((name) => place.startsWith(name.replace("settings:", "settings::")))
  );
};

describe("mergeGraphs", () => {
  test("what only I changed is exactly what I have, whatever the documents are", () => {
    fc.assert(
      fc.property(strangers, ({ base, mine }) => {
        expect(mergeGraphs(base, mine, structuredClone(base))).toEqual({ document: mine, conflicts: [] });
      }),
    );
  });

  test("what only they changed is exactly what they have, whatever the documents are", () => {
    fc.assert(
      fc.property(strangers, ({ base, theirs }) => {
        expect(mergeGraphs(base, structuredClone(base), theirs)).toEqual({ document: theirs, conflicts: [] });
      }),
    );
  });

  test("the same change made twice is made once", () => {
    fc.assert(
      fc.property(strangers, ({ base, mine }) => {
        expect(mergeGraphs(base, mine, structuredClone(mine))).toEqual({ document: mine, conflicts: [] });
      }),
    );
  });

  test("the result is a valid document, whatever is chosen", () => {
    fc.assert(
      fc.property(fc.oneof(threeWays, strangers), fc.infiniteStream(fc.boolean()), ({ base, mine, theirs }, coins) => {
        const { conflicts } = mergeGraphs(base, mine, theirs);
        const choices: Choices = new Map(conflicts.map(({ id }) => [id, coins.next().value === true ? "mine" : "theirs"]));
        const { document } = mergeGraphs(base, mine, theirs, choices);
        expect(graphSchema.safeParse(document).error).toBeUndefined();
      }),
    );
  });

  test("who is called mine makes no difference but for the choices", () => {
    fc.assert(
      fc.property(threeWays, ({ base, mine, theirs }) => {
        const there = mergeGraphs(base, mine, theirs);
        const back = mergeGraphs(base, theirs, mine, flipped(there.conflicts));
        expect(sorted(asked(there.conflicts))).toEqual(sorted(turned(back.conflicts)));
        expect(behaviourOf(there.document)).toEqual(behaviourOf(back.document));
      }),
    );
  });

  test("no edge leads to a node that is not there unless one side drew it so, whatever is chosen", () => {
    const loose = ({ nodes, edges }: Graph) => {
      const ids = new Set(nodes.map(({ id }) => id));

      return edges.filter(({ source, target }) => !ids.has(source) || !ids.has(target)).map(({ id }) => id);
    };
    fc.assert(
      fc.property(threeWays, fc.infiniteStream(fc.boolean()), ({ base, mine, theirs }, coins) => {
        const choices: Choices = new Map(
          mergeGraphs(base, mine, theirs).conflicts.map(({ id }) => [id, coins.next().value === true ? "mine" : "theirs"]),
        );
        const drawn = new Set([...loose(mine), ...loose(theirs)]);
        expect(loose(mergeGraphs(base, mine, theirs, choices).document).filter((id) => !drawn.has(id))).toEqual([]);
      }),
    );
  });

  test("no change that the other side did not touch is lost", () => {
    fc.assert(
      fc.property(threeWays, ({ base, mine, theirs }) => {
        const { document, conflicts } = mergeGraphs(base, mine, theirs);
        const [before, own, other, now] = [base, mine, theirs, document].map(partsOf);
        const isChosen = (place: string) => conflicts.some((conflict) => concerns(conflict, place));
        const lost = [...new Set([...before!.keys(), ...own!.keys(), ...other!.keys()])].filter((place) => {
          const [was, one, another, is] = [before, own, other, now].map((parts) => parts!.get(place));
          const isLost = (same(was, one) && !same(is, another)) || (same(was, another) && !same(is, one));

          return isLost && !isChosen(place);
        });
        expect(lost).toEqual([]);
      }),
    );
  });

  test("the generator makes conflicts of each sort", () => {
    const sorts = fc
      .sample(threeWays, { numRuns: 1_000, seed: 1 })
      .flatMap(({ base, mine, theirs }) => mergeGraphs(base, mine, theirs).conflicts)
      .map(({ on, field, namedBy }) => `${on} ${namedBy.length > 0 ? "needed" : field === null ? "removed" : "changed"}`);
    expect([...new Set(sorts)].toSorted()).toEqual([
      "edge removed",
      "key changed",
      "key needed",
      "key removed",
      "node changed",
      "node needed",
      "node removed",
      "settings changed",
    ]);
  });
});
