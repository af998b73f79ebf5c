import { describe, expect, test } from "vitest";
import type { Source } from "@/lib/graph/analyse/flows";
import { callText, describeNext, describeShaping } from "./reach-text";

const nameOf = (id: string) => ({ read: "Read the mail", ask: "Ask again" })[id] ?? id;
const source: Source = { type: "tools", node: "read", tools: ["files__read"] };
const flow = { source, sink: { kind: "route" as const, node: "act" }, witness: [] };

describe("reach texts", () => {
  test("describe the call's effect and the keys that the node can write", () => {
    const call = { server: "desk", tool: "wipe", effect: "irreversible", outward: false } as const;
    expect(callText({ call, writes: ["result"] })).toBe("It makes an irreversible change, using wipe on desk. The node can write result.");
    expect(callText({ call: null, writes: [] })).toBe("No tool is called. The run continues.");
  });

  test("distinguish this run from the graph's possibilities", () => {
    const said = (integrity: "untrusted" | "reviewed" | "trusted", flows: (typeof flow)[], covered = true) =>
      describeShaping({ integrity, covered, flows }, nameOf);
    expect(said("untrusted", [flow])).toBe("Untrusted data shaped it. Nearest source in the graph: tool results of Read the mail.");
    expect(said("untrusted", [], false)).toContain("found no path");
    expect(said("trusted", [flow])).toBe(
      "In this run, no untrusted data shaped it. In this graph, untrusted data could reach it. Nearest source: tool results of Read the mail.",
    );
    expect(said("trusted", [])).toContain("In this graph, untrusted data can't reach it.");
    expect(said("trusted", [], false)).not.toContain("graph");
  });

  test("name following gates", () => {
    expect(describeNext({ gates: [], certain: false }, nameOf)).toBe("No other gate follows.");
    expect(describeNext({ gates: ["ask"], certain: true }, nameOf)).toBe("Another gate follows on every route: Ask again.");
    expect(describeNext({ gates: ["ask"], certain: false }, nameOf)).toBe("Another gate follows on some routes only: Ask again.");
  });
});
