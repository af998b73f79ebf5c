import { describe, expect, test } from "vitest";
import { readAuthority } from "@/lib/architect/authority";
import { diffAuthority, widens } from "@/lib/architect/authority-diff";
import { findLoosened } from "@/lib/architect/forbidden";
import { buildDesk, DESK_CONTEXT, withConfig } from "@/lib/architect/testing/desk";
import type { Graph } from "@/lib/graph/document";
import { computeContentHash } from "@/lib/graph/file";
import { buildPublishedGraph } from "@/lib/graph/publish";

const diff = (before: Graph, after: Graph) =>
  diffAuthority(readAuthority(buildPublishedGraph(before, DESK_CONTEXT)), readAuthority(buildPublishedGraph(after, DESK_CONTEXT)));

const PLAIN = buildDesk();
const SIGNED = withConfig("ask", { passkey: true })(PLAIN);
const BY_CLASS: Graph = { ...PLAIN, passkey_for: "irreversible" };
const HIGH: Graph = { ...PLAIN, passkey_for: "high_risk" };

describe("demanding less of passkeys", () => {
  test.each([
    [
      "an approval that needs no passkey any more",
      SIGNED,
      PLAIN,
      /“refund” has 0 human decisions signed with a passkey before it instead of 1/,
    ],
    ["a graph that demands none any more", BY_CLASS, PLAIN, /The graph requires passkeys for fewer approvals/],
    ["a graph that demands them for less", HIGH, BY_CLASS, /The graph requires passkeys for fewer approvals/],
  ])("is wider: %s", (_name, before, after, text) => {
    const changes = diff(before, after);
    expect(widens(changes)).toBe(true);
    expect(changes.map((change) => change.text).join("\n")).toMatch(text);
    expect(widens(diff(after, before))).toBe(false);
    expect(findLoosened(before, after, DESK_CONTEXT).map(({ code }) => code)).toContain("loosened");
    expect(findLoosened(after, before, DESK_CONTEXT)).toEqual([]);
  });

  test("an approval with another name and without a passkey in its place is wider too", () => {
    const renamed: Graph = JSON.parse(JSON.stringify(PLAIN).replaceAll('"ask"', '"ask2"')) as Graph;
    expect(
      findLoosened(SIGNED, renamed, DESK_CONTEXT)
        .map(({ message }) => message)
        .join("\n"),
    ).toMatch(/signed with a passkey/);
  });
});

test("a document that says nothing of passkeys is what it was", () => {
  expect(JSON.stringify(PLAIN)).not.toContain("passkey");
  expect(computeContentHash({ ...PLAIN, passkey_for: "irreversible" })).not.toBe(computeContentHash(PLAIN));
});
