/**
 * What is certainly untrusted or confidential, followed from the records alone and without the engine's labels: tool
 * answers, whatever is written by a visit that could see one, and the ways chosen by it. It may miss taint, it never
 * makes it up.
 */
import { CLASSIFICATIONS, INTEGRITIES, type Label } from "@/lib/graph/label";

type Segments = readonly string[];
const segmentsOf = (path: string): Segments => path.split(".");
const covers = (above: Segments, path: Segments) => above.length <= path.length && above.every((part, index) => part === path[index]);

/** Whether one of these grants covers a path, said a second time. */
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

/** Whether a label says at least as much as is certain. */
export const isAdmitted = (label: Label, level: Level): boolean =>
  levelOf(label).distrust >= level.distrust && levelOf(label).secrecy >= level.secrecy;

type Cell = { readonly path: Segments; readonly level: Level };
type Scope = { readonly memory: readonly Cell[]; readonly controls: readonly { readonly until: string | null; readonly level: Level }[] };

export type Taint = {
  /** Of what is at, above or below these paths. */
  at(paths: readonly string[]): Level;
  /** Of the decisions that the run's being here depends on. */
  control(): Level;
  wrote(path: string, level: Level): void;
  /** The run goes to a node by a decision whose ways meet at `until`; null: only at the end. */
  entered(node: string, until: string | null, level: Level): void;
  /** Into a memory of its own, under everything that led there, and out of it again. */
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

/** The memory paths that a condition of these scenarios looks at: each names one. */
export const pathsIn = (condition: string): string[] => [...condition.matchAll(/memory\.([a-z_.]+)/g)].map(([, path]) => path ?? "");
