import { buildPublishedGraph, computeVersionHash } from "@/lib/graph/publish";
import type { PublishedVersion, ValidationContext } from "@/lib/graph/facts/facts";
import { validateGraph } from "@/lib/graph/validate";
import { orderGraphs, type GraphFile } from "./graph-file";
import { toCliProblem, type CliProblem } from "./problem";

export type Part = {
  readonly file: GraphFile;
  /** Registry and earlier parts, newest first. */
  readonly context: ValidationContext;
  readonly version: PublishedVersion;
};

/** Splits a file into publishable graphs, the root last. */
export const splitParts = (root: GraphFile, registryOf: (file: GraphFile) => ValidationContext): readonly Part[] =>
  orderGraphs(root).reduce<readonly Part[]>((before, file) => {
    const registry = registryOf(file);
    const context = { ...registry, versions: [...before.map(({ version }) => version).toReversed(), ...registry.versions] };
    const published = buildPublishedGraph(file.graph, context);

    return [...before, { file, context, version: { version: computeVersionHash(published), published } }];
  }, []);

export const listPartProblems = (parts: readonly Part[]): CliProblem[] =>
  parts.flatMap(({ file: { graph }, context }, index) => {
    const problems = validateGraph(graph, context).map(toCliProblem);
    if (index === parts.length - 1) return problems;

    return problems.map((found) => ({ ...found, ids: [graph.id, ...found.ids], message: `In the subgraph ${graph.id}: ${found.message}` }));
  });
