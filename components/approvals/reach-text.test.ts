import { describe, expect, test } from "vitest";
import type { Source } from "@/lib/graph/analyse/flows";
import { callText, nextText, shapedText } from "./reach-text";

const nameOf = (id: string) => ({ read: "Read the mail", ask: "Ask again" })[id] ?? id;
const source: Source = { type: "tools", node: "read", tools: ["files__read"] };
const flow = { source, sink: { kind: "route" as const, node: "act" }, witness: [] };

describe("the sentences about an approval", () => {
  test("say what the call can change, and where its answer goes", () => {
    const call = { server: "desk", tool: "wipe", effect: "irreversible", outward: false } as const;
    expect(callText({ call, writes: ["result"] })).toBe(
      "It makes an irreversible change, through wipe on desk. The node can write result.",
    );
    expect(callText({ call: null, writes: [] })).toBe("It calls nothing: the run goes on.");
  });

  test("tell what shaped it in this run from what could in this graph", () => {
    const said = (integrity: "untrusted" | "reviewed" | "trusted", flows: (typeof flow)[], covered = true) =>
      shapedText({ integrity, covered, flows }, nameOf);
    expect(said("untrusted", [flow])).toBe("Untrusted data shaped it. The nearest source in the graph: tool results of Read the mail.");
    expect(said("untrusted", [], false)).toContain("does not say how");
    expect(said("trusted", [flow])).toBe(
      "In this run nothing untrusted shaped it. In this graph something untrusted could; the nearest source: tool results of Read the mail.",
    );
    expect(said("trusted", [])).toContain("In this graph nothing untrusted can.");
    expect(said("trusted", [], false)).not.toContain("graph");
  });

  test("say that another gate follows only where it does", () => {
    expect(nextText({ gates: [], certain: false }, nameOf)).toBe("No other gate follows.");
    expect(nextText({ gates: ["ask"], certain: true }, nameOf)).toBe("Another gate follows on every way: Ask again.");
    expect(nextText({ gates: ["ask"], certain: false }, nameOf)).toBe("Another gate follows on some ways only: Ask again.");
  });
});
