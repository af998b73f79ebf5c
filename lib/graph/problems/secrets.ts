/** Apparent credentials: drafts and versions are stored in plain text. */
import type { Facts } from "@/lib/graph/facts/facts";
import { listSecrets } from "@/lib/secrets/leave-out";
import { createProblem, type Place, type Problem } from "./problem";

const MAX_PROBLEMS = 100;

const found = (place: Place, value: object): Problem[] =>
  listSecrets(value).map(({ path, what }) =>
    createProblem(
      "secret_in_text",
      place,
      `${path.join(".")} looks like it contains a secret (${what}). Everyone who can view the graph can read it. Store credentials with a server in the registry instead.`,
    ),
  );

/** Reports place and kind, never the secret. */
export const findSecretProblems = ({ graph }: Facts): Problem[] => {
  const { nodes, edges, memory, ...rest } = graph;

  return [
    ...found({}, rest),
    ...nodes.flatMap((node) => found({ node: node.id }, node)),
    ...edges.flatMap((edge) => found({ edge: edge.id }, edge)),
    ...memory.flatMap((key) => found({ key: key.key }, key)),
  ].slice(0, MAX_PROBLEMS);
};
