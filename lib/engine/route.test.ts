import { describe, expect, it } from "vitest";
import { edgesWith, publishWith, SMALL_GRAPH } from "@/lib/engine/testing/graph";
import { atTriage, result } from "@/lib/engine/testing/run";

describe("a condition", () => {
  it("sees what its node declared to read; anything else is an error, not false", () => {
    const edges = [
      ...(edgesWith("free", { condition: 'memory.mail == "x" || memory.request.plan == "free"' }) ?? []),
      { id: "failed", source: "triage", target: "rescue", kind: "error" as const },
    ];
    const blind = atTriage(publishWith({ edges }), "team");
    blind.work(result());
    expect(blind.state().currentNode).toBe("rescue");

    const nodes = (SMALL_GRAPH.nodes ?? []).map((node) => (node.id === "triage" ? { ...node, read_keys: ["request", "mail"] } : node));
    const seeing = atTriage(publishWith({ edges, nodes }), "team");
    seeing.work(result());
    expect(seeing.state().currentNode).toBe("ask");
  });

  it("may ask for a label, within what its node may read; the decision is labelled by it", () => {
    const routed = (condition: string, strict_taint = false) => {
      const run = atTriage(publishWith({ strict_taint, edges: edgesWith("free", { condition }) }), "team");
      run.work(result());

      return run.state();
    };
    expect(routed("tainted(memory.request.plan)").currentNode).toBe("decline");
    expect(routed("!tainted(memory.request.plan)").currentNode).toBe("ask");
    expect(routed('label(memory.request).provenance.exists(p, p.startsWith("mcp:docs/"))').currentNode).toBe("decline");
    // Not granted to the node.
    expect(routed("tainted(memory.mail) || true").currentNode).toBe("decline");
    expect(routed("tainted(memory.mail)").status).toBe("failed");
    expect(Object.values(routed("tainted(memory.request.plan)", true).gates).map(({ gate }) => gate.reason)).toEqual(["tainted_route"]);
  });

  it("sees declared integers as integers", () => {
    const run = atTriage(
      publishWith({ edges: edgesWith("free", { condition: "size(memory.request.plan) % 2 + run.iteration_count % 2 >= 0" }) }),
      "team",
    );
    run.work(result());
    expect(run.state().currentNode).toBe("decline");
  });
});
