/**
 * What is certainly tainted, followed from the records alone and without the engine's labels: tool answers, whatever is
 * written by a visit that could see one, and the ways chosen by it. It may miss taint, it never makes it up.
 */
type Segments = readonly string[];
const segmentsOf = (path: string): Segments => path.split(".");
const covers = (above: Segments, path: Segments) => above.length <= path.length && above.every((part, index) => part === path[index]);

/** Whether one of these grants covers a path, said a second time. */
export const isCovered = (grants: readonly string[], path: string): boolean =>
  grants.some((grant) => covers(segmentsOf(grant), segmentsOf(path)));

export type Taint = {
  /** Whether what is at, above or below one of these paths is tainted. */
  at(paths: readonly string[]): boolean;
  /** Whether the visit that is going on could have seen anything tainted. */
  visit(reads: readonly string[]): boolean;
  wrote(path: string, tainted: boolean): void;
  answered(activation: number): void;
  entered(activation: number, byTaint: boolean): void;
};

export const newTaint = (): Taint => {
  let memory: { readonly path: Segments; readonly tainted: boolean }[] = [];
  let control = false;
  let activation = -1;
  const answered = new Set<number>();
  const at = (paths: readonly string[]) =>
    paths.map(segmentsOf).some((path) => memory.some((cell) => cell.tainted && (covers(cell.path, path) || covers(path, cell.path))));

  return {
    at,
    visit: (reads) => control || answered.has(activation) || at(reads),
    wrote: (path, tainted) => {
      const segments = segmentsOf(path);
      memory = [...memory.filter((cell) => !covers(segments, cell.path)), { path: segments, tainted }];
    },
    answered: (which) => {
      answered.add(which);
    },
    entered: (which, byTaint) => {
      activation = which;
      control = control || byTaint;
    },
  };
};

/** The memory paths that a condition of these scenarios looks at: each names one. */
export const pathsIn = (condition: string): string[] => [...condition.matchAll(/memory\.([a-z_.]+)/g)].map(([, path]) => path ?? "");
