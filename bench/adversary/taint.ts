/** From records alone. May miss taint, never invents it. */
import { CLASSIFICATIONS, INTEGRITIES, type Label } from "@/lib/graph/label";

type Segments = readonly string[];
const segmentsOf = (path: string): Segments => path.split(".");
const covers = (above: Segments, path: Segments) => above.length <= path.length && above.every((part, index) => part === path[index]);

/** Independent of the product. */
export const isCovered = (grants: readonly string[], path: string): boolean =>
  grants.some((grant) => grant === "*" || covers(segmentsOf(grant), segmentsOf(path)));

/** `distrust`: 0 trusted, 1 reviewed, 2 untrusted. `secrecy`: from 0, public. */
export type Level = { readonly distrust: number; readonly secrecy: number };
export const CLEAR: Level = { distrust: 0, secrecy: 0 };
export const UNTRUSTED: Level = { distrust: 2, secrecy: 0 };

export const joined = (...levels: readonly Level[]): Level => ({
  distrust: Math.max(0, ...levels.map(({ distrust }) => distrust)),
  secrecy: Math.max(0, ...levels.map(({ secrecy }) => secrecy)),
});

export const levelOf = ({ integrity, confidentiality }: Pick<Label, "integrity" | "confidentiality">): Level => ({
  distrust: 2 - INTEGRITIES.indexOf(integrity),
  secrecy: CLASSIFICATIONS.indexOf(confidentiality),
});

export const isAdmitted = (label: Label, level: Level): boolean =>
  levelOf(label).distrust >= level.distrust && levelOf(label).secrecy >= level.secrecy;

type Cell = { readonly path: Segments; readonly level: Level };
type Scope = { readonly memory: readonly Cell[]; readonly controls: readonly { readonly until: string | null; readonly level: Level }[] };

export type Taint = {
  /** Includes cells above and below. */
  at(paths: readonly string[]): Level;
  /** Of the branches that led here. */
  control(): Level;
  wrote(path: string, level: Level): void;
  /** @param until where the branch merges; null: at the end */
  entered(node: string, until: string | null, level: Level): void;
  descend(): void;
  ascend(): void;
};

export const newTaint = (): Taint => {
  const outer: Scope[] = [];
  let scope: Scope = { memory: [], controls: [] };
  const control = () => joined(...scope.controls.map(({ level }) => level));

  return {
    control,
    at: (paths) => {
      const wanted = paths.map(segmentsOf);
      const touches = ({ path: cell }: Cell) => paths.includes("*") || wanted.some((path) => covers(cell, path) || covers(path, cell));

      return joined(...scope.memory.filter(touches).map(({ level }) => level));
    },
    wrote: (path, level) => {
      const segments = segmentsOf(path);
      scope = { ...scope, memory: [...scope.memory.filter((cell) => !covers(segments, cell.path)), { path: segments, level }] };
    },
    entered: (node, until, level) => {
      scope = { ...scope, controls: [...scope.controls, { until, level }].filter((decision) => decision.until !== node) };
    },
    descend: () => {
      outer.push(scope);
      scope = { memory: [], controls: [{ until: null, level: control() }] };
    },
    ascend: () => {
      scope = outer.pop() ?? scope;
    },
  };
};

export const pathsIn = (condition: string): string[] => [...condition.matchAll(/memory\.([a-z_.]+)/g)].map(([, path]) => path ?? "");
