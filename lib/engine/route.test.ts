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
});
