import { expect, test } from "vitest";
import { edgesWith, nodesWith, publishWith } from "@/lib/engine/testing/graph";
import { atTriage, openGate, result } from "@/lib/engine/testing/run";

test.each([
  'memory.exists(name, name == "request")',
  "size(memory) > 1",
  'memory == {"topic": "plans"}',
  'memory[goal == "" ? "topic" : "request"] == "free"',
  '[memory].exists(all, all.request.plan == "free")',
  '!("request" in memory)',
])("cycgraph: strict taint applies to a read of all memory: %s", (condition) => {
  for (const plan of ["free", "team"]) {
    const edges = [
      ...(edgesWith("free", { condition }) ?? []),
      { id: "failed", source: "triage", target: "rescue", kind: "error" as const },
    ];
    const run = atTriage(publishWith({ strict_taint: true, nodes: nodesWith("triage", { read_keys: ["request", "topic"] }), edges }), plan);
    run.work(result());
    expect(run.state()).toMatchObject({ status: "waiting", currentNode: "triage" });
    expect(openGate(run).gate.reason).toBe("tainted_route");
  }
});
