import { buildOutcome, createFailure, executeKind } from "@/server/executors/written";

/** The control plane runs the function of the version, whatever a worker says. */
export const runCode = executeKind("code", async (node, input, { code }) => {
  if (!code) return createFailure("code_unavailable", false, "No code can run here.");
  const answer = await code.run();
  if (answer.status === "ok") return buildOutcome(input, node.config.write_to, answer.value);
  const { code: fault, line, message } = answer;

  return createFailure(fault, false, line === null ? message : `Line ${line}: ${message}`);
});
